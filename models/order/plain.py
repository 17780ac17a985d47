"""The three orders that need no memory: by depth and discovery, or by LinkScore alone."""

from __future__ import annotations

from focuscrawl.frontier.policy import Priority, best_first, breadth_first, depth_first
from focuscrawl.items import Page
from models.order.protocol import Change, OrderContext


class PlainOrder:
    """Priority is a function of a link's LinkScore, depth and discovery number. Implements `Order`."""

    def __init__(self, context: OrderContext, priority: Priority, focused: bool) -> None:
        self.focused = focused
        self._scorer, self._priority = context.scorer, priority
        self._number = context.first_number

    def see(self, page: Page) -> None:
        depth = page.lease.depth + 1
        for link in page.links:
            if link.refused:
                continue
            self._scorer.score(link, page)
            self._number += 1
            link.priority = self._priority(link.score, depth, self._number)

    def changes(self) -> list[Change]:
        """None: what a link is worth when it is found, it stays worth."""
        return []


def breadth_first_order(context: OrderContext) -> PlainOrder:
    return PlainOrder(context, breadth_first, focused=False)


def depth_first_order(context: OrderContext) -> PlainOrder:
    return PlainOrder(context, depth_first, focused=False)


def best_first_order(context: OrderContext) -> PlainOrder:
    return PlainOrder(context, best_first, focused=True)
