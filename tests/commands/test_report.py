"""`scrapy report` on a stored crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.report import Command
from focuscrawl.inspect.reporting import write_reports
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.sqlite import connect
from tests.commands.call import call
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "c")
    return tmp_path


def add_recrawl(directory: Path) -> None:
    db = connect(directory / "store.sqlite")
    sample.insert(
        db, "run", id=2, started_at=sample.NOW + 9000, ended_at=sample.NOW + 9003, reason="fresh", why="",
        arguments=json.dumps({"mode": "recrawl"}), stats=json.dumps({"recrawl/visit_count/same": 7}),
    )  # fmt: skip
    db.close()


def test_it_is_what_the_close_writes(crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.inspect.reporting.time.time", lambda: sample.NOW + 100)
    write_reports(Crawl("c", crawls / "c"), 1)
    closed = (crawls / "c/report.html").read_text(encoding="utf-8")
    (crawls / "c/report.html").unlink()
    assert call(Command(), crawls, "c") == 0
    assert capsys.readouterr().out == f"Report: {crawls / 'c/report.html'}\n"
    assert (crawls / "c/report.html").read_text(encoding="utf-8") == closed


def test_a_file_that_leads_to_no_other(crawls: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "c", "-o", str(crawls / "r.html")) == 0
    text = (crawls / "r.html").read_text(encoding="utf-8")
    assert "Crawl c</h1>" in text
    assert "changes.html" not in text
    assert not (crawls / "c/report.html").exists()
    capsysbinary.readouterr()
    assert call(Command(), crawls, "c", "-o", "-") == 0
    assert capsysbinary.readouterr().out.startswith(b"<!doctype html>")


def test_crawl_and_recrawl_have_reports_of_their_own(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_recrawl(crawls / "c")
    assert call(Command(), crawls, "c") == 0
    assert call(Command(), crawls, "c", "--recrawl") == 0
    crawl, recrawl = ((crawls / "c" / name).read_text(encoding="utf-8") for name in ("report.html", "recrawl.html"))
    assert "Run 1 of 2" in crawl
    assert "Run 2 of 2" in recrawl
    assert "<dt>revisited</dt>" in recrawl
    assert "<dt>revisited</dt>" not in crawl
    assert "All 2 runs together" in crawl


def test_it_is_in_the_language_that_is_asked_for(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "c", "--language", "zh", "-o", str(crawls / "r.html")) == 0
    text = (crawls / "r.html").read_text(encoding="utf-8")
    assert '<html lang="zh-Hans">' in text
    assert "任务 c</h1>" in text
    assert '<p class="word"><span lang="en">' not in text


def test_what_is_refused(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for wrong, said in (
        (("nosuch",), "no crawl"),
        (("c", "--recrawl"), "not recrawled"),
        (("c", "-o", "/no/x.html"), "not exist"),
    ):
        with pytest.raises(SystemExit) as ended:
            call(Command(), crawls, *wrong)
        assert ended.value.code == 2
        assert said in capsys.readouterr().err
