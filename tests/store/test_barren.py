"""What waits in barren parts is put aside, and an operator can take it back."""

from __future__ import annotations

from collections import Counter

from focuscrawl.frontier.states import BARREN, State
from focuscrawl.items import SEED
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.barren import is_wanted, put_aside
from focuscrawl.store.frontier.operator_changes import Added, add
from focuscrawl.url.hosts import hid_of
from tests.factories import NOW, known, leased

HID = hid_of("http://a.test")


def admits(url: str, parent: str) -> bool:
    return "/cal/" not in url


def waiting(db: Database) -> set[str]:
    rows = db.execute("select origin || path from url u join host h on h.hid=u.hid where state=?", (int(State.QUEUED),))
    return {url for (url,) in rows}


def test_only_links_that_are_not_admitted_are_put_aside(db: Database) -> None:
    known(db, "http://a.test/cal/1", "http://a.test/cal/2", "http://a.test/news", "http://b.test/cal/1")
    known(db, "http://a.test/cal/seed", kind=SEED)
    assert put_aside(db, HID, admits, NOW) == 2
    assert waiting(db) == {"http://a.test/news", "http://b.test/cal/1", "http://a.test/cal/seed"}
    assert db.execute("select distinct state, error from url where error<>''").fetchall() == [(State.FILTERED, BARREN)]
    assert put_aside(db, HID, admits, NOW) == 0
    known(db, "http://a.test/cal/1")  # a link to it queues it no more
    assert {one.url for one in leased(db)} == {"http://a.test/news", "http://b.test/cal/1", "http://a.test/cal/seed"}


def test_the_best_priority_of_the_host_follows(db: Database) -> None:
    known(db, "http://a.test/cal/1", priority=0.9)
    known(db, "http://a.test/news", priority=0.4)
    put_aside(db, HID, admits, NOW)
    assert db.execute("select best_priority from host where hid=?", (HID,)).fetchone() == (0.4,)


def test_a_host_is_wanted_if_its_best_url_is(db: Database) -> None:
    assert is_wanted(db, HID, admits)  # nothing waits: nobody knows
    known(db, "http://a.test/cal/1", priority=0.9)
    assert not is_wanted(db, HID, admits)
    known(db, "http://a.test/news", priority=0.95)
    assert is_wanted(db, HID, admits)


def test_an_operator_takes_it_back_for_good(db: Database) -> None:
    known(db, "http://a.test/cal/1", parent=7)
    put_aside(db, HID, admits, NOW)
    assert add(db, ["http://a.test/cal/1"], 0.8, NOW) == Counter({Added.AGAIN: 1})
    assert put_aside(db, HID, lambda url, parent: not parent, NOW) == 0  # nobody has named it: it was given
    assert waiting(db) == {"http://a.test/cal/1"}
