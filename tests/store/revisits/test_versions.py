from __future__ import annotations

import zlib
from collections.abc import Sequence

import pytest

from focuscrawl.items import Lease, Link, Page
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.pages.links import encode
from focuscrawl.store.revisits.versions import MOST_LINKS, diff_of, keep_version, versions_of
from tests.report import sample

URL = "http://a.test/1"
VISIT = RevisitRecord(sample.hid(URL), 1, read_at=500.0)


@pytest.fixture
def page_id(db: Database) -> int:
    sample.add_page(db, 7, URL, "First", 0.5, 1, 0, None, "en", at=400.0, text="one two three")
    return 7


def replace(
    db: Database, page_id: int, title: str, text: str, links: Sequence[str] = (), most: int = 3, now: float = 1000.0
) -> int:
    """As a commit does: keep the old version, then write the new one."""
    page = Page(Lease(VISIT.hid, VISIT.uid, URL), URL, 200, title=title, text=text, links=[Link(link) for link in links])
    with transaction(db):
        number = keep_version(db, page_id, VISIT, page, most, now, 5)
        db.execute("update page set title=? where page_id=?", (title, page_id))
        values = (zlib.compress(text.encode("utf-8", "replace")), encode(page.links), page_id)
        db.execute("update body set text=?, links=? where page_id=?", values)
    return number


def test_what_came_and_what_went(db: Database, page_id: int) -> None:
    assert replace(db, page_id, "First", "one two three", ["http://a.test/b", "http://a.test/c"]) == 1
    assert replace(db, page_id, "Second title", "one 二三 three", ["http://a.test/d", "http://a.test/c"], now=2000.0) == 2
    first, second = versions_of(db, page_id)
    assert (first.number, first.words_added, first.words_gone, first.links_added) == (
        1,
        0,
        0,
        ("http://a.test/b", "http://a.test/c"),
    )
    assert (second.number, second.read_at, second.replaced_at, second.title, second.distance) == (2, 500.0, 2000.0, "First", 5)
    assert (second.words_added, second.words_gone) == (4, 2)  # second, title, 二, 三; first, two
    assert (second.links_added, second.links_gone) == (("http://a.test/d",), ("http://a.test/b",))


def test_the_latest_are_kept_and_numbers_go_on(db: Database, page_id: int) -> None:
    numbers = [replace(db, page_id, f"title {n}", f"text {n}", most=2) for n in range(5)]
    assert numbers == [1, 2, 3, 4, 5]
    assert [version.number for version in versions_of(db, page_id)] == [4, 5]
    assert [version.title for version in versions_of(db, page_id)] == ["title 2", "title 3"]
    assert replace(db, page_id, "fewer", "", most=1) == 6
    assert [version.number for version in versions_of(db, page_id)] == [6]


def test_none_are_kept(db: Database, page_id: int) -> None:
    assert replace(db, page_id, "a", "a") == 1
    assert replace(db, page_id, "b", "b", most=0) == 0
    assert versions_of(db, page_id) == []
    assert diff_of(db, page_id, 1) is None


def test_a_page_without_a_text_has_no_version(db: Database) -> None:
    page = Page(Lease(VISIT.hid, VISIT.uid, URL), URL, 200, text="new")
    assert keep_version(db, 99, VISIT, page, 3, 1000.0, 5) == 0


def test_diffs_lead_from_version_to_version_and_to_the_text_of_now(db: Database, page_id: int) -> None:
    replace(db, page_id, "Second", "one two four")
    replace(db, page_id, "Third", "one two four\n再来一段")
    first, second = diff_of(db, page_id, 1), diff_of(db, page_id, 2)
    assert first
    assert second
    assert (first.following, first.old_title, first.new_title) == (2, "First", "Second")
    assert [(piece.kind, piece.text) for piece in first.pieces] == [
        *(("kept", "one two "), ("removed", "three")),
        *(("added", "four"), ("kept", "\n")),
    ]
    assert (second.following, second.old_title, second.new_title) == (0, "Second", "Third")
    assert [(piece.kind, piece.text) for piece in second.pieces] == [("kept", "one two four\n"), ("added", "再来一段\n")]
    assert diff_of(db, page_id, 3) is None
    assert diff_of(db, 99, 1) is None


def test_the_text_of_now_may_be_gone(db: Database, page_id: int) -> None:
    replace(db, page_id, "Second", "one")
    db.execute("delete from body where page_id=?", (page_id,))
    found = diff_of(db, page_id, 1)
    assert found
    assert (found.new_title, [piece.kind for piece in found.pieces]) == ("", ["removed"])


def test_a_version_without_a_time_of_reading_has_that_of_the_page(db: Database, page_id: int) -> None:
    page = Page(Lease(VISIT.hid, VISIT.uid, URL), URL, 200, text="new")
    keep_version(db, page_id, RevisitRecord(VISIT.hid, VISIT.uid), page, 3, 1000.0, 64)
    assert [version.read_at for version in versions_of(db, page_id)] == [400.0]


def test_broken_texts_are_kept(db: Database, page_id: int) -> None:
    assert replace(db, page_id, "b", "broken \ud800 \x01", ["http://a.test/\ud800"]) == 1
    assert replace(db, page_id, "c", "whole") == 2
    assert versions_of(db, page_id)[1].links_gone == ("http://a.test/?",)
    found = diff_of(db, page_id, 2)
    assert found
    assert [piece.kind for piece in found.pieces] == ["removed", "added"]


def test_addresses_are_bounded(db: Database, page_id: int) -> None:
    replace(db, page_id, "a", "a", [f"http://a.test/{n}" for n in range(MOST_LINKS + 5)])
    assert len(versions_of(db, page_id)[0].links_added) == MOST_LINKS
