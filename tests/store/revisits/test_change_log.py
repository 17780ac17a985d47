"""What is new in a store, on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits import change_log
from focuscrawl.store.revisits.change_log import NetChange, PageChange, changes_of, last_run_began
from tests.report import changes_sample as sample
from tests.report.changes_sample import ADDED, DAY, EDITED, HOME, LOST, MISSED, MOVED, SINCE, happened

LATE = SINCE + 1000 * DAY


@pytest.fixture
def db(news: Database) -> Database:
    return news


def told(db: Database, since: float = SINCE, until: float = LATE, everything: bool = False) -> list[tuple[str, str]]:
    return [(change.net.value, change.url) for change in changes_of(db, since, until, everything=everything)]


def one(db: Database, url: str, since: float = SINCE) -> PageChange:
    (found,) = [change for change in changes_of(db, since, LATE) if change.url == url]
    return found


def test_the_latest_first_and_nothing_off_topic(db: Database) -> None:
    assert told(db) == [("gone", MOVED), ("suspect", MISSED), ("gone", LOST), ("changed", EDITED), ("new", ADDED)]
    assert ("changed", HOME) in told(db, everything=True)


def test_since_the_beginning_what_came_and_went_was_never_there(db: Database) -> None:
    assert told(db, 0.0) == [("new", MISSED), ("new", EDITED), ("new", ADDED)]


def test_a_time_that_has_an_end(db: Database) -> None:
    assert told(db, SINCE, SINCE + 2) == [("new", ADDED)]
    assert told(db, SINCE - 5 * DAY, SINCE) == [("suspect", LOST)]
    assert told(db, LATE, LATE + 1) == []


def test_what_is_known_of_a_change(db: Database) -> None:
    edited, lost, moved = one(db, EDITED), one(db, LOST), one(db, MOVED)
    assert (edited.title, edited.distance, edited.version, edited.changes) == (sample.HOSTILE, 9, 1, 1)
    assert (edited.words_added, edited.words_gone) == (5, 1)
    assert (edited.links_added, edited.links_gone) == ((ADDED,), (LOST,))
    assert (lost.status, lost.reason, lost.at) == (404, "gone", SINCE + 4)
    assert (moved.moved_to, moved.reason) == (HOME, "moved")


def test_several_changes_are_one_line_with_their_sum(db: Database) -> None:
    sample.old_version(db, 1, 2, SINCE + 20, added=(LOST, MOVED), gone=(ADDED,))
    happened(db, 1, EDITED, "changed", SINCE + 20, distance=30, version=2)
    happened(db, 1, EDITED, "suspect", SINCE + 21)
    edited = one(db, EDITED)
    assert (edited.net, edited.changes, edited.distance, edited.suspect) == (NetChange.CHANGED, 2, 30, True)
    assert (edited.version, edited.last_version, edited.words_added) == (1, 2, 10)
    assert (edited.links_added, edited.links_gone) == ((MOVED,), ())
    assert told(db)[0] == ("changed", EDITED)


def test_versions_that_are_not_kept_any_more_are_no_diff(db: Database) -> None:
    db.execute("delete from version")
    assert one(db, EDITED).version == 0


def test_only_versions_of_that_time_count(db: Database) -> None:
    sample.old_version(db, 1, 2, SINCE + 20)
    happened(db, 1, EDITED, "changed", SINCE + 20, version=2)
    assert one(db, EDITED, SINCE + 10).version == 2


def test_a_page_that_is_back(db: Database) -> None:
    happened(db, 2, LOST, "back", SINCE + 30, distance=12)
    db.execute("update page set gone=0 where page_id=2")
    assert one(db, LOST).net is NetChange.CHANGED
    assert one(db, LOST, SINCE + 10).reason == "back"
    happened(db, 3, MISSED, "back", SINCE + 31, detail="suspect")
    assert ("new", MISSED) not in told(db, SINCE + 10)


def test_a_page_that_leaves_the_collection_and_one_that_joins_it(db: Database) -> None:
    happened(db, 1, EDITED, "changed", SINCE + 40, detail="left")
    happened(db, 5, HOME, "changed", SINCE + 41, detail="joined")
    db.execute("update page set relevant=1-relevant where page_id in (1, 5)")
    assert told(db)[:2] == [("new", HOME), ("gone", EDITED)]
    assert told(db, everything=True)[:2] == [("changed", HOME), ("changed", EDITED)]


@pytest.mark.parametrize("batch", [1, 2])
def test_changes_are_read_in_batches(db: Database, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    whole = told(db)
    monkeypatch.setattr(change_log, "BATCH", batch)
    assert told(db) == whole


def test_when_the_last_run_began(db: Database) -> None:
    assert last_run_began(db) == SINCE
    db.execute("delete from run")
    assert last_run_began(db) == 0.0
