"""A run beside the one before."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.report import html
from focuscrawl.report.run_before import draw_beside, run_before, run_starts, sentence
from focuscrawl.report.summary import summarize
from focuscrawl.report.summary_in_words import in_words
from focuscrawl.report.terminal import closing
from focuscrawl.report.translation import Language
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import all_runs
from tests.report import sample
from tests.report.logged import run_that_stored

RECRAWL = {"mode": "recrawl"}
LATER = sample.NOW + 86_400


@pytest.fixture
def db(tmp_path: Path) -> Database:
    """A first run of four pages, of which the first three are relevant; a second of three, of which the first is."""
    db = sample.empty_crawl(tmp_path)
    for page_id, relevant in enumerate((1, 1, 1, 0, 1, 0, 0), 1):
        sample.add_page(db, page_id, f"http://a.example/{page_id}", "T", 0.5, relevant, 0, None, "en", at=LATER)
    run_that_stored(db, {1: 1, 2: 2, 3: 3, 4: 4}, sample.NOW)
    run_that_stored(db, {5: 1, 6: 2, 7: 3}, LATER)
    return db


def test_runs_are_compared_over_as_many_pages(db: Database) -> None:
    runs = all_runs(db)
    found = run_before(db, runs, runs[1])
    assert found is not None
    assert (found.found, found.found_before) == ((True, False, False), (True, True, True, False))
    assert sentence(found) == (
        "Among its first 3 pages this run found 1 relevant (33 %); the run before, of 2026-09-21, had found 3 (100 %)."
    )
    drawing = draw_beside(found)
    assert drawing is not None
    assert drawing.this.split()[-1].partition(",")[0] < drawing.before.split()[-1].partition(",")[0]  # three pages, and four
    assert drawing.before.split()[-1].endswith(f",{drawing.frame.y(0.75):.1f}")
    assert run_starts(db) == [(4, 2)]
    assert run_before(db, runs, runs[0]) is None


def test_the_report_tells_what_was_different_last_time(db: Database, tmp_path: Path) -> None:
    summary = summarize(db, "c", str(tmp_path), LATER + 60)
    assert sentence(summary.before) in in_words(summary)  # type: ignore[arg-type]
    assert sentence(summary.before) in closing(summary)  # type: ignore[arg-type]
    page = html.render(summary, language="zh")
    assert "与上次运行对比" in page
    assert "本次运行在前 3 页中发现 1 个相关页面（33 %）" in page
    first = html.render(summarize(db, "c", str(tmp_path), LATER + 60, run=1))
    assert "Beside the last run" not in first


def test_a_run_at_work_is_another_workers_and_one_that_crashed_is_not(db: Database) -> None:
    this = run_that_stored(db, {}, LATER + 99)
    for beat_at, expected in ((LATER + 120, 1), (LATER + 60, 2)):
        db.execute("update run set ended_at=null, reason=null where id=2")
        db.execute("update worker set beat_at=? where run=2", (beat_at,))
        found = run_before(db, all_runs(db), this)
        assert found is not None
        assert found.run.id == expected


def test_a_run_that_stored_nothing_is_compared_in_words_alone(db: Database) -> None:
    this = run_that_stored(db, {}, LATER + 99)
    found = run_before(db, all_runs(db), this)
    assert found is not None
    assert sentence(found) == "The run before, of 2026-09-22, stored 3 pages; this one stored none."
    assert draw_beside(found) is None


def test_a_recrawl_is_compared_with_the_last_recrawl(db: Database, tmp_path: Path) -> None:
    stats = {"recrawl/same_count": 6, "recrawl/changed_count": 1}
    first = run_that_stored(db, {}, LATER + 100, arguments=RECRAWL, stats=stats)
    second = run_that_stored(db, {}, LATER + 200, arguments=RECRAWL, stats={"recrawl/same_count": 7})
    runs = all_runs(db)
    assert run_before(db, runs, first) is None
    found = run_before(db, runs, second)
    assert found is not None
    told = sentence(found)
    assert told in closing(summarize(db, "c", str(tmp_path), LATER + 300))
    assert told == "The recrawl before, of 2026-09-22, revisited 7 pages: 1 changed, 0 new, 0 gone, 6 the same."
    assert Language("zh").translated(told) == "上次重访（2026-09-22）重访了 7 页：变化 1，新增 0，消失 0，未变 6。"
    assert draw_beside(found) is None


def test_pages_that_are_gone_are_told_apart(db: Database, tmp_path: Path) -> None:
    db.execute("update page set gone=2 where page_id in (1, 4)")
    words = in_words(summarize(db, "c", str(tmp_path), LATER + 60))
    assert "2 more were stored and are gone since (1 relevant); curves count them, totals do not." in words
