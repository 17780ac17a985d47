from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.fulltext import INDEX, FullText
from focuscrawl.store.location import open_store
from focuscrawl.store.pages import page_texts as reading
from tests.report.sample import add_page, insert
from tests.topics.crawled import AT, HOST, URLS, sky_crawl


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sky_crawl(tmp_path)
    return tmp_path


def found(crawls: Path, *queries: str) -> list[str]:
    index = FullText(crawl_named(crawls, "web"))
    try:
        return [URLS[hit.page_id - 1] if hit.page_id <= len(URLS) else "new" for hit in index.search(queries)]
    finally:
        index.close()


def test_words_of_either_language_and_script_are_found(crawls: Path) -> None:
    assert set(found(crawls, "telescopes")) == {URLS[0], URLS[1], URLS[4]}
    assert set(found(crawls, "望远镜")) == set(found(crawls, "望遠鏡")) == {URLS[2], URLS[3]}
    assert found(crawls, "telescope")[0] == URLS[0], "a word of the title counts more"
    assert set(found(crawls, "supernova remnants", "土豆")) == {URLS[1], URLS[7], URLS[8]}


def test_copies_are_left_out_and_phrases_are_phrases(crawls: Path) -> None:
    assert URLS[9] not in found(crawls, "onions")
    assert found(crawls, "galaxy telescope") == []
    assert found(crawls, "the", "!!", '"') == []


def test_the_index_is_carried_on_and_made_anew_for_another_store(crawls: Path) -> None:
    crawl = crawl_named(crawls, "web")
    first = FullText(crawl)
    assert first.added == 9
    first.close()
    db = open_store(crawls / "web")
    add_page(db, 11, HOST + "/sky/6.html", "Zodiac", 0.1, 1, 0, None, "en", at=AT + 11, text="zodiac")
    assert found(crawls, "zodiac") == ["new"]
    again = FullText(crawl)
    assert again.added == 0
    again.close()
    db.execute("update page set fetched_at=1 where page_id=11")
    db.close()
    anew = FullText(crawl)
    assert anew.added == 10
    anew.close()


def test_a_page_that_has_changed_is_found_by_its_new_words_alone(crawls: Path) -> None:
    assert found(crawls, "meteors") == []
    db = open_store(crawls / "web")
    for text in ("zodiac", "asteroids and telescopes", "meteors"):
        db.execute("update body set text=? where page_id=1", (zlib.compress(text.encode()),))
        insert(db, "change", at=AT, run=1, kind="changed", hid=1, uid=1, page_id=1, url=URLS[0], distance=1)
        assert found(crawls, text.split()[0]) == [URLS[0]]
    assert found(crawls, "asteroids", "zodiac") == []
    db.execute("update page set noindex=1 where page_id=1")
    insert(db, "change", at=AT, run=1, kind="changed", hid=1, uid=1, page_id=1, url=URLS[0])
    assert found(crawls, "meteors") == []
    db.close()


def test_pages_that_are_gone_are_not_found_and_more_of_the_others_are(crawls: Path) -> None:
    crawl = crawl_named(crawls, "web")
    index = FullText(crawl)
    (best,) = index.search(["telescopes"], 1)
    db = open_store(crawls / "web")
    db.execute("update page set gone=2 where page_id=?", (best.page_id,))
    (second,) = index.search(["telescopes"], 1)
    assert second.page_id != best.page_id
    assert reading.page_numbered(db, "web", best.page_id) is None
    assert best.page_id not in [page.page_id for page in reading.crawled_pages(db, "web")]
    db.execute("update page set gone=1")
    assert len(index.search(["telescopes"])) == 3
    index.close()
    db.close()


@pytest.mark.parametrize("broken", [b"no database at all, only text that is long enough to be one", None])
def test_where_no_index_can_be_kept_it_is_made_in_memory(crawls: Path, broken: bytes | None) -> None:
    path = crawls / "web" / INDEX
    path.write_bytes(broken) if broken else path.mkdir()
    assert set(found(crawls, "土豆汤")) == {URLS[7], URLS[8]}


def test_pages_are_found_by_number_and_address(crawls: Path) -> None:
    db = crawl_named(crawls, "web").open()
    page = reading.page_numbered(db, "web", 3)
    assert page is not None
    assert (page.url, page.source) == (URLS[2], "crawl web")
    assert reading.page_numbered(db, "web", 99) is None
    assert [found.page_id for found in reading.latest_pages(db, "web", 3)] == [8, 9]
    assert len(list(reading.crawled_pages(db, "web"))) == 9
    db.close()
    (crawls / "odd").mkdir()
    (crawls / "odd" / "store.sqlite").write_text("no store")
    assert reading.found_in_crawls(crawls, URLS[0]) is not None
    assert reading.found_in_crawls(crawls, "http://nowhere.example/") is None
