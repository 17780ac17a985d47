"""The log of fetches is read from where one left off, however long it is."""

from __future__ import annotations

from pathlib import Path

from focuscrawl.store.pages import fetch_log
from tests.report.sample import empty_crawl


def test_reading_on_does_not_begin_at_the_start_of_the_log(tmp_path: Path) -> None:
    db = empty_crawl(tmp_path / "web")
    query = fetch_log.ENDED.format(behind=fetch_log.BEHIND_IN_ORDER)
    [plan] = [row[3] for row in db.execute(f"explain query plan {query}", (7, 0, 20)) if "fetch_tx" in row[3]]
    assert "tx=? AND id>?" in plan.replace("rowid", "id")
    db.close()
