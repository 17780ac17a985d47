"""A store of an earlier version is brought up to date when it is opened, once and without loss."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.explain import explain
from focuscrawl.store.fetches import ended
from focuscrawl.store.schema import VERSION
from focuscrawl.store.sqlite import connect
from tests.report import sample


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A store as version 1 had it."""
    sample.sample_crawl(tmp_path)
    path = tmp_path / "store.sqlite"
    db = sqlite3.connect(path)
    for statement in (
        "drop table fetch", "drop table verdict", "alter table url drop column reason", "alter table run drop column why",
        "alter table page drop column cosine",
        "update meta set v='1' where k='version'",
    ):  # fmt: skip
        db.execute(statement)
    db.commit()
    db.close()
    return path


@pytest.mark.parametrize("read_only", [False, True])
def test_an_old_store_goes_on(old: Path, read_only: bool) -> None:
    db = connect(old, read_only=read_only)
    assert db.execute("select v from meta where k='version'").fetchone() == (str(VERSION),)
    facts = explain(db, sample.WAITING)
    assert facts.entry is not None
    assert facts.entry.reason == ()
    fetched, last = ended(db, 0, 99, 10)
    assert [one.page().url for one in fetched] == [url for url, *_ in sample.PAGES]
    assert last == len(sample.PAGES)
    verdicts = [one.page().verdict for one in fetched]
    assert all(verdict is not None and verdict.similarity == verdict.score for verdict in verdicts)
    assert [link.url for link in fetched[0].page().links] == [link.url for link in sample.LINKS]
    db.close()
    fresh = connect(old.parent / "fresh.sqlite")
    again = connect(old)
    tables = "select name from sqlite_master where type='table' order by name"
    assert again.execute(tables).fetchall() == fresh.execute(tables).fetchall()
    for table in ("url", "run", "page", "fetch", "verdict"):
        columns = f"select name, type from pragma_table_info('{table}') order by name"
        assert again.execute(columns).fetchall() == fresh.execute(columns).fetchall()
    again.close()
    fresh.close()


def test_other_versions_are_refused(old: Path) -> None:
    with sqlite3.connect(old) as db:
        db.execute("update meta set v='0'")
    db.close()
    with pytest.raises(BadInput, match="store version 0"):
        connect(old)
