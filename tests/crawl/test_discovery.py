"""Whole crawls that search the web through a SearXNG instance: hosts are found that no link leads to, and whatever the instance
does, the crawl goes on."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from focuscrawl.items import LINK
from tests.crawl.run import Run, crawl, scrapy
from tests.crawl.site import Hit, Reply, Site, moved, page

HOSTS = {"main.test": "127.37.0.1", "far.test": "127.37.0.2", "search.test": "127.37.0.3", "shop.test": "127.37.0.4"}
INNER = {"inner.test": "127.37.0.99"}
KEYWORDS = "telescope,galaxy,planet,nebula"
JSON = (("Content-Type", "application/json"),)
TITLE, SNIPPET = "The telescope and the galaxy", "A telescope shows planets, a nebula and a far galaxy."


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS | INNER) as running:
        answers = running.answers
        answers["main.test/"] = page("front", [f"/page{number}" for number in range(4)])
        answers |= {f"main.test/page{number}": page(f"page{number}") for number in range(4)}
        answers["far.test/"] = page("far", ["/more"])
        answers["far.test/more"] = page("more")
        answers["shop.test/"] = page("shop", on_topic=False)
        answers["search.test/robots.txt"] = Reply(200, "User-agent: *\nDisallow: /")
        yield running


def searxng(site: Site, *hits: str) -> None:
    """From now on each search finds these pages: `host/path`."""
    rows = [{"url": site.url(hit), "title": TITLE, "content": SNIPPET} for hit in hits]
    site.missing["search.test"] = Reply(200, json.dumps({"results": rows}), JSON)


def asked(hits: list[Hit]) -> list[Mapping[str, list[str]]]:
    """The fields of the searches."""
    return [parse_qs(urlsplit(hit.path).query) for hit in hits if hit.host == "search.test"]


def key(fields: Mapping[str, list[str]]) -> tuple[tuple[str, ...], str]:
    """Words and page of a search, however they are ordered."""
    return tuple(sorted(fields["q"][0].split())), fields.get("pageno", ["1"])[0]


def go(
    site: Site, folder: Path, instance: str = "search.test/searx/", settings: dict[str, str] | None = None, **arguments: object
) -> tuple[Run, list[Hit]]:
    """A crawl of main.test, and the requests that it made."""
    before = len(site.hits)
    given = {"keywords": KEYWORDS, "discover": site.url(instance), "name": "sky"} | arguments
    run = crawl(folder, site.url("main.test/"), site.dns, settings, given)
    return run, site.hits[before:]


def stats(run: Run) -> dict[str, int]:
    found: dict[str, int] = json.loads(run.rows("sky", "select stats from run order by id desc limit 1")[0][0])
    return found


def test_a_host_is_found_that_no_link_leads_to(site: Site, tmp_path: Path) -> None:
    searxng(site, "far.test/", "shop.test/", "shop.test/a.zip", "main.test/")
    run, hits = go(site, tmp_path)
    assert run.code == 0, run.err
    assert {"far.test/", "far.test/more", "main.test/"} <= run.stored("sky")
    first, *rest = asked(hits)
    assert first == {"q": ["telescope galaxy planet nebula"], "format": ["json"]}
    queries = [key(fields) for fields in [first, *rest]]
    assert len(set(queries)) == len(queries)
    times = [hit.t for hit in hits if hit.host == "search.test"]
    assert all(later - earlier >= 1.9 for earlier, later in pairwise(times))
    assert "/robots.txt" not in [hit.path for hit in hits if hit.host == "search.test"]
    rows = run.rows("sky", "select depth, distance, kind, parent from url u join host h using(hid) where h.name='far.test'")
    assert (0, 0, LINK, 0) in rows
    counts = stats(run)
    assert counts["discover/new_count"] == 2
    assert counts["discover/search_count"] == counts["requests/search_count"] == len(queries)
    assert counts["discover/hit_count"] == 4 * len(queries)
    assert counts["links/refused_count/file-type"] == len(queries)
    assert f"Searches of the web: {len(queries)}, which found 2 new URLs; 2 pages of these stored, 1 relevant." in run.err
    why = scrapy("why", site.url("far.test/"), "-s", f"CRAWLS_DIR={tmp_path}", folder=tmp_path).out
    assert "mainly because the text that the search engine showed is about the topic" in why
    assert f"Found by a search of the web for “telescope galaxy planet nebula”, as “{TITLE}”." in why
    assert "First score, when a search found it" in why
    told = json.loads(scrapy("why", site.url("far.test/"), "--json", "-s", f"CRAWLS_DIR={tmp_path}", folder=tmp_path).out)
    assert told["search"] == {"query": "telescope galaxy planet nebula", "title": TITLE}
    # The next run asks for other words, and ends.
    run, hits = go(site, tmp_path)
    assert run.code == 0, run.err
    again = {key(fields) for fields in asked(hits)}
    assert again
    assert not again & set(queries)


@pytest.mark.parametrize(
    ("status", "body", "words"),
    [
        (403, "", "its settings.yml needs json in search: formats"),
        (429, "", "has had too many requests"),
        (200, "<html>", "gave no JSON with results"),
    ],
)
def test_an_instance_that_fails_is_told_once_and_the_crawl_goes_on(
    site: Site, tmp_path: Path, status: int, body: str, words: str
) -> None:
    site.missing["search.test"] = Reply(status, body)
    run, hits = go(site, tmp_path)
    assert run.code == 0, run.err
    assert len(run.stored("sky")) == 5
    assert len(asked(hits)) == 1, "it is not tried again before a hundred pages were stored"
    assert run.err.count("a search of the web failed, the crawl goes on: ") == 1
    assert words in run.err
    assert stats(run)["discover/failed_count"] == 1
    assert "Searches of the web that failed in this run: 1; its log says why." in run.err
    assert "Searches of the web: " not in run.err


def test_an_instance_behind_the_guard_is_not_asked(site: Site, tmp_path: Path) -> None:
    searxng(site, "far.test/")
    seeds, instance = site.url("main.test/"), "http://127.0.0.1:8888/"
    run = crawl(
        tmp_path, seeds, site.dns, {"GUARD_ALLOW_NETWORKS": "127.37.0.0/16"}, {"keywords": KEYWORDS, "discover": instance}
    )
    assert run.code == 0, run.err
    allow = "-s GUARD_ALLOW_NETWORKS=127.0.0.0/8 allows an instance of your own."
    assert f"{instance}: the IP address is not allowed; {allow}" in run.err


@pytest.mark.parametrize(("target", "found"), [("search.test/new", True), ("inner.test/search", False)])
def test_redirects_of_the_instance_are_followed_under_the_guard(site: Site, tmp_path: Path, target: str, found: bool) -> None:
    searxng(site, "far.test/")
    answer = site.missing["search.test"]
    assert isinstance(answer, Reply)
    site.answers[target] = answer
    site.missing["search.test"] = lambda hit: moved(site.url(target))
    settings = {"GUARD_ALLOW_NETWORKS": "127.37.0.0/29"}
    arguments = {"keywords": "telescope", "discover": site.url("search.test/old/"), "name": "sky"}
    run = crawl(tmp_path, site.url("main.test/"), site.dns, settings, arguments)
    assert run.code == 0, run.err
    assert ("far.test/" in run.stored("sky")) == found
    assert ("the IP address is not allowed" in run.err) != found
    assert not site.paths("inner.test"), "the guard does not let it out"


def test_hits_are_seeds_where_the_depth_decides(site: Site, tmp_path: Path) -> None:
    searxng(site, "far.test/")
    run, _ = go(site, tmp_path, strategy="breadth-first", max_depth=0)
    assert run.code == 0, run.err
    assert run.stored("sky") == {"main.test/", "far.test/"}
    ((priority,),) = run.rows("sky", "select priority from page where url like '%far.test%'")
    assert -1 < priority <= 0


def test_a_search_counts_as_a_request_and_keeps_no_crawl_alive(site: Site, tmp_path: Path) -> None:
    searxng(site)
    run, hits = go(site, tmp_path, max_requests=4)
    assert (run.reason("sky"), len(hits)) == ("max_requests", 4)
    site.missing["search.test"] = Reply(200, '{"results": []}', JSON, delay=150)
    began = time.monotonic()
    run, hits = go(site, tmp_path / "slow", settings={"DOWNLOAD_TIMEOUT": "200"}, max_pages=5)
    assert run.code == 0, run.err
    assert time.monotonic() - began < 100
    assert "a search of the web failed" not in run.err


@pytest.mark.parametrize("instance", ["word", "ftp://search.test/"])
def test_what_is_no_url_is_refused_before_anything_is_fetched(tmp_path: Path, instance: str) -> None:
    run = crawl(tmp_path, "http://main.test/", arguments={"discover": instance})
    assert (run.code, list(tmp_path.iterdir())) == (2, [])
    assert "discover: " in run.err
