"""Pages as flat records for other programs: one row function for the store and for Scrapy's feeds, three formats.

All formats are written as a stream. Texts are UTF-8, times ISO 8601 in UTC, hashes hexadecimal.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.url.hosts import host_name, registered_domain

if TYPE_CHECKING:
    from focuscrawl.items import Page
    from focuscrawl.store.pages.stored import StoredPage

Row = dict[str, Any]
"""Values are str, int, float, bool or, for `terms` and `topics`, a mapping of term to share or of topic to score."""

FIELDS: dict[str, type] = {
    "url": str,
    "status": int,
    "title": str,
    "text": str,
    "language": str,
    "fetched_at": str,
    "relevance": float,
    "relevant": bool,
    "depth": int,
    "parent": str,
    "duplicate_of": str,
    "similarity": float,
    "simhash": str,
    "digest": str,
    "summary": str,
    "description": str,
    "keywords": str,
    "kind": str,
    "charset": str,
    "threshold": float,
    "terms": dict,
    "site": str,
    "noindex": bool,
    "topics": dict,
    "gone": bool,
    "changed_at": str,
    "checked_at": str,
}
"""Names of a row's values in their order, with their types."""

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""A cell that begins so is run as a formula by spreadsheets (OWASP, "CSV injection")."""
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Left out of CSV, which people read in terminals and spreadsheets: escape sequences among them."""
ROW_GROUP = 1000
"""Rows of a Parquet row group: what is held in memory."""


def row(page: Page, parent: str = "", duplicate_of: str = "") -> Row:
    """The record of a page just fetched. `parent`: URL of the page that led here, by default the lease's."""
    verdict, fingerprint, twin = page.verdict, page.fingerprint, page.duplicate
    return {
        "url": page.url,
        "status": page.status,
        "title": page.title,
        "text": page.text,
        "language": page.language,
        "fetched_at": iso_time(page.fetched_at),
        "relevance": verdict.relevance if verdict else 0.0,
        "relevant": bool(verdict and verdict.relevant),
        "depth": page.lease.depth,
        "parent": parent or page.lease.parent,
        "duplicate_of": duplicate_of or (twin.url if twin else ""),
        "similarity": twin.similarity if twin else 0.0,
        "simhash": f"{fingerprint.simhash:016x}",
        "digest": fingerprint.digest.hex(),
        "summary": page.summary,
        "description": page.description,
        "keywords": page.keywords,
        "kind": page.kind,
        "charset": page.charset,
        "threshold": verdict.threshold if verdict else 0.0,
        "terms": dict(verdict.terms) if verdict else {},
        "site": registered_domain(host_name(page.url)),
        "noindex": page.noindex,
        "topics": {name: found.relevance for name, found in page.verdicts.items() if found.relevant},
        "gone": False,
        "changed_at": "",
        "checked_at": iso_time(page.fetched_at),
    }


def stored_row(page: StoredPage) -> Row:
    """The same record of a page of the store."""
    values: Row = {name: getattr(page, name) for name in FIELDS}
    values["fetched_at"] = iso_time(page.fetched_at)
    values["changed_at"] = iso_time(page.changed_at) if page.changed_at else ""
    values["checked_at"] = iso_time(page.checked_at)
    values["simhash"] = f"{page.simhash:016x}"
    values["digest"] = page.digest.hex()
    values["terms"] = dict(page.terms)
    values["topics"] = dict(page.topics)
    return values


def iso_time(seconds: float) -> str:
    """Epoch seconds as `2026-01-31T23:59:59.123Z`."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def write_jsonl(rows: Iterable[Row], out: BinaryIO, bom: bool = False) -> int:
    """One JSON object a line. Returns the number of rows, as all writers do."""
    count = 0
    out.write(b"\xef\xbb\xbf" if bom else b"")
    for values in rows:
        out.write(orjson.dumps(values, option=orjson.OPT_APPEND_NEWLINE))
        count += 1
    return count


def write_csv(rows: Iterable[Row], out: BinaryIO, bom: bool = False) -> int:
    """RFC 4180 with a header; terms and topics as JSON. `bom` lets Excel see that it is UTF-8."""
    writer = csv.writer(_Utf8(out))
    count = 0
    out.write(b"\xef\xbb\xbf" if bom else b"")
    writer.writerow(FIELDS)
    for values in rows:
        writer.writerow([cell(values[name]) for name in FIELDS])
        count += 1
    return count


class _Utf8:
    """What the csv module writes to: text in, bytes out."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(text.encode("utf-8", "replace"))


def cell(value: object) -> object:
    """A CSV cell: without control characters, and text that a spreadsheet would run gets an apostrophe in front."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict):
        return orjson.dumps(value).decode()
    if isinstance(value, str):
        value = CONTROLS.sub("", value)
        return "'" + value if value.startswith(FORMULA_STARTS) else value
    return value


def write_parquet(rows: Iterable[Row], out: BinaryIO, bom: bool = False) -> int:
    """Parquet by pyarrow, row group after row group. Raises BadInput when pyarrow is not installed."""
    arrow, parquet = _pyarrow()
    types = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    types[dict] = arrow.map_(arrow.string(), arrow.float64())
    schema = arrow.schema([(name, types[kind]) for name, kind in FIELDS.items()])
    count, group = 0, []
    with parquet.ParquetWriter(out, schema, compression="zstd") as writer:
        for values in rows:
            maps = {name: list(values[name].items()) for name, kind in FIELDS.items() if kind is dict}
            group.append({**values, **maps})
            count += 1
            if len(group) == ROW_GROUP:
                writer.write_table(arrow.Table.from_pylist(group, schema=schema))
                group.clear()
        if group:
            writer.write_table(arrow.Table.from_pylist(group, schema=schema))
    return count


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow, which is not installed: make setup EXTRAS=parquet") from None
    return pyarrow, pyarrow.parquet


WRITERS: dict[str, Callable[[Iterable[Row], BinaryIO, bool], int]] = {
    "jsonl": write_jsonl,
    "csv": write_csv,
    "parquet": write_parquet,
}


def check_format(name: str) -> None:
    """Raises BadInput when the format cannot be written here."""
    if name not in WRITERS:
        raise BadInput(f"unknown format {name!r}: use one of {', '.join(WRITERS)}")
    if name == "parquet":
        _pyarrow()
