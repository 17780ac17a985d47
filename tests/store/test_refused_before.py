"""A setting that lets more pass than in the run before queues what it had refused."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import SEED
from focuscrawl.politeness.pace import Pace
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import dump_pace
from focuscrawl.store.frontier.operator_changes import Added, add
from focuscrawl.store.frontier.pacing import load_robots, pace_of, save_robots
from focuscrawl.store.frontier.refused_before import Passing, queue_refused, sort_waiting
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.key import BEFORE_ALL, UrlId
from tests.factories import NOW, known, leased

PRIVATE, SECRET, BIG, STORED = (f"http://{name}.test/" for name in ("private", "secret", "big", "stored"))


@pytest.fixture
def refused(db: Database) -> Database:
    ends = {PRIVATE: (State.FILTERED, "address"), STORED: (State.FILTERED, "address"), SECRET: (State.DENIED, "robots")}
    for url, (state, error) in {**ends, BIG: (State.FAILED, "length")}.items():
        known(db, url)
        db.execute("update url set state=?, error=? where uid=?", (int(state), error, uid_of(url)))
        db.execute("update host set best_priority=null where hid=?", (hid_of(url[:-1]),))
    write_revisits(db, [RevisitRecord(hid_of(STORED[:-1]), uid_of(STORED))])
    return db


@pytest.mark.parametrize(("rule", "url"), [("address", PRIVATE), ("robots", SECRET), ("length", BIG)])
def test_more_passes_than_before(refused: Database, rule: str, url: str) -> None:
    assert queue_refused(refused, Passing(rule, ()), NOW) == 0
    assert queue_refused(refused, Passing(rule, ("10.0.0.0/8",)), NOW) == 1
    assert [lease.url for lease in leased(refused)] == [url]


@pytest.mark.parametrize(("state", "again"), [(State.WAIT, 1), (State.QUEUED, 0)])
def test_hosts_that_were_left_alone_are_asked(db: Database, state: State, again: int) -> None:
    known(db, "https://a.test/1", "https://b.test/1")
    assert queue_refused(db, Passing("certificate", ()), NOW) == 0
    at_rest = dump_pace(Pace(delay=2.0, fails=9, backoff_until=NOW + 600, next_at=NOW + 600))
    db.execute("update host set pace=?, ready_at=?", (at_rest, NOW + 600))
    save_robots(db, hid_of("https://a.test"), "https://a.test", RobotsState("wait", 0, b"", NOW, NOW + 600, "certificate"))
    retried = (int(state), NOW + 600, uid_of("https://b.test/1"))
    db.execute("update url set state=?, error='certificate', due_at=? where uid=?", retried)
    assert leased(db) == []
    assert queue_refused(db, Passing("certificate", ("all",)), NOW) == again
    assert load_robots(db, ["https://a.test"]) == {}
    assert pace_of(db, hid_of("https://a.test")) == Pace(delay=2.0, next_at=NOW)
    assert {lease.url for lease in leased(db)} == {"https://a.test/1", "https://b.test/1"}


def test_no_more_passes_than_before(refused: Database) -> None:
    assert queue_refused(refused, Passing("address", ("10.0.0.0/8", "127.0.0.0/8")), NOW) == 0  # the first that is known
    assert queue_refused(refused, Passing("address", ("127.0.0.0/8", "10.0.0.0/8")), NOW) == 0
    assert queue_refused(refused, Passing("address", ("10.0.0.0/8",)), NOW) == 0
    assert queue_refused(refused, Passing("port", ("443",)), NOW) == 0
    assert leased(refused) == []


def test_what_waits_follows_what_is_wanted_now(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    known(db, "http://a.test/1", "http://a.test/2", "http://b.test/1", "http://c.test/1")
    known(db, "http://a.test/seed", kind=SEED)
    add(db, ["http://a.test/operator"], 0.5, NOW)

    def unwanted(url: str, depth: int) -> str:
        return "scope" if url.startswith("http://a.test/") else "url" if "//b" in url else ""

    after: UrlId | None = BEFORE_ALL
    done = []
    with monkeypatch.context() as one_at_a_time:
        one_at_a_time.setattr("focuscrawl.store.frontier.refused_before.MOST_URLS", 1)
        while after is not None:
            aside, again, after = sort_waiting(db, unwanted, NOW, after)
            done.append((aside, again))
    assert sorted(done) == [(0, 0), (0, 0), (1, 0), (1, 0), (1, 0)]  # c.test/1, the end, and one URL in each of the others
    states = dict(db.execute("select path, error from url where hid=?", (hid_of("http://a.test"),)).fetchall())
    assert states == {"/1": "scope", "/2": "scope", "/seed": "", "/operator": ""}
    assert add(db, ["http://a.test/2"], 0.5, NOW) == {Added.AGAIN: 1}  # an operator gets it whatever the scope says
    assert sort_waiting(db, unwanted, NOW) == (0, 0, None)
    assert sort_waiting(db, lambda url, depth: "", NOW) == (0, 2, None)
    assert len(leased(db)) == 6
