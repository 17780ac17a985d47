"""A crawl without a network: what would an order have fetched, and when, of pages that are there already?

The frontier is a heap in memory; links, verdicts, tunnelling and duplicates go by the rules of a real crawl, the order sees
each page and moves what waits. What is left out: politeness (hosts never make one wait), robots.txt, failures. A page that
several addresses lead to is fetched once, under the first of them that comes up.
"""

from __future__ import annotations

import heapq
import time
import zlib
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from focuscrawl.crawl.stored_topic import load_topic
from focuscrawl.errors import BadInput
from focuscrawl.items import Duplicate, Lease, Link, Page, Verdict
from focuscrawl.report.curve import area, found_curve
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import MARGIN
from focuscrawl.store.frontier.leasing import RECENT, giving_way
from focuscrawl.store.pages.links import decode
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.text.segment import RememberingSegmenter, Segmenter
from focuscrawl.url.key import UrlId, url_key
from models.link.link_score import LinkScorer
from models.link.tunnelling import Tunnelling, make_tunnelling, next_distance
from models.order.protocol import Order, OrderContext
from models.order.strategies import make_order
from models.page import page_model
from models.page.page_context import page_context
from models.page.page_model import PAGE_MODELS, PageModel, make
from models.topic.background import Background
from models.topic.vsm import TopicModel

# The frontier of a replay: a heap whose entries are passed over when they are out of date.


Entry = tuple[float, int, UrlId]
"""Priority with the sign turned, tick, key."""
SCANNED = 500
"""Entries that are looked at for another host."""
ROOM = 4
"""The heap is built anew when it holds so many entries for each URL that waits (and a thousand more)."""


@dataclass(slots=True)
class Waiting:
    """A known URL that was not fetched."""

    number: int
    """Page that it leads to."""
    url: str
    priority: float
    depth: int = 0
    distance: int = 0
    parent: str = ""
    key: UrlId = (0, 0)

    def lease(self) -> Lease:
        """As a crawl would hand it out."""
        hid, uid = self.key
        return Lease(hid, uid, self.url, self.priority, self.depth, self.distance, parent=self.parent)


class Frontier:
    """Largest priority first, then first come. A waiting URL is lifted by a link that is better by more than `margin`. A host
    with more than `host_share` of the recent fetches gives way to others of nearly the same promise, as in a crawl."""

    def __init__(self, margin: float, host_share: float = 1.0) -> None:
        self._margin, self._host_share = margin, host_share
        self._recent: deque[int] = deque(maxlen=RECENT)
        self._by_host: Counter[int] = Counter()
        self._waiting: dict[UrlId, Waiting] = {}
        self._heap: list[Entry] = []
        self._ticks = 0
        self._fetched: set[int] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    def offer(self, key: UrlId, new: Waiting) -> None:
        """A link: make its URL known, or lift it, or bring it nearer."""
        if new.number in self._fetched:
            return
        known = self._waiting.get(key)
        if known is None:
            new.key = key
            self._waiting[key] = new
            self._push(key, new.priority)
            return
        known.depth = min(known.depth, new.depth)
        if new.priority > known.priority + self._margin:
            known.priority, known.parent, known.distance = new.priority, new.parent, new.distance
            self._push(key, new.priority)
        else:
            known.distance = min(known.distance, new.distance)

    def change(self, key: UrlId, priority: float) -> bool:
        """Give a waiting URL another priority; whether it waits and had another one."""
        known = self._waiting.get(key)
        if known is None or known.priority == priority:
            return False
        known.priority = priority
        self._push(key, priority)
        return True

    def pop(self) -> Waiting | None:
        """The best URL whose page was not fetched yet; it waits no longer."""
        chosen = self._top()
        if chosen and self._host_share < 1.0:
            chosen = self._instead(chosen)
        if chosen is None:
            return None
        key = chosen[2]
        known = self._waiting.pop(key)
        self._fetched.add(known.number)
        if len(self._recent) == RECENT:
            self._by_host[self._recent[0]] -= 1
        self._recent.append(key[0])
        self._by_host[key[0]] += 1
        return known

    def _top(self) -> Entry | None:
        """Take the best entry that holds, from the heap alone."""
        while self._heap:
            entry = heapq.heappop(self._heap)
            known = self._waiting.get(entry[2])
            if known is None or known.priority != -entry[0]:
                continue
            if known.number not in self._fetched:
                return entry
            del self._waiting[entry[2]]
        return None

    def _instead(self, best: Entry) -> Entry:
        """The best entry of another host, where the first one's has had its share and this one's promise comes near."""
        limit = self._host_share * len(self._recent)
        if self._by_host[best[2][0]] <= limit or best[0] == -float("inf"):
            return best
        worth, passed, chosen = giving_way(-best[0]), [best], best
        while len(passed) < SCANNED and (entry := self._top()):
            if -entry[0] <= worth:
                passed.append(entry)
                break
            if self._by_host[entry[2][0]] <= limit:
                chosen = entry
                break
            passed.append(entry)
        for entry in passed:
            if entry is not chosen:
                heapq.heappush(self._heap, entry)
        return chosen

    def _push(self, key: UrlId, priority: float) -> None:
        self._ticks += 1
        heapq.heappush(self._heap, (-priority, self._ticks, key))
        if len(self._heap) > ROOM * len(self._waiting) + 1000:
            order = sorted(entry for entry in self._heap if self._is_current(entry))
            self._heap = order

    def _is_current(self, entry: Entry) -> bool:
        known = self._waiting.get(entry[2])
        return known is not None and known.priority == -entry[0]


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

    def place(self, url: str) -> tuple[UrlId, int] | None:
        """UrlId of a normal URL and the page that it leads to; None where there is no such page."""
        ...


class Places:
    """`ReplayWeb.place` by a function from URL to page number, remembered."""

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

    def _places(self, page: Page) -> list[tuple[UrlId, int] | None]:
        """Where each link leads; what leads nowhere is refused."""
        places = []
        for link in page.links:
            place = None if link.refused else self.web.place(link.url)
            if place is None and not link.refused:
                link.refused = OUTSIDE
                self.tally.missing += 1
            places.append(place)
        return places

    def _offer(self, page: Page, places: Sequence[tuple[UrlId, int] | None], frontier: Frontier) -> None:
        assert page.verdict is not None
        depth = page.lease.depth + 1
        distance = next_distance(page.verdict.relevant, page.lease.distance)
        for link, place in zip(page.links, places, strict=True):
            if place is not None and not link.refused:
                frontier.offer(place[0], Waiting(place[1], link.url, link.priority, depth, distance, page.url))


# The stored pages and links of one crawl, to be crawled again without a network.


UNDONE = frozenset({"tunnel", "yield", "depth", "duplicate"})
"""Rules that refused a link because of what the crawl had met until then: another order meets other things."""
KEPT_WORDS = 50_000
"""Pages whose terms stay in memory."""

PAGES = """select p.page_id, p.hid, p.uid, p.url, p.kind, p.title, p.relevance, p.relevant, p.threshold, p.similarity,
    coalesce(p.original, p.page_id)
    from page p where p.status=200 order by p.page_id"""
SEEDS = """select p.url from page p join url u on u.hid=p.hid and u.uid=p.uid where p.status=200 and u.kind>0
    order by u.kind desc, p.page_id"""
REDIRECTS = "select hid, uid, redirect from fetches where redirect<>'' order by id"
MOST_HOPS = 10
UNJUDGED = Verdict(0.0, False, 1.0)


@dataclass(slots=True, frozen=True)
class Stored:
    """One page."""

    page_id: int
    url: str
    kind: str
    title: str
    verdict: Verdict
    group: int
    """page_id of the page that it repeats, else its own."""


class StoredWeb:
    """Implements `focuscrawl.inspect.replay.ReplayWeb` over a store that may be in use. `topic`: whose verdicts, in a crawl
    of several."""

    def __init__(self, db: Database, segmenter: Segmenter, topic: str = "") -> None:
        self._db, self._segmenter = db, segmenter
        own = verdicts_of_topic(db, topic)
        self.pages: dict[int, Stored] = {}
        """By page_id, in the order of storing."""
        self._page_ids: dict[UrlId, int] = {}
        for page_id, hid, uid, url, kind, title, relevance, relevant, limit, similarity, group in db.execute(PAGES):
            verdict = own.get(page_id, UNJUDGED) if topic else Verdict(relevance, bool(relevant), limit, (), similarity)
            self.pages[page_id] = Stored(page_id, url, kind, title, verdict, group)
            self._page_ids[hid, uid] = page_id
        self._page_ids |= redirects(db)
        self.seeds: Sequence[str] = [url for (url,) in db.execute(SEEDS)]
        self.place = Places(lambda url: self._page_ids.get(url_key(url).url_id))
        self._words: dict[int, list[str]] = {}

    def read(self, number: int) -> Content:
        """The page with this page_id; its links are fresh objects."""
        stored = self.pages[number]
        text, packed = self._db.execute("select text, links from body where page_id=?", (number,)).fetchone()
        words = self._words.get(number)
        if words is None:
            main = zlib.decompress(text).decode("utf-8", "replace")
            words = self._segmenter.terms(f"{stored.title}\n{main}")
            if len(self._words) < KEPT_WORDS:
                self._words[number] = words
        return Content(stored.url, words, fresh(decode(packed)), stored.kind, stored.title, same=stored.group)


def fresh(links: list[Link]) -> list[Link]:
    """The links without scores and without what the course of the crawl had refused."""
    for link in links:
        link.score, link.parts = 0.0, {}
        if link.refused in UNDONE:
            link.refused = ""
    return links


def verdicts_of_topic(db: Database, topic: str) -> dict[int, Verdict]:
    """The verdicts of one of a crawl's topics, by page_id."""
    rows = db.execute("select page_id, relevance, relevant, threshold, similarity from verdict where topic=?", (topic,))
    return {
        page_id: Verdict(relevance, bool(relevant), limit, (), similarity)
        for page_id, relevance, relevant, limit, similarity in rows
    }


def redirects(db: Database) -> dict[UrlId, int]:
    """The pages that redirecting URLs led to, over any number of redirects in a row."""
    to = {(hid, uid): url_key(target).url_id for hid, uid, target in db.execute(REDIRECTS)}
    page_ids: dict[UrlId, int] = {
        (hid, uid): page_id for hid, uid, page_id in db.execute("select hid, uid, page_id from page where status=200")
    }
    found: dict[UrlId, int] = {}
    for start in to:
        key, hops = start, 0
        while key in to and hops < MOST_HOPS:
            key, hops = to[key], hops + 1
        if key in page_ids:
            found[start] = page_ids[key]
    return found


# A finished crawl once more, under other strategies and page models: how early would each have found what there is?


STORED = "stored"
"""Instead of a page model: the verdicts of the crawl."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all runs over one crawl share."""

    web: StoredWeb
    segmenter: Segmenter
    topic: Callable[[], TopicModel]
    """A fresh model for link scores (and for pages, where no stored verdicts are used)."""
    truth: frozenset[int]
    """Groups (`Stored.group`) of the pages that are to be found."""
    budget: int
    tunnelling: Callable[[], Tunnelling] = lambda: make_tunnelling("learned")
    in_flight: int = 1
    host_share: float = 1.0
    important: Sequence[str] = ()
    random_seed: int = 0


@dataclass(slots=True)
class Run:
    """One line of the comparison."""

    strategy: str
    model: str
    found: list[int]
    """Relevant pages found after 1, 2, … fetches."""
    area: float
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """For legends and tables."""
        return self.strategy if self.model in ("", STORED) else f"{self.strategy}, {self.model}"


def replayed(setup: Setup, strategy: str, model: str = STORED, tick: Callable[[int], None] = lambda pages: None) -> Run:
    """Crawl the stored web under a strategy; `tick` is told the number of pages after each. Raises KeyError for a strategy
    that does not exist, BadInput for such a page model."""
    topic, began = setup.topic(), time.perf_counter()
    scorer, seeds = LinkScorer(topic, setup.segmenter), setup.web.seeds
    context = OrderContext(topic, scorer, setup.segmenter, seeds, setup.important, random_seed=setup.random_seed)
    judge = stored_judge(topic, setup.web) if model == STORED else model_judge(make(model, topic), setup.segmenter)
    replay = Replay(
        setup.web, make_order(strategy, context), judge, setup.budget, setup.tunnelling(), setup.in_flight, setup.host_share
    )
    found = found_curve(hits(setup, _ticked(replay, tick)))
    whole = len(setup.truth)
    return Run(strategy, model, found, area(found, whole, setup.budget), replay.tally, time.perf_counter() - began)


def as_crawled(setup: Setup) -> Run:
    """The order in which the crawl itself stored its pages."""
    found = found_curve(_new_hits(setup, setup.web.pages))
    found = found[: setup.budget]
    return Run("as crawled", "", found, area(found, len(setup.truth), setup.budget))


def hits(setup: Setup, fetches: Iterator[Fetch]) -> Iterator[bool]:
    """For each fetch: did it bring a relevant text for the first time?"""
    return _new_hits(setup, (fetch.number for fetch in fetches))


def _new_hits(setup: Setup, numbers: Iterable[int]) -> Iterator[bool]:
    met: set[int] = set()
    for number in numbers:
        group = setup.web.pages[number].group
        yield group in setup.truth and group not in met
        met.add(group)


def _ticked(replay: Replay, tick: Callable[[int], None]) -> Iterator[Fetch]:
    for pages, fetch in enumerate(replay, 1):
        yield fetch
        tick(pages)


def stored_judge(topic: TopicModel, web: StoredWeb) -> Judge:
    """The crawl's own verdicts; the document frequencies behind the link scores are learned as in a crawl."""

    def judge(number: int, content: Content) -> Verdict:
        verdict = web.pages[number].verdict
        topic.learn(content.words, verdict.relevant)
        return verdict

    return judge


def model_judge(model: PageModel, segmenter: Segmenter) -> Judge:
    """The model's verdicts; it learns as in a crawl."""

    def judge(_: int, content: Content) -> Verdict:
        context = page_context(content.title, content.url, segmenter)
        verdict = model.judge(content.words, context)
        model.learn(content.words, verdict.relevant, context)
        return verdict

    return judge


def judged_by(model: PageModel, segmenter: Segmenter, web: StoredWeb) -> frozenset[int]:
    """Groups of the pages that a model calls relevant, after it has seen all of them."""
    learning = model_judge(model, segmenter)
    for number in web.pages:
        learning(number, web.read(number))
    groups = set()
    for number, page in web.pages.items():
        content = web.read(number)
        if model.judge(content.words, page_context(content.title, content.url, segmenter)).relevant:
            groups.add(page.group)
    return frozenset(groups)


# A finished crawl made ready for replays: its pages and links, its topic or another one, and what is to be found.


@dataclass(frozen=True, slots=True)
class Given:
    """A topic to take instead of the crawl's."""

    make: Callable[[], TopicModel]
    """A fresh model."""
    segmenter: Segmenter
    name: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Ready:
    """A crawl to be replayed."""

    setup: Setup
    truth: str
    """What says which pages are relevant."""
    title: str
    """The topic's name for people, else the crawl's."""


def prepare(
    crawl: Crawl,
    db: Database,
    tunnelling: Callable[[], Tunnelling],
    *,
    given: Given | None = None,
    model: str = PAGE_MODELS[0],
    of: str = "",
    labels: Mapping[str, bool] | None = None,
    budget: int = 0,
    in_flight: int = 1,
    host_share: float = 1.0,
    random_seed: int = 0,
) -> Ready:
    """Pages, topic and truth: what the topic's verdicts say, as `labels` (a person's word on pages, by URL) correct them.
    `model`: the page model that judges for a `given` topic.
    `of`: name of the topic, in a crawl of several. `budget` 0: all pages.

    Raises BadInput where the crawl has no pages, or no such topic."""
    label = "" if given else chosen_topic(topics_of(db), of)
    own = given is None
    given = given or from_crawl(db, label, crawl.name)
    web = StoredWeb(db, given.segmenter, label)
    if not web.pages:
        raise BadInput(f"crawl {crawl.name!r} has stored no page yet")
    if own:
        truth, told = frozenset(page.group for page in web.pages.values() if page.verdict.relevant), "by the crawl's verdicts"
    else:
        truth = judged_by(page_model.make(model, given.make()), given.segmenter, web)
        told = f"by the verdicts of topic {given.name}"
    if labels:
        truth, known = _labelled(truth, web, labels)
        told += f", {known} of them labelled by hand"
    limit = min(budget, len(web.pages)) if budget else len(web.pages)
    setup = Setup(web, given.segmenter, given.make, truth, limit, tunnelling, in_flight, host_share, random_seed=random_seed)
    return Ready(setup, told, given.title or given.name)


def chosen_topic(names: Sequence[str], wanted: str) -> str:
    """One of the crawl's topics; empty in a crawl of one. Raises BadInput when it is not said which, or not one of them."""
    if wanted in names or (not names and not wanted):
        return wanted
    raise BadInput(f"the crawl has several topics; say --topic NAME with one of {', '.join(names)}")


def from_crawl(db: Database, label: str, name: str) -> Given:
    """The crawl's topic as it was at its beginning: nothing is known of the pages to come. `name`: the crawl's."""
    stored = load_topic(db, label)
    if stored is None:
        raise BadInput(f"crawl {name!r} has no topic yet; let it fetch its first pages")
    evidence = stored.topic(Background()).evidence

    def make() -> TopicModel:
        topic = stored.topic(Background())
        topic.refresh()
        return topic

    return Given(make, RememberingSegmenter(evidence.keywords, synonyms=evidence.synonyms), label or name)


def _labelled(truth: frozenset[int], web: StoredWeb, labels: Mapping[str, bool]) -> tuple[frozenset[int], int]:
    """The truth as labels correct it, and how many stored pages have one."""
    said = {page.group: labels[page.url] for page in web.pages.values() if page.url in labels}
    yes = {group for group, relevant in said.items() if relevant}
    return (truth - said.keys()) | yes, len(said)
