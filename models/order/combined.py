"""One frontier for several topics: each topic has an order of its own, and their priorities are combined into one.

The priority of a link is the largest of its topics' priorities, and a little more if other topics want it, too: the norm

    s = (s_A^p + s_B^p + ...)^(1/p)        with p = NORM, cut at BELOW, just below 1

Before that, each topic's priorities are multiplied by the topic's level, so that the best waiting URLs of all topics come to
the same height. Without levels the topic whose links promise most would get nearly all fetches, because a crawl that waits for
better URLs (`focuscrawl.frontier.patience`) would wait for those of that topic alone: of two topics of a synthetic web 150
fetches bring 98 and 2 pages without levels, 21 and 68 with them.

`docs/measured.md` compares the norm with other ways. It is worst to take scores for independent chances,
1 - (1 - s_A)(1 - s_B): every link has some score for every topic, and these add up to noise.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from focuscrawl.items import UNJUDGED, Link, Page
from focuscrawl.recent import Recent
from focuscrawl.url.key import UrlId
from models.link.link_score import DIGITS
from models.order.fetched_keys import FetchedKeys
from models.order.protocol import Change, Order

REMEMBERED = 500_000
"""URLs whose priorities by topic are remembered, so that a change for one topic can be combined with the others; some 200 bytes
each."""
NORM = 4.0
"""2 would prefer links that several topics want a little to links that one wants much; 8 gives nearly the larger of two."""
EVERY = 8
"""Pages after which the levels are computed again."""
BEST = 16
"""The height of a topic is the priority of its waiting link with this rank, because a patient crawl waits for as many."""
MOST = 3.0
"""Largest level of a topic: when hardly anything is left for it, the other topics get the fetches."""
STEADY = 0.1
"""Levels that would change by a smaller share stay as they are."""
RANKED = 300
"""Best URLs of a topic that get a new priority when its level changes. The others keep theirs until a link to them is met
again."""
FOLLOWED = 2_000
"""The best URLs of a topic among which those RANKED are looked for: at least so many, and at most twice as many."""
BELOW = 0.9999
"""Neither levels nor several topics lift a priority higher than this, because some orders put their first choices at 1 or
above, and the forecast leaves those out (`focuscrawl.frontier.forecast.ORDERED`)."""
OVERLAP = "overlap"
"""Name of the part of a combined score that takes back what the topics' parts count more than once."""


def merged(values: Iterable[float], norm: float = NORM) -> float:
    """One score or priority made of those for several topics, by the norm. At most BELOW if all of them are, and never less
    than the largest, because some orders put their first choices above all scores. There must be at least one."""
    each = tuple(values)
    largest = max(each)
    if largest <= 0.0 or len(each) == 1:
        return largest
    together = largest * math.pow(sum(math.pow(max(0.0, value) / largest, norm) for value in each), 1 / norm)
    return min(together, max(BELOW, largest))


class _TopicScore(NamedTuple):
    """What one order has given to a link."""

    score: float
    parts: Mapping[str, float]
    priority: float


class Combined:
    """Combines one order for each topic. Each sees every page with the verdict of its own topic. Implements `Order`.

    Costs O(links of the page) for each topic."""

    def __init__(self, orders: Mapping[str, Order], merge: Callable[[Iterable[float]], float] = merged) -> None:
        self._orders, self._priority_of = dict(orders), merge
        self.focused = all(order.focused for order in self._orders.values())
        self._known: Recent[UrlId, dict[str, float]] = Recent(REMEMBERED)
        """Priorities of waiting URLs by topic."""
        self._fetched = FetchedKeys()
        """Not remembered again: they would set the levels as if they waited."""
        self._best = {topic: _BestOf() for topic in self._orders}
        """The best of the known URLs for each topic."""
        self._levels = dict.fromkeys(self._orders, 1.0)
        """The factor of each topic's priorities."""
        self._pages = 0
        self._moved: list[UrlId] = []
        """URLs whose priorities changed with the levels."""

    def see(self, page: Page) -> None:
        """See `Order`. The parts of scores are named `topic/part`."""
        best = page.verdict
        links = [link for link in page.links if not link.refused]
        scores: list[dict[str, _TopicScore]] = [{} for _ in links]
        try:
            for topic, order in self._orders.items():
                # A topic for which a judged page has no verdict takes it for irrelevant. A page that was not judged stays so.
                page.verdict = page.verdicts.get(topic, best and UNJUDGED) if page.verdicts else best
                order.see(page)
                for link, by_topic in zip(links, scores, strict=True):
                    by_topic[topic] = _TopicScore(link.score, link.parts, link.priority)
        finally:
            page.verdict = best
        self._forget(page.lease.url_id)
        self._fetched.add(page.lease.url_id)
        for link, by_topic in zip(links, scores, strict=True):
            self._merge(link, by_topic)
        self._pages += 1
        if self.focused and self._pages % EVERY == 0:
            self._level()

    def changes(self) -> list[Change]:
        """The changes of all orders, each combined with the other topics' priorities of the same URL."""
        if not self.focused:  # the priority of a link does not depend on the topic: the first order stands for all
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
        """Set the levels so that the best waiting URLs of all topics come to one height, unless they hardly change. O(FOLLOWED)
        for each topic."""
        best = {topic: found.ranked(topic, self._known) for topic, found in self._best.items()}
        heights = {topic: ahead[BEST - 1][0] if len(ahead) >= BEST else 0.0 for topic, ahead in best.items()}
        levels = {topic: min(MOST, max(heights.values()) / height) if height > 0 else 1.0 for topic, height in heights.items()}
        moved = [topic for topic in levels if abs(levels[topic] / self._levels[topic] - 1) >= STEADY]
        if moved:
            self._levels = levels
            self._moved = [key for topic in moved for _, key in best[topic]]

    def _priority(self, by_topic: Mapping[str, float]) -> float:
        """One priority made of those for the topics, each multiplied by its level."""
        levels = self._levels
        return self._priority_of(max(value, min(value * levels[topic], BELOW)) for topic, value in by_topic.items())

    def _merge(self, link: Link, scores: Mapping[str, _TopicScore]) -> None:
        """Set score, parts and priority of a link by what the topics' orders say."""
        link.score = round(merged(each.score for each in scores.values()), DIGITS)
        link.parts = {f"{topic}/{name}": value for topic, each in scores.items() for name, value in each.parts.items()}
        overlap = round(link.score - sum(each.score for each in scores.values()), DIGITS)
        if overlap:
            link.parts[OVERLAP] = overlap
        if not self.focused:
            link.priority = next(iter(scores.values())).priority  # the same for all topics
            return
        link.priority = self._priority({topic: each.priority for topic, each in scores.items()})
        self._remember(link, scores)

    def _remember(self, link: Link, scores: Mapping[str, _TopicScore]) -> None:
        key = link.key.url_id
        if key in self._fetched:
            return
        before = self._known.get(key, {})
        known = {topic: max(each.priority, before.get(topic, each.priority)) for topic, each in scores.items()}
        for forgotten, _ in self._known.note(key, known):
            self._forget(forgotten)
        for topic, priority in known.items():
            self._best[topic].put(key, priority)

    def _forget(self, key: UrlId) -> None:
        self._known.pop(key, None)
        for best in self._best.values():
            best.drop(key)

    def _change(self, key: UrlId, changes: Mapping[str, Change]) -> Change:
        """One change of a URL, made of those of some topics and the known priorities for the others."""
        known = self._known.get(key, {})
        for topic, change in changes.items():
            known[topic] = change.priority
            if key in self._known:
                self._best[topic].put(key, change.priority)
        priority = self._priority(known)
        parts: list[tuple[str, float]] = []
        if any(change.parts for change in changes.values()):
            for topic, value in known.items():
                own = changes[topic].parts if topic in changes else ()
                parts += [(f"{topic}/{name}", part) for name, part in own] or [(topic, value)]
            if overlap := round(priority - sum(known.values()), DIGITS):
                parts.append((OVERLAP, overlap))
        return Change(key, priority, tuple(parts))


class _BestOf:
    """The known URLs with the highest priorities for one topic, without first choices of its order (1 or above).

    Invariant: it has all known URLs whose priority is above `_floor`, and some at it. O(1) a change; all known URLs are passed
    over when fewer than RANKED are left, 0.2 s for half a million, at most once in FOLLOWED - RANKED changes."""

    def __init__(self) -> None:
        self._priorities: dict[UrlId, float] = {}
        self._floor = -math.inf

    def put(self, key: UrlId, priority: float) -> None:
        """Note the priority of a known URL."""
        if not self._floor <= priority < 1.0:
            self.drop(key)
            return
        self._priorities[key] = priority
        if len(self._priorities) >= 2 * FOLLOWED:
            best = heapq.nlargest(FOLLOWED, ((value, url) for url, value in self._priorities.items()))
            self._priorities, self._floor = {url: value for value, url in best}, best[-1][0]

    def drop(self, key: UrlId) -> None:
        """Note that a URL is no longer known."""
        self._priorities.pop(key, None)

    def ranked(self, topic: str, known: Mapping[UrlId, Mapping[str, float]]) -> list[tuple[float, UrlId]]:
        """The RANKED highest priorities, falling, with their URLs. `known`: the priorities of all known URLs by topic."""
        if len(self._priorities) < RANKED and self._floor > -math.inf:
            self._floor = -math.inf
            for key, by_topic in known.items():
                self.put(key, by_topic[topic])
        return heapq.nlargest(RANKED, ((value, url) for url, value in self._priorities.items()))
