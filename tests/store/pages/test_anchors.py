from __future__ import annotations

import zlib

import pytest

from focuscrawl.items import Link
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.links import MOST_ANCHORS, Anchors, anchors_in, encode
from focuscrawl.url.hosts import uid_of
from tests.report import sample

TARGET = sample.PAGES[1][0]


@pytest.fixture
def db(sampled: Database) -> Database:
    return sampled


def link(db: Database, page_id: int, *anchors: str) -> None:
    """The links of a page are these, all to `TARGET`."""
    links = [Link("http://a.example/other", "other"), *(Link(TARGET, anchor, 'said "here", there') for anchor in anchors)]
    db.execute("update body set links=? where page_id=?", (encode(links), page_id))
    sample.insert(db, "inlink", hid=sample.hid(TARGET), uid=uid_of(TARGET), page_id=page_id)


def test_the_most_frequent_anchors_first(db: Database) -> None:
    link(db, 1, "搜索 引擎", "once")
    link(db, 3, "搜索 引擎", "")
    link(db, 4, "the engine")
    assert Anchors(db).of(2)[0] == "搜索 引擎"
    assert set(Anchors(db).of(2)) == {"搜索 引擎", "once", "the engine"}


def test_no_more_than_a_few(db: Database) -> None:
    link(db, 1, *(f"anchor {number}" for number in range(20)))
    assert len(Anchors(db).of(2)) == MOST_ANCHORS


def test_without_links_there_are_none(db: Database) -> None:
    assert Anchors(db).of(2) == ()
    link(db, 1, "gone")
    db.execute("update body set links=? where page_id=1", (b"",))
    assert Anchors(db).of(2) == ()


@pytest.mark.parametrize(
    "anchor", ["plain", 'a "quoted", word', 'ends with "', "back\\slash", 'back\\", both', "line\nend", "中文", "[]"]
)
@pytest.mark.parametrize("url", ["http://a.example/x", 'http://a.example/"q"', "http://a.example/路径"])
def test_anchors_are_found_whatever_is_in_them(anchor: str, url: str) -> None:
    links = encode([Link(f"{url}/longer", "no"), Link(url, anchor, anchor), Link(url, anchor), Link(url, "second")])
    assert list(anchors_in(zlib.decompress(links), url)) == [anchor, "second"]
