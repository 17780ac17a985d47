"""A crawl without a network: what would an order have fetched, and when, of pages that are there already?

The frontier is a heap in memory; links, verdicts, tunnelling and duplicates go by the rules of a real crawl, the order sees
each page and moves what waits. What is left out: politeness (hosts never make one wait), robots.txt, failures. A page that
several addresses lead to is fetched once, under the first of them that comes up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from focuscrawl.items import Duplicate, Lease, Link, Page, Verdict
from focuscrawl.store.discover import MARGIN
from focuscrawl.url.key import url_key
from models.order.protocol import Key, Order
from models.replay_frontier import Frontier, Waiting
from models.tunnelling import Tunnelling, next_distance

OUTSIDE = "not stored"
"""Rule that refuses links to pages that are not there: an order must not wait for them."""


@dataclass(slots=True)
class Content:
    """What the fetch of a page brings. Links are the replay's own: it marks them."""

    url: str
    words: Sequence[str]
    """Terms of title and main text."""
    links: list[Link]
    kind: str = "content"
    title: str = ""
    same: Hashable = None
    """Pages with the same mark repeat each other; None: repeats nothing."""


Judge = Callable[[int, Content], Verdict]
"""The verdict on a page (its number and content); a model may learn from the page here."""


class ReplayWeb(Protocol):
    """Pages by number."""

    @property
    def seeds(self) -> Sequence[str]:
        """Normal URLs to begin with; those that lead nowhere are passed over."""
        ...

    def read(self, number: int) -> Content: ...

    def place(self, url: str) -> tuple[Key, int] | None:
        """Key of a normal URL and the page that it leads to; None where there is no such page."""
        ...


class Places:
    """`ReplayWeb.place` by a function from URL to page number, remembered."""

    def __init__(self, resolve: Callable[[str], int | None]) -> None:
        self._resolve = resolve
        self._known: dict[str, tuple[Key, int] | None] = {}

    def __call__(self, url: str) -> tuple[Key, int] | None:
        try:
            return self._known[url]
        except KeyError:
            number = self._resolve(url)
            found = self._known[url] = None if number is None else (url_key(url)[2:], number)
            return found


@dataclass(slots=True, frozen=True)
class Fetch:
    """One page, in the order of the fetches."""

    number: int
    verdict: Verdict
    lease: Lease


@dataclass(slots=True)
class Tally:
    """What happened to links, counted as often as they were met."""

    missing: int = 0
    """Lead to pages that are not there."""
    tunnel: int = 0
    """Kept out by the tunnelling limit."""
    moved: int = 0
    """New priorities of waiting URLs."""
    left: int = 0
    """URLs that wait at the end."""


@dataclass
class Replay:
    """One crawl to come: iterate over it, at most once."""

    web: ReplayWeb
    order: Order
    judge: Judge
    budget: int
    tunnelling: Tunnelling
    """A fresh one. Orders that are not focused do without."""
    in_flight: int = 1
    """Fetches on the way at once: so many are chosen before the first has been judged."""
    host_share: float = 1.0
    """As FRONTIER_HOST_SHARE; 1: hosts never give way. For focused orders."""
    tally: Tally = field(default_factory=Tally)

    def __iter__(self) -> Iterator[Fetch]:
        frontier, flying, chosen = self._seeded(), deque[Waiting](), 0
        met: dict[Hashable, str] = {}
        while True:
            while len(flying) < self.in_flight and chosen < self.budget and (waiting := frontier.pop()):
                flying.append(waiting)
                chosen += 1
            if not flying:
                break
            yield self._fetch(flying.popleft(), frontier, met)
        self.tally.left = len(frontier)

    def _seeded(self) -> Frontier:
        frontier = Frontier(MARGIN, self.host_share) if self.order.focused else Frontier(float("inf"))
        for url in self.web.seeds:
            if place := self.web.place(url):
                frontier.offer(place[0], Waiting(place[1], url, float("inf")))
        return frontier

    def _fetch(self, waiting: Waiting, frontier: Frontier, met: dict[Hashable, str]) -> Fetch:
        content = self.web.read(waiting.number)
        verdict = self.judge(waiting.number, content)
        lease = waiting.lease()
        page = Page(lease, content.url, 200, title=content.title, words=list(content.words), kind=content.kind)
        page.links, page.verdict = content.links, verdict
        if content.same is not None:
            original = met.setdefault(content.same, content.url)
            page.duplicate = Duplicate(0, original, "exact", 1.0) if original != content.url else None
        self._refuse(page)
        places = self._places(page)
        self.order.see(page)
        self._offer(page, places, frontier)
        for change in self.order.changes():
            self.tally.moved += frontier.change(change.key, change.priority)
        return Fetch(waiting.number, verdict, lease)

    def _refuse(self, page: Page) -> None:
        """The rules that refuse all links of a page."""
        rule = "duplicate" if page.duplicate else ""
        self.tunnelling.see(page)
        if not rule and self.order.focused and not self.tunnelling.follow(page):
            rule = "tunnel"
            self.tally.tunnel += len(page.links)
        if rule:
            for link in page.links:
                link.refused = link.refused or rule

    def _places(self, page: Page) -> list[tuple[Key, int] | None]:
        """Where each link leads; what leads nowhere is refused."""
        places = []
        for link in page.links:
            place = None if link.refused else self.web.place(link.url)
            if place is None and not link.refused:
                link.refused = OUTSIDE
                self.tally.missing += 1
            places.append(place)
        return places

    def _offer(self, page: Page, places: Sequence[tuple[Key, int] | None], frontier: Frontier) -> None:
        assert page.verdict is not None
        depth = page.lease.depth + 1
        distance = next_distance(page.verdict.relevant, page.lease.distance)
        for link, place in zip(page.links, places, strict=True):
            if place is not None and not link.refused:
                frontier.offer(place[0], Waiting(place[1], link.url, link.priority, depth, distance, page.url))
