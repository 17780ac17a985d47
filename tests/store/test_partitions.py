"""Static allocation in the store: who may lease what, under each grain and each rule for what is others'."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import get_args

import orjson
import pytest

from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.partition import BUCKETS, Grain, Partition, bucket_of, key_of, owner
from focuscrawl.frontier.states import MIRROR, Event
from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.politeness.pace import RequestOutcome
from focuscrawl.store.commit import Commit, Committed, commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.lease_ends import next_due
from focuscrawl.store.frontier.leasing import LeaseLimits, lease
from focuscrawl.store.frontier.look_ahead import best_waiting
from focuscrawl.store.frontier.pacing import claim_ip_address, report
from focuscrawl.store.frontier.partitions import Elsewhere, elsewhere, foreign_waiting, grain_of, of_same_part, settle_grain
from focuscrawl.store.pages.reopened_links import ReopenedPage, queue_links
from focuscrawl.store.workers import runs
from focuscrawl.store.workers.lifecycle import leave, register
from focuscrawl.url.key import url_key
from tests.factories import FREE, NOW

URLS = [
    f"http://{host}.site{n}.test/{part}/{page}" for n in range(4) for host in "ab" for part in ("x", "y", "z") for page in "12"
]


def limits_of(part: Partition | None, base: LeaseLimits = FREE) -> LeaseLimits:
    return replace(base, partition=part, grain=part.grain if part else "host")


def settle(db: Database, grain: str) -> None:
    with transaction(db):
        assert settle_grain(db, Partition(1, 2, grain), 0) == grain


def add(db: Database, urls: Iterable[str] = URLS, score: float = 0.5) -> None:
    with transaction(db):
        discover(db, [DiscoveredUrl(url, score) for url in urls], NOW)


def leased(db: Database, worker: int, part: Partition | None, count: int = 200, base: LeaseLimits = FREE) -> list[Lease]:
    with transaction(db):
        return lease(db, worker, count, NOW, limits_of(part, base))


def urls_of(leases: Sequence[Lease]) -> set[str]:
    return {one.url for one in leases}


def parts(count: int, grain: str = "host", foreign: str = "forward") -> list[Partition]:
    return [Partition(number, count, grain, foreign) for number in range(1, count + 1)]


@pytest.mark.parametrize("grain", get_args(Grain))
def test_each_worker_leases_its_own_and_together_they_lease_all(db: Database, grain: str) -> None:
    settle(db, grain)
    add(db)
    taken = [urls_of(leased(db, part.number, part)) for part in parts(3, grain)]
    assert sorted(url for urls in taken for url in urls) == sorted(URLS)
    for number, urls in enumerate(taken, 1):
        assert {owner(bucket_of(key_of(grain, url)), 3) for url in urls} <= {number}
    assert sum(bool(urls) for urls in taken) > 1


def test_the_best_of_ones_own_comes_first(db: Database) -> None:
    add(db)
    own = Partition(1, 2)
    mine = sorted(url for url in URLS if own.owns(bucket_of(key_of("host", url))))
    theirs = next(url for url in URLS if not own.owns(bucket_of(key_of("host", url))))
    add(db, [mine[3]], 0.8)
    add(db, [theirs], 0.9)
    assert leased(db, 1, own, 1)[0].url == mine[3]


@pytest.mark.parametrize("grain", ["host", "path"])
def test_what_is_due_and_what_promises_most_is_looked_for_among_ones_own(db: Database, grain: str) -> None:
    settle(db, grain)
    own, other = parts(2, grain)
    mine = next(url for url in URLS if own.owns(bucket_of(key_of(grain, url))))
    theirs = next(url for url in URLS if other.owns(bucket_of(key_of(grain, url))))
    add(db, [theirs], 0.9)
    assert next_due(db, NOW, own=own) is None
    assert next_due(db, NOW, own=other) == next_due(db, NOW) == 0.0
    assert next_due(db, NOW, own=replace(own, foreign="fetch")) == 0.0
    assert best_waiting(db, 5, own) == []
    add(db, [mine], 0.4)
    assert next_due(db, NOW, own=own) == 0.0
    assert (best_waiting(db, 5, own), best_waiting(db, 5)) == ([0.4], [0.9, 0.4])
    db.execute("update url set state=2, due_at=?", (NOW + 9,))
    db.execute("update host set best_priority=null")
    assert next_due(db, NOW, own=own) == NOW + 9


def test_a_host_that_an_operator_holds_is_not_due(db: Database) -> None:
    add(db, URLS[:1])
    db.execute("update host set held=1")
    assert next_due(db, NOW) is None


def test_in_cross_over_mode_the_others_hosts_come_when_nothing_of_ones_own_is_ready(db: Database) -> None:
    add(db)
    own = Partition(1, 2, foreign="fetch")
    first = leased(db, 1, own)
    assert {own.owns(bucket_of(key_of("host", one.url))) for one in first} == {True}
    second = leased(db, 1, own)
    assert {own.owns(bucket_of(key_of("host", one.url))) for one in second} == {False}
    assert urls_of(first) | urls_of(second) == set(URLS)


def test_what_defines_the_topic_is_fetched_by_one_worker_whosever_it_is(db: Database) -> None:
    with transaction(db):
        discover(db, [DiscoveredUrl(url, 1.0, kind=2) for url in URLS[::6]], NOW)
    assert urls_of(leased(db, 1, Partition(1, 3), base=replace(FREE, kind=2))) == set(URLS[::6])


def test_a_robots_txt_is_the_hosts_owners(db: Database) -> None:
    add(db, URLS[:1])
    own, other = sorted(parts(2), key=lambda part: not part.owns(bucket_of(key_of("host", URLS[0]))))
    obeying = replace(FREE, obey_robots=True)
    assert leased(db, 2, other, base=obeying) == []
    [one] = leased(db, 1, own, base=obeying)
    assert one.robots


def fetched(db: Database, part: Partition | None, links: Sequence[str], redirect: str = "") -> Committed:
    """Commit a page of this worker with these links."""
    [one] = leased(db, 1, None, 1)
    page = Page(one, one.url, 200, NOW, text="text", redirect=redirect)
    page.verdict = Verdict(0.5, True, 0.1)
    found = [DiscoveredUrl(url, 0.5) for url in links]
    event = Event.REDIRECTED if redirect else Event.STORED
    only = part if part and part.foreign == "drop" else None
    with transaction(db):
        return commit(
            db,
            Commit(page, FetchOutcome(event), NOW, 1, 1, discovered=found, only=only),
            lambda page: WarcLocation("", 0, 0),
            lambda *_: None,
        )


@pytest.mark.parametrize("grain", get_args(Grain))
def test_in_firewall_mode_links_to_others_are_not_followed(db: Database, grain: str) -> None:
    settle(db, grain)
    add(db, ["http://start.test/"])
    own = Partition(1, 2, grain, "drop")
    done = fetched(db, own, URLS)
    mine = {url for url in URLS if own.owns(bucket_of(key_of(grain, url)))}
    assert 0 < done.new_links == len(mine) < len(URLS)
    assert done.foreign == len(URLS) - len(mine)
    assert db.execute("select count(*) from refused where rule='foreign'").fetchone()[0] == done.foreign
    assert urls_of(leased(db, 1, None)) == mine


@pytest.mark.parametrize("grain", get_args(Grain))
def test_in_firewall_mode_a_worker_queues_again_what_others_may_follow(db: Database, grain: str) -> None:
    """Links of another worker's page to that worker's part were taken out of those that are refused, and never queued."""
    settle(db, grain)
    [source, *urls] = map(DiscoveredUrl, URLS, [0.5] * len(URLS))
    theirs = of_same_part(db, Partition(1, 2, grain), source, urls)
    db.dialect.insert_refused(db, sorted((*item.url_id, "yield") for item in urls), 7)
    other = owner(bucket_of(key_of(grain, source.url)), 2) % 2 + 1
    links = [Link(item.url) for item in urls]
    with transaction(db):
        assert queue_links(db, [ReopenedPage(7, source, links, urls)], Partition(other, 2, grain, "drop"), NOW) == len(theirs)
    assert 0 < len(theirs) < len(urls)
    assert urls_of(leased(db, 1, None)) == {item.url for item in theirs}
    assert db.execute("select count(*) from refused").fetchone()[0] == len(urls) - len(theirs)


def test_in_firewall_mode_a_link_to_another_part_is_foreign_even_into_a_closed_part_of_the_web(db: Database) -> None:
    """Else the other worker's own page was not searched for it when that opened: a URL is noted for one page alone."""
    own = Partition(1, 2, foreign="drop")
    add(db, ["http://start.test/"])
    [one] = leased(db, 1, None, 1)
    page = Page(one, one.url, 200, NOW, text="text", verdict=Verdict(0.5, True, 0.1))
    page.links = [Link(url, refused="yield") for url in URLS]
    refused = [(*link.key.url_id, link.refused) for link in page.links]
    with transaction(db):
        change = Commit(page, FetchOutcome(Event.STORED), NOW, 1, 1, refused=refused, only=own)
        done = commit(db, change, lambda page: WarcLocation("", 0, 0), lambda *_: None)
    mine = {link.key.url_id for link in page.links if own.owns(bucket_of(key_of("host", link.url)))}
    rows = db.execute("select hid, uid, rule from refused").fetchall()
    assert {(hid, uid): rule for hid, uid, rule in rows} == {
        key: "yield" if key in mine else "foreign" for key in (link.key.url_id for link in page.links)
    }
    assert done.foreign == 0, "they are counted as refused already"


def test_in_firewall_mode_what_waits_on_a_mirror_is_queued_on_an_original_of_ones_own_alone(tmp_path: Path) -> None:
    mirror, hosts = "http://m.test/1", [f"http://h{n}.test/1" for n in range(8)]
    own = Partition(owner(bucket_of(key_of("host", mirror)), 2), 2, "host", "drop")

    async def queued(original: str) -> bool:
        store = CrawlStore(tmp_path / original[7:9], "x", limits_of(own), "{}")
        await store.add_seeds([DiscoveredUrl("http://start.test/", 0.9)])
        await store.call(lambda db: discover(db, [DiscoveredUrl(mirror, 0.5)], NOW))
        done = await store.set_back(url_key(mirror).hid, lambda url, parent: MIRROR, lambda url, parent: original)
        known = await store.call(lambda db: db.execute("select count(*) from url where path='/1'").fetchone()[0])
        store.close("empty", "{}")
        assert done.aside == 1
        return bool(known == 2)

    async def all_queued() -> list[bool]:
        return [await queued(url) for url in hosts]

    owned = [own.owns(bucket_of(key_of("host", url))) for url in hosts]
    assert asyncio.run(all_queued()) == owned
    assert set(owned) == {True, False}


def test_a_redirect_to_another_part_is_always_forwarded(db: Database) -> None:
    own = Partition(1, 2, foreign="drop")
    theirs = next(url for url in URLS if not own.owns(bucket_of(key_of("host", url))))
    add(db, ["http://start.test/"])
    assert fetched(db, own, [], redirect=theirs).new_links == 1


def test_all_origins_of_a_host_name_have_one_owner(db: Database) -> None:
    settle(db, "address")
    add(db, ["http://a.test/1"])
    [one] = leased(db, 1, None)
    with transaction(db):
        assert claim_ip_address(db, 1, one, "192.0.2.9", NOW, limits_of(Partition(1, 2, "address"))) == 0.0
    bucket = bucket_of("192.0.2.0/24")
    assert db.execute("select bucket from host").fetchone() == (bucket,)
    add(db, ["https://a.test/2", "http://a.test:8080/3"])
    assert set(db.execute("select bucket from host").fetchall()) == {(bucket,)}
    own = Partition(owner(bucket, 2), 2, "address")
    assert urls_of(leased(db, 1, own)) == {"https://a.test/2", "http://a.test:8080/3"}


def test_the_first_address_of_a_host_decides_and_a_later_one_moves_nothing(db: Database) -> None:
    settle(db, "address")
    add(db, ["http://a.test/1", "https://a.test/2"])
    limits = limits_of(Partition(1, 2, "address"))
    [one, _] = leased(db, 1, None)
    for address in ("192.0.2.9", "198.51.100.1"):
        with transaction(db):
            report(db, 1, one, RequestOutcome(0.1, 200, ip_address=address), NOW, limits)
    assert set(db.execute("select bucket from host").fetchall()) == {(bucket_of("192.0.2.0/24"),)}
    assert db.execute("select ip_address from host where hid=?", (one.hid,)).fetchone() == ("198.51.100.1",)
    add(db, ["http://b.test/1"])
    [other] = leased(db, 1, None)
    with transaction(db):
        report(db, 1, other, RequestOutcome(0.1, 200, ip_address="192.0.2.9"), NOW, replace(limits, grain="host"))
    assert db.execute("select bucket from host where hid=?", (other.hid,)).fetchone() != (bucket_of("192.0.2.0/24"),)


def test_a_crawl_whose_grain_is_changed_gets_new_buckets(db: Database) -> None:
    add(db)
    db.execute("update host set ip_address='192.0.2.9' where name='a.site0.test'")
    for grain in ("domain", "path", "address", "host"):
        settle(db, grain)
        assert grain_of(db) == grain
        if grain == "path":
            rows = db.execute("select h.origin, u.path, u.bucket from url u join host h on h.hid=u.hid").fetchall()
            assert {bucket_of(key_of("path", origin + tail)) == bucket for origin, tail, bucket in rows} == {True}
            continue
        for origin, address, bucket in db.execute("select origin, ip_address, bucket from host").fetchall():
            assert bucket == bucket_of(key_of(grain, origin, address)), (grain, origin)
    add(db, ["http://new.test/"])
    assert db.execute("select bucket from host where name='new.test'").fetchone() == (bucket_of("new.test"),)


def worker_with(db: Database, **said: str) -> int:
    """A live worker, by the arguments of its run."""
    with transaction(db):
        return register(db, runs.begin_run(db, orjson.dumps(said).decode(), NOW), NOW)


def test_the_grain_is_not_changed_under_workers_that_are_at_it(db: Database) -> None:
    other = worker_with(db)
    with pytest.raises(ValueError, match="PARTITION_GRAIN=path cannot be used now: other workers share this crawl by host"):
        settle(db, "path")
    assert grain_of(db) == "host"
    db.execute("update worker set process_started=1 where id=?", (other,))  # its process is gone
    settle(db, "path")


def test_a_worker_without_a_part_takes_the_grain_that_there_is(db: Database) -> None:
    settle(db, "domain")
    with transaction(db):
        assert settle_grain(db, None, 1) == "domain"
        assert settle_grain(db, Partition(1, 2, "domain"), 1) == "domain"


def test_others_are_waited_for_while_they_have_something_that_falls_due(db: Database) -> None:
    own = Partition(1, 3)
    theirs = [next(url for url in URLS if part.owns(bucket_of(key_of("host", url)))) for part in parts(3)]
    me = worker_with(db, partition="1/3")
    assert elsewhere(db, own, me, NOW) == Elsewhere(False, False)
    add(db, [theirs[1]])
    assert elsewhere(db, own, me, NOW) == Elsewhere(False, True), "nobody is there for it"
    second = worker_with(db, partition="2/3")
    assert elsewhere(db, own, me, NOW) == Elsewhere(True, False)
    add(db, [theirs[2]])
    assert elsewhere(db, own, me, NOW) == Elsewhere(True, True)
    assert foreign_waiting(db, own) == {2: 1, 3: 1}
    db.execute("update host set ready_at=?", (NOW + 100,))
    assert elsewhere(db, own, me, NOW + 99) == Elsewhere(False, False), "not soon"
    db.execute("update host set ready_at=0")
    leave(db, second)
    assert elsewhere(db, own, me, NOW) == Elsewhere(False, True)


@pytest.mark.parametrize("said", [{}, {"partition": "2/3", "partition_foreign": "fetch"}, {"partition": "1/1"}])
def test_a_worker_that_takes_everything_is_there_for_everything(db: Database, said: dict[str, str]) -> None:
    me = worker_with(db, partition="1/3")
    worker_with(db, **said)
    add(db, [url for url in URLS if not Partition(1, 3).owns(bucket_of(key_of("host", url)))])
    assert elsewhere(db, Partition(1, 3), me, NOW) == Elsewhere(True, False)


def test_paths_of_others_are_counted_by_their_owners(db: Database) -> None:
    settle(db, "path")
    add(db)
    own = Partition(1, 2, "path")
    foreign = [url for url in URLS if not own.owns(bucket_of(key_of("path", url)))]
    assert foreign_waiting(db, own) == {2: len(foreign)}


def test_one_part_is_all(db: Database) -> None:
    add(db)
    assert len(Partition(1, 1).buckets) == BUCKETS
    assert urls_of(leased(db, 1, Partition(1, 1))) == set(URLS)
