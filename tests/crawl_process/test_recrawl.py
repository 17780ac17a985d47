"""A run that looks again: what it solves, ranks and wakes, and what it leaves to others."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from focuscrawl.crawl import revisit_threshold
from focuscrawl.crawl.recrawl import Recrawling
from focuscrawl.crawl.revisit_threshold import THRESHOLD, load_threshold
from focuscrawl.frontier.lanes import lifted
from focuscrawl.items import FEED, SEED, SITEMAP, Lease
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.recrawl.planning import Planner
from focuscrawl.recrawl.settings import RecrawlSettings
from focuscrawl.recrawl.state import DAY, RevisitRecord, SiteProfile
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.revisits.revisit_rows import load_profiles, write_profile, write_revisits
from focuscrawl.store.revisits.sources import note_sources
from focuscrawl.url.key import url_key
from focuscrawl.url.scope import Scope
from tests.crawl_process.workers import sqlite_only

SETTINGS = RecrawlSettings()


def seen_before(db: Database, host: str, count: int, now: float, due_in: float) -> list[RevisitRecord]:
    """Pages of a host that were fetched ten days ago."""
    urls = [f"http://{host}.test/{n}" for n in range(count)]
    discover(db, [DiscoveredUrl(url, 0.1) for url in urls], now)
    db.execute("update url set state=3 where hid=?", (url_key(urls[0])[2],))
    db.execute("update host set best_priority=null, robots_until=? where name=?", (now + DAY, f"{host}.test"))
    made = []
    for n, url in enumerate(urls):
        _, _, hid, uid = url_key(url)
        rate = 1 / (1 + n % 30)
        visit = RevisitRecord(
            hid, uid, due_at=now + due_in, first_at=now - 20 * DAY, checked_at=now - 10 * DAY, read_at=now - 10 * DAY
        )
        made.append(replace(visit, shape=1.0, exposure=1 / rate, weight=0.5 + n % 3))
    write_revisits(db, made)
    return made


async def begun(looking: Recrawling, store: CrawlStore) -> None:
    """As the session and the scheduler of a process do it."""
    await looking.open(store)
    if looking.on:
        await looking.begin()


async def leased(store: CrawlStore) -> list[Lease]:
    found: list[Lease] = []
    while batch := (await store.lease(16))[0]:
        found += batch
    return found


async def known(store: CrawlStore, host: str, count: int, due_in: float) -> list[RevisitRecord]:
    return await store.call(seen_before, host=host, count=count, now=store.clock(), due_in=due_in)


async def test_what_is_due_is_leased_best_first_and_the_rest_is_left(store: CrawlStore) -> None:
    due = await known(store, "a", 30, -DAY)
    await known(store, "b", 20, DAY)
    await store.add_seeds([DiscoveredUrl("http://c.test/waits-for-the-crawl", 0.9)])
    looking = Recrawling(SETTINGS, Scope(), True, False)
    await begun(looking, store)
    found = await leased(store)
    assert {lease.uid for lease in found} == {visit.uid for visit in due}
    assert all(lease.revisit and 0 < lease.priority <= 1 for lease in found)
    ending = await looking.ending(60.0)
    assert (ending.reason, ending.why[:40]) == ("fresh", "nothing more is due; the next page is du")


async def test_what_an_earlier_run_has_left_does_not_go_before_what_is_worth_more(store: CrawlStore) -> None:
    """New pages that a run within a budget found and did not fetch."""

    def leave(db: Database, now: float) -> None:
        discover(db, [DiscoveredUrl(f"http://c.test/{n}", lifted(0.01)) for n in range(20)], now)
        db.execute("update host set robots_until=? where name='c.test'", (now + DAY,))

    due = await known(store, "a", 30, -DAY)
    await store.call(leave, now=store.clock())
    looking = Recrawling(SETTINGS, Scope(), True, False)
    await begun(looking, store)
    first = (await store.lease(16))[0]
    assert {lease.uid for lease in first} < {visit.uid for visit in due}
    assert len(await leased(store)) == 50 - 16


@sqlite_only
async def test_what_falls_due_is_not_ranked_while_the_run_begins(store: CrawlStore) -> None:
    first, *_, last = sorted("abcdef", key=lambda host: url_key(f"http://{host}.test/")[2])
    wanted = [*await known(store, first, 20, DAY), *await known(store, last, 30, -DAY)]
    looking = Recrawling(SETTINGS, Scope(), True, True)
    await looking.open(store)
    await asyncio.gather(looking.begin(), looking.rank(), looking.rank())
    assert {lease.uid for lease in await leased(store)} == {visit.uid for visit in wanted}


@sqlite_only
async def test_nothing_is_left_out_when_the_store_has_to_try_again(store: CrawlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a full disk: what was read is undone and read once more."""
    due = await known(store, "a", 30, -DAY)
    call = store.call

    async def twice(operation: Callable[..., object], **given: object) -> object:
        def tried(db: Database) -> object:
            db.execute("savepoint trying")
            operation(db, **given)
            db.execute("rollback to savepoint trying")
            return operation(db, **given)

        return await call(tried)

    monkeypatch.setattr(store, "call", twice)
    looking = Recrawling(SETTINGS, Scope(), True, False)
    await begun(looking, store)
    assert {lease.uid for lease in await leased(store)} == {visit.uid for visit in due}


async def test_what_a_run_over_all_pages_makes_due_is_visited_in_it(store: CrawlStore) -> None:
    """As the copies of a page that turns out to be rewritten, though they were visited before it."""
    pages = await known(store, "a", 30, DAY)
    looking = Recrawling(SETTINGS, Scope(), True, True)
    await begun(looking, store)
    assert len(await leased(store)) == 30
    now, (copy, *others) = store.clock(), pages

    def visited(db: Database) -> None:
        db.execute("delete from lease")
        db.execute("update url set state=3")
        write_revisits(db, [replace(copy, checked_at=now, due_at=now)])
        write_revisits(db, [replace(other, checked_at=now, due_at=now + DAY) for other in others])

    await store.call(visited)
    assert await looking.rank() == 1
    assert [lease.uid for lease in await leased(store)] == [copy.uid]


async def test_all_pages_are_wanted_whether_due_or_not(store: CrawlStore) -> None:
    await known(store, "a", 30, -DAY)
    await known(store, "b", 20, DAY)
    looking = Recrawling(SETTINGS, Scope(), True, True)
    await begun(looking, store)
    assert len(await leased(store)) == 50
    await looking.rank()
    assert await leased(store) == []


async def test_pages_that_say_what_was_said_before_come_last(store: CrawlStore) -> None:
    farm = await known(store, "farm", 8, -9 * DAY)
    good = await known(store, "good", 8, -DAY)
    await begun(Recrawling(SETTINGS, Scope(), True, True, lambda url: url.startswith("http://farm.test/")), store)
    found = sorted(await leased(store), key=lambda lease: -lease.priority)
    order = [lease.uid for lease in found]
    assert {*order[:8]} == {visit.uid for visit in good}
    assert {*order[8:]} == {visit.uid for visit in farm}


async def test_what_falls_due_during_the_run_is_looked_at(store: CrawlStore) -> None:
    await known(store, "a", 3, -DAY)
    looking = Recrawling(SETTINGS, Scope(), True, False)
    await begun(looking, store)
    assert len(await leased(store)) == 3
    await known(store, "b", 4, 0.0)
    await looking.rank()
    assert len(await leased(store)) == 4


async def test_an_ordinary_run_wakes_nothing_until_it_is_told_to(store: CrawlStore) -> None:
    await known(store, "a", 3, -DAY)
    looking = Recrawling(SETTINGS, Scope(), False, False)
    await begun(looking, store)
    await looking.rank()
    assert await leased(store) == []
    await looking.begin()
    assert len(await leased(store)) == 3


async def test_the_worth_of_a_request_is_solved_once_a_day_and_kept(store: CrawlStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisit_threshold, "LARGE", 40)
    monkeypatch.setattr(revisit_threshold, "BATCH", 16)
    store.limits = replace(store.limits, host=PaceSettings(DAY / 2, 1))  # two requests a day
    large = await known(store, "large", 90, DAY)
    small = await known(store, "small", 10, DAY)
    await begun(Recrawling(SETTINGS, Scope(), True, False), store)
    solved = store.planner.threshold
    assert solved > 0
    profiles = await store.call(load_profiles, hids=[large[0].hid, small[0].hid])
    assert profiles[large[0].hid].threshold > solved
    assert small[0].hid not in profiles
    kept = await store.call(read_meta, key=THRESHOLD)
    await begun(Recrawling(SETTINGS, Scope(), True, False), store)
    assert await store.call(read_meta, key=THRESHOLD) == kept
    assert store.planner.threshold == solved


async def test_another_bandwidth_holds_at_once_and_in_full(store: CrawlStore) -> None:
    pages = await known(store, "a", 90, DAY)
    for bandwidth in (0.1, 2.0):
        settings = replace(SETTINGS, bandwidth=bandwidth)
        store.planner = Planner(settings)
        await begun(Recrawling(settings, Scope(), True, False), store)
        assert store.planner.threshold == pytest.approx(Planner(settings).solve(pages), rel=1e-6)
        store.planner = Planner(settings)
        await load_threshold(store)
        assert store.planner.threshold > 0
    store.planner = Planner(SETTINGS)  # an ordinary run with the former one
    await load_threshold(store)
    assert store.planner.threshold == 0


@pytest.mark.parametrize("change", ["held=1", "ready_at=ready_at+1e5"])
@sqlite_only
async def test_what_cannot_be_asked_now_hides_nothing_behind_it(store: CrawlStore, change: str) -> None:
    await known(store, "first", 250, -DAY)
    behind = await known(store, "last", 5, -DAY)
    await store.call(lambda db: db.execute("update revisit set weight=0.02 where hid=?", (behind[0].hid,)))
    await store.call(lambda db: db.execute("update host set ready_at=?", (store.clock(),)))
    await store.call(lambda db: db.execute(f"update host set {change} where name='first.test'"))
    await begun(Recrawling(SETTINGS, Scope(), True, False), store)
    found: list[Lease] = []
    for _ in range(9):
        leases, due = await store.lease(16)
        found += leases
        if not leases and (due is None or due > store.clock() + 60.0):
            break  # the run would end
    assert {lease.uid for lease in found} == {visit.uid for visit in behind}


@sqlite_only
async def test_a_host_that_asks_for_no_delay_any_more_has_no_price_of_its_own(
    store: CrawlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisit_threshold, "LARGE", 40)
    large = await known(store, "large", 90, DAY)
    await store.call(lambda db: write_profile(db, SiteProfile(large[0].hid, threshold=5.0)))
    await begun(Recrawling(SETTINGS, Scope(), True, False), store)
    profiles = await store.call(load_profiles, hids=[large[0].hid])
    assert profiles[large[0].hid].threshold == 0.0


async def test_what_a_run_did_not_get_to_stays_due(store: CrawlStore) -> None:
    await known(store, "a", 30, -DAY)
    left_behind = Recrawling(SETTINGS, Scope(), True, False)
    await begun(left_behind, store)
    assert len((await store.lease(16))[0]) == 16
    assert (await left_behind.ending(60.0)).reason == "empty"
    await store.put_off()
    assert await store.call(lambda db: db.execute("select count(*) from url where state=0").fetchone()) == (0,)
    again = Recrawling(SETTINGS, Scope(), True, False)
    await begun(again, store)
    assert len(await leased(store)) == 14


@pytest.mark.parametrize(("signals", "kinds"), [(True, [SITEMAP, FEED]), (False, [])])
async def test_sitemaps_and_feeds_are_visited_if_they_are_wanted(store: CrawlStore, signals: bool, kinds: list[int]) -> None:
    def relevant(db: Database) -> None:
        db.execute("update host set relevant=9, robots_until=?", (time.time() + DAY,))
        note_sources(db, Lease(0, 0, "http://a.test/0"), ["http://a.test/feed"], 1.0)

    for host in ("a", "b"):
        await known(store, host, 1, DAY)
    await store.call(relevant)
    looking = Recrawling(replace(SETTINGS, signals=signals), Scope(hosts=("a.test",)), True, False)
    await begun(looking, store)
    found = await leased(store)
    assert sorted(lease.kind for lease in found) == kinds
    assert all(lease.url in ("http://a.test/feed", "http://a.test/sitemap.xml") for lease in found)


async def test_what_an_operator_asks_for_comes_first(store: CrawlStore) -> None:
    due = await known(store, "a", 30, -DAY)
    await store.call(lambda db: write_revisits(db, [replace(due[7], due_at=9.0, signal_at=9.0, signal_kind=SEED, weight=0.02)]))
    await begun(Recrawling(SETTINGS, Scope(), True, False), store)
    assert (await store.lease(1))[0][0].uid == due[7].uid
