from __future__ import annotations

import io
import json
import sqlite3
from pathlib import Path
from unittest.mock import Mock

import pytest

from focuscrawl.commands.frontier import Command
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.store.crawls import Crawl, crawl_named
from focuscrawl.store.engines.database import DatabaseError
from focuscrawl.store.frontier import operator_changes
from focuscrawl.store.revisits.revisit_rows import write_revisits
from focuscrawl.url.hosts import uid_of
from tests.commands.call import call, refused
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "news")
    db = crawl_named(tmp_path, "news").open(write=True)
    db.execute("update host set best_priority=(select max(priority) from url where url.hid=host.hid and state=0)")
    db.close()
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], crawls: Path, *arguments: str) -> str:
    assert call(Command(), crawls, *arguments) == 0
    return capsys.readouterr().out


def urls(text: str) -> list[str]:
    return [json.loads(line)["url"] for line in text.splitlines()]


def test_ls_shows_what_comes_next_and_apart_what_needs_robots_first(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, crawls, "ls")
    first = "robots.txt comes first on 2 hosts, for 2 URLs"
    assert text.startswith(f"news: 2 URLs queued, 1 waiting for another try, 0 leased; {first}\n")
    assert text.count("waits for") == 1
    assert urls(said(capsys, crawls, "ls", "--json")) == [sample.RETRIED, sample.WAITING, sample.WAITING_LOW]
    db = crawl_named(crawls, "news").open(write=True)
    db.execute("update host set robots_until=1e12 where name<>'news.example.com'")
    db.close()
    next_one, waiting = said(capsys, crawls, "ls").split("\n\nFirst the robots.txt of their hosts\n")
    rows = next_one.splitlines()[2:]
    assert [row.split()[-1] for row in rows] == [sample.RETRIED, sample.WAITING_LOW]
    assert "timeout: again now, 2 tries failed" in rows[0]
    assert waiting.split()[-1] == sample.WAITING


def test_ls_of_one_state_and_host(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert urls(said(capsys, crawls, "ls", "news", "--state", "retry", "--json")) == [sample.RETRIED]
    assert urls(said(capsys, crawls, "ls", "--host", "blog.example.org", "--json")) == [sample.WAITING_LOW]
    assert "No URL is in that state." in said(capsys, crawls, "ls", "--state", "removed")


def test_add_takes_urls_files_and_standard_input(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = crawls / "more.txt"
    file.write_text("# 注释\n中文.com/搜索\nnot an address\n", encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO("# 望远镜\nhttp://c.example/\n".encode("gb18030"))))
    assert call(Command(), crawls, "add", "news", sample.WAITING_LOW, str(file), "-", "--score", "0.9") == 0
    told = capsys.readouterr()
    assert told.out == "3 URLs: 1 waiting already, 2 new\n" or told.out == "3 URLs: 2 new, 1 waiting already\n"
    assert f"{str(file)!r}, line 3: 'not an address' has a space in it" in told.err
    found = urls(said(capsys, crawls, "ls", "--json", "--state", "queued"))
    assert set(found[:3]) == {"http://xn--fiq228c.com/%E6%90%9C%E7%B4%A2", "http://c.example/", sample.WAITING_LOW}


def test_rm_of_single_urls_of_a_host_and_of_a_path(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, crawls, "rm", "news", "--prefix", "news.example.com/search/", "--dry-run") == (
        "to be removed: 1 waiting URL\n"
    )
    assert said(capsys, crawls, "rm", "news", "--prefix", "http://news.example.com/search/") == "removed: 1 waiting URL\n"
    assert said(capsys, crawls, "rm", "news", sample.FAILED, "--host", "blog.example.org") == (
        "removed: 1 waiting URL; 1 URL had ended before and stays as it is\n"
    )
    assert "2 URLs had ended before and stay as they are" in said(capsys, crawls, "rm", "news", sample.FAILED, sample.SEED)
    assert urls(said(capsys, crawls, "ls", "--json")) == [sample.RETRIED]
    assert set(urls(said(capsys, crawls, "ls", "--json", "--state", "removed"))) == {sample.WAITING, sample.WAITING_LOW}


def test_rm_takes_the_pages_of_a_host_out_of_the_collection(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = crawl_named(crawls, "news").open(write=True)
    sample.add_page(db, 5, "http://blog.example.org/copy", "Copy", 0.6, 1, 1, 2, "en", at=sample.NOW)
    db.close()
    host = ("rm", "news", "--host", "news.example.com", "--pages")
    assert said(capsys, crawls, *host, "--dry-run") == "to be removed: 1 waiting URL; to be taken out: 3 pages\n"
    assert said(capsys, crawls, *host) == (
        "removed: 1 waiting URL; taken out of the collection: 3 pages, and copies from elsewhere replace 1 of them;"
        " the WARC files stay as they are\n"
    )
    assert said(capsys, crawls, *host) == (
        "removed: 0 waiting URLs; taken out of the collection: 0 pages; the WARC files stay as they are\n"
    )
    assert set(urls(said(capsys, crawls, "ls", "--json"))) == {sample.RETRIED, sample.WAITING_LOW}


def test_rm_takes_single_pages_out_and_leaves_what_is_none(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, crawls, "rm", "news", sample.SEED, sample.FAILED, "--pages") == (
        "removed: 0 waiting URLs; 1 URL had ended before and stays as it is;"
        " taken out of the collection: 1 page; the WARC files stay as they are\n"
    )


def test_a_page_that_is_named_twice_is_told_once(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, crawls, "rm", "news", sample.SEED, "--host", "news.example.com", "--pages") == (
        "removed: 1 waiting URL; taken out of the collection: 3 pages; the WARC files stay as they are\n"
    )


def test_without_pages_rm_leaves_them(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, crawls, "rm", "news", "--host", "news.example.com") == "removed: 1 waiting URL\n"
    db = crawl_named(crawls, "news").open()
    assert db.execute("select max(gone) from page").fetchone() == (0,)
    assert db.execute("select count(*) from change").fetchone() == (0,)
    db.close()


def test_stored_pages_are_due_at_once(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = crawl_named(crawls, "news").open(write=True)
    url = sample.PAGES[1][0]
    write_revisits(db, [RevisitRecord(sample.hid(url), uid_of(url), due_at=1e12, first_at=sample.NOW, checked_at=sample.NOW)])
    db.close()
    told = said(capsys, crawls, "add", "news", url)
    assert told == "1 URL: 1 fetched before and due at once; `scrapy recrawl news` revisits what is due\n"


def test_hold_and_release(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, crawls, "hold", "news", "blog.example.org") == (
        "blog.example.org is held: no requests are sent to it; waiting there: 1\n"
    )
    assert "the host's release" in said(capsys, crawls, "ls", "--host", "blog.example.org")
    stats = said(capsys, crawls, "stats")
    assert "Held by an operator" in stats
    assert json.loads(said(capsys, crawls, "stats", "--json"))["held"][0]["name"] == "blog.example.org"
    assert said(capsys, crawls, "release", "news", "http://blog.example.org/x") == "blog.example.org is released\n"
    assert said(capsys, crawls, "release", "news", "blog.example.org") == "blog.example.org was not held\n"


def test_stats_say_whether_to_go_on(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Too early to tell what is left" in said(capsys, crawls, "stats")
    advice = json.loads(said(capsys, crawls, "stats", "--json"))["advice"]
    assert (advice["advice"], advice["relevant"], advice["forecast"]) == ("early", 3, None)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "an argument is missing"),
        (["lss"], "did you mean ls?"),
        (["ls", "new"], "did you mean 'news'?"),
        (["ls", "--state", "queud"], "did you mean queued?"),
        (["ls", "--limit", "0"], "--limit 0"),
        (["ls", "--hots", "x"], "unknown option --hots"),
        (["add", "news"], "an argument is missing (URL|FILE|-)"),
        (["add", "news", "urls.txt"], "there is no file 'urls.txt'"),
        (["add", "news", "/"], "The file of URLs '/' is a directory; give a file"),
        (["add", "news", "../lists/urls.txt"], "there is no file '../lists/urls.txt'"),
        *(
            (["add", "news", "http://a.example/", "--score", score], f"--score {score!r} is not a number between 0 and 1")
            for score in ("nan", "7", "-0.1", "high")
        ),
        (["rm", "news"], "say what to remove"),
        (["rm", "news", "--host", "nowhere.example"], "knows no host 'nowhere.example'"),
        (["rm", "news", "--pages"], "say what to remove"),
        (["rm", "news", "--host", "nowhere.example", "--pages"], "knows no host 'nowhere.example'"),
        (["rm", "news", "--host", "no host", "--pages"], "'no host'"),
        (["rm", "news", "http://a.example/", "--dry-run"], "--dry-run counts"),
        (["rm", "news", "--dry-run", "http://a.example/"], "--dry-run counts"),
        (["hold", "news", "nws.example.com"], "did you mean 'news.example.com'?"),
        (["hold", "news", "www.blog.example.org"], "did you mean 'blog.example.org'?"),
        (["hold", "news", "wiki.example.org"], "no host 'wiki.example.org'; `scrapy frontier stats NAME` lists"),
        (["release", "news", "shop.example.org"], "no host 'shop.example.org'; `scrapy frontier stats NAME` lists"),
        (["stats", "--limit", "0"], "--limit 0"),
    ],
)
def test_bad_input(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str) -> None:
    assert sentence in refused(capsys, Command(), crawls, *arguments)


@pytest.mark.parametrize("typed", ["ww.example.com", "wwww.example.com", "exmaple.com", "www.exmaple.com", "example.com"])
def test_a_misspelt_host_with_www_is_found(crawls: Path, capsys: pytest.CaptureFixture[str], typed: str) -> None:
    db = crawl_named(crawls, "news").open(write=True)
    db.execute("update host set name='www.example.com' where name='news.example.com'")
    db.close()
    assert "did you mean 'www.example.com'?" in refused(capsys, Command(), crawls, "hold", "news", typed)


def test_what_is_no_url_is_named_before_nothing_is_left_to_add(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        call(Command(), crawls, "add", "news", "mailto:a@b.example")
    assert end.value.code == 2
    named, refusal = capsys.readouterr().err.splitlines()
    assert "'mailto:a@b.example' is not a web URL" in named
    assert "none of these is a URL" in refusal


@pytest.mark.parametrize("action", ["add", "rm"])
def test_a_list_without_a_url_is_named(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, action: str
) -> None:
    """`rm` ended well after an empty list, as of a program that had failed."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\n")))
    assert "standard input holds no URL; give one per line" in refused(capsys, Command(), crawls, action, "news", "-")
    (crawls / "list.txt").write_text("# nothing yet\n")
    told = refused(capsys, Command(), crawls, action, "news", str(crawls / "list.txt"))
    assert f"{crawls / 'list.txt'} holds no URL" in told


def test_rows_of_a_table_are_named_and_urls_with_commas_are_taken(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crawls / "urls.txt").write_text("https://a.example/dir/,x\nhttps://a.example/tags/python,数据\n", encoding="utf-8")
    (crawls / "table.tsv").write_text("url\ttitle\nhttps://a.example/1\tTea\n")
    assert call(Command(), crawls, "add", "news", str(crawls / "urls.txt"), str(crawls / "table.tsv")) == 0
    told = capsys.readouterr()
    assert "2 URLs: 2 new" in told.out
    assert "line 2: 'https://a.example/1\\tTea' looks like a row of a table" in told.err


def test_a_locked_store_is_one_sentence(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(operator_changes, "PATIENCE", 0.1)
    other = sqlite3.connect(crawls / "news" / "store.sqlite", isolation_level=None)
    other.execute("begin immediate")
    assert call(Command(), crawls, "add", "news", "http://a.example/") == 1
    other.close()
    assert capsys.readouterr().err == (
        "scrapy frontier add: the store of 'news' did not take it (database is locked); try again in a moment\n"
    )


def test_nobody_is_told_to_try_again_on_a_store_that_is_read_only(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store = Crawl.open
    # By the store itself: whoever runs the tests as root may write to any file.
    monkeypatch.setattr(Crawl, "open", lambda self, write=False: open_store(self))
    assert call(Command(), crawls, "add", "news", "http://a.example/") == 1
    assert capsys.readouterr().err == (
        "scrapy frontier add: the store of 'news' did not take it (attempt to write a readonly database);"
        " let its owner write to the crawl's folder (`chmod -R u+w`)\n"
    )


def test_a_store_whose_log_cannot_be_made_is_not_taken_for_a_damaged_one(
    crawls: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As on a read-only disk, where SQLite says so."""
    log = crawls / "news" / "store.sqlite-wal"
    log.unlink()
    log.mkdir()
    assert call(Command(), crawls, "add", "news", "http://a.example/") == 1
    assert capsys.readouterr().err == (
        "scrapy frontier add: the store of 'news' did not take it (unable to open database file);"
        " let its owner write to the crawl's folder (`chmod -R u+w`)\n"
    )


@pytest.mark.parametrize(
    "full",
    [sqlite3.OperationalError("database or disk is full"), DatabaseError("No space left on device", passing=True, full=True)],
)
def test_room_is_to_be_made_on_a_full_disk(
    crawls: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, full: Exception
) -> None:
    monkeypatch.setattr(operator_changes, "transaction", Mock(side_effect=full))
    assert call(Command(), crawls, "add", "news", "http://a.example/") == 1
    assert f"({full}); make room on its disk, then try again" in capsys.readouterr().err


@pytest.mark.parametrize("subcommand", [(), ("hold",)])
def test_help_names_every_sub_command_and_argument(
    capsys: pytest.CaptureFixture[str], crawls: Path, subcommand: tuple[str]
) -> None:
    with pytest.raises(SystemExit) as end:
        call(Command(), crawls, *subcommand, "--help")
    assert end.value.code == 0
    told = capsys.readouterr().out
    names = ("HOST", "hold NAME") if subcommand else ("ls", "add", "rm", "hold", "release", "stats", "copy")
    assert all(name in told for name in names)


def test_settings_before_and_behind_the_name_of_the_sub_command(tmp_path: Path, crawls: Path) -> None:
    command = Command()
    assert call(command, crawls, "-s", "CONTACT=a", "ls", "news", "-s", "POLITENESS_DELAY=7", "--json") == 0
    assert command.settings is not None
    assert (command.settings["CONTACT"], command.settings["POLITENESS_DELAY"]) == ("a", "7")
