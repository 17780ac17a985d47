from __future__ import annotations

import threading
from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import FEED
from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.store.engines import postgres
from focuscrawl.store.engines.database import Database, DatabaseError, transaction
from focuscrawl.store.frontier import operator_changes
from focuscrawl.store.frontier.discover import DiscoveredUrl, Rescored, discover, rescore, taken_out
from focuscrawl.store.frontier.lease_ends import release, take_back
from focuscrawl.store.frontier.leasing import lease
from focuscrawl.store.frontier.operator_changes import (
    Added,
    Removed,
    UrlPrefix,
    add,
    count_parts,
    parts_of_host,
    parts_of_prefix,
    remove_parts,
    remove_urls,
)
from focuscrawl.store.revisits.revisit_rows import START, RevisitSelection, load_revisit, unranked, write_revisits
from focuscrawl.url.hosts import hid_of, uid_of
from tests.factories import FREE, NOW, known, leased

ENDED = {
    State.DONE: Added.FETCHED,
    State.REDIR: Added.FETCHED,
    State.DENIED: Added.REFUSED,
    State.FAILED: Added.AGAIN,
    State.GONE: Added.AGAIN,
    State.WAIT: Added.WAITING,
}


def leased_urls(db: Database, count: int = 99) -> list[str]:
    return [one.url for one in leased(db, count)]


def states(db: Database) -> dict[str, State]:
    rows = db.execute("select origin || path, state from url u join host h on h.hid=u.hid")
    return {url: State(state) for url, state in rows}


def check_best(db: Database) -> None:
    """`host.best_priority` is what the queue says."""
    wrong = """select count(*) from host where best_priority is distinct from
        (select max(priority) from url where url.hid=host.hid and state=0)"""
    assert db.execute(wrong).fetchone() == (0,)


def test_new_urls_come_before_what_links_have_found(db: Database) -> None:
    known(db, "http://a.test/1")
    assert add(db, ["http://b.test/x", "http://b.test/x", "http://a.test/1"], 1.0, NOW) == Counter(
        {Added.NEW: 1, Added.WAITING: 1}
    )
    assert db.execute("select distinct priority, priority_parts from url").fetchall() == [(1.0, '[["operator",1.0]]')]
    check_best(db)


def test_a_change_that_conflicts_with_a_worker_s_is_made_again(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    known(db, "http://a.test/1", "http://a.test/2", "http://b.test/3")
    [one] = leased_urls(db, 1)
    conflicts = [DatabaseError("deadlock detected", passing=True, again=True)] * 2
    removed_before = operator_changes._remove

    def remove(*arguments: Any) -> None:
        removed_before(*arguments)
        if conflicts:
            raise conflicts.pop()

    monkeypatch.setattr(operator_changes, "_remove", remove)
    urls = ["http://a.test/1", "http://a.test/2", "http://b.test/3", "http://b.test/new"]
    assert remove_urls(db, urls, NOW) == Removed(waiting=2, leased=1, unknown=1)
    assert set(states(db).values()) == {State.FILTERED}
    assert one in urls
    check_best(db)
    known(db, "http://c.test/4")
    conflicts.append(DatabaseError("the server is gone", passing=True, lost=True))
    with pytest.raises(DatabaseError, match="the server is gone"):
        remove_parts(db, parts_of_host(db, "c.test"), NOW)
    conflicts.append(DatabaseError("could not serialize", passing=True, again=True))
    assert remove_parts(db, parts_of_host(db, "c.test"), NOW) == Removed(waiting=1)


def test_urls_of_a_host_are_written_together(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    batches = []

    def noted(db: Database, found: list[DiscoveredUrl], now: float) -> None:
        batches.append(sorted(item.url for item in found))
        discover(db, found, now)

    monkeypatch.setattr(operator_changes, "BATCH", 2)
    monkeypatch.setattr(operator_changes, "discover", noted)
    add(db, ["http://a.test/1", "http://b.test/1", "http://a.test/2", "http://b.test/2"], 0.5, NOW)
    assert batches == [["http://a.test/1", "http://a.test/2"], ["http://b.test/1", "http://b.test/2"]]


def test_a_lower_score_puts_a_waiting_url_back(db: Database) -> None:
    known(db, "http://a.test/1", "http://b.test/2")
    add(db, ["http://a.test/1"], 0.1, NOW)
    assert leased_urls(db, 1) == ["http://b.test/2"]


def test_the_order_is_told_what_waits_no_more(db: Database) -> None:
    urls = [f"http://a.test/{number}" for number in range(4)]
    known(db, *urls)
    remove_urls(db, urls[:2], NOW)
    rescored = [Rescored(DiscoveredUrl(url, 0.0).url_id, 0.6) for url in (*urls, "http://a.test/unknown")]
    assert set(taken_out(db, rescored)) == {DiscoveredUrl(url, 0.0).url_id for url in urls[:2]}


def test_neither_what_the_order_learns_nor_a_link_changes_what_an_operator_has_placed(db: Database) -> None:
    known(db, "http://a.test/1", "http://a.test/2", parent=7)
    add(db, ["http://a.test/1"], 1.0, NOW)
    add(db, ["http://a.test/2"], 0.1, NOW)
    wanted = [DiscoveredUrl(f"http://a.test/{number}", 0.6) for number in (1, 2)]
    assert rescore(db, [Rescored(one.url_id, one.priority, '[["learned",0.6]]') for one in wanted], NOW) == 0
    assert discover(db, wanted, NOW) == 0
    assert db.execute("select priority, parent, priority_parts from url order by priority").fetchall() == [
        (0.1, 0, '[["operator",0.1]]'),
        (1.0, 0, '[["operator",1.0]]'),
    ]


@pytest.mark.parametrize("state", ENDED)
def test_what_failed_is_queued_again_and_what_has_ended_well_is_left(db: Database, state: State) -> None:
    known(db, "http://a.test/1")
    db.execute("update url set state=?, tries=3, crashes=3, error='x', due_at=9", (int(state),))
    db.execute("update host set best_priority=null")
    assert add(db, ["http://a.test/1"], 0.7, NOW) == Counter({ENDED[state]: 1})
    again = ENDED[state] in (Added.AGAIN, Added.WAITING)
    row = db.execute("select state, tries, crashes, error, due_at from url").fetchone()
    assert row == ((State.QUEUED, 0, 0, "", 0.0) if again else (state, 3, 3, "x", 9.0))
    check_best(db)


VISIT = RevisitRecord(
    hid_of("http://a.test"), uid_of("http://a.test/1"), due_at=NOW + 9 * DAY, first_at=NOW - 1, checked_at=NOW - 1
)


def visited(db: Database, state: State, score: float = 0.5, error: str = "", **columns: float) -> None:
    known(db, "http://a.test/1")
    write_revisits(db, [replace(VISIT, **columns)])  # type: ignore[arg-type]
    db.execute("update url set state=?, priority=?, error=?", (int(state), score, error))
    db.execute("update host set best_priority=(select max(priority) from url where url.hid=host.hid and state=0)")


def the_visit(db: Database) -> RevisitRecord:
    found = load_revisit(db, VISIT.hid, VISIT.uid)
    assert found
    return found


@pytest.mark.parametrize("state", [State.DONE, State.FAILED, State.GONE, State.DENIED, State.REDIR])
def test_what_was_stored_once_is_due_at_once_and_never_queued(db: Database, state: State) -> None:
    visited(db, state, error="x")
    assert add(db, ["http://a.test/1"], 1.0, NOW) == Counter({Added.DUE: 1})
    assert db.execute("select state, priority, error from url").fetchone() == (state, 0.5, "x")
    assert (the_visit(db).due_at, the_visit(db).asked_for) == (NOW, True)
    assert [one.uid for one in unranked(db, RevisitSelection(NOW), START, 9)[0]] == [VISIT.uid]
    check_best(db)


def test_what_a_signal_told_is_kept_and_what_is_due_stays_due(db: Database) -> None:
    visited(db, State.DONE, signal=1.0, signal_at=NOW - 5, signal_kind=FEED)
    add(db, ["http://a.test/1"], 1.0, NOW)
    told = the_visit(db)
    assert (told.due_at, told.signal, told.signal_at, told.signal_kind) == (NOW, 1.0, NOW - 5, FEED)
    add(db, ["http://a.test/1"], 1.0, NOW + 5)
    assert the_visit(db).due_at == NOW


@pytest.mark.parametrize("state", [State.QUEUED, State.WAIT])
def test_what_a_recrawl_has_woken_stays_in_its_lane_and_is_next(db: Database, state: State) -> None:
    visited(db, state, lifted(0.2), due_at=NOW - 1)
    assert add(db, ["http://a.test/1"], 1.0, NOW) == Counter({Added.WAITING: 1})
    assert db.execute("select state, priority from url").fetchone() == (State.QUEUED, lifted(1.0))
    check_best(db)


def test_a_removed_page_is_taken_back_as_it_was(db: Database) -> None:
    visited(db, State.QUEUED, lifted(0.2), rest=State.NOTMOD)
    remove_urls(db, ["http://a.test/1"], NOW)
    assert add(db, ["http://a.test/1"], 1.0, NOW) == Counter({Added.DUE: 1})
    assert db.execute("select state, error from url").fetchone() == (State.NOTMOD, "")
    assert the_visit(db).due_at == NOW
    check_best(db)


def test_a_removed_url_is_never_leased_and_no_link_brings_it_back(db: Database) -> None:
    known(db, "http://a.test/1", "http://a.test/2")
    assert remove_urls(db, ["http://a.test/1"], NOW) == Removed(waiting=1)
    check_best(db)
    discover(db, [DiscoveredUrl("http://a.test/1", 1.0)], NOW)
    assert leased_urls(db) == ["http://a.test/2"]
    assert remove_urls(db, ["http://a.test/1"], NOW) == Removed(ended=1)


def test_a_url_that_nobody_has_met_is_kept_out_when_it_is_met(db: Database) -> None:
    assert remove_urls(db, ["http://a.test/1"], NOW) == Removed(unknown=1)
    assert discover(db, [DiscoveredUrl("http://a.test/1", 1.0)], NOW) == 0
    assert leased_urls(db) == []


def test_an_operator_takes_a_removed_url_back(db: Database) -> None:
    known(db, "http://a.test/1")
    remove_urls(db, ["http://a.test/1"], NOW)
    assert add(db, ["http://a.test/1"], 1.0, NOW) == Counter({Added.AGAIN: 1})
    assert leased_urls(db) == ["http://a.test/1"]


@pytest.mark.parametrize("end", ["released", "taken back"])
def test_a_leased_url_that_was_removed_does_not_wait_again(db: Database, end: str) -> None:
    known(db, "http://a.test/1")
    [one] = lease(db, 1, 1, NOW, FREE)
    assert remove_urls(db, [one.url], NOW) == Removed(leased=1)
    release(db, 1, [one], NOW) if end == "released" else take_back(db, 1, NOW)
    assert states(db) == {one.url: State.FILTERED}
    assert leased_urls(db) == []
    assert db.execute("select count(*) from lease").fetchone() == (0,)


def test_a_leased_url_that_was_removed_and_added_again_is_still_leased_once(db: Database) -> None:
    known(db, "http://a.test/1")
    [one] = lease(db, 1, 1, NOW, FREE)
    remove_urls(db, [one.url], NOW)
    add(db, [one.url], 1.0, NOW)
    assert states(db) == {one.url: State.LEASED}
    assert leased_urls(db) == []
    release(db, 1, [one], NOW)
    assert leased_urls(db) == [one.url]


def test_a_removed_url_that_is_added_while_its_lease_ends_waits_again(db: Database, store_url: str) -> None:
    """PostgreSQL alone has two writers at once: who adds must not go by a lease that is about to be gone."""
    if not store_url:
        return
    known(db, "http://a.test/1")
    [one] = lease(db, 1, 1, NOW, FREE)
    remove_urls(db, [one.url], NOW)
    operator = postgres.connect(store_url, "crawl_test")
    thread = threading.Thread(target=add, args=(operator, [one.url], 1.0, NOW))
    with transaction(db):
        release(db, 1, [one], NOW)
        thread.start()
        thread.join(0.5)
    thread.join()
    operator.close()
    assert leased_urls(db) == [one.url]


def test_a_host_and_a_path_are_removed_in_parts(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(operator_changes, "BATCH", 3)
    known(db, *(f"http://a.test/x/{n}" for n in range(7)), "http://a.test/y", "https://a.test/x/1", "http://b.test/x/1")
    prefix = parts_of_prefix(db, "http://a.test/x/", any_scheme=False)
    assert prefix == [UrlPrefix(hid_of("http://a.test"), "/x/")]
    assert count_parts(db, prefix) == Removed(waiting=7)
    assert remove_parts(db, prefix, NOW) == Removed(waiting=7)
    check_best(db)
    assert count_parts(db, parts_of_prefix(db, "http://a.test/x/", any_scheme=True)) == Removed(waiting=1)
    assert remove_parts(db, parts_of_host(db, "a.test"), NOW) == Removed(waiting=2)
    assert [url for url, state in states(db).items() if state is State.QUEUED] == ["http://b.test/x/1"]
    errors = "select count(*) from url where state=? and error=?"
    assert db.execute(errors, (int(State.FILTERED), REMOVED)).fetchone() == (9,)
    check_best(db)


def test_a_prefix_is_no_pattern(db: Database) -> None:
    known(db, "http://a.test/%E4%B8%AD/1", "http://a.test/ab/2")
    assert count_parts(db, [UrlPrefix(hid_of("http://a.test"), "/%")]) == Removed(waiting=1)
    assert count_parts(db, [UrlPrefix(hid_of("http://a.test"), "/_b")]) == Removed()
