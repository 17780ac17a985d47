"""Replays a crawl without a network: which pages an order would have fetched, and when, if all pages are known already.

The frontier is a heap in memory. Links are refused by the crawl's own rules (`focuscrawl.crawl.link_rules`); verdicts,
tunnelling, duplicates and yields of parts of the web are as in a crawl; the order sees each page and changes the priorities of
waiting URLs. There is no politeness (hosts never make us wait), no robots.txt, and no limit of pages per host. A page that
several URLs lead to is fetched once, by the first of them that comes up. A web may also have dead links, which cost no page,
but the order sees them fail, as in a crawl.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.dedup.text_reuse import SeenSentences
from focuscrawl.frontier.fetch_yield import fetch_yield_of
from focuscrawl.frontier.in_flight import most_in_flight, next_batch
from focuscrawl.frontier.lanes import is_behind
from focuscrawl.frontier.patience import Patience
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.inspect.replay_frontier import ReplayFrontier, WaitingUrl
from focuscrawl.items import Duplicate, Lease, Link, Page, Verdict, whole_text
from focuscrawl.links.series import how_it_repeats
from focuscrawl.store.frontier.discover import MARGIN
from focuscrawl.store.pages.duplicates import is_home_of, outgrows
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import UrlId, url_key
from focuscrawl.url.scope import Scope
from models.link.tunnelling import Tunnelling, next_distance
from models.order.protocol import Order
from models.page.page_context import model_input
from models.page.page_model import PageModel, judge_and_learn

OUTSIDE = "not stored"
"""Name of the rule that refuses links to pages that are not there, because an order must not wait for them."""


@dataclass(slots=True)
class ReplayedPage:
    """What the fetch of a page brings. The links belong to the replay, which marks them."""

    url: str
    words: Sequence[str]
    """Terms of title and main text."""
    links: list[Link]
    kind: str = "content"
    title: str = ""
    fetched_at: float = 0.0
    """Epoch seconds, by which pages of calendars are near or far; 0: not known."""
    same: Hashable = None
    """Pages with the same mark repeat each other; None: it repeats no other."""
    exact: Hashable = None
    """Pages that repeat each other are exact duplicates if they have the same mark here, else near-duplicates."""
    text: str = ""
    """Main text, for `yields`, and to tell which of two pages that repeat each other says more."""
    status: int = 200
    """Any other status is that of a dead link, which has no content. 0: its host does not answer, which the order does not
    see."""
    language: str = ""
    """As `Page.language`."""
    noindex: bool = False
    """Whether it must not be indexed, so that it belongs to no collection."""

    @property
    def whole(self) -> str:
        """Title and main text."""
        return whole_text(self.title, self.text)


Judge = Callable[[int, ReplayedPage], Verdict]
"""Gives the verdict on a page, by its number and content. A model may learn from the page here."""


class ReplayWeb(Protocol):
    """Pages by number."""

    @property
    def seeds(self) -> Sequence[str]:
        """Normal URLs to begin with. Those that lead nowhere are skipped."""
        ...

    def read(self, number: int) -> ReplayedPage: ...

    def find(self, url: str) -> tuple[UrlId, int] | None:
        """The key of a normal URL and the number of the page that it leads to; None if there is no such page."""
        ...


class PageFinder:
    """`ReplayWeb.find` by a function from URL to page number, remembered."""

    def __init__(self, resolve: Callable[[str], int | None]) -> None:
        self._resolve = resolve
        self._known: dict[str, tuple[UrlId, int] | None] = {}

    def __call__(self, url: str) -> tuple[UrlId, int] | None:
        try:
            return self._known[url]
        except KeyError:
            number = self._resolve(url)
            found = self._known[url] = None if number is None else (url_key(url).url_id, number)
            return found


def model_judge(model: PageModel, segmenter: Segmenter) -> Judge:
    """The model's verdicts; it learns as in a crawl."""

    def judge(_: int, content: ReplayedPage) -> Verdict:
        words, context = model_input(content, content.words, segmenter)
        return judge_and_learn(model, words, context, content.language)

    return judge


@dataclass(slots=True, frozen=True)
class ReplayedFetch:
    """One page, in the order of the fetches."""

    number: int
    verdict: Verdict
    lease: Lease


@dataclass(slots=True)
class LinkCounts:
    """What happened to links, counted as often as they were met."""

    missing: int = 0
    """Links to pages that are not there."""
    dead: int = 0
    """Dead links that were fetched."""
    tunnel: int = 0
    """Links that the tunnelling limit refused."""
    barren: int = 0
    """URLs that came up in parts that had proved barren, and from then on waited behind all others."""
    moved: int = 0
    """New priorities of waiting URLs."""
    left: int = 0
    """URLs that wait at the end."""


@dataclass
class Replay:
    """One replay. Iterating over it, which is possible once, gives the fetches."""

    web: ReplayWeb
    order: Order
    judge: Judge
    budget: int
    tunnelling: Tunnelling
    """A new one. Orders that are not focused do not use it."""
    in_flight: int = 1
    """Fetches in flight at once, at most: focused orders have fewer at times (`focuscrawl.frontier.in_flight`)."""
    host_share: float = 1.0
    """As FRONTIER_HOST_SHARE, for focused orders; 1: hosts never give way."""
    rules: LinkRules | None = None
    """Rules that refuse links, with `tunnelling` and `yields` of this replay. None: as in a crawl without scope and depth."""
    yields: YieldLimit | None = None
    """A new one, which learns what parts of the web bring. None: no part ever counts as barren."""
    patience: Patience | None = None
    """That of a crawl whose fetches are limited. None: as of a crawl without a limit."""
    tally: LinkCounts = field(default_factory=LinkCounts)

    def __post_init__(self) -> None:
        self.frontier: ReplayFrontier
        """The waiting URLs, during the iteration."""
        self._seen_sentences = SeenSentences()
        self._rules = self.rules or LinkRules(
            Scope(), focused=self.order.focused, tunnelling=self.tunnelling, yields=self.yields
        )

    def __iter__(self) -> Iterator[ReplayedFetch]:
        frontier = self.frontier = self._seeded()
        flying, ended, pages = deque[WaitingUrl](), 0, 0
        originals: dict[Hashable, ReplayedPage] = {}
        while True:
            wanted = min(self._wanted(len(flying), ended), self.budget - pages - len(flying))
            flying.extend(self._next(frontier, wanted))
            if not flying:
                break
            fetch = self._fetch(flying.popleft(), frontier, originals)
            ended += 1
            if fetch:
                pages += 1
                yield fetch
        self.tally.left = len(frontier)

    def _next(self, frontier: ReplayFrontier, wanted: int) -> Iterator[WaitingUrl]:
        """The best URLs, `wanted` ones; those that a crawl would put aside come behind all others from now on."""
        while wanted > 0 and (waiting := frontier.pop()):
            if self._may_go(waiting):
                wanted -= 1
                yield waiting
            else:
                frontier.set_back(waiting)
                self.tally.barren += 1

    def _may_go(self, waiting: WaitingUrl) -> bool:
        """Whether a crawl would fetch the URL now. A URL that it puts aside waits behind all others, and may be fetched from
        there."""
        return self.yields is None or is_behind(waiting.priority) or self.yields.admits(waiting.url, waiting.parent)

    def _wanted(self, flying: int, ended: int) -> int:
        """How many URLs are to be chosen now, while `flying` are in flight."""
        most = most_in_flight(ended, self.patience) if self.order.focused else self.in_flight
        return next_batch(flying, most) if most < self.in_flight else self.in_flight - flying

    def _seeded(self) -> ReplayFrontier:
        frontier = ReplayFrontier(MARGIN, self.host_share) if self.order.focused else ReplayFrontier(float("inf"))
        for url in self.web.seeds:
            if found := self.web.find(url):
                frontier.offer(found[0], WaitingUrl(found[1], url, float("inf")))
        return frontier

    def _fetch(
        self, waiting: WaitingUrl, frontier: ReplayFrontier, originals: dict[Hashable, ReplayedPage]
    ) -> ReplayedFetch | None:
        """Do with a page what a crawl does, from its content to the new priorities. None: the link was dead."""
        content = self.web.read(waiting.number)
        if content.status != 200:
            self._fail(waiting, content.status, frontier)
            return None
        verdict = self.judge(waiting.number, content)
        lease = waiting.lease()
        page = Page(
            lease, content.url, 200, content.fetched_at, title=content.title, words=list(content.words), kind=content.kind
        )
        page.text, page.links, page.verdict = content.text, content.links, verdict
        page.language, page.noindex = content.language, content.noindex
        if content.same is not None:
            page.duplicate = _duplicate(page, content, originals.setdefault(content.same, content))
            if page.duplicate is None:
                originals[content.same] = content
        self.tunnelling.see(page)
        self._rules.refuse(page)
        self.tally.tunnel += sum(link.refused == "tunnel" for link in page.links)
        targets = self._targets(page)
        self.order.see(page)
        self._offer(page, targets, frontier)
        self._move(frontier)
        if self.yields is not None:
            self.yields.record(fetch_yield_of(page, self._seen_sentences))
        return ReplayedFetch(waiting.number, verdict, lease)

    def _fail(self, waiting: WaitingUrl, status: int, frontier: ReplayFrontier) -> None:
        self.tally.dead += 1
        if status:
            self.order.see(Page(waiting.lease(), waiting.url, status))
            self._move(frontier)

    def _move(self, frontier: ReplayFrontier) -> None:
        for change in self.order.changes():
            self.tally.moved += frontier.change(change.key, change.priority)

    def _targets(self, page: Page) -> list[tuple[UrlId, int] | None]:
        """Key and page number for each link. Links that lead nowhere are refused, and give None."""
        targets = []
        for link in page.links:
            target = None if link.refused else self.web.find(link.url)
            if target is None and not link.refused:
                link.refused = OUTSIDE
                self.tally.missing += 1
            targets.append(target)
        return targets

    def _offer(self, page: Page, targets: Sequence[tuple[UrlId, int] | None], frontier: ReplayFrontier) -> None:
        assert page.verdict is not None
        depth = page.lease.depth + 1
        distance = next_distance(page.verdict.relevant, page.lease.distance)
        for link, target in zip(page.links, targets, strict=True):
            if target is not None and not link.refused:
                frontier.offer(target[0], WaitingUrl(target[1], link.url, link.priority, depth, distance, page.url))


def _duplicate(page: Page, content: ReplayedPage, original: ReplayedPage) -> Duplicate | None:
    """How a page repeats the one that holds its text so far; None for that page itself, and for one that takes its place."""
    if content.url == original.url:
        return None
    same = content.exact == original.exact
    if is_home_of(page, original.url, original.links):
        return None
    if not same and outgrows(page, content.whole, original.url, original.kind, original.whole):
        return None
    how = how_it_repeats(content.url, content.links, content.kind, original.url, original.links, original.kind)
    return Duplicate(0, original.url, "exact" if same else "near", 1.0, *how)
