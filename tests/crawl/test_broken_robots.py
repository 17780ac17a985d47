"""A robots.txt that did not come whole is none; a crawl goes on by the last good one, or waits."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.crawl.raw import CODINGS, Raw, RawSite, cut_chunk, head, short, whole
from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Hit, page

RULES = b"User-agent: *\nDisallow: /private/\n"
PLAIN = "Content-Type: text/plain"
PACKED = ("deflate", "br", "zstd")
LINE = b"Disallow: /some/where/else/that/nobody/ever/links/to\n"
BROKEN = {
    "short.test": short(RULES, PLAIN),
    "chunk.test": cut_chunk(RULES, PLAIN),
    "gzip.test": whole(gzip.compress(RULES)[:-9], PLAIN, "Content-Encoding: gzip"),
    "file.test": whole(gzip.compress(RULES)[:-9], PLAIN),
    "noise.test": whole(b"\x1f\x8b\x08\x00" + bytes(range(200)), PLAIN, "Content-Encoding: gzip"),
    "sum.test": whole(gzip.compress(RULES)[:-8] + bytes(8), PLAIN, "Content-Encoding: gzip"),
    **{f"{coding}.test": whole(CODINGS[coding](RULES)[:-4], PLAIN, f"Content-Encoding: {coding}") for coding in PACKED},
    "unknown.test": whole(lzma.compress(RULES), PLAIN, "Content-Encoding: xz"),
    "nothing.test": Raw(head(PLAIN, "Content-Length: 700")),
    "part.test": whole(RULES, PLAIN, status="206 Partial Content"),
}
INWARDS = {
    "inwards.test": Raw(head("Location: http://10.0.0.7/robots.txt", "Content-Length: 0", status="302 Found")),
}
LONG = {
    "announced.test": Raw(head(PLAIN, "Content-Length: 5000000000") + RULES + LINE * 400, LINE * 400),
    "long.test": whole(RULES + LINE * 40_000, PLAIN),
    "endless.test": Raw(
        head(PLAIN, "Transfer-Encoding: chunked") + b"%x\r\n%b\r\n" % (len(RULES), RULES), b"%x\r\n%b\r\n" % (len(LINE), LINE)
    ),
    "late.test": whole(
        b"User-agent: *\n" + b"".join(b"Disallow: /p%d/\n" % n for n in range(20_000)) + b"Disallow: /private/\n", PLAIN
    ),
}
HOSTS = {name: f"127.33.0.{number}" for number, name in enumerate([*BROKEN, *INWARDS, *LONG, "main.test", "good.test"], 1)}


@pytest.fixture(scope="module")
def site() -> Iterator[RawSite]:
    with RawSite(HOSTS) as running:
        links = [running.url(f"{name}{path}") for name in HOSTS for path in ("/private/x", "/public")]
        running.answers["main.test/"] = page("home", links)
        for name in HOSTS:
            running.answers[f"{name}/public"] = page(f"public {name}")
            running.answers[f"{name}/private/x"] = page(f"private {name}")
        for name, script in (BROKEN | INWARDS | LONG).items():
            running.scripts[f"{name}/robots.txt"] = script
        yield running


@pytest.fixture(scope="module")
def run(site: RawSite, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("robots")
    return crawl(
        folder,
        site.url("main.test/"),
        site.dns,
        arguments={"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "robots"},
    )


@pytest.mark.parametrize("name", BROKEN | INWARDS)
def test_what_did_not_come_whole_is_unreachable(run: Run, site: RawSite, name: str) -> None:
    assert site.paths(name) in (["/robots.txt"], [])  # nothing is asked of the inner address, and nothing else of the others
    states = run.rows("robots", "select state, status from robots where origin=?", site.url(f"{name}/").rstrip("/"))
    assert states == [("wait", 0)]


@pytest.mark.parametrize("name", LONG)
def test_of_a_long_file_counts_what_500_kib_hold(run: Run, site: RawSite, name: str) -> None:
    assert site.paths(name) == ["/robots.txt", "/public"]
    assert f"{name}/public" in run.stored("robots")


def test_a_crawl_waits_for_no_broken_host(run: Run) -> None:
    assert "good.test/private/x" in run.stored("robots")
    assert run.code == 0, run.err


def test_the_last_good_rules_go_on(tmp_path: Path) -> None:
    """The files are fetched anew at the second start, for their day is over; then each breaks off in its own way."""
    hosts = {name: f"127.33.1.{number}" for number, name in enumerate(["start.test", *BROKEN], 1)}
    arguments = {"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "again"}
    with RawSite(hosts) as site:
        site.answers["start.test/"] = page("first", [site.url(f"{name}/first") for name in BROKEN])
        for name, script in BROKEN.items():
            site.scripts[f"{name}/robots.txt"] = _then(script)
            site.answers[f"{name}/first"] = page(f"first {name}", ["/second", "/private/x"])
            site.answers[f"{name}/second"] = page(f"second {name}", ["/third", "/private/y"])
            site.answers[f"{name}/third"] = page(f"third {name}")
            site.answers[f"{name}/private/y"] = page(f"private {name}")
        seeds, most = site.url("start.test/"), 1 + len(BROKEN)
        first = crawl(tmp_path, seeds, site.dns, arguments=arguments | {"max_pages": most})
        assert first.code == 0, first.err
        assert first.change("again", "update robots set expires_at=0", "update host set robots_until=0") == 2 * most
        before = len(site.hits)
        second = crawl(tmp_path, seeds, site.dns, arguments=arguments)
        assert second.code == 0, second.err
        asked = {name: sorted(site.paths(name, before)) for name in BROKEN}
    assert asked == {name: ["/robots.txt", "/second", "/third"] for name in BROKEN}
    kept = second.rows("again", "select distinct state, status, body from robots where origin not like '%start.test%'")
    assert kept == [("rules", 0, RULES)]


def _then(script: Raw) -> Callable[[Hit], Raw]:
    """Good rules first, then this."""
    answers = count()
    return lambda hit: script if next(answers) else whole(RULES, PLAIN)
