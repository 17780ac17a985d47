"""Several workers on one store at the same time, each in a thread of its own: nothing twice, nothing lost, no deadlock."""

from __future__ import annotations

import asyncio
import random
import threading
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Duplicate, Fingerprint, Lease, Page, Verdict
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore, Finder
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored
from focuscrawl.store.frontier.operator_changes import parts_of_host, remove_parts
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.taking_out import take_out_parts
from tests.factories import NOW, limits

WORKERS, HOSTS, URLS, LINKS = 4, 12, 400, 15
PLACES, ADDRESS_PLACES = 2, 5
LIMITS = limits(PLACES, ip_address_at_once=ADDRESS_PLACES)
WRONG_BEST = """select count(*) from host where best_priority is distinct from
    (select max(priority) from url where url.hid=host.hid and state=0)"""


def url_of(number: int) -> str:
    scheme = "http" if number % 3 else "https"
    return f"{scheme}://h{number % HOSTS}.test/{number}"


@dataclass
class Tally:
    """What all workers saw, under one lock: leases on the wire by host name and by address."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    names: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)
    fetched: Counter[str] = field(default_factory=Counter)
    late: int = 0


def no_finder(db: Database, page: Page, after: int = 0) -> Duplicate | None:
    return None


async def work(store: CrawlStore, tally: Tally, seed: int, find: Finder = no_finder) -> None:
    rng = random.Random(seed)
    idle = 0
    while idle < 40:
        leases, _ = await store.lease(6)
        idle = 0 if leases else idle + 1
        with tally.lock:
            for one in leases:
                for key in keys(one):
                    tally.names[key] += 1
                    tally.most[key] = max(tally.most[key], tally.names[key])
        for one in leases:
            await asyncio.sleep(rng.random() * 0.002)
            with tally.lock:
                for key in keys(one):
                    tally.names[key] -= 1
            store.report(one, RequestOutcome(0.01, 200, None, address_of(one)), store.clock())
            await finish(store, one, rng, tally, find)
        if not leases:
            await asyncio.sleep(0.01)


async def finish(store: CrawlStore, one: Lease, rng: random.Random, tally: Tally, find: Finder) -> None:
    page = Page(one, one.url, 200, store.clock(), body=b"x", text=f"text of {one.url}", verdict=Verdict(0.5, True, 0.1))
    page.fingerprint = Fingerprint(f"digest {rng.randrange(9)}".encode().ljust(16), rng.getrandbits(64))
    numbers = rng.sample(range(URLS), LINKS)
    change = Commit(page, FetchOutcome(Event.STORED), store.clock(), store.run, store.worker)
    change.discovered = [DiscoveredUrl(url_of(number), rng.random()) for number in numbers]
    change.keys = [rng.randrange(50) for _ in range(4)]
    change.refused = [(*item.url_id, "test") for item in change.discovered[:3]]
    again = [DiscoveredUrl(url_of(rng.randrange(URLS)), 0.0) for _ in range(5)]
    change.rescored = [Rescored(each.url_id, rng.random()) for each in again]
    done = await store.commit(change, find)
    with tally.lock:
        tally.late += done.late
        tally.fetched[one.url] += 1


def keys(one: Lease) -> tuple[str, ...]:
    name = one.url.split("/")[2]
    return (name, one.ip_address) if one.ip_address else (name,)


def address_of(one: Lease) -> str:
    """Three hosts on each address."""
    return f"127.0.0.{int(one.url.split('/')[2].partition('.')[0][1:]) % 4 + 1}"


@pytest.mark.slow
def test_several_workers_at_once(tmp_path: Path, store_url: str) -> None:
    stores = [CrawlStore(tmp_path / "crawl", "crawl", LIMITS, "{}", url=store_url) for _ in range(WORKERS)]
    asyncio.run(stores[0].add_seeds([DiscoveredUrl(url_of(number), 1.0) for number in range(HOSTS)]))
    tally, problems = Tally(), []

    def run(number: int) -> None:
        try:
            asyncio.run(work(stores[number], tally, number))
        except BaseException as error:  # a thread's error is nobody's else
            problems.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in stores:
        store.close("test", "{}")
    assert problems == []
    assert tally.late == 0
    assert len(tally.fetched) == URLS
    assert set(tally.fetched.values()) == {1}
    assert {key: most for key, most in tally.most.items() if most > (PLACES if key.endswith("test") else ADDRESS_PLACES)} == {}
    check(tmp_path / "crawl", store_url)


def check(directory: Path, url: str) -> None:
    db = open_store(directory, url)
    assert db.execute("select count(*) from lease").fetchone() == (0,)
    assert db.execute("select state, count(*) from url group by state").fetchall() == [(3, URLS)]
    assert db.execute("select count(*), count(distinct uid) from page").fetchone() == (URLS, URLS)
    assert db.execute("select count(*) from fetches").fetchone() == (URLS,)
    assert db.execute(WRONG_BEST).fetchone() == (0,)
    assert db.execute("select sum(pages), sum(requests) from host").fetchone() == (URLS, URLS)
    if db.dialect.name == "postgresql":
        assert db.execute("select deadlocks from pg_stat_database where datname=current_database()").fetchone() == (0,)
    db.close()


FARMS = ("h1.test", "h2.test", "h3.test", "h4.test")
"""Whose pages, nine texts among all hosts, an operator takes out while they are fetched."""
LEFT_BEHIND = "select count(*) from page c join page o on o.page_id=c.original where c.gone<2 and o.gone>=2"
TEXTS = "select count(distinct digest) from page where original is null and gone<2"
STAYED = "select count(*) from page p join host h on h.hid=p.hid where h.name=? and p.gone<2"


@pytest.mark.slow
def test_an_operator_takes_hosts_out_beside_them(tmp_path: Path, store_url: str) -> None:
    stores = [CrawlStore(tmp_path / "crawl", "crawl", LIMITS, "{}", url=store_url) for _ in range(WORKERS)]
    asyncio.run(stores[0].add_seeds([DiscoveredUrl(url_of(number), 1.0) for number in range(HOSTS)]))
    finder = DuplicateFinder(method("simhash"))
    tally, problems, ended = Tally(), [], threading.Event()

    def run(number: int) -> None:
        try:
            asyncio.run(work(stores[number], tally, number, finder))
        except BaseException as error:  # a thread's error is nobody's else
            problems.append(error)

    def operate() -> None:
        db = open_store(tmp_path / "crawl", store_url)
        try:
            while not ended.is_set():
                for name in FARMS:
                    take_out(db, name)
        except BaseException as error:
            problems.append(error)
        finally:
            db.close()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(WORKERS)]
    operator = threading.Thread(target=operate)
    for thread in (*threads, operator):
        thread.start()
    for thread in threads:
        thread.join()
    ended.set()
    operator.join()
    for store in stores:
        store.close("test", "{}")
    assert problems == []
    db = open_store(tmp_path / "crawl", store_url)
    for name in FARMS:
        take_out(db, name)
        assert db.execute(STAYED, (name,)).fetchone() == (0,)
    assert db.execute(LEFT_BEHIND).fetchone() == (0,)
    assert db.execute(TEXTS).fetchone() == (9,), "every text is in the collection still"
    assert db.execute("select count(*) from lease").fetchone() == (0,)
    assert db.execute(WRONG_BEST).fetchone() == (0,)
    if db.dialect.name == "postgresql":
        assert db.execute("select deadlocks from pg_stat_database where datname=current_database()").fetchone() == (0,)
    db.close()


def take_out(db: Database, name: str) -> None:
    parts = parts_of_host(db, name)
    remove_parts(db, parts, NOW)
    take_out_parts(db, parts, lambda: NOW, method("simhash").keys)
