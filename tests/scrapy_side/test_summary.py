from __future__ import annotations

import io
import logging
import os
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy import signals
from scrapy.exceptions import NotConfigured
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from focuscrawl.scrapy_side.compat import LeanStats
from focuscrawl.scrapy_side.crawl_runner import changed_settings
from focuscrawl.scrapy_side.summary import ClosingSummary, LogCountToTheEnd
from focuscrawl.store.crawls import Crawl, open_store
from tests.report.sample import change, sample_crawl


def crawl_in(
    directory: Path, waits: bool = False, settings: dict[str, str] | None = None, reason: str = "max_pages", why: str = "",
    errors: int = 0,
) -> Any:  # fmt: skip
    store, stopping = SimpleNamespace(gone=False, waits=waits), SimpleNamespace(reason=reason, why=why)
    stats = {"log_count/ERROR": errors} if errors else {}
    return SimpleNamespace(
        name="demo", directory=directory, run=1, stopping=stopping, store=store, stored_crawl=Crawl("demo", directory),
        is_open=True, settings=settings or {}, runner=SimpleNamespace(figures=lambda: stats),
    )  # fmt: skip


def test_the_end_of_a_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path)
    ClosingSummary(crawl_in(tmp_path, settings={"POLITENESS_DELAY": "0"})).engine_stopped()
    said = capsys.readouterr()
    assert said.out == ""
    assert "the wanted number of pages was reached" in said.err
    assert said.err.rstrip().endswith(str(tmp_path / "report.html"))
    assert "POLITENESS_DELAY" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_a_summary_that_nobody_reads_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sample_crawl(tmp_path)
    read, write = os.pipe()
    os.close(read)
    with open(write, "wb", buffering=0) as pipe, io.TextIOWrapper(pipe, write_through=True) as closed:
        monkeypatch.setattr("sys.stderr", closed)
        ClosingSummary(crawl_in(tmp_path)).engine_stopped()
    assert (tmp_path / "report.html").exists()


def test_a_run_whose_end_could_not_be_written_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path)
    change(tmp_path, "update run set reason=null, ended_at=null")
    ClosingSummary(crawl_in(tmp_path, reason="failure", why="the store cannot be written")).engine_stopped()
    assert "stopped because  the store cannot be written\n" in capsys.readouterr().err
    assert "The run stopped: the store cannot be written." in (tmp_path / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("mode", "report"), [("crawl", "report.html"), ("recrawl", "recrawl.html")])
@pytest.mark.parametrize(("errors", "settings", "language", "told"), [
    (1, {}, "en", "1 error is in the log."),
    (1200, {"LOG_FILE": "logs/a; b.log"}, "en", "1,200 errors are in the log: logs/a; b.log"),
    (2, {}, "zh", "日志中有 2 条错误。"),
    (1, {"LOG_FILE": "logs/a.log"}, "zh", "日志中有 1 条错误：logs/a.log"),
])  # fmt: skip
def test_errors_in_the_log_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str, report: str, errors: int, settings: dict[str, str],
    language: str, told: str,
) -> None:  # fmt: skip
    sample_crawl(tmp_path)
    change(tmp_path, "update run set arguments=?", f'{{"mode": "{mode}"}}')
    ClosingSummary(crawl_in(tmp_path, settings=settings, errors=errors), language=language).engine_stopped()
    assert told in capsys.readouterr().err.splitlines()
    assert told in (tmp_path / report).read_text(encoding="utf-8")


def test_errors_are_counted_to_the_very_end() -> None:
    """Handlers of spider_closed may fail, as feeds do that cannot be written, and those of engine_stopped, as the report."""
    crawler = get_crawler(settings_dict={"EXTENSIONS": {LogCountToTheEnd: 0}, "EXTENSIONS_BASE": {}, "LOG_LEVEL": "WARNING"})
    crawler.stats = LeanStats(crawler)
    LogCountToTheEnd.from_crawler(crawler)
    before, log = logging.root.handlers[:], logging.getLogger("mine")

    def report() -> None:
        log.error("told by a later extension")

    crawler.signals.connect(report, signals.engine_stopped)
    for signal, level in (
        (signals.spider_opened, logging.INFO), (signals.spider_closed, logging.ERROR), (signals.engine_stopped, logging.ERROR),
    ):  # fmt: skip
        crawler.signals.send_catch_log(signal, spider=None, reason="finished")
        log.log(level, "told")
    assert crawler.stats.get_stats() == {"log_count/ERROR": 2}
    assert logging.root.handlers == before


def test_without_a_log_nothing_is_in_it() -> None:
    with pytest.raises(NotConfigured):
        LogCountToTheEnd.from_crawler(get_crawler(settings_dict={"LOG_ENABLED": False}))


def test_the_end_of_a_recrawl_names_both_pages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path)
    change(tmp_path, """update run set arguments='{"mode": "recrawl"}', reason='fresh'""")
    ClosingSummary(crawl_in(tmp_path)).engine_stopped()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Recrawl of demo"
    assert lines[-2:] == [f"Report: {tmp_path / 'recrawl.html'}", f"Changes: {tmp_path / 'changes.html'}"]
    assert "recrawl.html" in (tmp_path / "changes.html").read_text(encoding="utf-8")
    assert not (tmp_path / "report.html").exists()


def test_a_summary_in_the_language_of_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path)
    ClosingSummary(crawl_in(tmp_path), language="zh").engine_stopped()
    lines = capsys.readouterr().err.splitlines()
    assert (lines[0], lines[-1]) == ("任务 demo", f"报告：{tmp_path / 'report.html'}")


def test_a_summary_that_is_not_wanted_leaves_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample_crawl(tmp_path)
    ClosingSummary(crawl_in(tmp_path), enabled=False).engine_stopped()
    assert capsys.readouterr().err == ""
    assert (tmp_path / "report.html").is_file()


def test_where_there_is_a_log_file_the_summary_stands_in_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    sample_crawl(tmp_path)
    with caplog.at_level(logging.INFO):
        ClosingSummary(crawl_in(tmp_path), "crawl.log").engine_stopped()
    assert capsys.readouterr().err == ""
    (record,) = [record for record in caplog.records if record.name == "focuscrawl.scrapy_side.summary"]
    assert record.message.startswith("summary\nCrawl demo\nstopped because  the wanted number of pages was reached")
    assert record.message.endswith(f"Report: {tmp_path / 'report.html'}")


def test_a_crawl_that_never_began_has_no_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ClosingSummary(crawl_in(tmp_path)).engine_stopped()
    assert capsys.readouterr().err == ""
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_cannot_be_written_is_one_log_line_and_the_summary_is_printed(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    sample_crawl(tmp_path)
    (tmp_path / "report.html").mkdir()
    with caplog.at_level(logging.ERROR):
        ClosingSummary(crawl_in(tmp_path)).engine_stopped()
    assert [record.message for record in caplog.records if "no report" in record.message]
    said = capsys.readouterr().err
    assert "the wanted number of pages was reached" in said
    assert "Report:" not in said


@pytest.mark.parametrize("waits", [False, True])
def test_beside_a_store_that_cannot_write_no_weights_are_tried(tmp_path: Path, waits: bool) -> None:
    """The process is to end, and another try would cost it seconds."""
    sample_crawl(tmp_path)
    ClosingSummary(crawl_in(tmp_path, waits)).engine_stopped()
    with closing(open_store(tmp_path)) as db:
        assert bool(db.execute("select count(*) from standing").fetchone()[0]) is not waits
    assert (tmp_path / "report.html").is_file()


def test_changed_settings_are_those_of_this_run() -> None:
    settings = Settings()
    settings.set("CRAWLS_DIR", "crawls", priority="project")
    settings.set("POLITENESS_DELAY", "0", priority="cmdline")
    settings.set("API_TOKEN", "x123", priority="cmdline")
    assert changed_settings(settings) == {"API_TOKEN": "(hidden)", "POLITENESS_DELAY": "0"}


def test_other_spiders_have_none() -> None:
    crawler: Any = SimpleNamespace(settings=Settings())
    with pytest.raises(NotConfigured):
        ClosingSummary.from_crawler(crawler)
