"""One frontier for several topics: an order for each of them, and one priority made of theirs.

A link is worth the largest of its topics' priorities, and a little more if others want it too: the norm

    s = (s_A^p + s_B^p + ...)^(1/p)        with p = NORM, cut at 1

`docs/measured.md` compares it with other ways. Taking scores for independent chances, 1 - (1 - s_A)(1 - s_B), does worst:
every link has some score for every topic, and those add up to noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from focuscrawl.items import Link, Page, Verdict
from focuscrawl.url.key import UrlId
from models.order.protocol import Change, Order

REMEMBERED = 500_000
"""URLs whose priorities by topic are remembered, to put a change of one of them in its place; some 200 bytes each."""
NORM = 4.0
"""2 favors what several topics want a little over what one wants much; at 8 it is nearly the larger of the two."""
UNJUDGED = Verdict(0.0, False, 1.0)
OVERLAP = "overlap"
"""Part of a combined score: what the topics' parts add up to above it is counted once only."""
DIGITS = 5


def merged(values: Iterable[float], norm: float = NORM) -> float:
    """One score or priority of those for several topics, at least one. In [0, 1] where all of them are; never less than the
    largest: some orders put their first choices above all scores."""
    found = tuple(values)
    largest = max(found)
    if largest <= 0.0 or len(found) == 1:
        return largest
    together = largest * math.pow(sum(math.pow(max(0.0, value) / largest, norm) for value in found), 1 / norm)
    return min(together, max(1.0, largest))


class Combined:
    """One order for each topic, by name; each sees every page under its own topic's verdict. Implements `Order`.

    Costs O(links of the page) for each topic."""

    def __init__(
        self,
        orders: Mapping[str, Order],
        remembered: int = REMEMBERED,
        merge: Callable[[Iterable[float]], float] = merged,
    ) -> None:
        self._orders, self._priority_of = dict(orders), merge
        self.focused = all(order.focused for order in self._orders.values())
        self._known: dict[UrlId, dict[str, float]] = {}
        self._remembered = remembered

    def see(self, page: Page) -> None:
        """As every order does. Parts of scores are named `topic/part`."""
        best = page.verdict
        links = [link for link in page.links if not link.refused]
        scores: list[dict[str, _TopicScore]] = [{} for _ in links]
        try:
            for topic, order in self._orders.items():
                page.verdict = page.verdicts.get(topic, best and UNJUDGED) if page.verdicts else best
                order.see(page)
                for link, by_topic in zip(links, scores, strict=True):
                    by_topic[topic] = _TopicScore(link)
        finally:
            page.verdict = best
        self._known.pop(page.lease.url_id, None)
        for link, by_topic in zip(links, scores, strict=True):
            self._merge(link, by_topic)

    def changes(self) -> list[Change]:
        """What any of the orders changed, with what the others think of the same URLs."""
        if not self.focused:  # what a link is worth does not depend on the topic: the first one speaks for all
            first, *_ = [order.changes() for order in self._orders.values()]
            return first
        moved: dict[UrlId, dict[str, Change]] = {}
        for topic, order in self._orders.items():
            for change in order.changes():
                moved.setdefault(change.key, {})[topic] = change
        return [self._change(key, by_topic) for key, by_topic in moved.items()]

    def _merge(self, link: Link, scores: Mapping[str, _TopicScore]) -> None:
        link.score = round(merged(each.score for each in scores.values()), DIGITS)
        link.parts = {f"{topic}/{name}": value for topic, each in scores.items() for name, value in each.parts.items()}
        twice = round(link.score - sum(each.score for each in scores.values()), DIGITS)
        if twice:
            link.parts[OVERLAP] = twice
        if not self.focused:
            link.priority = next(iter(scores.values())).priority  # the same for all: it does not depend on the topic
            return
        link.priority = self._priority_of(each.priority for each in scores.values())
        self._remember(link, scores)

    def _remember(self, link: Link, scores: Mapping[str, _TopicScore]) -> None:
        key = link.key.url_id
        before = self._known.pop(key, {})
        if len(self._known) >= self._remembered:
            del self._known[next(iter(self._known))]
        self._known[key] = {topic: max(each.priority, before.get(topic, each.priority)) for topic, each in scores.items()}

    def _change(self, key: UrlId, changes: Mapping[str, Change]) -> Change:
        known = self._known.get(key, {})
        for topic, change in changes.items():
            known[topic] = change.priority
        priority = self._priority_of(known.values())
        parts: list[tuple[str, float]] = []
        if any(change.parts for change in changes.values()):
            for topic, value in known.items():
                own = changes[topic].parts if topic in changes else ()
                parts += [(f"{topic}/{name}", part) for name, part in own] or [(topic, value)]
            if twice := round(priority - sum(known.values()), DIGITS):
                parts.append((OVERLAP, twice))
        return Change(key, priority, tuple(parts))


class _TopicScore:
    """What one order says of a link."""

    __slots__ = ("parts", "priority", "score")

    def __init__(self, link: Link) -> None:
        self.score, self.parts, self.priority = link.score, link.parts, link.priority
