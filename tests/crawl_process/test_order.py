"""The order strategy in a crawl: shown everything once, also what earlier runs and other workers fetched; what it changes
is written in place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from itertools import pairwise, repeat
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl import long_work, read_back, reopened_links
from focuscrawl.crawl import order as ordering
from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.order import Ordering
from focuscrawl.crawl.read_back import ReadingBack
from focuscrawl.crawl.relevance.several_topics import SeveralTopics
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import IN_TITLE, Duplicate, Fingerprint, Lease, Link, Page, Verdict
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.explain import explain
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.later_verdicts import FORMER
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import url_key
from focuscrawl.url.scope import Scope
from models.link.link_score import LinkScorer
from models.order.protocol import Change, OrderContext
from models.order.strategies import STRATEGIES, make_order
from models.page.calibrated import CalibratedModel
from models.topic.vsm import TopicModel
from tests.factories import limits

LIMITS = limits(99)
FINDER = DuplicateFinder(method("simhash"))


class Recorder:
    """Notes what it sees; links get what `worth` says, changes are those of `next_changes`."""

    focused = True

    def __init__(self, context: OrderContext) -> None:
        self.context = context
        self.seen: list[tuple[Any, ...]] = []
        self.logged: list[bool] = []
        self.again: list[bool] = []
        self.next_changes: list[Change] = []
        self.worth: Callable[[Link], float] = lambda link: 0.5

    def see(self, page: Page) -> None:
        links = [(link.url, link.anchor, link.position, link.refused) for link in page.links]
        twin = page.duplicate and (page.duplicate.url, page.duplicate.kind)
        lease = page.lease
        place = (lease.url, lease.priority, lease.depth, lease.distance, lease.parent, lease.tries, lease.example)
        verdict = page.verdict and (page.verdict.relevance, page.verdict.relevant, page.verdict.terms, page.verdict.similarity)
        self.logged.append(page.logged)
        self.again.append(page.again)
        self.seen.append((place, page.status, page.error, page.redirect, page.kind, page.title, twin, verdict, links))
        for link in page.links:
            link.priority = self.worth(link)

    def changes(self) -> list[Change]:
        found, self.next_changes = self.next_changes, []
        return found


class Part:
    """One worker's part in a crawl: store, ordering and recorder."""

    def __init__(
        self, folder: Path, strategy: str = "hits", replay: int = 5000, prior: float = 0.0, max_depth: int | None = None
    ) -> None:
        self.store = CrawlStore(folder, "x", LIMITS, "{}")
        self.cache = UrlCache(1000)
        segmenter = Segmenter(("comet",))
        model = TopicModel.fit(segmenter, keywords=("comet", "planet"))
        limited = {"max_depth": max_depth, "max_pages_per_host": 9, "max_pages_per_site": 0}
        arguments = SimpleNamespace(strategy=strategy, important=(), **limited)
        job: Any = SimpleNamespace(seeds=(), parts=(), arguments=arguments)
        self.topic = SimpleNamespace(busy=False, model=model, scorer=LinkScorer(model, segmenter), segmenter=segmenter, job=job)
        self.topic.by_name = {"": self.topic}
        options: Any = SimpleNamespace(
            linkscore_tunnelling="fixed",
            linkscore_tunnel_depth=3,
            linkscore_replay_pages=replay,
            frontier_random_seed=0,
            frontier_weight_prior=prior,
            frontier_retry_delays=(60.0,),
        )
        topic: Any = self.topic
        self.held_up: Iterator[bool] = repeat(False)
        self.ordering = Ordering(job, options, topic, self.cache)
        self.reopen: Callable[[Page], list[Link]] = lambda page: []
        self.read_back = ReadingBack(
            self.ordering, options, self.cache, max_depth, lambda page: self.reopen(page), lambda: next(self.held_up)
        )

    async def open(self, reopen: Callable[[Page], list[Link]] | None = None, followed: str = "") -> Part:
        self.reopen = reopen or self.reopen
        self.ordering.begin_run(self.store.run)
        await self.read_back.open(self.store, followed)
        return self

    @property
    def recorder(self) -> Recorder:
        order = self.ordering._order
        assert isinstance(order, Recorder)
        return order

    async def lease(self, *urls: str) -> list[Lease]:
        await self.store.add_seeds([DiscoveredUrl(url, 1.0 - n / 100) for n, url in enumerate(urls)])
        return (await self.store.lease(len(urls)))[0]

    async def end(self, page: Page) -> None:
        """As the pipelines do it."""
        self.ordering.see(page)
        rescored = self.ordering.take()
        found = [DiscoveredUrl(link.url, link.priority, 1) for link in page.links if not link.refused] if page.ok else []
        now = self.store.clock()
        change = Commit(page, outcome_of(page, (60.0,), 1.0), now, self.store.run, self.store.worker, found, rescored=rescored)
        change.refused = [(*link.key.url_id, link.refused) for link in page.links if link.refused]
        change.inlinks = [link.key.url_id for link in page.links if not link.refused]
        await self.store.commit(change, FINDER)
        for item in found:
            self.cache.put(item.key.uid, item.priority)
        self.ordering.settle(rescored)

    async def waiting(self) -> dict[str, float]:
        query = "select origin || path, priority from url join host using (hid) where state=0 order by priority desc"
        return await self.store.call(lambda db: dict(db.execute(query).fetchall()))


@pytest.fixture(autouse=True)
def recorders(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ordering, "make_order", lambda name, context: Recorder(context))


def run(what: Awaitable[Any]) -> Any:
    async def wrapped() -> Any:
        return await what

    return asyncio.run(wrapped())


def content(lease: Lease, *links: Link, relevant: bool = True, text: str = "") -> Page:
    page = Page(lease, lease.url, 200, 5.0, kind="content", title=f"title of {lease.url}", text=text)
    page.verdict = Verdict(0.4, relevant, 0.2, (("comet", 1.0), (IN_TITLE, 0.0)), 0.31)
    page.links = list(links)
    return page


def change(url: str, priority: float, *parts: tuple[str, float]) -> Change:
    return Change(url_key(url).url_id, priority, parts)


async def several(part: Part) -> None:
    """Two pages, a copy, a redirect, a failure that is tried again and one that is not."""
    links = Link("http://a.test/next", "next", position="body/a"), Link("http://a.test/x.png", refused="file-type")
    leases = {one.url: one for one in await part.lease(*(f"http://a.test/{n}" for n in range(6)))}
    one, two, copy, moved, slow, gone = (leases[f"http://a.test/{n}"] for n in range(6))
    await part.end(content(one, *links))
    await part.end(content(two, relevant=False, text="other"))
    twin = content(copy, text="same")
    twin.fingerprint = Fingerprint(b"2" * 16)
    twin.duplicate = Duplicate(1, one.url, "near", 0.95)
    await part.end(twin)
    await part.end(Page(moved, moved.url, 301, 5.0, redirect="http://b.test/"))
    await part.end(Page(slow, slow.url, 0, 5.0, error="timeout"))
    await part.end(Page(gone, gone.url, 404, 5.0))
    [next_] = [one for one in (await part.store.lease(9))[0] if one.url == "http://a.test/next"]
    await part.end(content(next_))


def test_a_resumed_crawl_shows_its_order_what_the_earlier_run_saw(tmp_path: Path) -> None:
    async def both() -> None:
        first = await Part(tmp_path).open()
        await several(first)
        first.store.close("max_pages", "{}")
        again = await Part(tmp_path).open()
        await again.read_back.catch_up()
        assert again.recorder.seen == first.recorder.seen
        assert not any(first.recorder.logged)
        assert all(again.recorder.logged)
        assert again.ordering.seen == 7
        await again.read_back.catch_up()
        assert again.ordering.seen == 7
        again.store.close("empty", "{}")

    run(both())


def follow_all(page: Page) -> list[Link]:
    opened = [link for link in page.links if link.refused]
    for link in opened:
        link.refused = ""
    return opened


@pytest.mark.parametrize("strategy", ["hits", "breadth-first"])
def test_links_that_are_wanted_now_are_queued_once(tmp_path: Path, strategy: str) -> None:
    async def runs() -> None:
        first = await Part(tmp_path, strategy).open(follow_all, "the seeds only")
        [lease] = await first.lease("http://a.test/0")
        await first.end(content(lease, Link("http://a.test/deep", refused="depth")))
        assert await first.waiting() == {}
        first.store.close("empty", "{}")
        for terms, opened in (("the seeds only", {}), ("one click", {"http://a.test/deep": 0.5})):
            again = await Part(tmp_path, strategy, replay=0).open(follow_all, terms)
            assert again.read_back.has_more_to_follow == bool(opened)
            await again.read_back.catch_up()
            assert await again.waiting() == opened
            assert not again.read_back.has_more_to_follow
            again.store.close("empty", "{}")

    run(runs())


def test_pages_that_a_former_topic_judged_are_shown_as_the_present_one_judges_them(tmp_path: Path) -> None:
    async def both() -> None:
        first = await Part(tmp_path).open()
        for lease in await first.lease("http://a.test/0", "http://a.test/1"):
            await first.end(content(lease, relevant=False, text="comet and planet " * 20))
        await first.store.call(set_meta, key=FORMER, value="1")
        first.store.close("max_pages", "{}")
        again = Part(tmp_path)
        again.ordering.topic = made(again.topic)
        await again.open()
        await again.read_back.catch_up()
        assert [verdict[1] for *_, verdict, _ in again.recorder.seen] == [True, False]
        again.store.close("empty", "{}")

    run(both())


def made(topic: SimpleNamespace) -> SingleTopic:
    """A topic that is made."""
    single = object.__new__(SingleTopic)
    single._ready = asyncio.Event()
    single._ready.set()
    single.job, single.model, single.scorer, single.segmenter = topic.job, topic.model, topic.scorer, topic.segmenter
    single.page_model, single.labels = CalibratedModel(topic.model), {}
    return single


def test_each_order_of_several_topics_knows_how_many_share_the_fetches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    topics = list[int]()

    def make(name: str, context: OrderContext) -> Recorder:
        topics.append(context.topics)
        return Recorder(context)

    monkeypatch.setattr(ordering, "make_order", make)
    part, shared = Part(tmp_path), object.__new__(SeveralTopics)
    shared.by_name = dict.fromkeys("ab", made(part.topic))
    part.ordering.topic = shared
    part.ordering._make()
    part.store.close("empty", "{}")
    assert topics == [2, 2]


def test_of_a_url_that_is_tried_again_the_order_sees_the_last_try_alone(tmp_path: Path) -> None:
    async def both() -> None:
        first = await Part(tmp_path).open()
        leases = {one.url: one for one in await first.lease(*(f"http://a.test/{n}" for n in range(4)))}
        busy, failing, slow, lost = (leases[f"http://a.test/{n}"] for n in range(4))
        await first.end(Page(busy, busy.url, 503, 5.0))
        await first.end(Page(failing, failing.url, 500, 5.0))
        await first.end(Page(slow, slow.url, 0, 5.0, error="timeout"))
        await first.end(Page(replace(lost, tries=1), lost.url, 0, 5.0, error="timeout"))
        assert [place[0] for place, *_ in first.recorder.seen] == [lost.url], "it is given up"
        assert first.ordering.seen == 4
        first.store.close("max_pages", "{}")
        again = await Part(tmp_path).open()
        await again.read_back.catch_up()
        assert again.recorder.seen == first.recorder.seen
        assert again.ordering.seen == 4
        again.store.close("empty", "{}")

    run(both())


def test_only_so_many_of_the_last_fetches_are_shown(tmp_path: Path) -> None:
    async def both() -> None:
        first = await Part(tmp_path).open()
        await several(first)
        first.store.close("max_pages", "{}")
        again = await Part(tmp_path, replay=3).open()
        await again.read_back.catch_up()
        assert again.recorder.seen == first.recorder.seen[-2:], "one of the last three is tried again"
        again.store.close("empty", "{}")
        none = await Part(tmp_path, replay=0).open()
        await none.read_back.catch_up()
        assert none.ordering.seen == 0
        none.store.close("empty", "{}")

    run(both())


def test_workers_see_each_others_fetches_and_not_their_own_again(tmp_path: Path) -> None:
    async def both() -> None:
        one, two = await Part(tmp_path).open(), await Part(tmp_path).open()
        a, b = await one.lease("http://a.test/", "http://b.test/")
        await one.end(content(a))
        [c] = await two.lease("http://c.test/")
        await two.end(content(c))
        await one.read_back.catch_up()
        await two.read_back.catch_up()
        assert [seen[0][0] for seen in one.recorder.seen] == [a.url, c.url]
        assert [seen[0][0] for seen in two.recorder.seen] == [c.url, a.url]
        await one.end(content(b))
        await two.read_back.catch_up()
        assert [seen[0][0] for seen in two.recorder.seen] == [c.url, a.url, b.url]
        one.store.close("empty", "{}")
        two.store.close("empty", "{}")

    run(both())


def test_a_waiting_link_overtakes_when_its_score_changes(tmp_path: Path) -> None:
    async def crawl() -> None:
        part = await Part(tmp_path).open()
        a, b = await part.lease("http://a.test/", "http://b.test/")
        await part.end(content(a, Link("http://x.test/low"), Link("http://y.test/high")))
        assert set((await part.waiting()).values()) == {0.5}
        part.recorder.next_changes = [
            change("http://x.test/low", 0.7),
            change("http://x.test/low", 0.9, ("host", 0.6), ("anchor", 0.3)),  # of two changes the later one counts
            change("http://y.test/high", 0.3),
            change("http://a.test/", 0.8),  # fetched long ago: left alone
            change("http://nowhere.test/", 0.8),
        ]
        await part.end(content(b))
        assert await part.waiting() == {"http://x.test/low": 0.9, "http://y.test/high": 0.3}
        assert [one.url for one in (await part.store.lease(1))[0]] == ["http://x.test/low"]
        facts = await part.store.call(lambda db: explain(db, "http://x.test/low"))
        assert facts.entry is not None
        assert facts.entry.priority_parts == (("host", 0.6), ("anchor", 0.3))
        part.store.close("empty", "{}")

    run(crawl())


def test_after_a_fall_the_cache_lets_better_links_through(tmp_path: Path) -> None:
    async def crawl() -> None:
        part = await Part(tmp_path).open()
        a, b = await part.lease("http://a.test/", "http://b.test/")
        await part.end(content(a, Link("http://x.test/")))
        uid = url_key("http://x.test/")[3]
        assert part.cache.known(uid, 0.4, 0.02)
        part.recorder.next_changes = [change("http://x.test/", 0.1)]
        await part.end(content(b))
        assert not part.cache.known(uid, 0.4, 0.02)
        part.cache.close(uid)
        part.cache.rescore(uid, 0.1)
        assert part.cache.known(uid, 9.0, 0.02), "a fetched URL stays closed"
        part.store.close("empty", "{}")

    run(crawl())


@pytest.mark.parametrize(("strategy", "prior"), [("naive-bayes", 0.0), ("hits", 0.5)])
def test_with_another_strategy_or_weight_prior_what_waits_is_ranked_again(tmp_path: Path, strategy: str, prior: float) -> None:
    async def both() -> None:
        first = await Part(tmp_path).open()
        [a] = await first.lease("http://a.test/")
        await first.end(content(a, Link("http://x.test/"), Link("http://y.test/"), Link("http://z.test/", refused="tunnel")))
        first.store.close("max_pages", "{}")
        same = await Part(tmp_path).open()
        same.ordering.see(Page(a, a.url, 404))
        same.recorder.worth = lambda link: 0.1
        await same.read_back.catch_up()
        assert await same.waiting() == {"http://x.test/": 0.5, "http://y.test/": 0.5}
        same.store.close("empty", "{}")
        other = await Part(tmp_path, strategy, prior=prior).open()
        other.ordering.see(Page(a, a.url, 404))
        other.recorder.worth = lambda link: 0.2 if "x.test" in link.url else 0.8
        await other.read_back.catch_up()
        assert await other.waiting() == {"http://y.test/": 0.8, "http://x.test/": 0.2}
        other.store.close("empty", "{}")

    run(both())


def test_what_ends_before_the_topic_is_there_is_shown_first(tmp_path: Path) -> None:
    async def crawl() -> None:
        part = await Part(tmp_path).open()
        part.topic.busy = True
        a, b = await part.lease("http://a.test/", "http://b.test/")
        await part.end(Page(a, a.url, 404, 5.0))
        await part.read_back.catch_up()
        assert part.ordering.seen == 1
        part.topic.busy = False
        await part.end(content(b))
        assert [seen[0][0] for seen in part.recorder.seen] == [a.url, b.url]
        part.store.close("empty", "{}")

    run(crawl())


def test_reading_back_leaves_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where three pages take longer than the promised slice, nobody waits for more than three."""
    now = 0.0
    monkeypatch.setattr(long_work, "monotonic", lambda: now)

    def takes_long(link: Link) -> float:
        nonlocal now
        now += 0.4 * read_back.SLICE
        return 0.5

    def slow(name: str, context: OrderContext) -> Recorder:
        made = Recorder(context)
        made.worth = takes_long
        return made

    async def both() -> int:
        first = await Part(tmp_path).open()
        for number, lease in enumerate(await first.lease(*(f"http://a.test/{n}" for n in range(40)))):
            await first.end(content(lease, Link(f"http://b.test/{number}"), text=f"text {number}"))
        first.store.close("max_pages", "{}")
        monkeypatch.setattr(ordering, "make_order", slow)
        again = await Part(tmp_path).open()
        seen = [0]

        async def watch() -> None:
            while True:
                await asyncio.sleep(0)
                seen.append(again.ordering.seen)

        watching = asyncio.ensure_future(watch())
        await again.read_back.catch_up()
        watching.cancel()
        again.store.close("empty", "{}")
        assert seen[-1] == 40
        return max(later - earlier for earlier, later in pairwise(seen))

    assert run(both()) == 3


@pytest.mark.parametrize("name", list(STRATEGIES))
def test_what_is_known_before_the_order_is_made_is_true_of_it(name: str) -> None:
    segmenter = Segmenter(("comet",))
    model = TopicModel.fit(segmenter, keywords=("comet",))
    order = make_order(name, OrderContext(model, LinkScorer(model, segmenter), segmenter))
    assert order.focused == STRATEGIES[name].focused


def test_a_slow_worker_skips_what_it_cannot_catch_up_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_back, "MOST_BEHIND", 3)

    async def both() -> None:
        one, two = await Part(tmp_path).open(), await Part(tmp_path).open()
        await two.read_back.catch_up()
        for lease in await one.lease(*(f"http://a.test/{n}" for n in range(9))):
            await one.end(content(lease, text=f"text {lease.uid}"))
        await two.read_back.catch_up()
        assert two.ordering.seen == 3
        one.store.close("empty", "{}")
        two.store.close("empty", "{}")

    run(both())


@pytest.mark.parametrize("name", [name for name, strategy in STRATEGIES.items() if not strategy.learns])
def test_who_learns_nothing_is_shown_nothing_again(tmp_path: Path, name: str) -> None:
    async def both() -> None:
        first = await Part(tmp_path, name).open()
        [a] = await first.lease("http://a.test/")
        await first.end(content(a))
        first.store.close("max_pages", "{}")
        again = await Part(tmp_path, name).open()
        await again.read_back.catch_up()
        assert again.ordering._order is None
        again.store.close("empty", "{}")

    run(both())


def test_what_was_put_aside_is_forgotten_where_it_may_wait_again(tmp_path: Path) -> None:
    """Else the order would leave it out for the rest of the run."""

    async def crawl() -> None:
        part = await Part(tmp_path).open()
        [a] = await part.lease("http://a.test/")
        part.ordering.see(Page(a, a.url, 404))
        await part.read_back.catch_up()
        key = url_key("http://x.test/").url_id
        other = url_key("http://y.test/").url_id
        part.ordering.put_aside([key, other])
        part.ordering.let_back(other)
        assert part.recorder.context.aside() == {key}
        part.ordering.let_any_back()
        assert part.recorder.context.aside() == set()

    run(crawl())


def reopen(page: Page) -> list[Link]:
    opened = [link for link in page.links if link.refused in ("yield", "mirror") and "closed" not in link.url]
    for link in opened:
        link.refused = ""
    return opened


@pytest.mark.parametrize(
    ("site", "found"), [("b.test", {"http://b.test/1", "http://b.test/2"}), ("", {"http://new.test/"}), ("c.test", set())]
)
def test_what_was_refused_is_queued_where_its_part_has_opened_again(tmp_path: Path, site: str, found: set[str]) -> None:
    """It never was: only what waited came back. Without a name: new hosts, of which b.test with eight pages is none."""

    async def crawl() -> None:
        part = await Part(tmp_path).open(reopen)
        pages = [f"http://b.test/page{n}" for n in range(8)]
        to_known, to_new, *others = await part.lease("http://a.test/", "http://a.test/new", *pages)
        for lease in others:
            await part.end(content(lease, text=lease.url))
        rules = {"1": "yield", "2": "mirror", "closed": "yield", "off-topic": "tunnel"}
        await part.end(content(to_known, *(Link(f"http://b.test/{path}", refused=rule) for path, rule in rules.items())))
        await part.end(content(to_new, Link("http://new.test/", refused="yield"), text="new"))
        await part.read_back.catch_up()
        assert (await part.waiting(), part.read_back.has_more_to_follow) == ({}, False)
        await part.read_back.find_again(site)
        assert part.read_back.has_more_to_follow, "else the crawl would end"
        part.held_up = iter((False, False, True, True))
        await part.read_back.catch_up()
        part.held_up = repeat(False)
        assert (await part.waiting(), part.read_back.has_more_to_follow) == ({}, bool(found)), "what was not read is read later"
        await part.read_back.catch_up()
        assert (await part.waiting(), part.read_back.has_more_to_follow) == (dict.fromkeys(found, 0.5), False)
        await part.read_back.find_again(site)
        await part.read_back.catch_up()
        assert part.read_back.has_more_to_follow, "a part that opens and closes in turns does not take all of the time"
        await part.read_back.catch_up(at_end=True)
        assert not part.read_back.has_more_to_follow
        part.store.close("empty", "{}")

    run(crawl())


def test_links_are_followed_that_lie_less_deep_by_a_shorter_way(tmp_path: Path) -> None:
    """/c was fetched two clicks from a seed, so that /d lay too deep. It is one click away by a page that was fetched later."""

    async def crawl() -> None:
        rules = LinkRules(Scope(), max_depth=2)
        part = await Part(tmp_path, max_depth=2).open(rules.reopen)
        first, second = await part.lease("http://a.test/", "http://a.test/later")
        await part.end(content(first, Link("http://a.test/b")))
        await part.store.call(lambda db: discover(db, [DiscoveredUrl("http://a.test/c", 0.9, 2)], 0.0))
        [deep] = [each for each in (await part.store.lease(2))[0] if each.url.endswith("/c")]
        page = content(deep, Link("http://a.test/d"), text="c")
        rules.refuse(page)
        assert [link.refused for link in page.links] == ["depth"]
        await part.end(page)
        assert part.read_back.has_more_to_follow, "before the crawl ends, shorter ways are looked for"
        await part.read_back.catch_up(at_end=True)
        assert ("http://a.test/d" in await part.waiting(), part.read_back.has_more_to_follow) == (False, False)
        await part.end(content(second, Link("http://a.test/c"), text="later"))
        await part.read_back.catch_up()
        assert "http://a.test/d" not in await part.waiting(), "that is looked for now and then"
        await part.read_back.catch_up(at_end=True)
        assert ("http://a.test/d" in await part.waiting(), part.read_back.has_more_to_follow) == (True, False)
        found = "select depth from url where path='/d'"
        assert await part.store.call(lambda db: db.execute(found).fetchall()) == [(2,)]
        part.store.close("empty", "{}")

    run(crawl())


def test_the_first_lease_of_a_run_does_not_wait_for_shorter_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All stored links are looked at for these, at the start of a run of millions, too. A run that was killed has left some."""
    monkeypatch.setattr(reopened_links, "FIND_EVERY", 1)

    async def runs() -> None:
        rules = LinkRules(Scope(), max_depth=2)
        first = await Part(tmp_path, max_depth=2).open(rules.reopen)
        near, later = await first.lease("http://a.test/", "http://a.test/later")
        await first.store.call(lambda db: discover(db, [DiscoveredUrl("http://a.test/c", 0.9, 2)], 0.0))
        [deep] = [each for each in (await first.store.lease(2))[0] if each.url.endswith("/c")]
        page = content(deep, Link("http://a.test/d"), text="c")
        rules.refuse(page)
        await first.end(page)
        await first.end(content(later, Link("http://a.test/c"), text="later"))
        await first.end(content(near, text="near"))
        first.store.close("stopped", "{}")
        again = await Part(tmp_path, max_depth=2).open(rules.reopen)
        await again.read_back.catch_up()
        assert "http://a.test/d" not in await again.waiting()
        await again.read_back.catch_up()
        assert "http://a.test/d" in await again.waiting()
        again.store.close("stopped", "{}")

    run(runs())


def test_what_a_run_does_not_come_to_queue_is_queued_by_the_next(tmp_path: Path) -> None:
    """A run that ended, or was killed, before it had looked for what was refused never told that the part had opened."""

    async def runs() -> None:
        first = await Part(tmp_path).open(reopen)
        [lease] = await first.lease("http://a.test/")
        await first.end(content(lease, Link("http://a.test/1", refused="yield")))
        await first.read_back.find_again("a.test")
        first.store.close("max_pages", "{}")
        waiting = []
        for _ in range(2):
            again = await Part(tmp_path).open(reopen)
            waiting.append(again.read_back.has_more_to_follow)
            await again.read_back.catch_up()
            assert await again.waiting() == {"http://a.test/1": 0.5}
            again.store.close("empty", "{}")
        assert waiting == [True, False]

    run(runs())


def test_who_takes_over_what_is_to_be_queued_does_all_of_it(tmp_path: Path) -> None:
    """Where a site opens for two workers, the one that is done first leaves it noted for the other."""

    async def both() -> None:
        first = await Part(tmp_path).open(reopen)
        await first.read_back.find_again("a.test")
        second = await Part(tmp_path).open(reopen)
        await first.read_back.catch_up()
        second.store.close("killed", "{}")
        third = await Part(tmp_path).open(reopen)
        assert third.read_back.has_more_to_follow
        for part in (first, third):
            part.store.close("empty", "{}")

    run(both())


def test_a_page_that_is_searched_for_refused_links_is_judged_by_the_present_topic_and_shown_as_seen(tmp_path: Path) -> None:
    """By the former one it was off the topic, so that its links were refused once more, or came last."""

    async def runs() -> None:
        first = await Part(tmp_path).open(reopen)
        [lease] = await first.lease("http://a.test/")
        links = Link("http://a.test/1", refused="yield"), Link("http://a.test/2")
        await first.end(content(lease, *links, relevant=False, text="comet and planet " * 20))
        await first.store.call(set_meta, key=FORMER, value="1")
        first.store.close("max_pages", "{}")
        later = Part(tmp_path)
        later.ordering.topic = made(later.topic)
        await later.open(reopen)
        await later.read_back.catch_up()
        await later.read_back.find_again("a.test")
        await later.read_back.catch_up()
        (*_, verdict, links_), page = later.recorder.seen[-1], later.recorder.seen[0]
        assert (len(later.recorder.seen), later.recorder.again, verdict[1]) == (2, [False, True], True)
        assert ([url for url, *_ in links_], len(page[-1])) == (["http://a.test/1"], 2)
        later.store.close("empty", "{}")

    run(runs())
