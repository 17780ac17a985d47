"""Pages as flat records for other programs: one row function for the store and for Scrapy's feeds, three formats.

All formats are written as a stream. Texts are UTF-8, times ISO 8601 in UTC, hashes hexadecimal.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, BinaryIO, get_type_hints

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.store.engines.records import iso_time
from focuscrawl.store.pages.stored import StoredPage, fetched_page

if TYPE_CHECKING:
    from focuscrawl.items import Page

Row = dict[str, Any]
"""Values are str, int, float, bool, a list of names, or a mapping of name to number (`terms`, `topics`, `signals`)."""

RENDERED: dict[str, tuple[type, Callable[[Any], Any]]] = {
    "simhash": (str, "{:016x}".format),
    "digest": (str, bytes.hex),
    "languages": (list, list),
    "reserved": (list, list),
    "signals": (dict, dict),
    "terms": (dict, dict),
    "topics": (dict, dict),
    "fetched_at": (str, iso_time),
    "checked_at": (str, iso_time),
    "changed_at": (str, lambda seconds: iso_time(seconds) if seconds else ""),
}
"""Fields of `StoredPage` that are exported in another form: its type, and the function that makes it."""
INTERNAL = ("page_id", "run", "outline")
"""Fields of `StoredPage` that mean nothing outside of the store."""
FIELDS: dict[str, type] = {
    name: RENDERED[name][0] if name in RENDERED else kind
    for name, kind in get_type_hints(StoredPage).items()
    if name not in INTERNAL
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
    return stored_row(fetched_page(page, parent, duplicate_of))


def stored_row(page: StoredPage) -> Row:
    """The same record of a page of the store."""
    values: Row = {name: getattr(page, name) for name in FIELDS}
    for name, (_, rendered) in RENDERED.items():
        values[name] = rendered(values[name])
    return values


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
    if isinstance(value, dict | list):
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
    types[list] = arrow.list_(arrow.string())
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
