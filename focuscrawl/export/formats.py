"""A format takes rows one after the other and writes them as a stream: the protocol, JSON lines, and CSV (RFC 4180)."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import Any, BinaryIO, NamedTuple, Protocol

import orjson

from focuscrawl.export.rows import Row

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""Spreadsheets run a cell that begins like this as a formula (OWASP, "CSV injection")."""
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Left out, because people read these files in terminals and spreadsheets, and escape sequences begin with one of them."""


class RowWriter(Protocol):
    """Writes one file, which its caller opens and closes."""

    def write(self, row: Row) -> None: ...

    def close(self) -> None:
        """Write the end of the file."""


class TableOptions(NamedTuple):
    """How rows become a file."""

    columns: Sequence[str]
    bom: bool = False
    """Whether the file begins with a byte order mark, for Excel."""


OpenWriter = Callable[[BinaryIO, TableOptions], RowWriter]

BOM = b"\xef\xbb\xbf"


def pyarrow() -> tuple[Any, Any]:
    """The modules pyarrow and pyarrow.parquet. Raises BadInput if they are not installed."""
    from focuscrawl.errors import BadInput

    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow, which is not installed: make setup EXTRAS=parquet") from None
    return pyarrow, pyarrow.parquet


class JsonLines:
    def __init__(self, out: BinaryIO, options: TableOptions) -> None:
        self._out = out

    def write(self, row: Row) -> None:
        self._out.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))

    def close(self) -> None:
        """There is nothing at the end."""


class CommaSeparated:
    def __init__(self, out: BinaryIO, options: TableOptions) -> None:
        self._columns = options.columns
        self._rows = csv.writer(_Utf8(out))
        out.write(BOM if options.bom else b"")
        self._rows.writerow(self._columns)

    def write(self, row: Row) -> None:
        self._rows.writerow([cell(row[name]) for name in self._columns])

    def close(self) -> None:
        """There is nothing at the end."""


class _Utf8:
    """The file that the csv module writes to: text in, bytes out."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(text.encode("utf-8", "replace"))


def cell(value: object) -> object:
    """A CSV cell without control characters. Text that a spreadsheet would run gets an apostrophe in front."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, dict | list):
        return orjson.dumps(value).decode()
    if isinstance(value, str):
        value = CONTROLS.sub("", value)
        return "'" + value if value.startswith(FORMULA_STARTS) else value
    return value
