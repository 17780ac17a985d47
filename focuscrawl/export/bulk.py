"""Writes the input of the `_bulk` API of OpenSearch and Elasticsearch: actions and documents in turn, each on its own line.

Documents have an `id`, which Meilisearch also accepts as primary key, and no empty fields. The mapping, which is the body of
the request that makes the index, covers every column. Chinese is cut into pairs of characters by the analyzer `cjk`, which both
engines include.
"""

from __future__ import annotations

from typing import Any, BinaryIO

import orjson

from focuscrawl.export.formats import TableOptions
from focuscrawl.export.parquet import PAIRS
from focuscrawl.export.rows import CHANGE, DAYS, TIMES, Row, row_id, type_of
from focuscrawl.export.selection import GONE

TEXTS = ("title", "text", "markdown", "summary", "description", "keywords")
"""Columns that are searched by words."""
NUMBERS = {int: "long", float: "double", bool: "boolean"}
LONGEST_KEYWORD = 8191
"""Most characters of a value that is found as a whole. Lucene accepts 32 766 bytes, and UTF-8 has up to 4 bytes a character."""
CHINESE = (
    "analyzer cjk is built into OpenSearch and Elasticsearch: pairs of Han characters. For words, install the plugin "
    "analysis-smartcn or analysis-ik, and put smartcn or ik_max_word in its place before the index is made."
)


class Bulk:
    def __init__(self, out: BinaryIO, options: TableOptions) -> None:
        self._out = out

    def write(self, row: Row) -> None:
        key = row_id(row["url"])
        if row.get(CHANGE) == GONE:
            self._line({"delete": {"_id": key}})
            return
        self._line({"index": {"_id": key}})
        self._line({"id": key, **document(row)})

    def close(self) -> None:
        """There is nothing at the end."""

    def _line(self, value: dict[str, Any]) -> None:
        self._out.write(orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE))


def document(row: Row) -> Row:
    """A row as a document, with mappings as lists of pairs, because each of their keys would become a field of the index."""
    fields: Row = {}
    for name, value in row.items():
        if name in PAIRS:
            key, number = PAIRS[name]
            value = [{key: each, number: of} for each, of in value.items()]
        if value not in ("", []) and name not in ("id", CHANGE):
            fields[name] = value
    return fields


def mapping(options: TableOptions) -> bytes:
    """The body of the request that makes the index (`PUT /INDEX`), as indented JSON."""
    fields = {"id": _keyword(), **{name: _field(name) for name in options.columns if name not in ("id", CHANGE)}}
    body = {"mappings": {"_meta": {"chinese": CHINESE}, "dynamic": False, "properties": fields}}
    return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _field(name: str) -> dict[str, Any]:
    if name in TEXTS:
        return {"type": "text", "analyzer": "cjk", "fields": {"english": {"type": "text", "analyzer": "english"}}}
    if name in TIMES or name in DAYS:
        return {"type": "date", "format": "strict_date_optional_time"}
    if name in PAIRS:
        key, number = PAIRS[name]
        return {"properties": {key: _keyword(), number: {"type": "double"}}}
    return {"type": NUMBERS[type_of(name)]} if type_of(name) in NUMBERS else _keyword()


def _keyword() -> dict[str, Any]:
    return {"type": "keyword", "ignore_above": LONGEST_KEYWORD}
