"""The index follows the store, with either engine: what is stored, changes, goes, comes back, and is read whole."""

from __future__ import annotations

import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import Mock

import pytest

from focuscrawl.dedup.methods import method
from focuscrawl.items import Content
from focuscrawl.search import index as index_module
from focuscrawl.search import searching
from focuscrawl.search.following import published_at
from focuscrawl.search.index import DIRECTORY, FORMER, PRIOR, IndexState, SearchIndex
from focuscrawl.search.query import any_of, parse
from focuscrawl.search.searching import CrawlSearch, follow_once, merge_parts
from focuscrawl.search.terms import Analyzer
from focuscrawl.store.crawls import Crawl, crawl_named, use_password_of
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.content import ArchivedPage, store_content
from focuscrawl.store.pages.searchable import note_rewritten, stored_again
from focuscrawl.store.revisits.change_log import ChangeKind, ObservedChange, log_change
from focuscrawl.store.revisits.taking_out import take_out_urls
from focuscrawl.store.workers.runs import last_settled
from tests.engines import ENGINES
from tests.report.sample import insert
from tests.search.asking import found, in_parts, results
from tests.store.revisits.shop import URL, WORDS, Shop
from tests.topics.crawled import AT, HOST, URLS, add_sky_page, sky_crawl

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=ENGINES)
def db(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """The store of the crawl `web`, for writing."""
    url = "" if request.param == "sqlite" else str(request.getfixturevalue("postgres_url"))
    use_password_of(url)
    sky_crawl(tmp_path, url=url)
    opened = crawl_named(tmp_path, "web").open(write=True)
    yield opened
    opened.close()


@pytest.fixture
def web(db: Database, tmp_path: Path) -> Crawl:
    return crawl_named(tmp_path, "web")


def added(web: Crawl) -> int:
    """Pages that a new search has to put into the index first."""
    search = CrawlSearch(web)
    search.close()
    return search.added


def write(db: Database, page_id: int, text: str) -> None:
    """Another text of a page, as a commit writes it."""
    db.execute("update body set text=? where page_id=?", (zlib.compress(text.encode()), page_id))
    db.execute("update page set fetched_at=fetched_at+100 where page_id=?", (page_id,))
    log_change(db, AT, 1, (1, 1, page_id, URLS[page_id - 1]), ObservedChange(ChangeKind.CHANGED))


def set_gone(db: Database, page_id: int, gone: int, kind: ChangeKind) -> None:
    db.execute("update page set gone=? where page_id=?", (gone, page_id))
    log_change(db, AT, 1, (1, 1, page_id, URLS[page_id - 1]), ObservedChange(kind))


def test_it_follows_every_change(db: Database, web: Crawl) -> None:
    assert found(web, "zodiac") == []
    add_sky_page(db, 11, "/sky/6.html", "Zodiac", "zodiac", "en")
    assert found(web, "zodiac") == ["/sky/6.html"]
    write(db, 1, "meteors")
    assert found(web, "meteors") == ["/sky/1.html"]
    assert found(web, "observatory") == ["/sky/2.html"], "its former words are forgotten"
    set_gone(db, 1, 2, ChangeKind.GONE)
    assert found(web, "meteors") == []
    set_gone(db, 1, 0, ChangeKind.BACK)
    assert found(web, "meteors") == ["/sky/1.html"]
    db.execute("update page set noindex=1 where page_id=1")
    assert found(web, "meteors") == [], "the store has the last word"


@pytest.mark.parametrize("arguments", ['{"mode": "recrawl"}', '{"mode": "crawl", "at_edge": "recrawl"}'])
def test_it_follows_numbers_that_no_change_tells_of(db: Database, web: Crawl, arguments: str) -> None:
    insert(db, "run", id=7, started_at=AT, arguments=arguments, stats="{}")
    insert(db, "worker", id=1, run=7, machine="", process_id=1, process_started=0.0, beat_at=AT, state="live")
    if db.dialect.name == "postgresql":
        db.execute("select setval(pg_get_serial_sequence('page', 'page_id'), 10)")
    shop = Shop(db, now=AT)

    def answer(number: str) -> str:
        result = shop.later(1).answer([*WORDS, "for", number, "crowns"]).revisit_result
        db.execute("update page set content_version=1")  # it was read whole before the index looks
        return result

    assert answer("8126") == "new"
    assert found(web, "8126") == [URL]
    assert answer("9377") == "same"
    assert (found(web, "8126"), found(web, "9377")) == ([], [URL])
    assert "9377" in results(web, parse("9377"))[0].snippet.text
    answer("5591")
    db.execute("update worker set state='gone'")
    assert (found(web, "9377"), found(web, "5591")) == ([], [URL])
    assert added(web) == 0
    assert stored_again(db, last_settled(db), 99) == [], "what a run has stored is not looked at again once it has ended"


def test_it_follows_what_an_operator_takes_out(db: Database, web: Crawl) -> None:
    before = found(web, "telescopes")
    take_out_urls(db, [HOST + before[0]], lambda: AT + 99, method("simhash").keys)
    assert found(web, "telescopes") == before[1:]


def test_a_copy_off_topic_is_found_once_its_original_is_gone(db: Database, web: Crawl) -> None:
    add_sky_page(db, 11, "/sky/6.html", "Zodiac", "zodiac", "en")
    db.execute("update page set relevant=0 where page_id>5")
    soups = any_of(["potatoes"])
    assert {page.url for page in results(web, soups)} == {URLS[5], URLS[6]}
    take_out_urls(db, [URLS[5]], lambda: AT + 99, method("simhash").keys)
    assert {page.url for page in results(web, soups)} == {URLS[6], URLS[9]}


def test_nothing_is_read_twice(db: Database, web: Crawl) -> None:
    assert [added(web), added(web)] == [9, 0]
    write(db, 2, "meteors")
    assert [added(web), added(web)] == [1, 0]


def test_a_page_is_read_again_when_its_content_is_there(db: Database, web: Crawl) -> None:
    assert found(web, "aphelion") == []
    text = "The aphelion of a comet, of the content."
    content = Content(text=text, outline=(("paragraph", 0, len(text)),), language="zh-Hant", published="2031-05")
    url, *place = db.execute("select url, warc, warc_offset from page where page_id=1").fetchone()
    former = ArchivedPage(1, url, "", "", "other.warc.gz", 0)
    store_content(db, former, content)
    assert found(web, "aphelion") == []
    store_content(db, ArchivedPage(1, url, "", "", *place), content)
    assert found(web, "aphelion lang:zh-hant lang:en after:2031-05 before:2031-06") == ["/sky/1.html"]
    assert found(web, "observatory") == ["/sky/2.html"]
    assert results(web, parse("aphelion"))[0].published == "2031-05"


def test_it_is_made_anew_when_all_contents_are(db: Database, web: Crawl) -> None:
    assert added(web) == 9
    note_rewritten(db)
    assert [added(web), added(web)] == [9, 0]


def test_another_crawl_of_the_same_name_is_seen(db: Database, web: Crawl) -> None:
    assert added(web) == 9
    db.execute("update page set fetched_at=1 where page_id=9")
    assert [added(web), added(web)] == [9, 0]


def test_it_may_be_followed_in_pieces(db: Database, web: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.search.following.BATCH", 2)
    monkeypatch.setattr("focuscrawl.search.following.COMMIT", 4)
    assert follow_once(web.directory, db, 3) == 4
    assert set(found(web, "soup 土豆")) == {f"/food/{number}.html" for number in (1, 2, 3, 4)}


def test_relevance_is_a_factor(db: Database, web: Crawl) -> None:
    db.execute("update page set relevance=1 where page_id=4")
    first, second = results(web, parse("lang:zh title:望远镜 -入门")) + results(web, parse("lang:zh -望遠鏡"))[:1]
    assert first.url == URLS[3]
    pages = {page.url: page.score for page in results(web, parse("lang:zh"))}
    assert pages[URLS[3]] == pytest.approx(1 + PRIOR)
    assert pages[URLS[2]] == pytest.approx(1 + PRIOR * 0.1)
    assert second.score == pytest.approx(1 + PRIOR * 0.1)


def test_off_topic_pages_are_found_when_asked_for(db: Database, web: Crawl) -> None:
    db.execute("update page set relevant=0 where page_id=1")
    assert "/sky/1.html" not in found(web, "telescope")
    assert len(results(web, any_of(["telescope"]))) == 3


def test_near_duplicates_are_folded(db: Database, web: Crawl) -> None:
    db.execute("update page set simhash=(select simhash from page where page_id=1) where page_id=2")
    assert {page.url: page.duplicates for page in results(web, parse("telescope"))} == {URLS[0]: 1, URLS[4]: 0}


# --- what may happen to the files, with SQLite --------------------------------------------------------------------------------


@pytest.fixture
def alone(tmp_path: Path) -> Crawl:
    sky_crawl(tmp_path)
    return crawl_named(tmp_path, "web")


def test_the_last_commit_is_searched_while_another_process_writes(alone: Crawl) -> None:
    assert added(alone) == 9
    other = SearchIndex(alone.directory / DIRECTORY, Analyzer())
    other.begin()
    other.remove(1)
    assert "/sky/1.html" in found(alone, "telescope")
    other.end()
    assert "/sky/1.html" in found(alone, "telescope"), "a writer that ends without a commit leaves nothing"


def test_parts_of_an_index_are_merged_where_there_are_many(alone: Crawl) -> None:
    index = in_parts(alone, 11)
    merge_parts(alone.directory)
    merged = SearchIndex(alone.directory / DIRECTORY, Analyzer())
    assert (merged.pages, merged.parts, merged.state) == (index.pages, 1, index.state)
    assert len(found(alone, "zodiac")) == 10


def test_a_search_merges_parts_that_nobody_else_did(alone: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "MOST_PARTS", 10)
    with closing(alone.open(write=True)) as db:
        for page_id in range(11, 25):
            add_sky_page(db, page_id, f"/sky/{page_id}.html", "Zodiac", "zodiac", "en")
            assert added(alone) == (1 if page_id > 11 else 10)
    index = SearchIndex(alone.directory / DIRECTORY, Analyzer())
    assert index.pages == 23
    assert index.parts < 8, "each of the 14 searches wrote a part"


def test_parts_are_left_where_another_process_writes(alone: Crawl) -> None:
    assert added(alone) == 9
    other = SearchIndex(alone.directory / DIRECTORY, Analyzer())
    other.begin()
    merge_parts(alone.directory)
    other.end()
    assert other.pages == 9


def test_an_index_of_another_analyzer_is_made_anew(alone: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    assert added(alone) == 9
    monkeypatch.setattr(Analyzer, "name", "another one")
    assert [added(alone), added(alone)] == [9, 0]


def test_an_index_of_another_version_is_made_anew_whatever_its_state_says(
    alone: Crawl, monkeypatch: pytest.MonkeyPatch
) -> None:
    @dataclass(frozen=True, slots=True)
    class FormerState(IndexState):
        definition: str = "of a former version"

    with monkeypatch.context() as former:
        former.setattr(index_module, "IndexState", FormerState)
        former.setattr(index_module, "VERSION", 2)
        assert added(alone) == 9
    assert [added(alone), added(alone)] == [9, 0]


@pytest.mark.parametrize("damage", [b"", b"no index at all", None])
def test_a_damaged_index_is_made_anew(alone: Crawl, damage: bytes | None) -> None:
    assert added(alone) == 9
    for path in (alone.directory / DIRECTORY).iterdir():
        if not path.name.endswith(".lock"):
            path.unlink() if damage is None else path.write_bytes(damage)
    assert set(found(alone, "土豆汤")) == {"/food/3.html", "/food/4.html"}


def test_where_none_can_be_written_it_is_made_in_memory(alone: Crawl) -> None:
    (alone.directory / DIRECTORY).write_text("a file stands here")
    (alone.directory / FORMER).write_text("of an earlier version")
    assert set(found(alone, "土豆汤")) == {"/food/3.html", "/food/4.html"}
    assert not (alone.directory / FORMER).exists()
    db = alone.open()
    with pytest.raises(OSError, match=DIRECTORY):
        follow_once(alone.directory, db, 10)
    db.close()


FULL = ValueError("An IO error occurred: 'No space left on device (os error 28) at path \"search/.tmpZumCbk\"'")
"""As tantivy says it."""


def test_a_full_disk_leaves_the_index_as_it_was(alone: Crawl, monkeypatch: pytest.MonkeyPatch) -> None:
    assert added(alone) == 9
    monkeypatch.setattr(SearchIndex, "begin", Mock(side_effect=FULL))
    with closing(CrawlSearch(alone)) as search:
        assert (search.pages, search.may_lag) == (9, True)
    with pytest.raises(OSError, match=r"the search index .*search cannot be written: the disk is full"):
        CrawlSearch(alone, lasting=True)
    monkeypatch.undo()
    assert added(alone) == 0


@pytest.mark.parametrize(
    ("date", "at"),
    [
        ("2026-01-31T12:00:00+01:00", 1769857200.0), ("2026-01-31", 1769817600.0), ("2026-01", 1767225600.0),
        ("2026", 1767225600.0), ("", 0.0), ("yesterday", 0.0), ("9999999", 0.0),
    ],
)  # fmt: skip
def test_dates_are_as_exact_as_they_are(date: str, at: float) -> None:
    assert published_at(date) == at


KILLED_IN_BETWEEN = """
import os, sys
from pathlib import Path
from focuscrawl.search import following
from focuscrawl.search.searching import follow_once
from focuscrawl.store.crawls import Crawl

following.BATCH, following.COMMIT = 2, 2
put, commits = following.SearchIndex.put, []
def killed(self, page):
    put(self, page)
    commits.append(page.page_id)
    if len(commits) == 5:
        os.kill(os.getpid(), 9)
following.SearchIndex.put = killed
directory = Path(sys.argv[1])
follow_once(directory, Crawl(directory.name, directory).open(), 0)
"""


@pytest.mark.system
def test_a_writer_that_is_killed_costs_what_it_had_not_committed(alone: Crawl) -> None:
    done = subprocess.run([sys.executable, "-c", KILLED_IN_BETWEEN, str(alone.directory)], cwd=ROOT, check=False)
    assert done.returncode == -9
    assert added(alone) == 5
    assert len(results(alone, parse("telescope 土豆 soup"))) == 7


@pytest.mark.system
def test_either_engine_gives_the_same_answers(postgres_url: str, tmp_path: Path) -> None:
    use_password_of(postgres_url)
    sky_crawl(tmp_path, "ours")
    sky_crawl(tmp_path, "theirs", url=postgres_url)
    ours, theirs = (crawl_named(tmp_path, name) for name in ("ours", "theirs"))
    with closing(theirs.open()) as db:
        assert db.dialect.name == "postgresql"
    for words in (
        "telescope",
        "望遠鏡 comet",
        '"distant galaxy" -supernova',
        "title:汤 lang:zh",
        "onions after:2026 before:2030",
        "-soup",
    ):
        assert results(theirs, parse(words)) == results(ours, parse(words)) != []
