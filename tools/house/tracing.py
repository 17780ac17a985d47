"""Runs inside a checkout, by itself: `python tracing.py CHECKOUT REPORT SCRAPY-ARGUMENTS`. Imports nothing beside it.

Counts the calls into the product between the commits of two pages and writes them as JSON lines to REPORT. A page's commit is a
transaction of SQLite that inserted into the table `page`, so that nothing of the checkout needs to be known by name.
"""

from __future__ import annotations

import argparse
import json
import re
import sqlite3
import sys
import threading
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, TextIO

STORES_A_PAGE = re.compile(r"\s*insert\b[^(]*\binto\s+\"?page\"?\s*\(", re.IGNORECASE)
COMMITS = re.compile(r"\s*(commit|end)\b", re.IGNORECASE)
NOT_PRODUCT = {"tests", "tools", "synthweb", ".venv"}


class Tracer:
    """Sees every call in every thread, and every statement of every connection to SQLite."""

    def __init__(self, root: Path, report: TextIO) -> None:
        self._root = root
        self._report = report
        self._homes: dict[int, tuple[str, CodeType]] = {}
        """The module of each piece of code by its id, for code that is alike in two files is equal; the code is kept alive."""
        self._last: dict[int, str] = {}
        """The module that each thread was in."""
        self._page_stored = False
        self._reset()

    def _reset(self) -> None:
        self._modules: set[str] = set()
        self._functions: set[int] = set()
        self._changes = 0
        self._pairs: set[tuple[str, str]] = set()

    def home(self, code: CodeType) -> str:
        """The path of the code's module below the checkout; empty if it is not of the product."""
        known = self._homes.get(id(code))
        if known is None:
            path = Path(code.co_filename)
            parts = path.relative_to(self._root).parts if path.is_relative_to(self._root) else (".venv",)
            known = self._homes[id(code)] = ("" if NOT_PRODUCT.intersection(parts) else "/".join(parts), code)
        return known[0]

    def called(self, frame: FrameType, event: str, _: Any) -> None:
        """The profile function. Comprehensions and lambdas belong to the function that they stand in."""
        code = frame.f_code
        if event != "call" or not (home := self.home(code)):
            return
        self._modules.add(home)
        if not code.co_name.startswith("<"):
            self._functions.add(id(code))
        thread = threading.get_ident()
        last = self._last.get(thread, "")
        if last != home:
            self._last[thread] = home
            self._changes += 1
            self._pairs.add((last, home))

    def executed(self, statement: str) -> None:
        """One statement of SQL, before it runs."""
        if STORES_A_PAGE.match(statement):
            self._page_stored = True
        elif self._page_stored and COMMITS.match(statement):
            self._page_stored = False
            counted = {"modules": len(self._modules), "functions": len(self._functions)}
            counted |= {"changes": self._changes, "pairs": len(self._pairs)}
            self._report.write(json.dumps(counted) + "\n")
            self._report.flush()
            self._reset()

    def install(self) -> None:
        """Before the product is imported."""
        connect = sqlite3.connect

        def traced(*args: Any, **options: Any) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*args, **options)
            connection.set_trace_callback(self.executed)
            return connection

        sqlite3.connect = traced  # type: ignore[assignment]
        threading.setprofile(self.called)
        sys.setprofile(self.called)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", metavar="CHECKOUT")
    parser.add_argument("report", metavar="REPORT")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="SCRAPY-ARGUMENTS")
    given = parser.parse_args()
    root, report, arguments = given.root, given.report, given.arguments
    sys.path[0] = root
    with Path(report).open("w", encoding="utf-8") as file:
        Tracer(Path(root).resolve(), file).install()
        from scrapy.cmdline import execute

        execute(["scrapy", *arguments])


if __name__ == "__main__":
    main()
