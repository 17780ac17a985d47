from __future__ import annotations

import json
import time
import xml.etree.ElementTree as Xml
from contextlib import closing
from pathlib import Path

import pytest

from focuscrawl.command_line.option_values import time_of
from focuscrawl.commands.changes import Command
from focuscrawl.errors import BadInput
from focuscrawl.inspect.reporting import write_reports
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.workers.clock import KEY
from focuscrawl.store.workers.lifecycle import boot_id, register
from tests.commands.call import call, refused
from tests.report.changes_sample import ADDED, EDITED, HOME, LOST, MOVED, SINCE, news_crawl


@pytest.fixture
def crawls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    news_crawl(tmp_path / "crawls" / "web")
    monkeypatch.setattr("time.time", lambda: SINCE + 3600)
    return tmp_path / "crawls"


def test_since_the_last_run_began(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "web") == 0
    text = capsys.readouterr().out
    assert text.startswith("1 new, 1 changed, 2 gone since 2026-10-01 14:13:20 UTC")
    assert HOME in text
    assert "Off topic" not in text


def test_one_json_object(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "web", "--json", "--since", "20d") == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert (told["crawl"], told["until"]) == ("web", "2026-10-01T15:13:20.000Z")
    assert {page["url"] for page in told["new"]} >= {ADDED, EDITED}
    assert told["gone"] == []
    assert call(Command(), crawls, "web", "--json") == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert [page["url"] for page in told["gone"]] == [MOVED, LOST]


def test_pages_outside_of_the_collection_too(crawls: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert call(Command(), crawls, "web", "--json", "--all", "--limit", "1") == 0
    assert [page["url"] for page in json.loads(capfdbinary.readouterr().out)["changed"]] == [HOME]


def test_a_feed_in_a_file_and_on_standard_output(
    crawls: Path, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    target = tmp_path / "news.atom"
    assert call(Command(), crawls, "web", "--atom", str(target), "--limit", "2") == 0
    assert capfdbinary.readouterr().out == b""
    assert len(Xml.fromstring(target.read_bytes()).findall("{http://www.w3.org/2005/Atom}entry")) == 2
    assert call(Command(), crawls, "web", "--atom", "-") == 0
    assert capfdbinary.readouterr().out.startswith(b"<?xml")


def test_chinese_urls_are_shown_in_characters(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(connect(crawls / "web" / "store.sqlite")) as db:
        db.execute("update change set url='http://news.example.com/%E6%96%B0%E9%97%BB' where url=?", (ADDED,))
    assert call(Command(), crawls, "web") == 0
    assert "http://news.example.com/新闻 " in capsys.readouterr().out


def test_sites(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, "web", "--sites") == 0
    text = capsys.readouterr().out
    assert text.startswith("Sites (2)")
    assert "9.5 %" in text
    assert call(Command(), crawls, "web", "--sites", "--json", "--limit", "1") == 0
    (site,) = json.loads(capsys.readouterr().out)["sites"]
    assert (site["site"], site["pages"], site["changes"]) == ("example.com", 3, 3)


@pytest.mark.parametrize(
    ("arguments", "piece"),
    [
        (["wbe"], "did you mean 'web'?"),
        ([], "an argument is missing"),
        (["web", "--since", "yesterday"], "--since 'yesterday' is not a time; give a date as 2026-11-20"),
        (["web", "--since", "2026-13-01"], "is not a time"),
        (["web", "--until", "2036-01-01"], "lies in the future"),
        (["web", "--until", "1h", "--since", "5m"], "is not after the start of the period"),
        (["web", "--until", "2026-01-01"], "is not after the start of the period"),
        (["web", "--limit", "-3"], "--limit -3 is not 0 or more"),
        (["web", "--atom", "/nowhere/at/all.xml"], "does not exist"),
        (["web", "--atom", "x", "--json"], "--atom does not go with --json"),
        (["web", "--sites", "--since", "7d"], "--sites shows the sites as they are now"),
        (["web", "--jsn"], "did you mean --json?"),
    ],
)
def test_bad_input_is_one_sentence(crawls: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], piece: str) -> None:
    assert piece in refused(capsys, Command(), crawls, *arguments)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("1970-01-02", 86_400.0), ("1970-01-02T01:00", 90_000.0), ("1970-01-02 01:00:01", 90_001.0),
        ("1970-01-02T01:00+01:00", 86_400.0), ("1970-01-02T00:00Z", 86_400.0), ("2d", 1_000_000 - 172_800.0),
        ("90m", 1_000_000 - 5400.0), ("999999w", 0.0),
    ],
)  # fmt: skip
def test_times_as_people_type_them(text: str, at: float) -> None:
    assert time_of("--since", text, 1_000_000.0) == at


@pytest.mark.parametrize("text", ["", "7", "d", "20261120", "2026-W47", "1970-01-02T25:00", "-7d", "9999999d", "１d"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="is not a time"):
        time_of("--since", text, 1e10)


def test_the_time_is_that_of_the_workers_whatever_this_clock_says(
    crawls: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(connect(crawls / "web" / "store.sqlite")) as db:
        set_meta(db, KEY, f"{boot_id()} {SINCE + 3600 - time.monotonic()!r}")
        register(db, 2, SINCE + 3600)
    monkeypatch.setattr("time.time", lambda: SINCE - 30 * 86_400)
    assert call(Command(), crawls, "web", "--json", "--since", "20d") == 0
    told = json.loads(capfdbinary.readouterr().out)
    assert told["until"].startswith("2026-10-01T15:13:2")
    assert told["since"].startswith("2026-09-11T15:13:2")
    write_reports(Crawl("web", crawls / "web"), 2)
    page = (crawls / "web" / "changes.html").read_text("utf-8")
    assert ADDED in page
    assert LOST in page
