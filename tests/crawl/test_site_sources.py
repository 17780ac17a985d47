"""Ordinary crawls of a site whose sitemap and feed name pages that no link leads to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.crawl.site_sources import MOST_VISITS
from tests.crawl.run import ASTRONOMY, Run, crawl, scrapy
from tests.crawl.site import Reply, Site, feed, moved, page, sitemap

HOSTS = {"main.test": "127.97.0.1", "poor.test": "127.97.0.2", "few.test": "127.97.0.3", "still.test": "127.97.0.4"}
LINKED = [f"/page{number}" for number in range(8)]
FEED = '<link rel="alternate" type="application/rss+xml" href="/feed">'
HIDDEN = {"/telescope.html", "/galaxy-nebula.html", "/read?id=7"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        answers, url = running.answers, running.url
        answers["main.test/"] = page("front", [*LINKED, url("poor.test/")], head=FEED)
        answers["poor.test/"] = page("poor", LINKED, on_topic=False)
        for path in LINKED:
            answers[f"main.test{path}"] = page(path)
            answers[f"poor.test{path}"] = page(f"poor {path}", on_topic=False)
        for path in (*HIDDEN, "/bread.html"):
            answers[f"main.test{path}"] = page(path)
        answers["poor.test/telescope.html"] = page("poor telescope")
        answers["poor.test/sitemap.xml"] = sitemap((url("poor.test/telescope.html"), "2026-01-01"))
        indexed = [(url(f"main.test/s{number}.xml"), f"2026-01-0{9 - number}") for number in range(8)]
        answers["main.test/sitemap.xml"] = moved("/sitemap_index.xml")
        answers["main.test/sitemap_index.xml"] = sitemap(*indexed, root="sitemapindex", element="sitemap")
        for number in range(8):
            answers[f"main.test/s{number}.xml"] = sitemap((url("main.test/bread.html"), "2026-01-01"))
        listed = [(url(f"main.test{path}"), "2026-01-01") for path in ("/telescope.html", "/galaxy-nebula.html", "/bread.html")]
        answers["main.test/s0.xml"] = sitemap(*listed)
        told = [(url("main.test/read?id=7"), "A comet and its orbit"), (url("main.test/bread.html"), "Bread")]
        answers["main.test/feed"] = feed(*told)
        for host in ("few.test", "still.test"):  # their pages link to next to nothing
            answers[f"{host}/"] = page(host, ["/about"])
            answers[f"{host}/about"] = page(f"{host} about", ["/"], on_topic=False)
            answers[f"{host}/telescope.html"] = page(f"{host} telescope")
            answers[f"{host}/sitemap.xml"] = sitemap((url(f"{host}/telescope.html"), "2026-01-01"))
        answers["few.test/robots.txt"] = Reply(body=f"Sitemap: {url('few.test/sitemap.xml')}\n")
        yield running


def crawled(site: Site, folder: Path, settings: dict[str, str], arguments: dict[str, str]) -> tuple[Run, list[str]]:
    """A crawl from the front page, and what it asked of the main host."""
    seeds, before = folder / "main.txt", len(site.hits)
    seeds.write_text(f"{site.url('main.test/')}\n")
    run = crawl(folder, seeds, site.dns, settings, {"keywords": ASTRONOMY, **arguments})
    assert run.code == 0, run.err
    return run, site.paths("main.test", before)


@pytest.fixture(scope="module")
def usual(site: Site, tmp_path_factory: pytest.TempPathFactory) -> tuple[Run, list[str]]:
    return crawled(site, tmp_path_factory.mktemp("usual"), {}, {})


def test_what_speaks_of_the_topic_is_fetched(usual: tuple[Run, list[str]]) -> None:
    _, asked = usual
    assert set(asked) >= HIDDEN
    assert "/bread.html" not in asked


def test_the_latest_sitemaps_of_an_index_up_to_a_limit(usual: tuple[Run, list[str]]) -> None:
    _, asked = usual
    visits = [path for path in asked if path.endswith(".xml") or path == "/feed"]
    assert sorted(visits) == ["/feed", "/s0.xml", "/s1.xml", "/sitemap.xml", "/sitemap_index.xml"]
    assert len(visits) == MOST_VISITS


def test_a_host_that_does_not_look_good_is_not_asked(usual: tuple[Run, list[str]], site: Site) -> None:
    assert not {"/sitemap.xml", "/telescope.html"} & set(site.paths("poor.test"))


def test_why_names_what_announced_a_page(usual: tuple[Run, list[str]], site: Site) -> None:
    run, _ = usual
    shown = scrapy("why", site.url("main.test/telescope.html"), "-s", f"CRAWLS_DIR={run.folder}", folder=run.folder).out
    assert "Announced by a sitemap or feed of its host: " in shown
    assert site.url("main.test/s0.xml") in shown


def test_what_a_priority_is_made_of(site: Site, tmp_path: Path) -> None:
    """With a strategy that does not score again what waits."""
    run, _ = crawled(site, tmp_path, {}, {"strategy": "best-first"})
    ((parts, priority),) = run.rows("main", "select priority_parts, priority from url where path='/read?id=7'")
    assert [name for name, value in json.loads(parts) if value > 0] == ["announced", "context", "anchor"]
    assert sum(value for _, value in json.loads(parts)) == pytest.approx(priority, abs=0.001)
    shown = scrapy("why", site.url("main.test/read?id=7"), "-s", f"CRAWLS_DIR={run.folder}", folder=run.folder).out
    assert "First score, when a sitemap or feed announced it" in shown


def test_they_can_be_left_to_recrawls(site: Site, tmp_path: Path) -> None:
    _, asked = crawled(site, tmp_path, {"FRONTIER_SITEMAPS": "False"}, {})
    assert not (HIDDEN | {"/sitemap.xml", "/feed"}) & set(asked)


def test_strategies_by_depth_leave_them_to_recrawls(site: Site, tmp_path: Path) -> None:
    _, asked = crawled(site, tmp_path, {}, {"strategy": "breadth-first"})
    assert "/sitemap.xml" not in asked


@pytest.mark.parametrize("limits", [[99], [2, 99]], ids=["one run", "a run that goes on"])
def test_what_a_seed_names_is_visited_when_nothing_else_is_left(site: Site, tmp_path: Path, limits: list[int]) -> None:
    seeds = tmp_path / "few.txt"
    seeds.write_text(f"{site.url('few.test/')}\n{site.url('still.test/')}\n")
    few, still = len(site.paths("few.test")), len(site.paths("still.test"))
    for limit in limits:
        run = crawl(tmp_path, seeds, site.dns, {}, {"keywords": ASTRONOMY, "max_pages": limit})
        assert run.code == 0, run.err
    asked = [path for path in site.paths("few.test")[few:] if path != "/robots.txt"]
    assert asked == ["/", "/about", "/sitemap.xml", "/telescope.html"]
    assert [path for path in site.paths("still.test")[still:] if path != "/robots.txt"] == ["/", "/about"]  # it names none
