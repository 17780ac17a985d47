"""A crawl ends when it has given what it can give, and says why with its figures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, Run, crawl, scrapy
from tests.crawl.site import Reply, Site, page

HOSTS = {"sky.test": "127.36.0.1", "dull.test": "127.36.0.2", "slow.test": "127.36.0.3"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A home that links to five good pages and to 400 dull ones, and a slow host of three pages."""
    with Site(HOSTS) as running:
        dull = [f"http://dull.test:{running.port}/{n}" for n in range(400)]
        running.answers["sky.test/"] = page("sky", [*(f"/comet/{n}" for n in range(5)), *dull])
        for n in range(5):
            running.answers[f"sky.test/comet/{n}"] = page(f"comet {n}")
        for n in range(400):
            running.answers[f"dull.test/{n}"] = page(f"dull {n}", on_topic=False, words=60)
        running.answers["slow.test/robots.txt"] = Reply(body="User-agent: *\nCrawl-delay: 2.5\n")
        running.answers["slow.test/"] = page("planets", ["/1", "/2"])
        for n in (1, 2):
            running.answers[f"slow.test/{n}"] = page(f"planet {n}")
        yield running


def go(site: Site, folder: Path, settings: dict[str, str], **arguments: object) -> Run:
    seeds = folder / "sky.txt"
    seeds.write_text(site.url("sky.test/"))
    run = crawl(folder / "crawls", seeds, site.dns, settings, {"keywords": ASTRONOMY} | arguments)
    assert run.code == 0, run.err
    return run


def why(run: Run) -> tuple[str, str]:
    reason, text = run.rows("sky", "select reason, why from run order by id desc limit 1")[0]
    return str(reason), str(text)


def test_the_edge_is_a_reason_to_stop_and_everybody_tells_it(site: Site, tmp_path: Path) -> None:
    run = go(site, tmp_path, {"FRONTIER_EDGE_WINDOW": "40"})
    reason, text = why(run)
    assert reason == "edge"
    assert "the best waiting URL has had a chance below 0.01" in text
    assert len(run.stored("sky")) < 200
    assert text in run.err.replace("\n", " ")
    assert "the edge of the topic" in (run.folder / "sky" / "report.html").read_text()
    told = scrapy("runs", "sky", "--json", "-s", f"CRAWLS_DIR={run.folder}", folder=run.folder)
    assert text in told.out


def test_one_may_go_on_at_the_edge(site: Site, tmp_path: Path) -> None:
    run = go(site, tmp_path, {"FRONTIER_EDGE_WINDOW": "40"}, at_edge="go-on")
    assert why(run)[0] == "empty"
    assert len(run.stored("sky")) == 406


def test_a_host_whose_delay_is_longer_than_the_patience_is_read_to_its_end(site: Site, tmp_path: Path) -> None:
    seeds = tmp_path / "slow.txt"
    seeds.write_text(site.url("slow.test/"))
    run = crawl(tmp_path / "crawls", seeds, site.dns, {"FRONTIER_IDLE_STOP": "1"}, {"keywords": ASTRONOMY})
    assert run.code == 0, run.err
    assert run.reason("slow") == "empty"
    assert run.stored("slow") == {"slow.test/", "slow.test/1", "slow.test/2"}


def test_what_waits_promises_too_little(site: Site, tmp_path: Path) -> None:
    settings = {"FRONTIER_STOP_YIELD": "0.2", "FRONTIER_STOP_WINDOW": "50"}
    reason, text = why(go(site, tmp_path, settings))
    assert reason == "promise"
    assert "are expected to be relevant, below the limit of 20" in text


def test_the_harvest_has_fallen(site: Site, tmp_path: Path) -> None:
    settings = {"FRONTIER_STOP_HARVEST": "0.05", "FRONTIER_STOP_WINDOW": "60"}
    reason, text = why(go(site, tmp_path, settings))
    assert reason == "harvest"
    assert text.endswith("of the last 60 pages were relevant, below the limit of 0.05")


def test_a_budget_of_relevant_pages_is_hardly_overshot(site: Site, tmp_path: Path) -> None:
    run = go(site, tmp_path, {}, max_relevant=3)
    reason, text = why(run)
    assert reason == "max_relevant"
    found = run.rows("sky", "select count(*) from page where relevant=1")[0][0]
    assert 3 <= found <= 4
    assert text.endswith(" relevant pages were stored; 3 were asked for")


def test_at_the_edge_a_crawl_may_look_again_at_what_it_has(site: Site, tmp_path: Path) -> None:
    settings = {
        "FRONTIER_EDGE_WINDOW": "40",
        "RECRAWL_POLICY": "uniform",
        "RECRAWL_BANDWIDTH": "1000",
        "RECRAWL_LEAST_PERIOD": "0.001",
    }
    run = go(site, tmp_path, settings, at_edge="recrawl")
    reason, text = why(run)
    assert (reason, text[:19]) == ("fresh", "nothing more is due")
    assert len(run.stored("sky")) < 406
    assert "from now on due pages are revisited" in run.err.replace("\n", " ")


def test_a_crawl_that_has_all_may_look_again_too(site: Site, tmp_path: Path) -> None:
    run = go(site, tmp_path, {"FRONTIER_EDGE": "0"}, at_edge="recrawl", max_depth=0)
    assert why(run)[0] == "fresh"
    assert len(run.stored("sky")) == 1
