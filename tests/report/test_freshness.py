"""The chapter on freshness."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.recrawl.state import DAY, RevisitRecord
from focuscrawl.report import html
from focuscrawl.report.revisits.freshness import (
    AHEAD,
    ChangedDay,
    CollectionFreshness,
    DueDay,
    draw_due,
    freshness,
    in_words,
    site_cells,
    site_json,
)
from focuscrawl.report.summary import summarize
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.store.revisits.site_rates import SiteRates
from tests.report import sample

FOUND = CollectionFreshness(
    9, 2, 3, [DueDay(sample.NOW + at * DAY, int(at == 2) * 4) for at in range(AHEAD)],
    [ChangedDay(sample.NOW - DAY, {"new": 3, "gone": 1}), ChangedDay(sample.NOW, {"new": 1})],
)  # fmt: skip


def test_what_is_due_and_what_was_seen_in_a_sentence() -> None:
    assert in_words(FOUND) == (
        "9 URLs are revisited: 2 due now, 4 in the next 14 days, 3 later. Seen in the last 28 days: 4 new, 1 gone."
    )


def test_each_day_ahead_has_its_bar() -> None:
    axes, bars = draw_due(FOUND)
    assert len(bars) == AHEAD
    assert [bar.height for bar in bars if bar.height] == [pytest.approx(axes.bottom - axes.top)]
    assert bars[2].title == "2026-09-23: 4"
    assert bars[-1].left + bars[-1].width <= axes.right


def test_a_store_knows_what_is_due(tmp_path: Path) -> None:
    sample.sample_crawl(tmp_path)
    db = sample.empty_crawl(tmp_path)
    due = (sample.NOW - 1, sample.NOW + 3 * DAY, sample.NOW + 90 * DAY)
    hid = sample.hid(sample.SEED)
    write_revisits(db, [RevisitRecord(hid=hid, uid=uid, due_at=at) for uid, at in enumerate(due, 1)])
    found = freshness(db, sample.NOW, sites=True)
    page = html.render(summarize(db, "c", str(tmp_path), sample.NOW), language="zh")
    db.close()
    assert (found.all, found.due, found.soon, found.later) == (3, 1, 1, 1)
    assert found.sites == []  # nothing was revisited yet
    assert "定期重访 3 个网址：现已到期 1，14 日内到期 1，更晚 1。" in page


def test_a_chinese_site_is_shown_in_characters_and_told_to_programs_as_it_is_sent() -> None:
    row = SiteRates("xn--fsq.test", 1, 0.1, 0.2, 0.3, 2, 1, DAY, 0)
    assert site_cells(row)[0] == "例.test"
    assert site_json(row)["site"] == "xn--fsq.test"
