"""Writes CSV (RFC 4180) with a header, for spreadsheets and other readers of tables. Lists and mappings are JSON."""

from __future__ import annotations

import csv
import re
from typing import BinaryIO

import orjson

from focuscrawl.export.formats import BOM, TableOptions
from focuscrawl.export.rows import Row

FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
"""Spreadsheets run a cell that begins like this as a formula (OWASP, "CSV injection")."""
CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
"""Left out, because people read these files in terminals and spreadsheets, and escape sequences begin with one of them."""


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
