"""What is new, as tables, JSON, feed and page."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as Xml
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.recrawl.diff import DiffPiece
from focuscrawl.report import html
from focuscrawl.report.plain import lines
from focuscrawl.report.revisits import changes_page
from focuscrawl.report.revisits.changes import changes_parts, gather, in_words, size, what
from focuscrawl.report.revisits.changes_export import ATOM, feed, write_json
from focuscrawl.report.revisits.changes_page import collect, render, shortened
from focuscrawl.report.summary import summarize
from focuscrawl.report.table import Table
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import NetChange, PageChange, changes_of
from focuscrawl.store.revisits.versions import VersionDiff
from tests.report import changes_sample as sample
from tests.report.changes_sample import ADDED, EDITED, HOME, LOST, MISSED, SINCE
from tests.report.checker import Checker

NOW = SINCE + 100
CHANGE = PageChange(1, NetChange.CHANGED, "changed", EDITED, NOW, changes=1, distance=1)


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    sample.news_crawl(tmp_path)
    connection = open_store(tmp_path, read_only=True)
    yield connection
    connection.close()


def news(db: Database, since: float = SINCE) -> Iterator[PageChange]:
    return changes_of(db, since, NOW)


def test_a_table_for_each_list(db: Database) -> None:
    parts = changes_parts(gather(news(db), "web", SINCE, NOW, 10))
    text = "\n".join(part.text() if isinstance(part, Table) else part for part in parts)
    assert text.startswith("1 new, 1 changed, 2 gone since 2026-10-01 14:13:20 UTC; 1 page is missing, to be confirmed.")
    for piece in ("5 words added, 1 gone; 1 link added, 1 gone", "answers 404", f"moved to {HOME}", "New (1)", "Gone (2)"):
        assert piece in text
    assert "\x1b" not in text
    assert text.endswith("Diffs: scrapy why URL --diff --crawl web")


def test_lists_are_cut_and_counted(db: Database) -> None:
    lists = gather(news(db), "web", SINCE, NOW, 1)
    assert (lists.counts[NetChange.GONE], len(lists.shown[NetChange.GONE]), lists.cut) == (2, 1, False)
    assert "--limit N shows more of each list, --limit 0 all." in changes_parts(lists)
    few = gather(news(db), "web", SINCE, NOW, 1, 2)
    assert (few.cut, sum(few.counts.values()), in_words(few).startswith("at least 0 new")) == (True, 2, True)
    assert gather([], "web", SINCE, NOW, 1).empty


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (CHANGE, "a little"),
        (replace(CHANGE, distance=0), "a little"),
        (replace(CHANGE, distance=4), "by some words"),
        (replace(CHANGE, distance=18), "a lot"),
        (replace(CHANGE, version=1), "order of words"),
        (replace(CHANGE, version=1, words_gone=1), "1 word gone"),
        (replace(CHANGE, version=1, links_added=("a", "b"), suspect=True), "2 links added, missing at the last visit"),
        (replace(CHANGE, net=NetChange.NEW, reason="new"), ""),
        (replace(CHANGE, net=NetChange.NEW, reason="back"), "was gone, is back"),
        (replace(CHANGE, net=NetChange.GONE, reason="gone", status=410), "answers 410"),
        (replace(CHANGE, net=NetChange.GONE, reason="gone", status=200), "answers as if it were not there (soft 404)"),
        (replace(CHANGE, net=NetChange.GONE, reason="left"), "is there, but belongs to the collection no more"),
        (replace(CHANGE, net=NetChange.GONE, reason="moved"), "moved"),
        (replace(CHANGE, net=NetChange.GONE, reason="removed", status=200), "taken out by an operator"),
    ],
)
def test_a_change_in_words(change: PageChange, words: str) -> None:
    assert what(change) == words
    assert size(CHANGE) == "a little"


def test_one_object_with_the_lists(db: Database) -> None:
    out = io.BytesIO()
    assert write_json(news(db), {"crawl": "web"}, "web", out) == 5
    told = json.loads(out.getvalue())
    assert list(told) == ["crawl", "new", "changed", "gone", "suspect"]
    assert [page["url"] for page in told["new"]] == [ADDED]
    (changed,) = told["changed"]
    assert (changed["links_added"], changed["diff"]) == ([ADDED], f"scrapy why {EDITED} --diff --crawl web")
    assert {page["url"]: page["moved_to"] for page in told["gone"]}[LOST] == ""
    assert told["suspect"][0]["suspect"] is True


def test_lists_of_any_length_leave_memory_and_limits_hold(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.report.revisits.changes_export.IN_MEMORY", 1)
    out = io.BytesIO()
    assert write_json(news(db), {"crawl": "web"}, "web", out, 1) == 4
    assert len(json.loads(out.getvalue())["gone"]) == 1


def test_the_feed_is_valid_and_its_entries_stay_the_same(db: Database) -> None:
    document = feed(news(db), "web", NOW)
    assert document == feed(news(db), "web", NOW + 5)
    root = Xml.fromstring(document)
    names = {"a": ATOM}
    for required in ("a:id", "a:title", "a:updated", "a:author/a:name"):
        assert root.findtext(required, "", names)
    entries = root.findall("a:entry", names)
    assert len({entry.findtext("a:id", "", names) for entry in entries}) == len(entries) == 5
    for entry in entries:
        assert entry.findtext("a:updated", "", names).endswith("Z")
        assert entry.findtext("a:summary", "", names)
        assert entry.find("a:link[@rel='alternate']", names) is not None
    titles = [entry.findtext("a:title", "", names) for entry in entries]
    assert "Changed: <script>alert(1)</script> [31mred & ]]> 中文" in titles
    assert root.findtext("a:updated", "", names) == entries[0].findtext("a:updated", "", names)
    assert b"\x1b" not in document
    assert b"<script>" not in document


def test_a_change_that_comes_later_is_an_entry_of_its_own() -> None:
    first, later = (Xml.fromstring(feed([replace(CHANGE, at=at)], "web", NOW)) for at in (NOW, NOW + 1))
    path = f"{{{ATOM}}}entry/{{{ATOM}}}id"
    assert first.findtext(path) != later.findtext(path)
    empty = Xml.fromstring(feed([], "web", NOW))
    assert empty.findtext(f"{{{ATOM}}}updated", "").startswith("2026-10-01T14:15")


def test_the_page_shows_each_change_with_its_diff(db: Database) -> None:
    page = render(collect(db, "web", SINCE, NOW), "report.html")
    checker = Checker()
    checker.feed(page)
    assert (checker.loads, checker.open) == ([], [])
    for piece in (
        '<ins><span class="sign">+</span>forty</ins>', '<del><span class="sign">−</span>ten</del>', "新的段落",
        '<a href="report.html">', "&lt;script&gt;", "Its old title", MISSED, "answers 404", "example.com",
    ):  # fmt: skip
        assert piece in page
    assert "\x1b" not in page
    assert "\u202e" not in page


def test_diffs_are_bounded(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    (change,) = [found for found in news(db) if found.version]
    assert len(changes_page.diffs_of(db, [change] * 3)) == 1
    for name, value in (("DIFFS", 0), ("LONGEST_TEXT", 10), ("ALL_TEXTS", 0)):
        with monkeypatch.context() as patch:
            patch.setattr(changes_page, name, value)
            assert changes_page.diffs_of(db, [change]) == {}
    long = VersionDiff(1, 0, "", "", tuple(DiffPiece("added", "a" * 5000) for _ in range(100)))
    cut = shortened(long)
    assert (len(cut.pieces), len(cut.pieces[0].text) < 1600, cut.pieces[0].left_out) == (41, True, 3500)


def test_a_large_crawl_has_its_sites_in_the_command_alone(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes_page, "MOST_REVISITS", 5)
    page = render(collect(db, "web", SINCE, NOW))
    assert "<code>scrapy changes web --sites</code>" in page
    assert "example.com</th>" not in page


def test_a_page_of_which_no_version_was_kept_says_so(db: Database, tmp_path: Path) -> None:
    writing = open_store(tmp_path)
    writing.execute("delete from version")
    writing.execute("delete from revisit")
    writing.close()
    page = render(collect(db, "web", SINCE, NOW))
    assert "No former version is kept" in page
    assert "No page has been stored so far." in page


def test_report_and_page_are_linked_both_ways(db: Database, tmp_path: Path) -> None:
    page = collect(db, "web", SINCE, NOW)
    changes_page.write(page, tmp_path / "changes.html", "report.html")
    html.write(summarize(db, "web", str(tmp_path), NOW), tmp_path / "report.html", "changes.html", page.news)
    assert 'href="report.html"' in (tmp_path / "changes.html").read_text(encoding="utf-8")
    told = '<a href="changes.html">What is new in the collection</a>: 1 new, 1 changed, 2 gone'
    assert told in (tmp_path / "report.html").read_text("utf-8")


def test_texts_keep_their_lines_and_nothing_else_that_is_no_letter() -> None:
    assert lines("a\r\nb\x1b[1m\tc\u202e\n\n \n\nd ") == "a\nb [1m c\n\nd "
