from __future__ import annotations

import json
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.commands.why import Command
from focuscrawl.items import Lease, Link, Page
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.store.revisits.versions import keep_version
from focuscrawl.url.hosts import uid_of
from tests.commands.call import call, refused
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "old", started_at=sample.NOW - 1000)
    sample.sample_crawl(tmp_path / "new")
    return tmp_path


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        (sample.PAGES[1][0], "fetched"),
        (sample.WAITING.upper().replace("/SEARCH/C.HTML", "/search/c.html#top"), "waiting"),
        ("news.example.com/search/c.html", "waiting"),
        (sample.REFUSED, "refused"),
        ("http://nowhere.example/", "never seen"),
        ("http://intranet/x", "never seen"),
    ],
)
def test_every_answer_ends_well(crawls: Path, capsys: pytest.CaptureFixture[str], url: str, answer: str) -> None:
    assert call(Command(), crawls, url, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["answer"], told["crawl"]) == (answer, "new")
    assert call(Command(), crawls, url, "--crawl", "old") == 0
    assert "(crawl old)" in capsys.readouterr().out.splitlines()[0]


def test_chinese_urls_are_shown_in_characters(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "http://news.example.com/%E6%96%B0%E9%97%BB") == 0
    assert capsys.readouterr().out.startswith("http://news.example.com/新闻   (crawl new)")


def test_why_in_chinese(crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.settings.REPORT_LANGUAGE", "zh")
    assert call(Command(), crawls, sample.DENIED) == 0
    said = capsys.readouterr().out
    assert "被拒绝：主机的 robots.txt" in said
    assert "存储中的记录\n状态" in said
    assert call(Command(), crawls, sample.PAGES[1][0]) == 0
    said = capsys.readouterr().out
    assert "发现于 http://news.example.com/（相关，0.120），锚文本“搜索 引擎”，" in said
    assert "最初得分（发现链接时）" in said
    assert call(Command(), crawls, sample.DENIED, "--json") == 0
    assert json.loads(capsys.readouterr().out)["sentence"].startswith("Refused: robots.txt of its host forbids it")


@pytest.mark.parametrize("url", [sample.WAITING, sample.REFUSED])
def test_the_latest_crawl_that_knows_the_url_answers(crawls: Path, capsys: pytest.CaptureFixture[str], url: str) -> None:
    sample.sample_crawl(crawls / "newest", started_at=sample.NOW + 1000)
    with closing(connect(crawls / "newest" / "store.sqlite")) as db:
        db.execute("update url set uid=uid+1")
        db.execute("update refused set uid=uid+1")
    assert call(Command(), crawls, url) == 0
    assert "(crawl new)" in (told := capsys.readouterr().out)
    assert "Never seen" not in told
    for arguments in ([url, "--crawl", "newest"], ["http://nowhere.example/"]):
        assert call(Command(), crawls, *arguments) == 0
        assert "(crawl newest)" in (told := capsys.readouterr().out)
        assert "Never seen" in told


@pytest.mark.parametrize(
    "arguments",
    [
        ["mailto:a@b.example"],
        ["word"],
        ["《http://a.example/》"],
        ["word/a.html"],
        [],
        ["http://a.example/", "--crawl", "newer"],
    ],
)
def test_bad_input(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    refused(capsys, Command(), crawls, *arguments)


def test_a_store_that_cannot_be_read_is_not_skipped_silently(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crawls / "newest").mkdir()
    (crawls / "newest" / "store.sqlite").write_bytes(b"not a database" * 100)
    assert call(Command(), crawls, sample.WAITING) == 0
    told = capsys.readouterr()
    assert "(crawl new)" in told.out
    [line] = told.err.splitlines()
    assert line.startswith("scrapy why: ")
    assert "newest" in line


def test_no_crawl_yet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no crawl in" in refused(capsys, Command(), tmp_path / "none", sample.SEED)


@pytest.fixture
def visited(crawls: Path) -> Path:
    """A page of the crawl `new` was fetched three times, and was another one each time."""
    db = connect(crawls / "new" / "store.sqlite")
    url, at = sample.PAGES[1][0], sample.NOW
    hid, uid = sample.hid(url), uid_of(url)
    visit = RevisitRecord(hid, uid, first_at=at, checked_at=at, read_at=at, visits=2, changes=2, shape=1.0, exposure=9.0)
    write_revisits(db, [visit])
    for number, text in enumerate(["first words 網頁", "second words 網頁"], 1):
        page = Page(Lease(hid, uid, url), url, 200, title=f"Title {number}", text=text, links=[Link("http://a.test/")])
        keep_version(db, 2, visit, page, 3, sample.NOW + number, 9)
        db.execute("update page set title=? where page_id=2", (page.title,))
        db.execute("update body set text=? where page_id=2", (zlib.compress(page.text.encode()),))
    db.close()
    return crawls


def test_the_record_and_the_diffs_of_a_page(visited: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = sample.PAGES[1][0]
    assert call(Command(), visited, url) == 0
    out = capsys.readouterr().out
    assert "about every 9 days" in out
    assert "Former versions" in out
    assert call(Command(), visited, url, "--diff") == 0
    assert "From version 2 to the stored version; its title was “Title 1”, then “Title 2”:" in (out := capsys.readouterr().out)
    assert "[-first-]{+second+} words 網頁" in out
    assert call(Command(), visited, url, "--diff", "1") == 0
    assert capsys.readouterr().out.startswith("From version 1 to version 2;")
    assert call(Command(), visited, "--diff", url) == 0
    assert capsys.readouterr().out == out
    assert call(Command(), visited, url, "--diff", "02", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["freshness"]["versions"][1]["title"] == "Title 1"
    assert (told["diff"]["number"], told["diff"]["pieces"][0]) == (2, {"kind": "removed", "text": "first", "left_out": 0})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([sample.PAGES[1][0], "--diff", "7"], "there is no version 7 of http://news.example.com/search/a.html; there are 1, 2"),
        ([sample.PAGES[1][0], "--diff", "0"], "there is no version 0"),
        ([sample.PAGES[1][0], "--diff", "9" * 5000], "there is no version 999"),
        ([sample.PAGES[1][0], "--diff", "-1"], "--diff '-1' is not the number of a version"),
        ([sample.PAGES[1][0], "--diff", "first"], "--diff 'first' is not the number of a version"),
        (
            [sample.PAGES[3][0], "--diff"],
            "no former version of http://blog.example.org/x?q=1 is kept (setting RECRAWL_VERSIONS)",
        ),
        ([sample.WAITING, "--diff"], "no former version"),
        (["http://nowhere.example/", "--diff", "1"], "crawl new has never seen http://nowhere.example/"),
    ],
)
def test_no_such_version(visited: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    assert words in refused(capsys, Command(), visited, *arguments)


def test_reasons_follow_the_policy_of_the_settings(
    visited: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    sample.change(visited / "new", "update revisit set due_at=1e10")
    monkeypatch.setattr("focuscrawl.settings.RECRAWL_POLICY", "nutch")
    assert call(Command(), visited, sample.PAGES[1][0]) == 0
    assert "by its own period" in (out := capsys.readouterr().out)
    assert "what it is worth" not in out
    monkeypatch.setattr("focuscrawl.settings.RECRAWL_POLICY", "natch")
    assert "RECRAWL_POLICY" in refused(capsys, Command(), visited, sample.PAGES[1][0])
