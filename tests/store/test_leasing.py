from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace

import pytest

from focuscrawl.frontier.lanes import lifted, value_of
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import State
from focuscrawl.items import EXAMPLE, SEED, Lease
from focuscrawl.politeness.pace import MAX_CRAWL_DELAY, PaceSettings, RequestOutcome
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore
from focuscrawl.store.frontier.lease_ends import drop, is_paced, next_due, release, take_back, wake
from focuscrawl.store.frontier.leasing import HOLD, LeaseLimits, giving_way, lease
from focuscrawl.store.frontier.pacing import claim_ip_address, pace_of, report, save_robots, set_crawl_delay
from focuscrawl.store.frontier.partitions import bucket_by
from focuscrawl.url.hosts import hid_of, uid_of
from tests.factories import FREE, NOW, POLITE, known


def urls_of(leases: list[Lease]) -> list[str]:
    return [one.url for one in leases]


def test_the_best_url_comes_first_over_all_hosts(db: Database) -> None:
    discover(
        db,
        [DiscoveredUrl("http://a.test/1", 0.2), DiscoveredUrl("http://b.test/1", 0.9), DiscoveredUrl("http://a.test/2", 0.5)],
        NOW,
    )
    assert urls_of(lease(db, 1, 10, NOW, FREE)) == ["http://b.test/1", "http://a.test/2", "http://a.test/1"]
    assert lease(db, 1, 10, NOW, FREE) == []


@pytest.mark.parametrize("last", ["a", "b", "c"])
def test_which_of_equals_comes_first_does_not_hang_on_when_a_host_answered(db: Database, last: str) -> None:
    discover(db, [DiscoveredUrl(f"http://{name}.test/{n}", 0.5) for name in "abc" for n in range(2)], NOW)
    db.execute("update host set ready_at=?", (NOW - 5,))
    db.execute("update host set ready_at=? where name=?", (NOW - 1, f"{last}.test"))
    leases = [lease(db, 1, 2, NOW, FREE) for _ in range(3)]
    assert [one.url_id for batch in leases for one in batch] == sorted(one.url_id for batch in leases for one in batch)


def test_a_known_url_is_not_new_and_only_a_clearly_better_link_lifts_it(db: Database) -> None:
    assert known(db, "http://a.test/1", priority=0.2) == 1
    assert discover(db, [DiscoveredUrl("http://a.test/1", 0.21), DiscoveredUrl("http://a.test/2", 0.1)], NOW) == 1
    assert known(db, "http://a.test/1", priority=0.7) == 0
    [first, second] = lease(db, 1, 2, NOW, FREE)
    assert (first.priority, second.priority) == (0.7, 0.1)


def test_of_the_new_pages_of_a_host_that_a_recrawl_finds_the_second_counts_for_a_half(db: Database) -> None:
    """So that an archive does not go before all that is due. A value of 3 beside a threshold of 1 has the rank 3/4."""
    before: Counter[int] = Counter()
    known(db, "http://a.test/left", priority=lifted(0.2))

    def find(*paths: str) -> None:
        discover(db, [DiscoveredUrl(f"http://{path}", lifted(0.75)) for path in paths], NOW, before=before)

    find("a.test/1", "a.test/2", "b.test/1", "a.test/left")
    find("a.test/2", "a.test/3")
    rows = db.execute("select h.name || u.path, u.priority from url u join host h on h.hid=u.hid").fetchall()
    ranks = {path: value_of(priority) for path, priority in rows}
    assert sorted(ranks.pop(f"a.test/{n}") for n in (1, 2)) == pytest.approx([1.5 / 2.5, 3 / 4])
    assert ranks == pytest.approx({"a.test/3": 1 / 2, "b.test/1": 3 / 4, "a.test/left": 0.2})


def test_depth_and_distance_are_the_smallest_seen(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/1", 0.5, depth=4, distance=2)], NOW)
    discover(db, [DiscoveredUrl("http://a.test/1", 0.1, depth=2, distance=0)], NOW)
    [one] = lease(db, 1, 1, NOW, FREE)
    assert (one.depth, one.distance, one.priority) == (2, 0, 0.5)


def test_the_best_urls_are_leased_but_no_host_gets_all_places(db: Database) -> None:
    known(db, *(f"http://big.test/{n}" for n in range(50)), priority=0.9)
    known(db, *(f"http://small{n}.test/" for n in range(6)), priority=0.2)
    limits = LeaseLimits(FREE.host, FREE.ip_address, 16, obey_robots=False)
    hosts = [one.url.split("/")[2] for one in lease(db, 1, 8, NOW, limits)]
    assert hosts == ["big.test"] * 8
    hosts = [one.url.split("/")[2] for one in lease(db, 1, 8, NOW, limits)]
    assert hosts.count("big.test") == 6, "two of sixteen places are for others"
    assert len(set(hosts)) == 3


def test_a_host_gets_the_places_that_it_may_have(db: Database) -> None:
    known(db, *(f"http://big.test/{n}" for n in range(50)))
    assert len(lease(db, 1, 12, NOW, FREE)) == 12
    assert len(lease(db, 2, 12, NOW, FREE)) == 4


def test_a_polite_host_is_asked_once_and_then_waits_for_its_answer_and_its_delay(db: Database) -> None:
    known(db, "http://a.test/1", "http://a.test/2", "http://a.test/3")
    [one] = lease(db, 1, 10, NOW, POLITE)
    assert lease(db, 2, 10, NOW + 100, POLITE) == []
    assert next_due(db, NOW) is None
    report(db, 1, one, RequestOutcome(0.1, 200), NOW + 5, POLITE)
    assert lease(db, 2, 10, NOW + 5.9, POLITE) == []
    assert next_due(db, NOW + 5.9) == NOW + 6
    assert len(lease(db, 2, 10, NOW + 6, POLITE)) == 1


def test_origins_of_one_host_name_share_its_pace(db: Database) -> None:
    known(db, "http://a.test/1", "https://a.test/2", "http://a.test:8080/3")
    assert len(lease(db, 1, 10, NOW, POLITE)) == 1


def test_crawl_delay_holds_even_without_a_delay_of_ours(db: Database) -> None:
    known(db, *(f"http://a.test/{n}" for n in range(9)))
    set_crawl_delay(db, hid_of("http://a.test"), 2.0, FREE.host, NOW)
    assert lease(db, 1, 10, NOW + 1.9, FREE) == []
    assert len(lease(db, 1, 10, NOW + 2, FREE)) == 1
    assert lease(db, 1, 10, NOW + 3.9, FREE) == []
    assert len(lease(db, 1, 10, NOW + 4.1, FREE)) == 1


def test_hosts_at_one_address_share_its_places(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 4), PaceSettings(0.5, 2, 0.0, statuses=False), obey_robots=False)
    known(db, *(f"http://h{n}.test/" for n in range(20)))
    first = lease(db, 1, 1, NOW, limits)[0]
    assert claim_ip_address(db, 1, first, "127.0.0.9", NOW, limits) == 0
    db.execute("update host set ip_address='127.0.0.9'")
    assert lease(db, 1, 10, NOW + 0.1, limits) == []
    [second] = lease(db, 1, 10, NOW + 0.6, limits)
    assert second.ip_address == "127.0.0.9"
    assert lease(db, 1, 10, NOW + 30, limits) == [], "two are on the wire"
    report(db, 1, first, RequestOutcome(0.1, 200, ip_address="127.0.0.9"), NOW + 30, limits)
    assert len(lease(db, 1, 10, NOW + 60, limits)) == 1


def test_a_claim_on_a_busy_address_says_how_long_to_wait(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 4), PaceSettings(0.5, 2, 0.0, statuses=False), obey_robots=False)
    known(db, "http://a.test/", "http://b.test/")
    one, two = lease(db, 1, 2, NOW, limits)
    assert claim_ip_address(db, 1, one, "127.0.0.9", NOW, limits) == 0
    assert claim_ip_address(db, 1, two, "127.0.0.9", NOW + 0.1, limits) == pytest.approx(0.4)


def test_robots_come_before_the_first_page_and_once(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 4), obey_robots=True)
    known(db, "http://a.test/1", "http://a.test/2")
    [robots] = lease(db, 1, 10, NOW, limits)
    assert (robots.url, robots.robots) == ("http://a.test/robots.txt", True)
    assert lease(db, 2, 10, NOW, limits) == []
    save_robots(db, robots.hid, "http://a.test", RobotsState("allow", 404, b"", NOW, NOW + 86_400))
    set_crawl_delay(db, robots.hid, None, limits.host, NOW)
    report(db, 1, robots, RequestOutcome(0.1, 404), NOW, limits)
    drop(db, 1, robots)
    assert len(lease(db, 1, 10, NOW, limits)) == 2
    later = NOW + 86_401
    known(db, "http://a.test/3")
    assert [one.robots for one in lease(db, 1, 10, later, limits)] == [True]


@pytest.mark.parametrize("beside", [None, 16])
def test_of_equals_pages_come_before_the_robots_of_other_hosts(db: Database, beside: int | None) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 1), obey_robots=True)
    discover(db, [DiscoveredUrl(f"http://h{number}.test/", 1.0) for number in range(300)], NOW)
    for number in range(270, 300):  # so they were asked last
        origin = f"http://h{number}.test"
        save_robots(db, hid_of(origin), origin, RobotsState("allow", 404, b"", NOW, NOW + 86_400))
        db.execute("update host set ready_at=? where name=?", (NOW, f"h{number}.test"))
    leases = [one for _ in range(4) for one in lease(db, 1, 8, NOW, limits, beside)]
    assert [one.robots for one in leases[:24]] == [False] * 24
    assert sum(not one.robots for one in leases) == 30


@pytest.mark.parametrize("column", ["pages", "errors"])
def test_but_no_host_waits_until_others_have_given_all_their_equals(db: Database, column: str) -> None:
    """Twenty hosts with 200 seeds each kept 240 of 300 others waiting for their robots.txt."""
    limits = LeaseLimits(PaceSettings(0.0, 1), obey_robots=True)
    discover(db, [DiscoveredUrl(f"http://h{number}.test/{page}", 1.0) for number in range(40) for page in range(2)], NOW)
    for number in range(39):
        origin = f"http://h{number}.test"
        save_robots(db, hid_of(origin), origin, RobotsState("allow", 404, b"", NOW, NOW + 86_400))
        db.execute(f"update host set {column}=1, ready_at=0 where name=?", (f"h{number}.test",))
    assert urls_of(lease(db, 1, 2, NOW, limits, 16))[0] == "http://h39.test/robots.txt"


def test_the_robots_of_a_host_with_a_better_url_come_first(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 1), obey_robots=True)
    discover(db, [DiscoveredUrl("http://a.test/", 0.5), DiscoveredUrl("http://b.test/", 0.9)], NOW)
    save_robots(db, hid_of("http://a.test"), "http://a.test", RobotsState("allow", 404, b"", NOW, NOW + 86_400))
    assert urls_of(lease(db, 1, 1, NOW, limits)) == ["http://b.test/robots.txt"]


def test_an_origin_without_robots_waits_but_its_sibling_does_not(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 4), obey_robots=True)
    known(db, "http://a.test/1")
    [robots] = lease(db, 1, 10, NOW, limits)
    save_robots(db, robots.hid, "http://a.test", RobotsState("wait", 503, b"", NOW, NOW + 300))
    report(db, 1, robots, RequestOutcome(0.1, 404), NOW, limits)
    drop(db, 1, robots)
    known(db, "https://a.test/1")
    assert [one.url for one in lease(db, 1, 10, NOW + 1, limits)] == ["https://a.test/robots.txt"]
    assert db.execute("select ready_at from host where origin='http://a.test'").fetchone()[0] > NOW + 200


def test_an_origin_goes_on_while_the_robots_of_its_sibling_are_tried_again_later(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(1.0, 1), obey_robots=True)
    known(db, "http://a.test/1", "http://a.test/2")
    db.execute("update host set robots_until=?", (NOW + 9999,))
    known(db, "https://a.test/1", priority=0.9)
    wait = RobotsState("wait", 0, b"", NOW, NOW + 3600)
    save_robots(db, hid_of("https://a.test"), "https://a.test", wait)
    for step in range(2):
        [one] = lease(db, 1, 1, NOW + 2 * step, limits)
        assert one.url.startswith("http://a.test/")
        report(db, 1, one, RequestOutcome(0.1, 200), NOW + 2 * step, limits)
        drop(db, 1, one)
        db.execute("update url set state=3 where hid=? and uid=?", one.url_id)
    assert lease(db, 1, 1, NOW + 4, limits) == []
    known(db, "http://a.test:8080/1")
    assert [one.url for one in lease(db, 1, 1, NOW + 5, limits)] == ["http://a.test:8080/robots.txt"]


def test_the_longest_delay_of_the_origins_of_a_host_counts(db: Database) -> None:
    known(db, "http://a.test/", "https://a.test/")
    settings, delays = PaceSettings(1.0), dict[str, float]()

    def read(scheme: str, delay: float | None, at: float) -> float:
        origin, body = f"{scheme}://a.test", scheme.encode()
        delays[scheme] = delay or 0.0
        save_robots(db, hid_of(origin), origin, RobotsState("rules", 200, body, at, at + 3600))
        set_crawl_delay(db, hid_of(origin), delay, settings, at, lambda body: delays[body.decode()])
        return pace_of(db, hid_of(origin)).delay

    assert [read("https", 10.0, NOW), read("http", None, NOW), read("http", 12.0, NOW)] == [10.0, 10.0, 12.0]
    assert [read("https", None, NOW), read("http", None, NOW)] == [12.0, 1.0]
    assert [read("https", 30.0, NOW), read("http", None, NOW + 7200)] == [30.0, 1.0]  # the other's rules are out of date


def test_a_page_waits_for_the_delay_of_its_host_or_for_another_try(db: Database) -> None:
    known(db, "http://a.test/", kind=EXAMPLE)
    db.execute("update host set ready_at=?", (NOW + 60,))
    assert is_paced(db, NOW, EXAMPLE)
    assert not is_paced(db, NOW, SEED)
    assert is_paced(db, NOW)
    assert not is_paced(db, NOW, recrawl=True)
    db.execute("update host set pace=?", (f'{{"fails": 1, "backoff_until": {NOW + 60}}}',))
    assert not is_paced(db, NOW), "it failed, and is tried again later"
    db.execute("update host set pace=?", (f'{{"delay": 100, "backoff_until": {NOW - 60}}}',))
    assert is_paced(db, NOW)
    db.execute("update host set held=1")
    assert not is_paced(db, NOW)
    db.execute("update host set held=0, ready_at=?", (NOW + MAX_CRAWL_DELAY + 1,))
    assert not is_paced(db, NOW)
    db.execute("update host set ready_at=?", (NOW + 60,))
    mine = next(Partition(n, 2) for n in (1, 2) if Partition(n, 2).owns(bucket_by("host", "http://a.test")))
    for foreign in ("forward", "fetch"):
        theirs = Partition(3 - mine.number, 2, foreign=foreign)
        assert (is_paced(db, NOW, own=mine), is_paced(db, NOW, own=theirs)) == (True, foreign == "fetch")
    save_robots(db, hid_of("http://a.test"), "http://a.test", RobotsState("wait", 0, b"", NOW, NOW + 60))
    assert not is_paced(db, NOW, EXAMPLE)
    assert not is_paced(db, NOW)


def test_an_origin_that_is_found_while_its_sibling_is_asked_is_not_left_on_hold(two: tuple[Database, Database]) -> None:
    one, other = two
    known(one, "http://a.test/1", "http://a.test/2")
    [held] = lease(other, 2, 1, NOW, POLITE)

    def answered() -> None:
        with transaction(other):
            report(other, 2, held, RequestOutcome(0.1, 200), NOW + 1, POLITE)
            drop(other, 2, held)

    worker = threading.Thread(target=answered)
    with transaction(one):
        discover(one, [DiscoveredUrl("https://a.test/1", 0.4)], NOW + 1)
        worker.start()
        worker.join(1.0)
        assert worker.is_alive()  # it sees the new row once it may go on
    worker.join(60.0)
    assert one.execute("select max(ready_at) from host").fetchone()[0] < NOW + 60


def test_a_lease_given_back_costs_no_try(db: Database) -> None:
    known(db, "http://a.test/1")
    [one] = lease(db, 1, 1, NOW, POLITE)
    release(db, 1, [one], NOW + 3)
    assert lease(db, 1, 1, NOW + 2, POLITE) == []
    assert lease(db, 1, 1, NOW + 3, POLITE) == [one]


def test_a_host_whose_url_was_fetched_while_a_second_page_found_it_is_not_waited_for(db: Database) -> None:
    """On PostgreSQL the second page sees no row, inserts none, and lifts the host all the same."""
    known(db, "http://a.test/1")
    db.execute("update url set state=3")
    assert lease(db, 1, 1, NOW, POLITE) == []
    assert next_due(db, NOW) is None


def test_a_dead_worker_loses_its_leases_and_cannot_end_them(db: Database) -> None:
    known(db, "http://a.test/1", "http://b.test/1")
    leases = lease(db, 1, 2, NOW, POLITE)
    assert take_back(db, 1, NOW) == (2, [])
    assert urls_of(lease(db, 2, 2, NOW, POLITE)) == urls_of(leases)
    assert not drop(db, 1, leases[0])
    assert drop(db, 2, leases[0])


def test_three_crashes_while_parsing_set_a_url_aside(db: Database) -> None:
    known(db, "http://a.test/bad", "http://a.test/good")
    bad = uid_of("http://a.test/bad")
    for worker in (1, 2, 3):
        assert len(lease(db, worker, 2, NOW, FREE)) == 2
        aside = take_back(db, worker, NOW, parsing=bad)[1]
    assert aside == ["http://a.test/bad"]
    assert urls_of(lease(db, 4, 2, NOW, FREE)) == ["http://a.test/good"]
    assert db.execute("select state, error from url where uid=?", (bad,)).fetchone() == (State.FAILED, "crash")


def test_a_waiting_url_is_queued_when_its_time_has_come(db: Database) -> None:
    known(db, "http://a.test/1")
    [one] = lease(db, 1, 1, NOW, FREE)
    drop(db, 1, one)
    db.execute("update url set state=2, due_at=?", (NOW + 60,))
    assert next_due(db, NOW) == NOW + 60
    assert wake(db, NOW + 59) == 0
    assert wake(db, NOW + 60) == 1
    assert lease(db, 1, 1, NOW + 60, FREE) == [one]


def test_rescoring_in_place_changes_the_order(db: Database) -> None:
    known(db, "http://a.test/1", "http://b.test/1")
    a, b = hid_of("http://a.test"), hid_of("http://b.test")
    assert rescore(db, [Rescored((a, uid_of("http://a.test/1")), 0.1), Rescored((b, uid_of("http://b.test/1")), 0.9)]) == 2
    assert rescore(db, [Rescored((a, uid_of("http://a.test/1")), 0.1, '[["host",0.1]]')]) == 0
    assert urls_of(lease(db, 1, 2, NOW, FREE)) == ["http://b.test/1", "http://a.test/1"]


def test_a_host_may_give_only_so_many_pages(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 16), pages_per_host=3, obey_robots=False)
    known(db, *(f"http://a.test/{n}" for n in range(9)))
    assert len(lease(db, 1, 10, NOW, limits)) == 3
    assert lease(db, 1, 10, NOW, limits) == []


def test_a_site_may_give_only_so_many_pages_over_all_its_hosts(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 16), pages_per_site=5, obey_robots=False)
    known(db, *(f"http://{host}.site.test/{n}" for host in ("a", "b", "c") for n in range(4)), "http://other.test/1")
    db.execute("update host set pages=2 where name='b.site.test'")
    first = urls_of(lease(db, 1, 20, NOW, limits))
    assert sum(".site.test" in url for url in first) == 3
    assert "http://other.test/1" in first
    assert lease(db, 1, 20, NOW, limits) == []


def test_hosts_of_a_site_that_has_all_its_pages_are_hidden(db: Database) -> None:
    limits = LeaseLimits(PaceSettings(0.0, 16), pages_per_site=2)
    known(db, "http://a.site.test/1", "http://b.site.test/1")
    db.execute("update host set pages=2 where name='a.site.test'")
    assert lease(db, 1, 20, NOW, limits) == []  # not even their robots.txt
    assert db.execute("select count(*) from host where best_priority is not null").fetchone()[0] == 0


def test_a_hold_is_no_due_time(db: Database) -> None:
    known(db, "http://a.test/1")
    db.execute("update host set ready_at=?", (NOW + HOLD,))
    assert next_due(db, NOW) is None


def asked(db: Database, host: str, count: int) -> None:
    """So many fetches of a host have ended."""
    db.executemany(
        """insert into fetches(worker, hid, uid, page_id, at, status, priority, depth, distance, tries, hops, kind, parent)
        values(1, ?, ?, 0, 0, 200, 0, 0, 0, 0, 0, 0, 0)""",
        [(hid_of(f"http://{host}"), n) for n in range(count)],
    )


SHARED = replace(FREE, host_share=0.5)


def test_a_host_above_its_share_gives_way_to_others_of_nearly_the_same_promise(db: Database) -> None:
    known(db, "http://big.test/1", "http://big.test/2", priority=0.5)
    known(db, "http://small.test/1", priority=0.45)
    known(db, "http://poor.test/1", priority=0.3)
    asked(db, "big.test", 120)
    asked(db, "small.test", 10)
    assert urls_of(lease(db, 1, 1, NOW, SHARED)) == ["http://small.test/1"]
    assert urls_of(lease(db, 1, 3, NOW, SHARED)) == ["http://big.test/1", "http://big.test/2", "http://poor.test/1"]


def test_the_only_good_host_is_not_held_back(db: Database) -> None:
    known(db, *(f"http://big.test/{n}" for n in range(6)))
    known(db, "http://poor.test/1", priority=0.3)
    asked(db, "big.test", 200)
    assert {one.url.split("/")[2] for one in lease(db, 1, 6, NOW, SHARED)} == {"big.test"}


def test_without_a_limit_or_below_its_share_a_host_gives_nothing(db: Database) -> None:
    known(db, "http://big.test/1", "http://big.test/2", priority=0.5)
    known(db, "http://small.test/1", "http://small.test/2", priority=0.48)
    asked(db, "big.test", 200)
    assert urls_of(lease(db, 1, 1, NOW, FREE)) == ["http://big.test/1"]
    asked(db, "small.test", 110)  # the last 200: 110 and 90
    assert urls_of(lease(db, 1, 1, NOW, SHARED)) == ["http://big.test/2"]


def test_what_is_on_the_way_counts_in_a_share(db: Database) -> None:
    known(db, *(f"http://big.test/{n}" for n in range(9)), priority=0.5)
    known(db, *(f"http://small{n}.test/" for n in range(9)), priority=0.48)
    hosts = [one.url.split("/")[2] for _ in range(8) for one in lease(db, 1, 1, NOW, SHARED)]
    assert hosts.count("big.test") == 4


def test_a_priority_gives_way_below_zero_too() -> None:
    assert giving_way(0.5) == 0.4
    assert giving_way(-0.5) == -0.625
    assert giving_way(0.0) == 0.0
