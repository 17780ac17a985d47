"""JSON lines, CSV and Parquet: one file, or several of a size, compressed or not."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from backports import zstd

from focuscrawl.export import parquet
from focuscrawl.export.formats import CommaSeparated, JsonLines, OpenWriter, TableOptions, cell
from focuscrawl.export.parquet import Parquet
from focuscrawl.export.rows import FIELDS, Row, stored_row
from focuscrawl.export.tables import shard_name, stem, write_table
from focuscrawl.export.targets import LocalFiles, writing
from focuscrawl.store.pages.stored import StoredPage
from tests.export.sample import known_page, sample_pages, selected
from tests.report.sample import PAGES

ALL = TableOptions(tuple(FIELDS))


@pytest.fixture
def pages(tmp_path: Path) -> list[StoredPage]:
    return sample_pages(tmp_path / "crawl")


def written(
    pages: list[StoredPage], path: Path, writer: OpenWriter, options: TableOptions = ALL, shard_bytes: int = 0
) -> bytes:
    """The one file; empty where there are several."""
    with writing(LocalFiles(path.parent)) as target:
        assert write_table(selected(pages), target, path.name, writer, options, shard_bytes) == len(pages)
    return path.read_bytes() if path.exists() else b""


def test_json_lines(pages: list[StoredPage], tmp_path: Path) -> None:
    lines = written(pages, tmp_path / "p.jsonl", JsonLines).decode().splitlines()
    assert [json.loads(line) for line in lines] == [stored_row(page) for page in pages]
    assert [json.loads(line)["url"] for line in lines] == [page[0] for page in PAGES]


def test_csv_for_spreadsheets(pages: list[StoredPage], tmp_path: Path) -> None:
    data = written(pages, tmp_path / "p.csv", CommaSeparated, TableOptions(tuple(FIELDS), bom=True))
    assert data.startswith(b"\xef\xbb\xbfurl,")
    back = list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"), newline="")))
    assert back[2]["title"] == "'=SUM(A1)"
    assert "\x1b" not in back[1]["title"]
    assert json.loads(back[0]["terms"]) == {"搜索": 0.4, "crawler": 0.2}
    assert back[0]["relevant"] == "1"


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@A1", "\t=1", "\r=1", "＝1", "\x00=1"])
def test_no_cell_is_a_formula(text: str) -> None:
    assert str(cell(text)).startswith("'")


def test_plain_cells_stay() -> None:
    assert [cell(value) for value in ("text", "a=b", 1.5, 3)] == ["text", "a=b", 1.5, 3]


def test_an_empty_table_is_valid(tmp_path: Path) -> None:
    assert written([], tmp_path / "p.csv", CommaSeparated).decode().strip() == ",".join(FIELDS)
    assert written([], tmp_path / "p.jsonl", JsonLines) == b""


def test_parquet_in_row_groups(pages: list[StoredPage], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROW_GROUP", 3)
    file = _parquet(written(pages, tmp_path / "p.parquet", Parquet))
    assert file.num_row_groups == 2
    assert [_plain(each) for each in file.read().to_pylist()] == [stored_row(page) for page in pages]


def test_long_texts_end_a_row_group_earlier(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "GROUP_CHARACTERS", 10_000)
    pages = [replace(known_page(tmp_path / "crawl"), text="x" * 6000, outline=())] * 4
    assert _parquet(written(pages, tmp_path / "p.parquet", Parquet)).num_row_groups == 2


def test_the_types_of_parquet_are_those_that_all_readers_know(tmp_path: Path) -> None:
    page = known_page(tmp_path / "crawl")
    file = _parquet(written([page], tmp_path / "p.parquet", Parquet))
    (row,) = file.read().to_pylist()
    assert row["fetched_at"] == datetime.fromtimestamp(page.fetched_at, UTC)
    assert row["fetched_at"].tzinfo is not None
    assert (row["published"], row["modified"]) == (date(2024, 5, 6), date(2025, 1, 2))
    assert row["terms"] == [{"term": "搜索", "share": 0.4}, {"term": "crawler", "share": 0.2}]
    assert row["topics"] == [{"topic": "sky", "relevance": 0.5}]
    assert row["signals"] == [{"name": "gopher/words", "value": 7.0}]
    assert (row["languages"], row["reserved"]) == (["en", "zh-Hans"], ["noai"])
    assert not any("map" in str(field.type) for field in file.schema_arrow)


def test_times_that_are_not_known_are_null(pages: list[StoredPage], tmp_path: Path) -> None:
    row = _parquet(written(pages[:1], tmp_path / "p.parquet", Parquet)).read().to_pylist()[0]
    assert (row["changed_at"], row["published"]) == (None, None)


@pytest.mark.parametrize(("ending", "unpacked"), [(".gz", gzip.decompress), (".zst", zstd.decompress)])
@pytest.mark.parametrize("writer", [JsonLines, CommaSeparated])
def test_the_ending_compresses(pages: list[StoredPage], tmp_path: Path, writer: OpenWriter, ending: str, unpacked: Any) -> None:
    plain = written(pages, tmp_path / "p.txt", writer)
    packed = written(pages, tmp_path / f"p.txt{ending}", writer)
    assert len(packed) < len(plain)
    assert unpacked(packed) == plain


@pytest.mark.parametrize(("writer", "name"), [(JsonLines, "p.jsonl"), (JsonLines, "p.jsonl.gz"), (Parquet, "p.parquet")])
def test_several_files_of_a_size(pages: list[StoredPage], tmp_path: Path, writer: OpenWriter, name: str) -> None:
    long = os.urandom(20_000).hex()
    many = [replace(page, url=f"{page.url}{number}", text=long) for number in range(3) for page in pages]
    options = TableOptions(("url", "text"))
    before = tmp_path / shard_name(name, 40)
    before.write_bytes(b"of a former, larger export")
    assert written(many, tmp_path / name, writer, options, 50_000) == b""
    names = sorted(path.name for path in tmp_path.iterdir() if path.is_file())
    if writer is Parquet:  # a row group is the least that it writes
        assert names == [shard_name(name, 0)]
        return
    assert len(names) > 3
    assert names == [shard_name(name, number) for number in range(len(names))]
    assert not before.exists()
    found = [line for each in names for line in _lines(tmp_path / each)]
    assert [json.loads(line)["url"] for line in found] == [page.url for page in many]


def test_names_of_several_files() -> None:
    assert [shard_name(name, 3) for name in ("a.jsonl.gz", "a.b.parquet", "a.csv", "a", "a.tar.zst")] == [
        "a-00003.jsonl.gz", "a.b-00003.parquet", "a-00003.csv", "a-00003", "a.tar-00003.zst",
    ]  # fmt: skip
    assert stem("a.ndjson.zst") == "a"


def test_a_failure_leaves_what_was_there(pages: list[StoredPage], tmp_path: Path) -> None:
    (tmp_path / "p.parquet").write_text("old")

    def broken() -> Any:
        yield from selected(pages)
        raise OSError(28, "No space left on device")

    for writer in (Parquet, JsonLines, CommaSeparated):
        with pytest.raises(OSError, match="No space"), writing(LocalFiles(tmp_path)) as target:
            write_table(broken(), target, "p.parquet", writer, ALL)
        assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["p.parquet"]
    assert (tmp_path / "p.parquet").read_text() == "old"


def _parquet(data: bytes) -> Any:
    pyarrow = pytest.importorskip("pyarrow.parquet", reason="pyarrow is an extra")
    return pyarrow.ParquetFile(io.BytesIO(data))


def _lines(path: Path) -> list[bytes]:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).splitlines()


def _plain(row: Row) -> Row:
    """A row of a Parquet file as it is in JSON."""
    made = dict(row)
    for name, (key, value) in parquet.PAIRS.items():
        made[name] = {each[key]: each[value] for each in row[name]}
    for name in ("fetched_at", "checked_at", "changed_at"):
        made[name] = row[name].isoformat(timespec="milliseconds").replace("+00:00", "Z") if row[name] else ""
    for name in ("published", "modified"):
        made[name] = row[name].isoformat() if row[name] else ""
    return made
