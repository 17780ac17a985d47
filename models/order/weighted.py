"""The page weight as a prior: adds a share of a URL's weight (`models.order.weight`) to its priority by any order.

    priority = the order's own + share · weight (+ a bonus on important sites)

A weight is in (0, 1). The priorities of orders by depth differ by 1 from depth to depth, so that the weight decides among URLs
of one depth. Those of orders by score are in [0, 1]: a share of 0.1 decides among URLs that are nearly alike, and with 1 the
weight counts as much as the score. The places in the queues of `bounded` are so close to each other that any share replaces
their order. The crawl measures what a priority promises (`frontier.stop_rules`), so that it finds the edge of a topic with a
prior, too.

Costs what `models.order.weight.PageWeights` does, and 200 bytes for each URL that waits.
"""

from __future__ import annotations

from focuscrawl.items import Page
from focuscrawl.url.key import UrlId
from models.link.link_score import DIGITS
from models.order.protocol import Change, Order
from models.order.waiting_urls import WaitingUrls
from models.order.weight import PageWeights

BONUS_BY_SCORE = 2.0
"""Bonus of important sites in orders by score. It puts them above explored URLs, which have 1 and their share of weight."""
BONUS_BY_DEPTH = 1024.0
"""Bonus in orders by depth: above every depth of a real web, and small enough that discovery numbers keep their order."""
PART = "weight"
"""Name of the part that the weight adds to a link's score."""


class WeightedOrder:
    """An order with page weights as a prior. Implements `Order`."""

    def __init__(self, order: Order, share: float, important: tuple[str, ...] = ()) -> None:
        """`share`: share of the weight that is added to priorities, 0 to 1."""
        self._order, self._share = order, share
        self.focused = order.focused
        self._bonus = BONUS_BY_SCORE if order.focused else BONUS_BY_DEPTH
        self._weights, self._waiting = PageWeights(important), WaitingUrls()
        self._own: dict[UrlId, float] = {}
        """Priorities of waiting URLs as the order itself gave them."""

    def see(self, page: Page) -> None:
        self._order.see(page)
        self._waiting.close(page.lease.url_id)
        self._own.pop(page.lease.url_id, None)
        for key in self._weights.see(page):
            if key in self._own:
                self._waiting.move(key, self._own[key] + self._prior(key))
        for link in page.links:
            if link.refused:
                continue
            key = link.key.url_id
            before = self._own.setdefault(key, link.priority)
            if self.focused:  # in other orders the first link counts, as in the frontier
                self._own[key] = max(before, link.priority)
            score = min(1.0, link.score + self._share * self._weights.of(key)[0])
            link.parts = {**link.parts, PART: round(score - link.score, DIGITS)}
            link.score = round(score, DIGITS)
            link.priority += self._prior(key)
            self._waiting.offer(key, self._own[key] + self._prior(key))
            if key not in self._waiting:  # the URL was fetched
                del self._own[key]

    def changes(self) -> list[Change]:
        """The changes of the order itself with the prior added, then those that the prior makes."""
        own = [self._with_prior(change) for change in self._order.changes()]
        return own + self._waiting.changes()

    def _with_prior(self, change: Change) -> Change:
        prior = self._prior(change.key)
        self._own[change.key] = change.priority
        self._waiting.publish(change.key, change.priority + prior)
        parts = (*change.parts, (PART, round(prior, DIGITS))) if change.parts else ()
        return Change(change.key, change.priority + prior, parts)

    def _prior(self, key: UrlId) -> float:
        """What is added to the priority of a URL."""
        if not self._weights.knows(key):  # only a redirect leads there
            return 0.0
        return self._share * self._weights.of(key)[0] + self._bonus * self._weights.is_important(key)
