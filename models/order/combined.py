"""One frontier for several topics: an order for each of them, and one priority made of theirs.

A link is worth the largest of its topics' priorities, and a little more if others want it too: the norm

    s = (s_A^p + s_B^p + ...)^(1/p)        with p = NORM, cut at 1

Before, each topic's priorities are multiplied by its level, so that the best of what waits for each reach one height. A crawl
that waits for better URLs (`focuscrawl.frontier.patience`) waits so for each topic's own: else the topic whose links promise
most gets nearly all fetches. On the demo web 150 pages brought 100 of one topic and 11 of the other without levels, 44 and 79
with them.

`docs/measured.md` compares the norm with other ways. Taking scores for independent chances, 1 - (1 - s_A)(1 - s_B), does worst:
every link has some score for every topic, and those add up to noise.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping
from itertools import islice

from focuscrawl.items import Link, Page, Verdict
from focuscrawl.url.key import UrlId
from models.order.protocol import Change, Order

REMEMBERED = 500_000
"""URLs whose priorities by topic are remembered, to put a change of one of them in its place; some 200 bytes each."""
NORM = 4.0
"""2 favors what several topics want a little over what one wants much; at 8 it is nearly the larger of the two."""
EVERY = 8
"""Pages between two looks at what waits for each topic."""
BEST = 16
"""The height of a topic is the priority of its so many-th best waiting link: a patient crawl waits for as many."""
MOST = 3.0
"""A topic is lifted by no more than this: when hardly anything is left for it, the others get the fetches."""
STEADY = 0.1
"""Levels that would move by a smaller part stay."""
LOOKED = 20_000
"""Known URLs that are looked at, the last ones: 10 ms."""
RANKED = 300
"""Best URLs of a topic that get a new priority when its level moves; the others keep theirs until they are found again."""
BELOW = 0.9999
"""Some orders put their first choices at 1 or above: no level lifts a link so high."""
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
        self._levels = dict.fromkeys(self._orders, 1.0)
        """Factors of the priorities of each topic."""
        self._pages = 0
        self._moved: list[UrlId] = []
        """Whose priorities the last change of levels has moved."""

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
        self._pages += 1
        if self.focused and self._pages % EVERY == 0:
            self._level()

    def changes(self) -> list[Change]:
        """What any of the orders changed, with what the others think of the same URLs."""
        if not self.focused:  # what a link is worth does not depend on the topic: the first one speaks for all
            first, *_ = [order.changes() for order in self._orders.values()]
            return first
        moved: dict[UrlId, dict[str, Change]] = {}
        for topic, order in self._orders.items():
            for change in order.changes():
                moved.setdefault(change.key, {})[topic] = change
        leveled, self._moved = [key for key in self._moved if key in self._known and key not in moved], []
        return [
            *(self._change(key, by_topic) for key, by_topic in moved.items()),
            *(Change(key, self._priority(self._known[key])) for key in dict.fromkeys(leveled)),
        ]

    def _level(self) -> None:
        """Bring the best of what waits for each topic to one height, where they differ by enough. O(LOOKED) for each topic."""
        waiting = list(islice(reversed(self._known.items()), LOOKED))
        best = {topic: _best(waiting, topic) for topic in self._orders}
        heights = {topic: ahead[BEST - 1][0] if len(ahead) >= BEST else 0.0 for topic, ahead in best.items()}
        levels = {topic: min(MOST, max(heights.values()) / height) if height > 0 else 1.0 for topic, height in heights.items()}
        moved = [topic for topic in levels if abs(levels[topic] / self._levels[topic] - 1) >= STEADY]
        if moved:
            self._levels = levels
            self._moved = [key for topic in moved for _, key in best[topic]]

    def _priority(self, by_topic: Mapping[str, float]) -> float:
        """One priority of those for the topics, each at its level."""
        levels = self._levels
        return self._priority_of(max(value, min(value * levels[topic], BELOW)) for topic, value in by_topic.items())

    def _merge(self, link: Link, scores: Mapping[str, _TopicScore]) -> None:
        link.score = round(merged(each.score for each in scores.values()), DIGITS)
        link.parts = {f"{topic}/{name}": value for topic, each in scores.items() for name, value in each.parts.items()}
        twice = round(link.score - sum(each.score for each in scores.values()), DIGITS)
        if twice:
            link.parts[OVERLAP] = twice
        if not self.focused:
            link.priority = next(iter(scores.values())).priority  # the same for all: it does not depend on the topic
            return
        link.priority = self._priority({topic: each.priority for topic, each in scores.items()})
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
        priority = self._priority(known)
        parts: list[tuple[str, float]] = []
        if any(change.parts for change in changes.values()):
            for topic, value in known.items():
                own = changes[topic].parts if topic in changes else ()
                parts += [(f"{topic}/{name}", part) for name, part in own] or [(topic, value)]
            if twice := round(priority - sum(known.values()), DIGITS):
                parts.append((OVERLAP, twice))
        return Change(key, priority, tuple(parts))


def _best(waiting: Iterable[tuple[UrlId, Mapping[str, float]]], topic: str) -> list[tuple[float, UrlId]]:
    """The highest priorities for a topic, falling, with their URLs; first choices are left out."""
    priorities = ((by_topic.get(topic, 0.0), key) for key, by_topic in waiting)
    return heapq.nlargest(RANKED, (found for found in priorities if found[0] < 1.0))


class _TopicScore:
    """What one order says of a link."""

    __slots__ = ("parts", "priority", "score")

    def __init__(self, link: Link) -> None:
        self.score, self.parts, self.priority = link.score, link.parts, link.priority
