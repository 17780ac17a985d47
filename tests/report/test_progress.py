"""The URLs known and the pages a minute, over a crawl."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.report.charts.progress import STRETCHES, draw_known, draw_pace, progress
from focuscrawl.store.workers.runs import RunRow
from focuscrawl.url.hosts import uid_of
from tests.report import sample
from tests.report.logged import run_that_stored


def test_urls_are_known_from_the_first_page_that_links_to_them(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    for url, page_id in ((sample.WAITING, 3), (sample.WAITING_LOW, 3), (sample.FAILED, 4), (sample.REFUSED, 2)):
        sample.insert(db, "inlink", hid=sample.hid(url), uid=uid_of(url), page_id=page_id)
    run = run_that_stored(db, {2: 2, 3: 3, 4: 4}, sample.NOW)
    run_that_stored(db, {9: 900}, sample.NOW)  # its pages are those of another run
    db.execute("update fetches set (hid, uid)=(select hid, uid from page where page.page_id=fetches.page_id) where page_id<9")
    sample.insert(
        db, "fetches", worker=run.id, hid=sample.hid(sample.FAILED), uid=uid_of(sample.FAILED), page_id=0, at=sample.NOW + 3.5,
        status=404, priority=0.5, depth=0, distance=0, tries=0, hops=0, kind=0, parent=0,
    )  # fmt: skip
    db.execute("update page set fetched_at=fetched_at+9999 where page_id=2")  # a recrawl has read it again
    found = progress(db, run)
    db.close()
    assert found is not None
    assert found.known == [7, 7, 8, 9]  # a link that was refused is no URL of the frontier
    assert found.waiting == [6, 5, 5, 4]  # less one that robots.txt forbids, and what the log says was fetched by then
    assert (sum(found.stored), found.stored[0], found.stored[-1], len(found.stored)) == (3, 1, 1, STRETCHES)
    assert found.seconds == pytest.approx(2)
    assert found.pause == 1
    bars = draw_pace(found).bars
    assert [bar.rate for bar in bars if bar.height] == [pytest.approx(60 * STRETCHES / 2)] * 3
    assert draw_known(found).known.split()[-1] == f"{draw_known(found).frame.right:.1f},{draw_known(found).frame.top:.1f}"


def test_the_pace_of_a_recrawl_is_that_of_the_pages_it_read(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    run = RunRow(2, sample.NOW + 2, sample.NOW + 3.5, "fresh", {"mode": "recrawl"}, {}, 0, 0, 0, None)
    found = progress(db, run)
    db.close()
    assert found is not None
    assert sum(found.stored) == 2


def test_a_run_of_one_page_has_no_pace(tmp_path: Path) -> None:
    db = sample.empty_crawl(tmp_path)
    assert progress(db, None) is None
    sample.add_page(db, 1, "http://a.example/", "T", 1.0, 1, 0, None, "en", at=sample.NOW)
    found = progress(db, run_that_stored(db, {1: 1}, sample.NOW))
    db.close()
    assert found is not None
    assert (found.known, found.waiting, list(found.stored)) == ([1], [1], [])  # the log names no URL of it
