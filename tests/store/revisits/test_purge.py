"""Texts of pages that are gone leave the store after a time of grace."""

from __future__ import annotations

import pytest

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.stored import stored_pages
from focuscrawl.store.revisits.versions import purge_texts
from tests.report import changes_sample as sample
from tests.report.changes_sample import DAY, LOST, SINCE, happened

LATE = SINCE + 40 * DAY


@pytest.fixture
def db(news: Database) -> Database:
    return news


def bodies(db: Database) -> set[int]:
    return {page_id for (page_id,) in db.execute("select page_id from body")}


def purged(db: Database, now: float) -> int:
    """Pages that lose their texts after 30 days of grace, in one go."""
    return purge_texts(db, now - 30 * DAY)[1]


def test_only_what_is_confirmed_and_after_its_grace(db: Database) -> None:
    assert purged(db, SINCE + 29 * DAY) == 0
    assert bodies(db) == {1, 2, 3, 4, 5, 6}
    assert purged(db, LATE) == 2
    assert bodies(db) == {1, 3, 5, 6}
    assert purged(db, LATE) == 0


def test_the_tombstone_stays_and_has_to_be_read_when_it_is_back(db: Database) -> None:
    sample.old_version(db, 2, 1, SINCE)
    db.execute("update page set etag='\"e\"', last_modified='then' where page_id=2")
    purged(db, LATE)
    assert db.execute("select url, gone, etag, last_modified from page where page_id=2").fetchone() == (LOST, 2, "", "")
    assert db.execute(
        "select v.signature_digest, v.signature_simhash, v.length from revisit v join page p on p.uid=v.uid where p.page_id=2"
    ).fetchone() == (
        b"",
        0,
        -1,
    )
    assert db.execute("select count(*) from version where page_id=2").fetchone() == (0,)
    assert db.execute("select state from url u join page p on p.uid=u.uid where p.page_id=2").fetchone() is not None
    lost = next(page for page in stored_pages(db, everything=True) if page.page_id == 2)
    assert (lost.text, lost.gone) == ("", True)


def test_a_page_that_came_back_keeps_its_text(db: Database) -> None:
    happened(db, 2, LOST, "back", SINCE + 10 * DAY)
    db.execute("update page set gone=0 where page_id=2")
    assert purged(db, LATE) == 1
    assert 2 in bodies(db)


def test_grace_counts_from_the_last_time_that_it_went(db: Database) -> None:
    happened(db, 2, LOST, "back", SINCE + 10 * DAY)
    happened(db, 2, LOST, "gone", SINCE + 20 * DAY, detail="410")
    assert purged(db, LATE) == 1
    assert 2 in bodies(db)
    assert purged(db, LATE + 11 * DAY) == 1
    assert 2 not in bodies(db)


def test_the_next_call_resumes_where_the_last_one_ended(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.store.revisits.versions.ROWS_AT_ONCE", 1)
    by = LATE - 30 * DAY
    read = []
    while True:
        rows, pages = purge_texts(db, by)
        if not rows:
            break
        read.append((rows, pages))
    assert (len(read), sum(pages for _, pages in read)) == (2, 2)
    assert purge_texts(db, by) == (0, 0)
