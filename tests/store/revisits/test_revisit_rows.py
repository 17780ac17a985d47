"""Visits that fall due enter the frontier in the upper lane, the best first, and leave it when nobody has leased them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.frontier.lanes import LANE, is_lifted, lifted, value_of
from focuscrawl.frontier.states import State
from focuscrawl.items import FEED
from focuscrawl.politeness.pace import Pace, PaceSettings
from focuscrawl.recrawl.state import DAY, RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore
from focuscrawl.store.frontier.host_rows import dump_pace
from focuscrawl.store.frontier.lease_ends import next_due, take_back
from focuscrawl.store.frontier.leasing import LeaseLimits, lease
from focuscrawl.store.frontier.operator_changes import remove_urls
from focuscrawl.store.revisits import revisit_rows
from focuscrawl.store.revisits.known_url import with_stored_validators
from focuscrawl.store.revisits.revisit_rows import START, Due, RevisitSelection
from focuscrawl.url.key import url_key
from tests.factories import NOW
from tests.report.sample import empty_crawl

CRAWL = LeaseLimits(PaceSettings(0.0, 9), PaceSettings(0.0, 9, statuses=False), obey_robots=False)
RECRAWL = replace(CRAWL, recrawl=True)


def known(db: Database, url: str, due_at: float, **values: object) -> RevisitRecord:
    """A page that was fetched before."""
    discover(db, [DiscoveredUrl(url, 0.5)], NOW)
    _, _, hid, uid = url_key(url)
    db.execute("update url set state=3 where hid=? and uid=?", (hid, uid))
    db.execute(
        "update host set best_priority=null where hid=? and not exists (select 1 from url where hid=? and state=0)", (hid, hid)
    )
    visit = replace(RevisitRecord(hid, uid, due_at=due_at, checked_at=NOW - 1000, read_at=NOW - 1000), **values)  # type: ignore[arg-type]
    revisit_rows.write_revisits(db, [visit])
    return visit


def ranked(db: Database, wanted: RevisitSelection, values: dict[int, float]) -> list[int]:
    """Rank what is wanted; uids in the order in which they were looked at."""
    found, _, place = revisit_rows.unranked(db, wanted, START, 10)
    revisit_rows.rank(db, found, [values[visit.uid] for visit in found])
    assert revisit_rows.unranked(db, wanted, place, 10)[0] == []
    return [visit.uid for visit in found]


def test_a_visit_reads_back_as_it_was_written(db: Database) -> None:
    visit = replace(
        known(db, "http://a.test/1", 5.5),
        signature_simhash=(1 << 64) - 3,
        signature_digest=b"\0\1",
        gone=2,
        length=-1,
        kind=FEED,
    )
    revisit_rows.write_revisits(db, [visit])
    assert revisit_rows.load_revisit(db, visit.hid, visit.uid) == visit
    assert revisit_rows.load_revisit(db, visit.hid, 7) is None
    for profile in (SiteProfile(7, 0.5, soft404_simhash=(1 << 64) - 1, soft404_probed_at=3.0), SiteProfile(8, headers_wrong=2)):
        revisit_rows.write_profile(db, profile)
        assert revisit_rows.load_profiles(db, [7, 8, 9])[profile.hid] == profile


def test_what_is_due_is_ranked_and_leased_best_first(db: Database) -> None:
    urls = [f"http://{host}.test/page" for host in "abcd"]
    first, second, later, _ = (known(db, url, NOW + due) for url, due in zip(urls, (-9, -8, 100, 0), strict=True))
    assert ranked(db, RevisitSelection(NOW - 1), {first.uid: 0.2, second.uid: 0.9}) == [first.uid, second.uid]
    assert lease(db, 1, 9, NOW, RECRAWL) == []
    assert revisit_rows.wake(db, 1) == 1
    [best] = with_stored_validators(db, lease(db, 1, 9, NOW, RECRAWL))
    assert (best.url, best.revisit, best.priority) == (urls[1], True, best.priority)
    assert abs(best.priority - 0.9) < 1e-6
    assert revisit_rows.wake(db, 9) == 1
    assert [one.url for one in lease(db, 1, 9, NOW, RECRAWL)] == [urls[0]]
    assert revisit_rows.wake(db, 9) == 0
    assert revisit_rows.load_revisit(db, later.hid, later.uid) == later


def test_a_recrawl_leaves_what_the_crawl_found_to_the_crawl(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/waiting", 0.9)], NOW)
    visit = known(db, "http://a.test/page", NOW - 1)
    assert lease(db, 1, 9, NOW, RECRAWL) == []
    assert next_due(db, NOW, recrawl=True) is None
    assert next_due(db, NOW) is not None
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5})
    revisit_rows.wake(db, 9)
    assert next_due(db, NOW, recrawl=True) is not None
    assert [one.url for one in lease(db, 1, 9, NOW, RECRAWL)] == ["http://a.test/page"]
    assert [one.url for one in lease(db, 1, 9, NOW, CRAWL)] == ["http://a.test/waiting"]


def test_all_is_wanted_once_due_or_not(db: Database) -> None:
    old = known(db, "http://a.test/1", NOW + 100)
    known(db, "http://a.test/2", NOW - 100, checked_at=NOW + 5)
    assert ranked(db, RevisitSelection(before=NOW), {old.uid: 0.1}) == [old.uid]


def test_what_was_woken_and_not_leased_is_put_off_and_stays_due(db: Database) -> None:
    visit, waits = known(db, "http://a.test/1", NOW - 1), known(db, "http://b.test/1", NOW - 1)
    discover(db, [DiscoveredUrl("http://a.test/new", lifted(0.4))], NOW)
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5, waits.uid: 0.6})
    revisit_rows.wake(db, 9)
    db.execute("update url set state=2, due_at=? where uid=?", (NOW + 9, waits.uid))
    assert revisit_rows.put_off(db, 10) == 2
    assert revisit_rows.put_off(db, 10) == 0
    states = dict(db.execute("select uid, state from url").fetchall())
    assert {states[visit.uid], states[waits.uid]} == {State.DONE}
    assert [found.uid for found in revisit_rows.unranked(db, RevisitSelection(NOW), START, 9)[0]] == sorted(
        [visit.uid, waits.uid], key=lambda uid: (visit.hid, waits.hid)[uid == waits.uid]
    )
    assert [one.url for one in lease(db, 1, 9, NOW, CRAWL)] == ["http://a.test/new"]


def test_what_waits_for_hosts_without_an_answer_is_counted_by_host_and_by_indexes(db: Database, tmp_path: Path) -> None:
    """The whole table of URLs was read for it, at the end of each recrawl that left something."""
    urls = [
        f"http://{page}" for page in ("down.test/1", "down.test/2", "far.test/1", "held.test/1", "up.test/1", "later.test/1")
    ]
    due = [known(db, url, NOW - 9) for url in urls[:-1]]
    known(db, urls[-1], NOW + 99)
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5 for visit in due})
    assert revisit_rows.wake(db, 9) == 5
    discover(db, [DiscoveredUrl("http://down.test/new", 0.5)], NOW)
    db.execute("update url set error='connect'")
    db.execute("update url set state=? where path='/2'", (State.WAIT,))
    db.execute("update host set pace=? where name!='up.test'", (dump_pace(Pace(fails=1)),))
    db.execute("update host set held=1 where name='held.test'")
    assert revisit_rows.unanswered(db) == {"down.test": 2, "far.test": 1}
    web = empty_crawl(tmp_path / "web")
    plan = [row[3] for row in web.execute(f"explain query plan {revisit_rows.OF_HOSTS}", (LANE,) * 3).fetchall()]
    assert [step for step in plan if " u " in step] == [
        "SEARCH u USING INDEX url_q (hid=? AND priority>?)",
        "SCAN u USING INDEX url_due",
    ]
    web.close()


def test_what_waits_in_the_frontier_is_not_ranked_again(db: Database) -> None:
    visit = known(db, "http://a.test/1", NOW - 1)
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5})
    revisit_rows.wake(db, 9)
    assert revisit_rows.unranked(db, RevisitSelection(NOW), START, 9)[0] == []


def test_an_order_strategy_takes_nothing_out_of_the_upper_lane(db: Database) -> None:
    visit = known(db, "http://a.test/1", NOW - 1)
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5})
    revisit_rows.wake(db, 9)
    assert rescore(db, [Rescored((visit.hid, visit.uid), 0.7)], NOW) == 0
    assert [one.uid for one in lease(db, 1, 9, NOW, RECRAWL)] == [visit.uid]


def test_ranks_of_a_killed_run_are_forgotten(db: Database) -> None:
    visit = known(db, "http://a.test/1", NOW - 1)
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5})
    revisit_rows.forget_ranks(db)
    assert revisit_rows.wake(db, 9) == 0
    assert revisit_rows.due_from(db, visit.due_at - 1) == Due(0, visit.due_at)
    assert revisit_rows.due_from(db, visit.due_at) == Due(1)


def test_what_an_operator_has_removed_is_not_due(db: Database) -> None:
    visits = [known(db, f"http://a.test/{number}", NOW + number) for number in range(4)]
    db.execute("update url set state=7, error='removed' where uid in (?, ?)", (visits[0].uid, visits[2].uid))
    assert revisit_rows.due_from(db, NOW + 1) == Due(1, NOW + 3)


def test_sitemaps_and_feeds_are_due_only_where_they_are_read(db: Database) -> None:
    visits = [known(db, f"http://a.test/{number}", NOW + number) for number in range(4)]
    db.execute("update revisit set kind=3 where uid in (?, ?)", (visits[0].uid, visits[2].uid))
    assert revisit_rows.due_from(db, NOW + 1, sources=False) == Due(1, NOW + 3)


def test_lanes() -> None:
    assert (is_lifted(lifted(0.0)), is_lifted(1.0), value_of(lifted(0.25)), value_of(0.25)) == (True, False, 0.25, 0.25)
    assert lifted(7.0) == LANE + 1


def test_what_was_found_on_a_host_that_has_its_pages_is_seen_again(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/new", lifted(0.5)), DiscoveredUrl("http://b.test/waits", 0.5)], NOW)
    db.execute("update host set pages=5")
    assert lease(db, 1, 9, NOW, replace(CRAWL, pages_per_host=5)) == []
    assert lease(db, 1, 9, NOW, RECRAWL) == []
    assert revisit_rows.show_hidden(db, replace(CRAWL, pages_per_host=5)) == 1
    assert [one.url for one in lease(db, 1, 9, NOW, RECRAWL)] == ["http://a.test/new"]


@pytest.mark.parametrize(
    ("per_host", "per_site", "shown"), [(5, 0, 0), (6, 0, 2), (0, 0, 2), (0, 10, 0), (0, 11, 2), (6, 10, 0)]
)
def test_a_run_with_higher_limits_goes_on_where_the_last_one_was_full(
    db: Database, per_host: int, per_site: int, shown: int
) -> None:
    discover(db, [DiscoveredUrl("http://a.test/1", 0.5), DiscoveredUrl("http://b.a.test/1", 0.5)], NOW)
    db.execute("update host set pages=5")
    assert lease(db, 1, 9, NOW, replace(CRAWL, pages_per_host=5)) == []
    limits = replace(CRAWL, pages_per_host=per_host, pages_per_site=per_site)
    assert revisit_rows.show_hidden(db, limits) == shown
    assert len(lease(db, 1, 9, NOW, limits)) == (1 if per_site == 11 else shown)


def test_a_page_that_kills_its_reader_is_left_alone_for_long(db: Database) -> None:
    """Else it would kill each run, for it stays due."""
    visit = known(db, "http://a.test/page", NOW - 1)
    for _ in range(3):
        db.execute("update url set state=0, priority=?", (lifted(0.5),))
        db.execute("update host set best_priority=?, ready_at=0", (lifted(0.5),))
        assert len(lease(db, 1, 9, NOW, RECRAWL)) == 1
        _, aside = take_back(db, 1, NOW, parsing=visit.uid)
    assert aside == ["http://a.test/page"]
    assert revisit_rows.unranked(db, RevisitSelection(due_by=NOW + 29 * DAY), START, 10)[0] == []
    assert len(revisit_rows.unranked(db, RevisitSelection(due_by=NOW + 31 * DAY), START, 10)[0]) == 1


def test_what_an_operator_removed_while_it_waited_is_not_looked_at_again(db: Database) -> None:
    visit = known(db, "http://a.test/page", NOW - 1)
    ranked(db, RevisitSelection(NOW), {visit.uid: 0.5})
    revisit_rows.wake(db, 9)
    if getattr(db, "in_transaction", False):
        db.dialect.commit(db)
    assert remove_urls(db, ["http://a.test/page"], NOW).waiting == 1
    assert ranked(db, RevisitSelection(NOW), {}) == []
    assert ranked(db, RevisitSelection(before=NOW), {}) == []


def test_a_link_lifts_what_waits_inside_its_lane_only(db: Database) -> None:
    discover(db, [DiscoveredUrl("http://a.test/old", 0.2), DiscoveredUrl("http://a.test/new", lifted(0.2))], NOW)
    discover(db, [DiscoveredUrl("http://a.test/old", lifted(0.9)), DiscoveredUrl("http://a.test/new", lifted(0.9))], NOW)
    discover(db, [DiscoveredUrl("http://a.test/new", 0.95)], NOW)
    scores = dict(db.execute("select path, priority from url").fetchall())
    assert scores == {"/old": 0.2, "/new": lifted(0.9)}


def test_what_is_put_off_goes_back_to_the_state_that_it_was_woken_from(db: Database) -> None:
    urls = [f"http://a.test/{state.name}" for state in State]
    rests = [state for state in State if state not in (State.QUEUED, State.LEASED, State.WAIT)]
    for url, state in zip(urls, rests, strict=False):
        visit = known(db, url, NOW - 1)
        db.execute("update url set state=?, error='why' where uid=?", (int(state), visit.uid))
        revisit_rows.rank(db, [visit], [0.5])
    assert revisit_rows.wake(db, 99) == len(rests)
    assert revisit_rows.put_off(db, 99) == len(rests)
    found = [State(state) for (state,) in db.execute("select state from url where error='why'").fetchall()]
    assert sorted(found) == sorted(rests)
