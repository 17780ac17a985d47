"""A host's pages, looked up at the same paths of others; on both engines."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.mirrors import Compared
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages import duplicates
from focuscrawl.store.pages.duplicates import compare_paths
from tests.report.sample import NOW, add_page, add_url

FIRST, COPY, THIRD = "http://a.org", "http://b.net", "http://c.org"


@pytest.fixture
def copied(db: Database) -> Database:
    """The copy has four pages. At their addresses the first host has one that is the original of the copy's, one that repeats
    the copy's, and one that waits; a third host has another page at one of them."""
    pages = ((FIRST, "/1", None), (COPY, "/1", 1), (COPY, "/2", None), (FIRST, "/2", 3), (COPY, "/3", None), (COPY, "/4", None))
    for page_id, (origin, path, original) in enumerate(pages, 1):
        add_page(db, page_id, origin + path, "", 0.5, 1, 0, original, "en", at=NOW)
    add_url(db, f"{FIRST}/3", State.QUEUED)
    add_page(db, 7, f"{THIRD}/4", "", 0.5, 1, 0, None, "en", at=NOW)
    return db


def test_pages_that_are_known_read_and_the_same(copied: Database) -> None:
    assert compare_paths(copied, COPY, [FIRST]) == Compared(pages=4, known=3, read=2, same=2)
    assert compare_paths(copied, COPY, [FIRST, THIRD]) == Compared(pages=4, known=4, read=3, same=2)
    assert compare_paths(copied, COPY, [THIRD]) == Compared(pages=4, known=1, read=1, same=0)
    assert compare_paths(copied, "http://unknown.org", [FIRST]) == Compared(0, 0, 0, 0)


def test_only_the_last_pages_and_none_that_are_gone(copied: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    copied.execute("update page set gone=2 where page_id=6")
    assert compare_paths(copied, COPY, [FIRST]) == Compared(pages=3, known=3, read=2, same=2)
    monkeypatch.setattr(duplicates, "MOST_PATHS", 1)
    assert compare_paths(copied, COPY, [FIRST]) == Compared(pages=1, known=1, read=0, same=0)
