"""`scrapy report` on a stored crawl."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from focuscrawl.commands.report import Command
from focuscrawl.inspect.reporting import write_reports
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.sqlite import connect
from tests.commands.call import call, refused
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
    monkeypatch.setattr("time.time", lambda: sample.NOW + 100)
    write_reports(Crawl("c", crawls / "c"), 1)
    closed = (crawls / "c/report.html").read_text(encoding="utf-8")
    (crawls / "c/report.html").unlink()
    assert call(Command(), crawls, "c") == 0
    assert capsys.readouterr().out == f"Report: {crawls / 'c/report.html'}\n"
    assert (crawls / "c/report.html").read_text(encoding="utf-8") == closed


def test_all_of_it_is_of_one_moment(crawls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    db = connect(crawls / "c/store.sqlite")
    db.execute("update page set noindex=0")  # as while a worker runs
    before = write_reports(Crawl("c", crawls / "c"), 1).totals.pages

    def meanwhile(reading: object) -> list[str]:
        db.execute("delete from page")
        return []

    monkeypatch.setattr("focuscrawl.inspect.reporting.missing_terms", meanwhile)
    assert write_reports(Crawl("c", crawls / "c"), 1).totals.pages == before
    assert db.execute("select count(*) from page").fetchone() == (0,)
    db.close()


def test_a_file_that_leads_to_no_other(crawls: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "c", "-o", str(crawls / "r.html")) == 0
    text = (crawls / "r.html").read_text(encoding="utf-8")
    assert "Crawl c</h1>" in text
    assert "changes.html" not in text
    assert not (crawls / "c/report.html").exists()
    capsysbinary.readouterr()
    assert call(Command(), crawls, "c", "-o", "-") == 0
    assert capsysbinary.readouterr().out.startswith(b"<!doctype html>")


def test_a_recrawl_s_report_that_stands_alone_lists_what_is_new(crawls: Path) -> None:
    add_recrawl(crawls / "c")
    db = connect(crawls / "c/store.sqlite")
    log = "insert into change(at, run, kind, hid, uid, page_id, url, distance) select ?, 2, ?, hid, uid, page_id, url, 4"
    for page, kind in ((1, "changed"), (2, "new")):
        db.execute(f"{log} from page where page_id={page}", (sample.NOW + 9001, kind))
    db.close()
    told = {"en": ("What is new in the collection", "by some words"), "zh": ("文集的新变化", "变化几个词")}
    for language, (heading, size) in told.items():
        out = crawls / f"{language}.html"
        assert call(Command(), crawls, "c", "--recrawl", "--language", language, "-o", str(out)) == 0
        text = out.read_text(encoding="utf-8")
        assert f'<h2 id="news">{heading}</h2>' in text
        assert f'<a href="#news">{heading}</a>' in text
        listed = text.partition('<h2 id="news">')[2].partition("</section>")[0]
        assert listed.index(sample.PAGES[0][0]) < listed.index(size) < listed.index(sample.PAGES[1][0])
    assert call(Command(), crawls, "c", "-o", str(crawls / "r.html")) == 0
    assert 'id="news"' not in (crawls / "r.html").read_text(encoding="utf-8")
    write_reports(Crawl("c", crawls / "c"), 2, language="zh")
    assert "变化几个词" in (crawls / "c/changes.html").read_text(encoding="utf-8")


def test_what_the_last_run_found_stays_when_the_report_of_an_earlier_one_is_written(crawls: Path) -> None:
    folder = crawls / "c"
    assert call(Command(), crawls, "c") == 0
    link = '<a href="changes.html">'
    assert link in (folder / "report.html").read_text(encoding="utf-8")
    add_recrawl(folder)
    db = connect(folder / "store.sqlite")
    log = "insert into change(at, run, kind, hid, uid, page_id, url) select ?, 2, 'changed', hid, uid, page_id, url from page"
    db.execute(f"{log} where page_id=1", (sample.NOW + 9001,))
    write_reports(Crawl("c", folder), 2)
    found = (folder / "changes.html").read_bytes()
    assert call(Command(), crawls, "c") == 0
    assert (folder / "changes.html").read_bytes() == found
    assert link not in (folder / "report.html").read_text(encoding="utf-8")
    sample.insert(db, "run", id=3, started_at=sample.NOW + 9900, ended_at=sample.NOW + 9909, reason="empty", arguments="{}")
    db.close()
    write_reports(Crawl("c", folder), 3)
    crawled = (folder / "changes.html").read_bytes()
    assert crawled != found
    assert call(Command(), crawls, "c", "--recrawl") == 0
    assert (folder / "changes.html").read_bytes() == crawled
    text = (folder / "recrawl.html").read_text(encoding="utf-8")
    assert link not in text
    assert sample.PAGES[0][0] in text.partition('<h2 id="news">')[2].partition("</section>")[0]


def test_one_that_cannot_be_written_to_the_crawl_s_folder_can_be_written_elsewhere(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "c/report.html")

    monkeypatch.setattr("focuscrawl.report.html.write", refused)
    assert call(Command(), crawls, "c") == 1
    said = capsys.readouterr().err
    assert said == "scrapy report: c/report.html: Permission denied; -o FILE writes the report elsewhere\n"
    assert call(Command(), crawls, "c", "-o", str(crawls / "elsewhere.html")) == 0


def test_the_language_is_a_setting_too(crawls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "zh")
    for options, heading in (((), "概要"), (("--language", "en"), "In short")):
        out = crawls / "r.html"
        assert call(Command(), crawls, "c", "-o", str(out), *options) == 0
        assert f'<h2 id="words">{heading}</h2>' in out.read_text(encoding="utf-8")


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
        assert said in refused(capsys, Command(), crawls, *wrong)
