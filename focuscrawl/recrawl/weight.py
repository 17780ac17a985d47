"""What is the freshness of a page worth? Its relevance, and the new links that visits to it bring."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers

LEAST = 0.02
"""So little weighs what is not wanted at all: it is still looked at, some day."""
IRRELEVANT = 0.2
HUB_MOST = 2.0
"""A page that brings new links weighs at most as much as this many relevant pages more."""
HUB_LEAST = 0.01
HUB_MEMORY = 0.7


def own_weight(relevance: float, relevant: bool) -> float:
    """Of the page without its links; `relevance` in [0, 1]. This is what `state.Seen.relevance` takes."""
    relevance = min(max(relevance, 0.0), 1.0)
    return max(LEAST, relevance if relevant else IRRELEVANT * relevance)


def weight_of(relevance: float, relevant: bool, kind: str, promise: float) -> tuple[float, float]:
    """Weight and hub value after a first fetch.

    :param kind: `index` or `content`; only an index page is given a hub value before it has shown any
    :param promise: mean score of its best links: as if each visit brought one link as good
    """
    hub = max(HUB_LEAST, min(max(promise, 0.0), HUB_MOST)) if kind == "index" else 0.0
    return own_weight(relevance, relevant) + hub, hub


def hub_after(hub: Numbers, promise: Numbers) -> Numbers:
    """Expected promise of the new links of a visit, after one that brought `promise` (the sum of their scores)."""
    brought: Numbers = np.minimum(np.maximum(promise, 0.0), HUB_MOST)
    return HUB_MEMORY * hub + (1.0 - HUB_MEMORY) * brought


def whole_weight(own: Numbers, hub: Numbers) -> Numbers:
    """Relevance and hub value."""
    weight: Numbers = np.maximum(own, LEAST) + np.minimum(np.maximum(hub, 0.0), HUB_MOST)
    return weight
