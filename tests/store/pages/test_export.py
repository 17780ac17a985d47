from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.items import Duplicate, Fingerprint, Verdict
from focuscrawl.store.engines.records import iso_time
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.pages import export
from focuscrawl.store.pages.export import FIELDS, Row, cell, check_format, row, stored_row, write_csv, write_jsonl
from focuscrawl.store.pages.stored import stored_pages
from tests import factories
from tests.report.sample import NOW, PAGES, sample_crawl

NEEDED = {
    "url", "status", "title", "text", "language", "fetched_at", "relevance", "relevant", "depth", "parent",
    "duplicate_of", "simhash", "digest",
}  # fmt: skip


@pytest.fixture
def rows(tmp_path: Path) -> list[Row]:
    sample_crawl(tmp_path)
    db = connect(tmp_path / "store.sqlite", read_only=True)
    found = [stored_row(page) for page in stored_pages(db, everything=True)]
    db.close()
    return found


def test_the_promised_fields() -> None:
    assert set(FIELDS) >= NEEDED
    assert next(iter(FIELDS)) == "url"


def test_a_page_in_the_pipeline_gives_the_same_fields_as_the_store(rows: list[Row]) -> None:
    page = factories.page(factories.lease("http://a.example.com/", depth=3, parent="http://p.example.com/"), fetched_at=NOW)
    page.verdict = Verdict(0.5, True, 0.2, (("搜索", 0.7),))
    page.fingerprint = Fingerprint(b"\x01" * 16, 2**64 - 1)
    page.duplicate = Duplicate(1, "http://o.example.com/", "near", 0.9)
    made = row(page)
    assert list(made) == list(rows[0]) == list(FIELDS)
    assert {type(made[name]) for name in FIELDS} == set(FIELDS.values())
    assert (made["simhash"], made["digest"], made["terms"]) == ("f" * 16, "01" * 16, {"搜索": 0.7})
    assert (made["parent"], made["duplicate_of"], made["site"]) == (
        "http://p.example.com/",
        "http://o.example.com/",
        "example.com",
    )


def test_what_freshness_says_of_a_page(rows: list[Row]) -> None:
    assert [(each["gone"], each["changed_at"]) for each in rows] == [(False, "")] * 4
    assert rows[0]["checked_at"] == rows[0]["fetched_at"]
    page = factories.page(fetched_at=NOW)
    assert (row(page)["gone"], row(page)["checked_at"]) == (False, row(page)["fetched_at"])


def test_an_unjudged_page_has_a_row() -> None:
    made = row(factories.page(status=0))
    assert (made["relevant"], made["relevance"], made["fetched_at"]) == (False, 0.0, "1970-01-01T00:00:00.000Z")


def test_times_are_utc() -> None:
    assert iso_time(NOW + 0.5) == "2026-09-21T14:13:20.500Z"


def test_json_lines(rows: list[Row]) -> None:
    out = io.BytesIO()
    assert write_jsonl(rows, out) == 4
    back = [json.loads(line) for line in out.getvalue().decode().splitlines()]
    assert back == rows
    assert [each["url"] for each in back] == [page[0] for page in PAGES]


def test_csv_for_spreadsheets(rows: list[Row]) -> None:
    out = io.BytesIO()
    assert write_csv(rows, out, True) == 4
    assert out.getvalue().startswith(b"\xef\xbb\xbfurl,")
    back = list(csv.DictReader(io.StringIO(out.getvalue().decode("utf-8-sig"), newline="")))
    assert back[2]["title"] == "'=SUM(A1)"
    assert "\x1b" not in back[1]["title"]
    assert json.loads(back[0]["terms"]) == {"搜索": 0.4, "crawler": 0.2}
    assert back[0]["relevant"] == "1"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "＝1", "\x00=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert str(cell(text)).startswith("'")


def test_plain_cells_stay() -> None:
    assert [cell(value) for value in ("text", "a=b", 1.5, 3)] == ["text", "a=b", 1.5, 3]


def test_parquet_in_row_groups(rows: list[Row], monkeypatch: pytest.MonkeyPatch) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an extra")
    monkeypatch.setattr(export, "ROW_GROUP", 3)
    out = io.BytesIO()
    assert export.write_parquet(rows, out) == 4
    file = parquet.ParquetFile(io.BytesIO(out.getvalue()))
    assert file.num_row_groups == 2
    back = file.read().to_pylist()
    maps = ("terms", "topics", "signals")
    assert [each | {name: dict(each[name]) for name in maps} for each in back] == rows


def test_an_empty_export_is_valid() -> None:
    out = io.BytesIO()
    assert write_csv([], out) == 0
    assert out.getvalue().decode().strip() == ",".join(FIELDS)


def test_formats_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    check_format("csv")
    with pytest.raises(BadInput, match="jsonl, csv, parquet"):
        check_format("xml")
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(BadInput, match="pyarrow"):
        check_format("parquet")
