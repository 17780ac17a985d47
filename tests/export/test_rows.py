from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.export.rows import CHANGE, FIELDS, columns_named, row, row_id, stored_row
from focuscrawl.items import IN_TITLE, OF_SITE, Duplicate, Fingerprint, Verdict
from focuscrawl.report.plain import iso_time
from focuscrawl.store.pages.stored import StoredPage
from focuscrawl.text.blocks import Block, outline, plain
from tests import factories
from tests.export.sample import sample_pages
from tests.report.sample import NOW

NEEDED = {
    "url", "status", "title", "text", "language", "fetched_at", "relevance", "relevant", "depth", "parent",
    "duplicate_of", "simhash", "digest", "author", "published", "modified", "canonical", "licence", "reserved", "kind", "words",
    "warc_file", "warc_offset", "warc_length", "quality",
}  # fmt: skip


@pytest.fixture
def pages(tmp_path: Path) -> list[StoredPage]:
    return sample_pages(tmp_path)


def test_the_promised_fields() -> None:
    assert set(FIELDS) >= NEEDED
    assert next(iter(FIELDS)) == "url"


def test_a_page_in_the_pipeline_gives_the_same_fields_as_the_store(pages: list[StoredPage]) -> None:
    page = factories.page(factories.lease("http://a.example.com/", depth=3, parent="http://p.example.com/"), fetched_at=NOW)
    page.verdict = Verdict(0.5, True, 0.2, (("搜索", 0.7), (f"{OF_SITE}爬虫", 0.0), (IN_TITLE, 0.0)))
    page.fingerprint = Fingerprint(b"\x01" * 16, 2**64 - 1)
    page.duplicate = Duplicate(1, "http://o.example.com/", "near", 0.9)
    made = row(page)
    assert list(made) == list(stored_row(pages[0])) == list(FIELDS)
    assert {type(made[name]) for name in FIELDS} == set(FIELDS.values())
    assert (made["simhash"], made["digest"], made["terms"]) == ("f" * 16, "01" * 16, {"搜索": 0.7})
    assert (made["parent"], made["duplicate_of"], made["site"]) == (
        "http://p.example.com/",
        "http://o.example.com/",
        "example.com",
    )


def test_what_freshness_says_of_a_page(pages: list[StoredPage]) -> None:
    rows = [stored_row(page) for page in pages]
    assert [(each["gone"], each["changed_at"]) for each in rows] == [(False, "")] * 4
    assert rows[0]["checked_at"] == rows[0]["fetched_at"]
    page = factories.page(fetched_at=NOW)
    assert (row(page)["gone"], row(page)["checked_at"]) == (False, row(page)["fetched_at"])


def test_an_unjudged_page_has_a_row() -> None:
    made = row(factories.page(status=0))
    assert (made["relevant"], made["relevance"], made["fetched_at"]) == (False, 0.0, "1970-01-01T00:00:00.000Z")


def test_times_are_utc() -> None:
    assert iso_time(NOW + 0.5) == "2026-09-21T14:13:20.500Z"


def test_where_its_answer_lies(pages: list[StoredPage]) -> None:
    made = stored_row(pages[0])
    assert (made["warc_file"], made["warc_offset"], made["warc_length"]) == ("a.warc.gz", 0, 10)


def test_chosen_columns_in_their_order(pages: list[StoredPage]) -> None:
    columns = columns_named(["title", " url", "id", "markdown", "title", ""])
    assert columns == ("title", "url", "id", "markdown")
    assert stored_row(pages[0], columns) == {
        "title": "News", "url": "http://news.example.com/", "id": row_id("http://news.example.com/"),
        "markdown": "main text 正文\n",
    }  # fmt: skip
    assert stored_row(pages[0], ("url", CHANGE), "new") == {"url": "http://news.example.com/", "change": "new"}


def test_headings_one_a_line(pages: list[StoredPage]) -> None:
    blocks = [Block("heading", "Stars", 1), Block("paragraph", "They shine."), Block("heading", "Their light", 2)]
    page = replace(pages[0], text=plain(blocks), outline=outline(blocks))
    assert stored_row(page, ("headings",)) == {"headings": "Stars\nTheir light"}


@pytest.mark.parametrize(("title", "site_name", "headline"), [
    ("Slow trains | by Ada Birch | Rails Weekly", "", "Slow trains"),
    ("Slow trains - Rail Notes", "", "Slow trains"),
    ("Slow trains_新闻频道_江城网", "", "Slow trains"),
    ("Rail: Slow trains", "", "Slow trains"),
    ("The Society of the North » Slow trains", "", "The Society of the North » Slow trains"),
    ("The Society of the North » Slow trains", "The Society of the North", "Slow trains"),
    ("深水浅谈和它的朋友们 | Slow trains", "深水浅谈和它的朋友们", "Slow trains"),
    ("Rails in the North » 2024 » Slow trains", "Rails in the North", "Rails in the North » 2024 » Slow trains"),
    ("Night line - Slow trains", "Slow trains", "Night line - Slow trains"),
    ("Slow trains: a history", "", "Slow trains: a history"),
    ("Slow trains-to-be", "", "Slow trains-to-be"),
    ("Slow trains", "", "Slow trains"),
    ("Light rails | Notes", "", "Light rails | Notes"),
    ("", "", ""),
])  # fmt: skip
def test_the_headline_is_the_title_without_the_name_of_the_site(
    pages: list[StoredPage], title: str, site_name: str, headline: str
) -> None:
    blocks = [Block("heading", "Slow trains", 1), Block("paragraph", "They stop."), Block("heading", "Light rails", 2)]
    page = replace(pages[0], title=title, site_name=site_name, text=plain(blocks), outline=outline(blocks))
    assert stored_row(page, ("headline",)) == {"headline": headline}


def test_an_unknown_column_is_refused_with_the_nearest() -> None:
    with pytest.raises(BadInput, match=r"there is no column 'licens'; did you mean licence\?"):
        columns_named(["url", "licens"])
    with pytest.raises(BadInput, match="names no column"):
        columns_named([" ", ""])


def test_keys_of_rows_fit_every_engine() -> None:
    keys = {row_id("http://a.example/" + "x" * 3000), row_id("http://a.example/"), row_id("http://a.example/望")}
    assert {len(key) for key in keys} == {32}
    assert len(keys) == 3
    assert all(key.isascii() and key.isalnum() for key in keys)
