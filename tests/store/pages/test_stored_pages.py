"""Reading pages of the store by number and by reason, on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.items import Verdict
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.stored import (
    count_unread,
    newest_archived,
    oldest_unread,
    pages_by_reason,
    stored_pages,
    stored_pages_of,
)
from focuscrawl.store.pages.verdicts import set_topics, store_verdicts
from tests.report import sample


@pytest.fixture
def db(sampled: Database) -> Database:
    return sampled


def test_pages_by_reason(db: Database) -> None:
    assert pages_by_reason(db) == {"": 2, "duplicate": 1, "irrelevant": 1}
    db.execute("update page set noindex=1 where page_id=1")
    db.execute("update page set gone=2 where page_id=2")
    assert pages_by_reason(db) == {"noindex": 1, "gone": 1, "duplicate": 1, "irrelevant": 1}


def test_pages_by_reason_for_one_of_several_topics(db: Database) -> None:
    set_topics(db, ["sky", "sea"])
    store_verdicts(db, 1, {"sky": Verdict(0.5, True, 0.1), "sea": Verdict(0.0, False, 0.1)})
    store_verdicts(db, 2, {"sky": Verdict(0.0, False, 0.1)})
    assert pages_by_reason(db, "sky") == {"": 1, "irrelevant": 1}
    assert pages_by_reason(db, "sea") == {"irrelevant": 1}


def test_pages_by_number(db: Database) -> None:
    every = {page.page_id: page for page in stored_pages(db, everything=True)}
    assert stored_pages_of(db, [1, 3, 99]) == {1: every[1], 3: every[3]}
    assert stored_pages_of(db, []) == {}
    set_topics(db, ["sky"])
    store_verdicts(db, 3, {"sky": Verdict(0.75, True, 0.1)})
    (found,) = stored_pages_of(db, [1, 3], "sky").values()
    assert (found.page_id, found.relevance, found.topics) == (3, 0.75, (("sky", 0.75),))


def test_pages_that_were_not_read_whole(db: Database) -> None:
    assert (count_unread(db), oldest_unread(db)) == (2, sample.NOW + 1)
    db.execute("update page set content_version=1 where page_id=1")
    assert (count_unread(db), oldest_unread(db)) == (1, sample.NOW + 2)
    db.execute("update page set content_version=1")
    assert (count_unread(db), oldest_unread(db)) == (0, None)


def test_the_newest_archived_answer(db: Database) -> None:
    assert newest_archived(db) == ("a.warc.gz", 0)
    db.execute("update page set warc=''")
    assert newest_archived(db) is None
