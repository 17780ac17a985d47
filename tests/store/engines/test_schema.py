"""The statements for SQLite are written down, so that a crawl need not load what makes them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy.dialects import sqlite

from focuscrawl.store.engines.schema import creation
from tools.sqlite_schema import FILE, written

MAKES_A_STORE = """import sys; from pathlib import Path; from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
open_store(Path(sys.argv[1]), name="sky", create=True).close()
print("sqlalchemy" in sys.modules)"""


def test_the_file_is_what_the_tables_say() -> None:
    assert FILE.read_text("utf-8") == written(), "python -m tools.sqlite_schema"


def test_both_ways_make_the_same_tables() -> None:
    made = []
    for statements in (list(creation(sqlite.dialect())), FILE.read_text("utf-8").split(";\n\n")):
        db = sqlite3.connect(":memory:")
        for statement in statements:
            db.execute(statement)
        names = [name for (name,) in db.execute("select name from sqlite_master order by name")]
        made.append([(name, db.execute(f"pragma table_xinfo({name!r})").fetchall()) for name in names])
        db.close()
    assert made[0] == made[1]


@pytest.mark.system
def test_a_new_store_needs_no_sqlalchemy(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", MAKES_A_STORE, str(tmp_path)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
