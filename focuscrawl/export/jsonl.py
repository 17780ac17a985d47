"""Writes JSON lines: one object per row, in UTF-8."""

from __future__ import annotations

from typing import BinaryIO

import orjson

from focuscrawl.export.formats import BOM, TableOptions
from focuscrawl.export.rows import Row


class JsonLines:
    def __init__(self, out: BinaryIO, options: TableOptions) -> None:
        self._out = out
        out.write(BOM if options.bom else b"")

    def write(self, row: Row) -> None:
        self._out.write(orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE))

    def close(self) -> None:
        """There is nothing at the end."""
