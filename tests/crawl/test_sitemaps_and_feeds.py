"""A crawl and a recrawl of a site with sitemaps and a feed: what they tell is fetched, and nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.items import FEED, LINK, SITEMAP
from focuscrawl.recrawl.state import DAY
from tests import forked
from tests.crawl.run import ASTRONOMY, QUICK, Run, crawl
from tests.crawl.site import Reply, Site, feed, moved, page, sitemap
from tests.recrawl.later import LATER

HOSTS = {"main.test": "127.36.0.1", "www.main.test": "127.36.0.2", "other.test": "127.36.0.3"}
HEAD = (
    '<link rel="alternate" type="application/rss+xml" href="/feed"><link rel="alternate" type="application/rss+xml" href="{}">'
)


def tomorrow() -> str:
    """A day behind the crawl, and one before the recrawl."""
    return datetime.fromtimestamp(time.time() + DAY, UTC).isoformat(timespec="seconds")


def recrawl(folder: Path, days: float, values: dict[str, str]) -> None:
    """`scrapy recrawl main`, so many days later."""
    options = [part for name, value in values.items() for part in ("-s", f"{name}={value}")]
    environment = {**os.environ, LATER: str(days * DAY)}
    run = forked.run("tests.recrawl.later", "recrawl", "main", *options, env=environment)
    assert run.returncode == 0, run.stderr


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        answers, url = running.answers, running.url
        pages = [f"/page{number}" for number in range(4)]
        answers["main.test/"] = page("front", [*pages, "/feed"], head=HEAD.format(url("other.test/feed")))
        for name in ("page0", "page1", "page2", "page3", "new1", "new2", "new3", "late"):
            answers[f"main.test/{name}"] = page(name)
        answers["main.test/robots.txt"] = Reply(
            200, f"Sitemap: {url('main.test/index.xml')}\nSitemap: {url('other.test/s.xml')}"
        )
        yield running


@pytest.fixture(scope="module")
def runs(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, list[str], list[str]]:
    """After a crawl and two recrawls: what each recrawl asked of the main host."""
    folder = tmp_path_factory.mktemp("sources")
    seeds = folder / "main.txt"
    seeds.write_text(f"{site.url('main.test/')}\n")
    first = crawl(folder, seeds, site.dns, {"FRONTIER_SITEMAPS": "False"}, {"keywords": ASTRONOMY})
    assert first.code == 0, first.err
    assert first.stored("main") == {"main.test/", *(f"main.test/page{number}" for number in range(4))}
    assert "/feed" not in site.paths("main.test")
    assert "/index.xml" not in site.paths("main.test")
    url, answers = site.url, site.answers
    answers["main.test/index.xml"] = sitemap((url("main.test/a.xml"), "2026-01-01"), root="sitemapindex", element="sitemap")
    answers["main.test/a.xml"] = moved("/b.xml")
    listed = [
        (url("main.test/page1"), tomorrow()),
        (url("main.test/page2"), "2020-01-01"),
        (url("main.test/new1"), "2020-01-01"),
    ]
    foreign = [(url("other.test/x"), "2020-01-01"), (url("main.test/login"), "2020-01-01")]
    answers["main.test/b.xml"] = sitemap(*listed, *foreign)
    answers["main.test/feed"] = feed((url("main.test/new2"), "A new telescope sees a galaxy"), (url("other.test/y"), "galaxy"))
    values = QUICK | {"DNS_SERVERS": site.dns, "CRAWLS_DIR": str(folder)}
    asked = []
    for days in (2, 6):
        before = len(site.hits)
        recrawl(folder, days, values)
        asked.append([path for path in site.paths("main.test", before) if path != "/robots.txt"])
    return first, asked[0], asked[1]


def test_what_is_asked_for(runs: tuple[Run, list[str], list[str]]) -> None:
    _, asked, _ = runs
    assert sorted(asked) == ["/a.xml", "/b.xml", "/feed", "/index.xml", "/new1", "/new2", "/page1"]


def test_a_time_signals_once(runs: tuple[Run, list[str], list[str]]) -> None:
    _, _, again = runs
    assert "/page1" not in again
    assert "/new1" not in again


def test_sources_are_visited_again(runs: tuple[Run, list[str], list[str]]) -> None:
    _, _, again = runs
    assert "/feed" in again
    assert "/b.xml" in again


def test_no_other_site(runs: tuple[Run, list[str], list[str]], site: Site) -> None:
    assert site.paths("other.test") == []


def test_sources_are_no_pages(runs: tuple[Run, list[str], list[str]]) -> None:
    run, _, _ = runs
    assert run.stored("main") == {
        "main.test/",
        *(f"main.test/{name}" for name in ("page0", "page1", "page2", "page3", "new1", "new2")),
    }
    rows = run.rows("main", "select path, kind, state from url where kind>2 order by path")
    assert rows == [
        ("/a.xml", SITEMAP, State.REDIR),
        ("/b.xml", SITEMAP, State.DONE),
        ("/feed", FEED, State.DONE),
        ("/index.xml", SITEMAP, State.DONE),
    ]
    assert run.rows("main", "select count(*) from inlink where hid not in (select hid from host)") == [(0,)]


def test_new_pages_have_a_score_and_a_place(runs: tuple[Run, list[str], list[str]]) -> None:
    run, _, _ = runs
    scores = dict(run.rows("main", "select u.path, p.priority from page p join url u on u.hid=p.hid and u.uid=p.uid"))
    assert scores["/new2"] > scores["/new1"] > 0
    assert run.rows("main", "select kind, distance from url where path in ('/new1', '/new2')") == [(LINK, 0), (LINK, 0)]


def test_a_signal_is_kept(runs: tuple[Run, list[str], list[str]]) -> None:
    run, _, _ = runs
    ((visits, signal, at),) = run.rows(
        "main",
        "select v.visits, v.signal, v.signal_at from revisit v join url u on u.hid=v.hid and u.uid=v.uid where u.path='/page1'",
    )
    assert (visits, signal) == (1, 0.0)
    assert at > time.time()
    assert run.rows("main", "select sitemap_right + sitemap_wrong from site_profile") == [(1,)]
