"""What cannot be used is refused in a few lines with exit code 2, before anything is started or written."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest
from scrapy.crawler import Crawler
from scrapy.settings import Settings

from focuscrawl.commands.crawl import Command
from focuscrawl.errors import BadInput
from spiders.topic import TopicSpider
from tests.crawl.run import crawl, scrapy

SEEDS = "http://a.test/\n"


def refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], *options: str, seeds: str | None = None) -> str:
    """Standard error of a crawl that must be refused; `seeds` beats the usual file."""
    path = tmp_path / "seeds.txt"
    path.write_text(SEEDS)
    command = Command()
    command.settings = Settings()
    command.settings.setmodule("focuscrawl.settings", "project")
    command.settings.set("CRAWLS_DIR", str(tmp_path / "crawls"), "cmdline")
    parser = argparse.ArgumentParser(conflict_handler="resolve")
    command.add_options(parser)
    given = ["topic", "-a", f"seeds={path if seeds is None else seeds}", *options]
    parsed, rest = parser.parse_known_args(given)
    with pytest.raises(SystemExit) as exit_:
        command.process_options(rest, parsed)
    assert exit_.value.code == 2
    assert not (tmp_path / "crawls").exists()
    text = capsys.readouterr().err
    assert 1 <= len(text.splitlines()) <= 6
    assert "Traceback" not in text
    return text


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["recrawl"], "'recrawl' is a command of its own; use: scrapy recrawl NAME"),
        (["recrawl", "news"], "'recrawl' is a command of its own; use: scrapy recrawl NAME"),
        (["topics"], "'topics' cannot be crawled; use: scrapy crawl topic -a seeds=FILE"),
        ([], "an argument is missing; use: scrapy crawl topic -a seeds=FILE"),
        (["topic", "--seeds", "a.txt"], "unknown option --seeds; did you mean -a seeds=…?"),
        (["topic", "--max-page=5"], "unknown option --max-page=5; did you mean -a max_pages=…?"),
        (["topic", "--logfle", "a.log"], "unknown option --logfle; did you mean --logfile?"),
    ],
)
def test_what_cannot_be_crawled(tmp_path: Path, given: list[str], told: str) -> None:
    run = scrapy("crawl", *given, folder=tmp_path)
    assert (run.code, run.out, run.err) == (2, "", f"scrapy crawl: {told}\n")


@pytest.mark.parametrize(
    ("option", "told"),
    [
        ("POLITENESS_DELAY=abc", "POLITENESS_DELAY='abc'"),
        ("POLITENESS_DELAY=-1", "out of range"),
        ("POLITENESS_DELAY=nan", "out of range"),
        ("POLITENESS_DELY=3", "there is no setting POLITENESS_DELY; did you mean POLITENESS_DELAY?"),
        ("POLITENESS_CONCURRENCY=0", "1 or more"),
        ("CONCURRENT_REQUESTS=0", "1 or more"),
        ("CONCURRENT_REQUESTS=2.5", "whole number"),
        ("DNS_SERVERS=foo:bar:baz", "DNS_SERVERS: 'foo:bar:baz'"),
        ("DNS_SERVERS=127.0.0.1:99999", "DNS_SERVERS"),
        ("DNS_QUERY_TIMEOUT=0", "DNS_QUERY_TIMEOUT"),
        ("GUARD_ALLOW_NETWORKS=300.0.0.0/8", "GUARD_ALLOW_NETWORKS: '300.0.0.0/8'"),
        ("GUARD_ALLOW_PORTS=http", "GUARD_ALLOW_PORTS"),
        ("DEDUP_METHOD=x", "simhash, shingles, winnowing"),
        ("PARTITION_GRAIN=x", "host, domain, address, path"),
        ("PARTITION_FOREIGN=x", "forward, drop, fetch"),
        ("STORE_URL=postgresql://me:p@ss@h/x", "%40"),
        ("FRONTIER_RETRY_DELAYS=1,x", "FRONTIER_RETRY_DELAYS"),
        ("FRONTIER_IDLE_STOP=inf", "FRONTIER_IDLE_STOP"),
        ("ROBOTSTXT_OBEY=maybe", "ROBOTSTXT_OBEY"),
        ("LIVE_ENABLED=maybe", "LIVE_ENABLED"),
        ("DOWNLOAD_TIMEOUT=x", "DOWNLOAD_TIMEOUT"),
        ("LOG_LEVEL=LOUD", "DEBUG, INFO"),
        ("LOG_FILE=/nowhere/a.log", "LOG_FILE=/nowhere/a.log cannot be written to: there is no folder /nowhere"),
        ("LOG_FILE=/", "LOG_FILE=/ cannot be written to"),
        ("CONTACT=a\nb", "CONTACT"),
        ("CRAWLS_DIR=/dev/null", "is not a directory"),
    ],
)
def test_settings(tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str, told: str) -> None:
    assert told in refused(tmp_path, capsys, "-s", option)


def test_a_script_is_told_of_a_misspelt_setting_too(tmp_path: Path) -> None:
    settings = Settings()
    settings.setmodule("focuscrawl.settings", "project")
    settings.setdict({"CRAWLS_DIR": str(tmp_path / "crawls"), "POLITENESS_DELY": 3})
    with pytest.raises(BadInput, match="did you mean POLITENESS_DELAY"):
        TopicSpider.from_crawler(Crawler(TopicSpider, settings), seeds="http://a.test/")
    assert not (tmp_path / "crawls").exists()


@pytest.mark.parametrize(
    ("argument", "told"),
    [
        ("max_page=3", "did you mean max_pages?"),
        ("strategy=bestfirst", "did you mean best-first?"),
        ("max_pages=0", "1 or more"),
        ("max_pages=-5", "1 or more"),
        ("max_pages=many", "whole number"),
        ("max_depth=-1", "0 or more"),
        ("minutes=0", "above 0"),
        ("name=../up", "slash"),
        ("name=.hidden", "begins with"),
        ("examples=nowhere.html", "nowhere.html"),
        ("seeds=", "No seeds"),
    ],
)
def test_arguments(tmp_path: Path, capsys: pytest.CaptureFixture[str], argument: str, told: str) -> None:
    assert told in refused(tmp_path, capsys, "-a", argument)


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("empty.txt", b"", "empty"),
        ("none.txt", b"# nothing\nftp://a.test/\n", "no valid URL"),
        ("image.txt", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4, "not a text file"),
        ("broken.toml", b"[topic\nname=1", "broken TOML"),
        ("key.toml", b'[topic]\nkeyword = ["a"]\n[seeds]\nurls = ["http://a.test/"]', "did you mean keywords?"),
        ("table.toml", b'[seed]\nurls = ["http://a.test/"]', "did you mean seeds?"),
        ("type.toml", b'[topic]\nkeywords = "a"\n[seeds]\nurls = 3', "urls"),
        ("limit.toml", b'[topic]\nthreshold = 7\n[seeds]\nurls = ["http://a.test/"]', "between 0 and 1"),
        ("pattern.toml", b'[scope]\ninclude = ["re:("]\n[seeds]\nurls = ["http://a.test/"]', "regular expression"),
    ],
)
def test_seed_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, content: bytes, told: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert told in refused(tmp_path, capsys, seeds=str(path))


def test_no_such_seed_file_and_a_directory(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "does not exist" in refused(tmp_path, capsys, seeds=str(tmp_path / "missing.txt"))
    assert "directory" in refused(tmp_path, capsys, seeds=str(tmp_path))


def test_a_store_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other" / "seeds").mkdir(parents=True)
    (tmp_path / "other" / "seeds" / "store.sqlite").write_bytes(b"something else entirely, longer than a header")
    assert "store" in refused(tmp_path, capsys, "-s", f"CRAWLS_DIR={tmp_path / 'other'}")


def test_as_a_user_sees_it(tmp_path: Path) -> None:
    run = crawl(tmp_path / "crawls", tmp_path / "missing.txt", arguments={"seed": "x"})
    assert (run.code, run.out) == (2, "")
    assert run.err == "scrapy crawl: There is no argument 'seed'; did you mean seeds?\n"
    assert not (tmp_path / "crawls").exists()
    other = scrapy("crawl", "topics", folder=tmp_path)
    assert other.code == 2
    assert len(other.err.splitlines()) <= 6
