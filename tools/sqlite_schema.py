"""The statements that make an empty store on SQLite, written from the tables of `focuscrawl.store.engines.schema`.

Run: `python -m tools.sqlite_schema`, whenever a table has changed.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from sqlalchemy.dialects import sqlite

from focuscrawl.store.engines.schema import creation

FILE = Path(__file__).parents[1] / "focuscrawl/store/engines/schema.sql"


def written() -> str:
    """The file as it should be: a blank line between two statements."""
    return ";\n\n".join(_tidy(statement) for statement in creation(sqlite.dialect())) + ";\n"


def _tidy(statement: str) -> str:
    """Without blanks at the ends of lines."""
    return "\n".join(line.rstrip() for line in statement.strip().splitlines())


def main() -> None:
    FILE.write_text(written(), "utf-8")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
