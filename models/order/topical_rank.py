"""TopicalRank of the adaptive crawler: relevance that flows along links, kept up while the graph grows.

    TopicalRank_j(v) = α Σ_{u→v} TopicalRank_j(u) / O(u) + β R_j(v)        α = β = 0.5

u over the fetched pages that link to v, O(u) the number of u's targets, R_j(v) the relevance of the best link to v by the
link classifier; a seed's is 1.
"""

from __future__ import annotations

from focuscrawl.items import Page
from focuscrawl.url.key import url_key
from models.link_classifier import ENOUGH
from models.link_score import DIGITS
from models.order.crawl_graph import UrlNumbers, edges, key_of
from models.order.link_relevance import LinkRelevance
from models.order.protocol import Change, OrderContext
from models.order.rank_push import RankPush
from models.order.waiting import WaitingUrls

ALPHA = BETA = 0.5
TOLERANCE = 5e-4
"""Residuals below this stay where they are."""
EDGES_PUSHED = 1500
"""Edges over which each page may push what has gathered (0.5 to 1 ms)."""


class TopicalRankOrder:
    """Highest TopicalRank first. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext, enough: int = ENOUGH) -> None:
        self._numbers, self._waiting = UrlNumbers(), WaitingUrls()
        self._rank = RankPush(ALPHA, BETA, TOLERANCE)
        self._relevance = LinkRelevance(context, enough)
        for url in context.seeds:
            self._rank.set_source(self._numbers.of(url_key(url)[2:]), 1.0)

    def see(self, page: Page) -> None:
        self._relevance.see(page)
        self._waiting.close(key_of(page))
        targets = {self._numbers.of(key): links for key, links in edges(page).items()}
        if targets:
            self._rank.set_targets(self._numbers.of(key_of(page)), list(targets))
        for number, links in targets.items():
            for link in links:
                if not link.refused:
                    self._rank.raise_source(number, self._relevance(link, page))
        for number in self._rank.settle(EDGES_PUSHED):
            self._waiting.move(self._numbers.key(number), self._rank.value(number))
        self._set_priorities(page)

    def changes(self) -> list[Change]:
        return self._waiting.changes()

    def _set_priorities(self, page: Page) -> None:
        for link in page.links:
            if link.refused:
                continue
            key = url_key(link.url)[2:]
            number = self._numbers.of(key)
            link.priority = self._rank.value(number)
            link.score = round(min(1.0, link.priority), DIGITS)
            inherited = round(self._rank.inherited(number), DIGITS)
            link.parts = {"inherited": inherited, "relevance": round(link.score - inherited, DIGITS)}
            self._waiting.offer(key, link.priority)
