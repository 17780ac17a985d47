"""Which pages an export has, and what it says of those that it leaves out; on both engines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.export.selection import Filters, Selected, Selection, is_language, kinds_named, languages_named, licensed
from focuscrawl.export.since import PageSet, last_export, set_last_export, settled_until
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import LEFT, ChangeKind, ObservedChange, log_change
from focuscrawl.url.hosts import uid_of
from tests.report.sample import NOW, PAGES, add_page, hid, insert, sample_crawl

URLS = [page[0] for page in PAGES]


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    sample_crawl(tmp_path / "c")
    found = open_store(tmp_path / "c")
    yield found
    found.close()


def urls(selection: Selection) -> list[str]:
    return [each.page.url for each in selection]


def content(db: Database, page_id: int, **columns: Any) -> None:
    """What is known of a page that was read whole."""
    values = {"text": b"", "outline": "[]", "extractor": "vote"} | columns
    names = ("template", "language", "author", "published", "modified", "canonical", "site_name", "licence")
    empty = dict.fromkeys(names, "") | {"languages": "[]", "reserved": "[]", "signals": "{}"}
    insert(db, "content", page_id=page_id, **(empty | values))


def test_the_collection_and_what_is_outside_of_it(db: Database) -> None:
    selection = Selection(db, Filters())
    assert urls(selection) == URLS[:2]
    assert selection.left_out == {"duplicate": 1, "irrelevant": 1}


def test_every_page(db: Database) -> None:
    selection = Selection(db, Filters(), everything=True)
    assert urls(selection) == URLS
    assert not selection.left_out


def test_where_nothing_passes_the_values_of_the_pages_are_known(db: Database) -> None:
    def nearest(**filters: Any) -> list[str]:
        selection = Selection(db, Filters(**filters))
        assert urls(selection) == []
        return selection.nearest.in_words()

    db.execute("update page set relevance=0.98765 where page_id=1")
    assert nearest(min_relevance=0.99) == ["--min-relevance 0.987 keeps one"]
    assert nearest(languages=["fr"]) == ["left out by --language were en (1), zh (1)"]
    assert nearest(hosts=["nowhere.test"]) == ["left out by --host were news.example.com (2)"]
    add_page(db, 9, "http://xn--fsq.test/", "例", 0.9, 1, 0, None, "zh", at=NOW)
    assert nearest(hosts=["nowhere.test"]) == ["left out by --host were news.example.com (2), 例.test (1)"]
    db.execute("update page set noindex=1 where page_id=9")
    assert nearest(licences=["CC-BX"]) == ["left out by --licence were none known (2)"]


def test_each_reason_is_counted_once(db: Database) -> None:
    for number, change in enumerate(("gone=2", "noindex=1", "kind='index'"), 1):
        add_page(db, 10 + number, f"http://news.example.com/{number}", "t", 0.5, 1, 0, None, "en", at=NOW)
        db.execute(f"update page set {change} where page_id={10 + number}")
    add_page(db, 20, "http://news.example.com/empty", "t", 0.5, 1, 0, None, "en", at=NOW, text=" \n")
    add_page(db, 21, "http://news.example.com/off", "t", 0.1, 0, 0, None, "en", at=NOW)
    db.execute("update page set gone=2 where page_id=4")  # which is off topic, too
    selection = Selection(db, Filters(kinds=("content",)))
    assert urls(selection) == URLS[:2]
    assert selection.left_out == {"irrelevant": 1, "gone": 2, "duplicate": 1, "noindex": 1, "--kind": 1, "textless": 1}


@pytest.mark.parametrize(
    ("filters", "left", "option"),
    [
        (Filters(languages=("zh",)), [1], "--language"),
        (Filters(languages=("en", "zh-Hans")), [0, 1], ""),
        (Filters(languages=("zh-Hant",)), [], "--language"),
        (Filters(hosts=("example.com",)), [0, 1], ""),
        (Filters(hosts=("ample.com",)), [], "--host"),
        (Filters(hosts=("search.example.com", "news.example.com")), [0, 1], ""),
        (Filters(min_relevance=0.5), [1], "--min-relevance"),
        (Filters(min_quality=0.5), [1], "--min-quality"),
        (Filters(licences=("cc-by",)), [1], "--licence"),
        (Filters(licences=("any",)), [1], "--licence"),
        (Filters(no_reserved=True), [1], "--no-reserved"),
        (Filters(min_words=5), [1], "--min-words"),
        (Filters(min_words=3), [0, 1], ""),
        (Filters(kinds=("index",)), [], "--kind"),
    ],
)
def test_filters(db: Database, filters: Filters, left: list[int], option: str) -> None:
    content(db, 1, reserved='["noai"]', words=3, extractor="vote")
    content(db, 2, language="zh-Hans", quality=0.75, licence="CC-BY-4.0", words=7)
    selection = Selection(db, filters)
    assert urls(selection) == [URLS[number] for number in left]
    assert selection.left_out[option] == (2 - len(left) if option else 0)


def test_words_of_a_page_that_was_not_read_whole_are_counted(db: Database) -> None:
    assert urls(Selection(db, Filters(min_words=2))) == URLS[:2]  # main text 正文
    assert urls(Selection(db, Filters(min_words=9))) == []


def test_a_page_that_was_not_read_whole_may_reserve_rights(db: Database) -> None:
    content(db, 2)
    selection = Selection(db, Filters(no_reserved=True))
    assert urls(selection) == URLS[1:2]
    assert selection.left_out["--no-reserved"] == 1


@pytest.mark.parametrize(
    ("licence", "wanted", "meets"),
    [
        ("CC-BY-4.0", "CC-BY", True),
        ("CC-BY-3.0-DE", "cc-by", True),
        ("CC-BY-SA-4.0", "CC-BY", False),
        ("CC-BY-SA-4.0", "CC-BY-SA-4.0", True),
        ("CC0-1.0", "CC0", True),
        ("", "any", False),
        ("MIT", "any", True),
        ("", "CC-BY", False),
    ],
)
def test_licences_by_name(licence: str, wanted: str, meets: bool) -> None:
    assert licensed(licence, wanted) is meets


def test_languages_by_tag() -> None:
    assert is_language("zh-Hant", "zh")
    assert is_language("EN", "en")
    assert not is_language("zh", "zh-Hans")
    assert not is_language("eng", "en")


def test_wrong_values_are_refused() -> None:
    assert kinds_named(["any", "index"]) == ()
    with pytest.raises(BadInput, match="--kind 'article' is not a kind of page"):
        kinds_named(["article"])
    assert languages_named(["nb", "lo"]) == ("nb", "lo"), "not recognized, but pages of few words get it by their label"
    with pytest.raises(BadInput, match="--language 'Chinese!' is not a language tag"):
        languages_named(["zh", "Chinese!"])


def log(db: Database, at: float, number: int, change: ObservedChange) -> None:
    url = URLS[number]
    log_change(db, at, 1, (hid(url), uid_of(url), number + 1, url), change)


def changed(db: Database, since: float, until: float = NOW + 1000, **conditions: Any) -> list[tuple[str, str]]:
    found: list[Selected] = list(Selection(db, Filters(**conditions), since=since, until=until))
    assert all(not each.page.text for each in found if each.change == "gone")
    return sorted((each.page.url, each.change) for each in found)


def test_what_is_new_changed_and_gone(db: Database) -> None:
    log(db, NOW + 10, 0, ObservedChange(ChangeKind.NEW))
    log(db, NOW + 20, 1, ObservedChange(ChangeKind.NEW))
    assert changed(db, NOW) == [(URLS[0], "new"), (URLS[1], "new")]
    log(db, NOW + 30, 0, ObservedChange(ChangeKind.CHANGED, distance=9))
    log(db, NOW + 40, 1, ObservedChange(ChangeKind.GONE, detail="404"))
    db.execute("update page set gone=2 where page_id=2")
    assert changed(db, NOW + 25) == [(URLS[0], "changed"), (URLS[1], "gone")]
    assert changed(db, NOW) == [(URLS[0], "new")]
    assert changed(db, NOW + 25, until=NOW + 40) == [(URLS[0], "changed")]
    assert changed(db, NOW + 50) == []


def test_what_leaves_the_collection_or_the_filters_is_gone(db: Database) -> None:
    log(db, NOW + 10, 0, ObservedChange(ChangeKind.CHANGED, distance=9, detail=LEFT))
    log(db, NOW + 10, 1, ObservedChange(ChangeKind.CHANGED, distance=9))
    db.execute("update page set relevant=0 where page_id=1")
    assert changed(db, NOW) == [(URLS[0], "gone"), (URLS[1], "changed")]
    assert changed(db, NOW, languages=("en",)) == [(URLS[0], "gone"), (URLS[1], "gone")]


def test_a_missing_page_that_is_not_confirmed_is_nothing(db: Database) -> None:
    log(db, NOW + 10, 0, ObservedChange(ChangeKind.SUSPECT))
    assert changed(db, NOW) == []


def test_only_what_the_place_has_can_change_or_go_there(db: Database) -> None:
    had = PageSet()
    first = list(Selection(db, Filters(languages=("en",)), had=had))
    assert [(each.page.url, each.change) for each in first] == [(URLS[0], "new")]
    assert (1 in had, 2 in had) == (True, False)
    log(db, NOW + 10, 0, ObservedChange(ChangeKind.CHANGED, distance=9))
    log(db, NOW + 10, 1, ObservedChange(ChangeKind.CHANGED, distance=9))

    def changes(**conditions: Any) -> list[tuple[str, str]]:
        found = Selection(db, Filters(**conditions), since=NOW, until=NOW + 1000, had=had)
        return sorted((each.page.url, each.change) for each in found)

    assert changes(languages=("en",)) == [(URLS[0], "changed")]
    assert changes(languages=("zh",)) == [(URLS[0], "gone"), (URLS[1], "new")]
    assert changes(languages=("zh",)) == [(URLS[1], "changed")]
    assert (1 in had, 2 in had) == (False, True)


def test_other_filters_choose_among_unchanged_pages_too(db: Database) -> None:
    had = PageSet()
    assert [each.page.url for each in Selection(db, Filters(languages=("en",)), had=had)] == [URLS[0]]

    def changes(*, everything: bool = False, **conditions: Any) -> list[tuple[int, str, bool]]:
        found = Selection(
            db, Filters(**conditions), everything=everything, since=NOW + 900, until=NOW + 1000, had=had, anew=True
        )
        return sorted((each.page.page_id, each.change, bool(each.page.text)) for each in found)

    assert changes() == [(2, "new", True)]
    assert changes() == []
    assert changes(languages=("zh",)) == [(1, "gone", False)]
    others = changes(everything=True)
    assert {1: "new"}.items() <= {page_id: change for page_id, change, _ in others}.items()
    assert 2 not in [page_id for page_id, *_ in others]
    assert sorted(page_id for page_id, change, _ in changes(languages=("en",)) if change == "gone") == sorted(
        {2, *(page_id for page_id, *_ in others)} - {1}
    )


def test_a_page_that_was_read_whole_later_comes_once_more(db: Database) -> None:
    had, waiting = PageSet(), PageSet()
    content(db, 2)
    first = list(Selection(db, Filters(), had=had, waiting=waiting))
    assert [(each.page.url, each.change) for each in first] == [(URLS[0], "new"), (URLS[1], "new")]

    def changes(**conditions: Any) -> list[tuple[str, str]]:
        found = Selection(db, Filters(**conditions), since=NOW + 900, until=NOW + 1000, had=had, waiting=waiting)
        return [(each.page.url, each.change) for each in found]

    assert changes() == []
    content(db, 1)
    assert changes() == [(URLS[0], "changed")]
    assert changes() == []


def test_the_numbers_of_a_set_come_in_order_and_may_be_taken_out_meanwhile() -> None:
    pages, found = PageSet(), list[int]()
    for page_id in (900, 7, 8, 64, 1):
        pages.set(page_id, True)
    for page_id in pages:
        pages.set(page_id, False)
        found.append(page_id)
    assert found == [1, 7, 8, 64, 900]
    assert list(PageSet(pages.packed())) == []


def test_marks_by_label(db: Database) -> None:
    assert last_export(db, "") is None
    pages = PageSet()
    for number in (1, 8, 9, 700_001):
        pages.set(number, True)
    pages.set(9, False)
    set_last_export(db, "", 1.5, PageSet(), PageSet())
    set_last_export(db, "search", 2.25, pages, PageSet())
    first, second = last_export(db, ""), last_export(db, "search")
    assert first
    assert second
    (at, none), (later, found) = first, second
    assert (at, later, 1 in none) == (1.5, 2.25, False)
    assert [number for number in (0, 1, 7, 8, 9, 10, 700_001, 10**9) if number in found] == [1, 8, 700_001]


def test_an_export_of_a_running_crawl_ends_a_little_before_now(db: Database) -> None:
    from focuscrawl.store.workers.lifecycle import register
    from focuscrawl.store.workers.status import store_now

    assert settled_until(db) == pytest.approx(store_now(db), abs=5)
    register(db, 1, store_now(db))
    assert settled_until(db) == pytest.approx(store_now(db) - 3600, abs=5)  # the sample's pages were not read whole for long
    db.execute("update page set fetched_at=?", (store_now(db) - 600,))
    assert settled_until(db) == pytest.approx(store_now(db) - 600, abs=5)
    db.execute("update page set content_version=1")
    assert settled_until(db) == pytest.approx(store_now(db) - 60, abs=5)
