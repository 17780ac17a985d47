"""The trace of an archived page and of one fetched now, on loopback."""

from __future__ import annotations

import json
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from unittest.mock import Mock

import pytest

from focuscrawl.commands.trace import Command
from tests import forked
from tests.commands.archived import URL, archived_crawl
from tests.commands.call import call, refused
from tests.report import sample

ROOT = Path(__file__).parents[2]
HTML = b"""<html><head><title>Search engines</title></head><body><p>A search engine needs a crawler. The crawler of a search
engine follows links, and the engine ranks pages for each search.</p>
<ul><li><a href="/search/c.html">focused crawler</a></li><li><a href="/logo.png">logo</a></li>
<li><a href="http://blog.example.org/football">football</a></li></ul></body></html>"""


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    """A crawl with one page in its archive, and a topic of three words."""
    archived_crawl(tmp_path / "search", HTML)
    return tmp_path


def test_an_archived_page_through_every_stage(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = (crawls / "search" / "store.sqlite").read_bytes()
    assert call(Command(), crawls, URL, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    stages = {stage["name"]: stage["decided"] for stage in told["stages"]}
    for name, piece in {
        "url": "no rule refuses it",
        "guard": "93.184.216.34 port 80 is allowed",
        "robots": "allowed, no line matches",
        "fetch": "status 200",
        "decode": "charset utf-8",
        "meta": "Search engines",
        "relevance": ": relevant; crawler 0.62, search 0.22, engine 0.16",
        "dedup": "no other page has this text",
        "learned so far": "strategy learned, tunnelling learned; nothing was learned yet",
        "link scores": "2 scored, 1 refused",
    }.items():
        assert piece in stages[name]
    assert told["best_links"][0]["anchor"] == "focused crawler"
    assert told["refused"] == {"file-type": 1}
    assert (crawls / "search" / "store.sqlite").read_bytes() == before


@pytest.mark.parametrize("as_object", [False, True])
def test_a_reader_that_goes_away_is_no_error(crawls: Path, monkeypatch: pytest.MonkeyPatch, as_object: bool) -> None:
    with tempfile.TemporaryFile() as pipe:
        out = Mock(**{"write.side_effect": BrokenPipeError, "fileno.return_value": pipe.fileno(), "isatty.return_value": False})
        monkeypatch.setattr("sys.stdout", out)
        assert call(Command(), crawls, URL, *["--json"] * as_object) == 0
        assert out.write.called


def test_a_table_for_people(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(Command(), crawls, URL) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{URL}   (from the archive of crawl search)"
    assert lines[1].split() == ["stage", "ms", "decided"]


def test_the_crawl_that_has_the_page_is_asked_if_none_is_named(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.sample_crawl(crawls / "newest", started_at=sample.NOW + 1000)
    sample.change(crawls / "newest", "update page set warc='', warc_offset=0")
    assert call(Command(), crawls, URL) == 0
    assert capsys.readouterr().out.startswith(f"{URL}   (from the archive of crawl search)")
    refused(capsys, Command(), crawls, URL, "--crawl", "newest")


@pytest.mark.parametrize("url", [sample.PAGES[3][0], "http://new.example/"])
def test_what_is_not_archived_is_refused_with_its_reason(crawls: Path, capsys: pytest.CaptureFixture[str], url: str) -> None:
    assert "--fetch" in refused(capsys, Command(), crawls, url)


def test_a_crawl_without_a_topic(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.change(crawls / "search", "delete from model")
    assert "has no topic yet" in refused(capsys, Command(), crawls, URL)


def test_a_broken_archive_is_a_failure_not_a_traceback(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (crawls / "search" / "warc" / "a.warc.gz").unlink()
    assert call(Command(), crawls, URL) == 1
    assert "failed: " in capsys.readouterr().out


class Answer(BaseHTTPRequestHandler):
    """A page, and robots rules that close one directory."""

    def do_GET(self) -> None:  # the base class chose the name
        body = b"User-agent: *\nDisallow: /private/\n" if self.path == "/robots.txt" else HTML
        self.send_response(404 if self.path == "/gone" else 200)
        self.send_header("Content-Type", "text/plain" if self.path == "/robots.txt" else "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
        assert isinstance(self.server, Site)
        self.server.asked.append(self.path)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


class Site(ThreadingHTTPServer):
    """Knows what it was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked: list[str] = []


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def fetched(crawls: Path, site: Site, path: str, *settings: str) -> dict[str, str]:
    """Decisions by stage of a trace with --fetch, run as a program of its own."""
    url = f"http://127.0.0.1:{site.server_port}{path}"
    done = forked.run("scrapy", "trace", url, "--fetch", "--json", "-s", f"CRAWLS_DIR={crawls}", *settings)
    assert (done.returncode, done.stderr) == (0, "")
    return {stage["name"]: stage["decided"] for stage in json.loads(done.stdout)["stages"]}


@pytest.mark.system
def test_a_page_fetched_now(crawls: Path, site: Site) -> None:
    stages = fetched(crawls, site, "/a.html", "-s", "GUARD_ALLOW_NETWORKS=127.0.0.0/8")
    assert site.asked == ["/robots.txt", "/a.html"]
    assert "relevant" in stages["relevance"]
    assert (stages["dns and guard"], stages["robots.txt"]) == ("127.0.0.1", "status 200")


@pytest.mark.system
def test_robots_rules_hold_for_a_trace_too(crawls: Path, site: Site) -> None:
    stages = fetched(crawls, site, "/private/a.html", "-s", "GUARD_ALLOW_NETWORKS=127.0.0.0/8")
    assert site.asked == ["/robots.txt"]
    assert stages["robots"] == "forbidden by Disallow: /private/"
    assert stages["end"] == "it is not fetched"


@pytest.mark.system
def test_the_guard_holds_for_a_trace_too(crawls: Path, site: Site) -> None:
    stages = fetched(crawls, site, "/a.html")
    assert site.asked == []
    assert "loopback" in stages["dns and guard"]
    assert stages["end"] == "no connection is made to it"


@pytest.mark.system
def test_an_answer_without_a_page(crawls: Path, site: Site) -> None:
    stages = fetched(crawls, site, "/gone", "-s", "GUARD_ALLOW_NETWORKS=127.0.0.0/8")
    assert stages["fetch"].startswith("status 404")
    assert stages["end"] == "there is no page to read"
