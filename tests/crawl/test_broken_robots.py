"""A robots.txt that did not come whole is none; a crawl goes on by the last good one, or waits."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.crawl.raw import Raw, RawSite, cut_chunk, head, short, whole
from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Hit, page

RULES = b"User-agent: *\nDisallow: /private/\n"
PLAIN = "Content-Type: text/plain"
LINE = b"Disallow: /some/where/else/that/nobody/ever/links/to\n"
BROKEN = {
    "short.test": short(RULES, PLAIN),
    "chunk.test": cut_chunk(RULES, PLAIN),
    "gzip.test": whole(gzip.compress(RULES)[:-9], PLAIN, "Content-Encoding: gzip"),
    "file.test": whole(gzip.compress(RULES)[:-9], PLAIN),
    "noise.test": whole(b"\x1f\x8b\x08\x00" + bytes(range(200)), PLAIN, "Content-Encoding: gzip"),
    "inwards.test": Raw(head("Location: http://10.0.0.7/robots.txt", "Content-Length: 0", status="302 Found")),
}
LONG = {
    "long.test": whole(RULES + LINE * 40_000, PLAIN),
    "endless.test": Raw(
        head(PLAIN, "Transfer-Encoding: chunked") + b"%x\r\n%b\r\n" % (len(RULES), RULES), b"%x\r\n%b\r\n" % (len(LINE), LINE)
    ),
    "late.test": whole(
        b"User-agent: *\n" + b"".join(b"Disallow: /p%d/\n" % n for n in range(20_000)) + b"Disallow: /private/\n", PLAIN
    ),
}
HOSTS = {name: f"127.33.0.{number}" for number, name in enumerate([*BROKEN, *LONG, "main.test", "good.test"], 1)}


@pytest.fixture(scope="module")
def site() -> Iterator[RawSite]:
    with RawSite(HOSTS) as running:
        links = [running.url(f"{name}{path}") for name in HOSTS for path in ("/private/x", "/public")]
        running.answers["main.test/"] = page("home", links)
        for name in HOSTS:
            running.answers[f"{name}/public"] = page(f"public {name}")
            running.answers[f"{name}/private/x"] = page(f"private {name}")
        for name, script in (BROKEN | LONG).items():
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


@pytest.mark.parametrize("name", BROKEN)
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


def test_the_last_good_rules_go_on(site: RawSite, tmp_path: Path) -> None:
    """The file is fetched anew at the second start, for its day is over; then it breaks off."""
    answers = count()

    def then_broken(hit: Hit) -> Raw:
        return whole(RULES, PLAIN) if next(answers) == 0 else short(b"User-agent: *\nAllow: /\n", PLAIN)

    site.scripts["good.test/robots.txt"] = then_broken
    site.answers["good.test/"] = page("first", ["/second", "/private/x"])
    site.answers["good.test/second"] = page("second", ["/third", "/private/y"])
    site.answers["good.test/third"] = page("third")
    site.answers["good.test/private/y"] = page("private")
    arguments = {"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "again"}
    first = crawl(tmp_path, site.url("good.test/"), site.dns, arguments=arguments | {"max_pages": 1})
    assert first.code == 0, first.err
    tomorrow = first.change("again", "update robots set expires_at=0", "update host set robots_until=0")
    assert tomorrow == 2
    before = len(site.hits)
    second = crawl(tmp_path, site.url("good.test/"), site.dns, arguments=arguments)
    assert second.code == 0, second.err
    assert sorted(site.paths("good.test", before)) == ["/robots.txt", "/second", "/third"]
    ((state, status, body),) = second.rows("again", "select state, status, body from robots")
    assert (state, status, body) == ("rules", 0, RULES)
