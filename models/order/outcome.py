"""What did following a link bring? In [0, 1]: how relevant its page is, or how much that promises to lead to.

The page's similarity with the topic alone misleads where the judge is weak: pages of a dictionary of the same language come
near every topic. What the link had said counts beside it (co-training: two views of one page), but never more than what the
page itself says: else links would come true by being believed. A page that lists others is worth less than one that says
something.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from focuscrawl.items import Page
from models.vsm import TopicModel

LINK_SHARE = 0.3
"""What the LinkScore counts beside the page's similarity."""
ENOUGH = 0.9
"""Times the topic's threshold: where a page counts half."""
STEEPNESS = 4.0
LIST_WORTH = 0.7
BEST_LINKS = 5
DISCOUNT = 0.8
"""What a promise counts against a page that is there."""


class Outcomes:
    """`hubs`: whether what a page leads to counts."""

    def __init__(self, topic: TopicModel, hubs: bool = True) -> None:
        self._topic, self._hubs = topic, hubs

    def of(self, page: Page, score: float, promised: npt.NDArray[np.float64]) -> float:
        """`score`: the LinkScore that the page was followed for; `promised`: by the new links that it brought."""
        later = DISCOUNT * float(np.sort(promised)[-BEST_LINKS:].sum()) / BEST_LINKS if self._hubs else 0.0
        return max(self._own(page, score), later)

    def _own(self, page: Page, score: float) -> float:
        if not page.ok or page.verdict is None or page.duplicate is not None:
            return 0.0
        own = page.verdict.similarity
        said = (own + min(LINK_SHARE * score, own)) / (ENOUGH * self._topic.own_threshold)
        worth = 1.0 / (1.0 + float(np.exp(-np.clip(STEEPNESS * (said - 1.0), -30.0, 30.0))))
        return worth * LIST_WORTH if page.kind == "index" else worth
