"""Writes Parquet by pyarrow, row group after row group.

It uses only types that every reader knows: instead of maps, which Hugging Face `datasets` cannot read, lists of (name, value).
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, BinaryIO

from focuscrawl.export.formats import TableOptions, pyarrow
from focuscrawl.export.rows import DAYS, TIMES, Row, type_of

ROW_GROUP = 1000
"""Most rows of a row group, which are held in memory …"""
GROUP_CHARACTERS = 16 << 20
"""… and the characters of text after which a row group ends before that."""
PAIRS = {"terms": ("term", "share"), "topics": ("topic", "relevance"), "signals": ("name", "value")}
"""For columns that are mappings from a name to a number, what the name and the number are called."""


class Parquet:
    def __init__(self, out: BinaryIO, options: TableOptions) -> None:
        """Raises BadInput if pyarrow is not installed."""
        self._arrow, parquet = pyarrow()
        self._columns = options.columns
        self._schema = schema(self._arrow, options)
        self._file = parquet.ParquetWriter(out, self._schema, compression="zstd")
        self._group: list[Row] = []
        self._characters = 0

    def write(self, row: Row) -> None:
        self._group.append({name: _value(name, row[name]) for name in self._columns})
        self._characters += sum(len(value) for value in row.values() if isinstance(value, str))
        if len(self._group) >= ROW_GROUP or self._characters >= GROUP_CHARACTERS:
            self._flush()

    def close(self) -> None:
        self._flush()
        self._file.close()

    def _flush(self) -> None:
        if self._group:
            self._file.write_table(self._arrow.Table.from_pylist(self._group, schema=self._schema))
        self._group, self._characters = [], 0


def schema(arrow: Any, options: TableOptions) -> Any:
    """The Arrow schema of the columns. `arrow`: the module pyarrow."""
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    plain[list] = arrow.list_(arrow.string())

    def of(name: str) -> Any:
        if name in TIMES:
            return arrow.timestamp("ms", "UTC")
        if name in DAYS:
            return arrow.date32()
        if name in PAIRS:
            key, value = PAIRS[name]
            return arrow.list_(arrow.struct([(key, arrow.string()), (value, arrow.float64())]))
        return plain[type_of(name)]

    return arrow.schema([(name, of(name)) for name in options.columns])


def _value(name: str, value: Any) -> Any:
    if name in TIMES:
        return datetime.fromisoformat(value) if value else None
    if name in DAYS:
        return date.fromisoformat(f"{value}-01-01"[:10]) if value else None  # documents may say a year or a month only
    if name in PAIRS:
        key, number = PAIRS[name]
        return [{key: each, number: of} for each, of in value.items()]
    return value
