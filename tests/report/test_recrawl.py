"""The closing summary of a run that looked at pages again."""

from __future__ import annotations

import io
import json
from pathlib import Path

from focuscrawl.items import SITEMAP
from focuscrawl.report.revisits.recrawl import Recrawled, as_json, recrawl_table
from focuscrawl.report.summary import summarize
from focuscrawl.report.summary_in_words import in_words
from focuscrawl.report.table import show
from focuscrawl.report.terminal import closing
from focuscrawl.report.translation import Language
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.revisit_rows import Due
from focuscrawl.store.workers.runs import RunRow, is_recrawl
from tests.report import sample

STATS: dict[str, object] = {
    "recrawl/unmodified_count": 900, "recrawl/same_count": 300, "recrawl/minor_count": 4, "recrawl/changed_count": 21,
    "recrawl/new_count": 3, "recrawl/gone_count": 1, "recrawl/suspect_count": 2, "politeness/answer_count/2xx": 1240,
    "politeness/failure_count/timeout": 2, "requests/robots_count": 9, "requests/sitemap_count": 3, "recrawl/outside_count": 6,
}  # fmt: skip


def run_of(stats: dict[str, object], reason: str = "fresh") -> RunRow:
    return RunRow(4, sample.NOW, sample.NOW + 90, reason, {"mode": "recrawl"}, stats, 25, 20, 0, sample.NOW + 80, "")


def text_of(found: Recrawled) -> str:
    out = io.StringIO()
    show([recrawl_table(found)], out)
    return out.getvalue()


def test_the_table_says_what_was_found_and_leaves_out_what_is_rare() -> None:
    text = text_of(Recrawled("news", run_of(STATS), Due(0, sample.NOW + 3600)))
    assert text.splitlines()[:9] == [
        "Recrawl of news",
        "stopped because  nothing is due any more",
        "revisited        1,228 (900 without reading the body)",
        "unchanged        1,200",
        "changed          21 (4 more by a few words)",
        "new              3 (6 more off topic, or copies)",
        "gone             1 (2 more suspected of it)",
        "requests         1,242 (2 failed)",
        "asked for        pages 1,230, robots.txt 9, sitemaps 3",
    ]
    assert "duration         1 min 30 s" in text
    assert "next due         2026-09-21 " in text
    assert "moved" not in text
    assert "still due" not in text
    chinese = recrawl_table(Recrawled("news", run_of(STATS), Due()), Language("zh")).text().splitlines()
    assert chinese[:3] == ["重访 news", "停止原因  没有到期的了", "已重访    1,228（未读取正文 900）"]
    assert "请求用于  页面 1,230，robots.txt 9，站点地图 3" in chinese
    assert chinese[-1] == "下次到期  从不"
    more = STATS | {"recrawl/moved_count": 2, "recrawl/back_count": 1, "recrawl/absent_count": 7, "recrawl/failed_count": 5}
    more |= {"recrawl/left_count": 107, "recrawl/joined_count": 1}
    text = text_of(Recrawled("news", run_of(more, "budget"), Due(1203)))
    for line in (
        "left the collection  107",
        "joined it            1",
        "moved                2",
        "back                 1",
        "still missing        7",
        "not reached          5",
        "still due            1,203",
        "next due             never",
    ):
        assert line in text


def test_the_same_for_programs() -> None:
    values = as_json(Recrawled("news", run_of(STATS), Due(), ["a sentence"]))
    told = [values[name] for name in ("revisited", "unread", "unchanged", "changed", "minor", "new", "suspect", "gone")]
    assert told == [1228, 900, 1200, 21, 4, 3, 2, 1]
    assert (values["requests"], values["errors"], values["alarms"]) == (1242, 2, ["a sentence"])
    assert (values["still_due"], values["next_due"]) == (0, None)
    assert values["requests_for"] == {"pages": 1230, "robots": 9, "sitemaps": 3, "feeds": 0, "probes": 0}
    assert (values["left"], values["joined"]) == (0, 0)
    assert (values["new_outside"], values["still_missing"], values["why"]) == (6, 0, "nothing is due any more")
    json.dumps(values)


def test_a_signal_is_told_in_words_and_requests_for_pages_alone_are_not_split() -> None:
    found = Recrawled("news", run_of({"politeness/answer_count/2xx": 4}, "SIGTERM"), Due())
    assert as_json(found)["why"] == "a signal asked it to end"
    assert "asked for" not in text_of(found)


def recrawled(folder: Path) -> Database:
    """The store of a crawl whose second run was a recrawl."""
    sample.sample_crawl(folder)
    db = open_store(folder)
    sample.insert(
        db, "run", id=2, started_at=sample.NOW + 100, ended_at=sample.NOW + 190, reason="fresh",
        arguments=json.dumps({"mode": "recrawl"}), stats=json.dumps(STATS),
    )  # fmt: skip
    return db


def test_what_is_due_leaves_out_sitemaps_where_recrawls_do_not_read_them(tmp_path: Path) -> None:
    db = recrawled(tmp_path)
    hid, uid = db.execute("select hid, uid from url order by hid, uid limit 1").fetchone()
    db.execute("delete from revisit")
    sample.insert(db, "revisit", hid=hid, uid=uid, kind=SITEMAP, due_at=sample.NOW + 100, signature_digest=b"")
    read = summarize(db, "news", str(tmp_path), sample.NOW + 200)
    off = summarize(db, "news", str(tmp_path), sample.NOW + 200, settings={"RECRAWL_SIGNALS": "False"})
    db.close()
    assert (read.due.still, off.due.still) == (1, 0)


def test_summary_and_report_are_of_the_recrawl(tmp_path: Path) -> None:
    db = recrawled(tmp_path)
    summary = summarize(db, "news", str(tmp_path), sample.NOW + 200)
    before = summarize(db, "news", str(tmp_path), sample.NOW + 200, run=1)
    db.close()
    assert is_recrawl(summary.run)
    assert not is_recrawl(before.run)
    assert not is_recrawl(None)
    assert len(closing(summary)) == 1
    assert len(closing(before)) > 1
    sentence = (
        "In 1 min 30 s it revisited 1,228 pages with 1,242 requests: 21 changed, 3 new, 1 gone, 1,200 the same."
        " Besides: 4 changed by a few words, 2 may be gone."
    )
    assert sentence in in_words(summary)
