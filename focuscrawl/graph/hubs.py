"""Hubs and authorities (HITS): good hubs link to good authorities, and good authorities are linked to by good hubs.

Source: Kleinberg 1999, Authoritative sources in a hyperlinked environment. As in the paper, links within a host do not count
(if there are enough others), because they are navigation. O(links) a step.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from focuscrawl.graph.web import Matrix, WebGraph, link_matrix, sources_and_targets

Scores = npt.NDArray[np.float64]
STEPS = 100
"""Most steps of the iteration; most graphs need 20."""
CLOSE = 1e-9
"""The iteration ends when no score changes by more."""
ENOUGH = 100
"""With at least this many links between hosts, only those count."""


def between_hosts(graph: WebGraph) -> Matrix | None:
    """The links from one host to another; None if there are not enough of them."""
    sources, targets = sources_and_targets(graph.links)
    crossing = graph.hosts[sources] != graph.hosts[targets]
    if int(crossing.sum()) < ENOUGH:
        return None
    return link_matrix(graph.size, sources[crossing], targets[crossing])


def hits(links: Matrix) -> tuple[Scores, Scores]:
    """The scores of all pages as (hubs, authorities). Each array adds up to 1, or is 0 if there is no link."""
    hubs, authorities = np.ones(links.shape[0]), np.zeros(links.shape[0])
    if not links.nnz:
        return authorities, authorities
    for _ in range(STEPS):
        before, authorities = authorities, _scaled(links.T @ hubs)
        hubs = _scaled(links @ authorities)
        if np.abs(authorities - before).max() < CLOSE:
            break
    return hubs, authorities


def _scaled(scores: Scores) -> Scores:
    scaled: Scores = scores / scores.sum()
    return scaled
