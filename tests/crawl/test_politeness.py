"""What the access log of the hosts says about our manners: one crawl of hosts with different wishes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.frontier.states import State
from tests.crawl.polite_web import ADDRESS_DELAY, DELAY, HOSTS, SLACK, gaps, of, web
from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Reply, Site, page


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        web(running)
        yield running


@pytest.fixture(scope="module")
def run(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("polite")
    seeds = folder / "hosts.txt"
    seeds.write_text("\n".join(site.url(f"{host}/") for host in HOSTS))
    settings = {"POLITENESS_DELAY": str(DELAY), "POLITENESS_ADDRESS_DELAY": str(ADDRESS_DELAY), "FRONTIER_IDLE_STOP": "4"}
    return crawl(folder, seeds, site.dns, settings, {"keywords": ASTRONOMY, "strategy": "breadth-first"})


def test_the_crawl_ends_as_planned(run: Run) -> None:
    assert run.code == 0, run.err
    assert run.reason("hosts") == "empty"


def test_robots_txt_comes_first_and_once(run: Run, site: Site) -> None:
    for host in HOSTS:
        assert site.paths(host)[0] == "/robots.txt"
        assert site.paths(host).count("/robots.txt") == 1


def test_delay_between_all_requests_to_a_host(run: Run, site: Site) -> None:
    for host in HOSTS:
        assert all(gap >= DELAY - SLACK for gap in gaps(of(site, host))), host


def test_one_request_at_a_time(run: Run, site: Site) -> None:
    assert {hit.at_host for hit in site.hits} == {1}
    assert {hit.at_address for hit in site.hits} == {1}


def test_hosts_at_one_address_share_its_delay(run: Run, site: Site) -> None:
    shared = [hit for hit in site.hits if hit.address == HOSTS["twin.test"]]
    assert {hit.host for hit in shared} == {"twin.test", "other.test"}
    assert all(gap >= ADDRESS_DELAY - SLACK for gap in gaps(shared))


def test_crawl_delay_is_kept(run: Run, site: Site) -> None:
    found = of(site, "wait.test")
    assert len(found) == 6
    assert all(gap >= 0.9 - SLACK for gap in gaps(found))


def test_what_robots_txt_forbids_is_never_asked(run: Run, site: Site) -> None:
    assert "/private/x" not in site.paths("pace.test")
    assert run.state("hosts", "/private/x") == (State.DENIED, "robots")


def test_a_server_error_on_robots_txt_closes_the_host(run: Run, site: Site) -> None:
    assert site.paths("closed.test") == ["/robots.txt"]


def test_redirected_robots_txt_is_followed(run: Run, site: Site) -> None:
    assert site.paths("moved.test") == ["/robots.txt", "/rules.txt", "/", "/0", "/2", "/3"]


def test_a_client_error_on_robots_txt_allows_all(run: Run, site: Site) -> None:
    for host in ("forbidden.test", "twin.test"):
        assert sorted(site.paths(host)) == ["/", "/0", "/1", "/2", "/3", "/robots.txt"]


@pytest.mark.parametrize("host", ["busy.test", "limit.test"])
def test_retry_after_is_kept_by_the_whole_host(run: Run, site: Site, host: str) -> None:
    found = of(site, host)
    refused = next(number for number, hit in enumerate(found) if hit.path == "/0")
    assert gaps(found)[refused] >= 2.0 - SLACK
    assert site.paths(host).count("/0") == 2
    assert f"{host}/0" in run.stored("hosts")


def test_robots_tags(run: Run, site: Site, tmp_path: Path) -> None:
    asked = site.paths("tags.test")
    assert "/behind" in asked
    assert not {"/never", "/neither", "/rel"} & set(asked)
    rows = run.rows("hosts", "select noindex, url from page where url like '%tags.test%' and noindex=1")
    assert sorted(url.rpartition("/")[2] for _, url in rows) == ["header", "noindex"]


FAST = {"one.test": "127.30.1.1", "two.test": "127.30.1.2", "three.test": "127.30.1.2"}


def slow_web(site: Site, delay: float) -> None:
    for host in FAST:
        for number in range(6):
            links = [f"/{other}" for other in range(1, 6)] if not number else []
            reply = page(f"{host} {number}", links)
            site.answers[f"{host}/{number or ''}"] = Reply(200, reply.body, reply.headers, delay)


def fetch_all(site: Site, folder: Path, settings: dict[str, str]) -> Run:
    seeds = folder / "fast.txt"
    seeds.write_text("\n".join(site.url(f"{host}/") for host in FAST))
    run = crawl(folder, seeds, site.dns, settings, {"keywords": ASTRONOMY, "strategy": "breadth-first"})
    assert run.code == 0, run.err
    assert len(run.stored("fast")) == 18
    return run


def test_several_at_once_keep_to_the_limits_of_host_and_address(tmp_path: Path) -> None:
    with Site(FAST) as site:
        slow_web(site, 0.25)
        settings = {"POLITENESS_CONCURRENCY": "2", "POLITENESS_ADDRESS_CONCURRENCY": "3", "POLITENESS_DELAY": "0"}
        fetch_all(site, tmp_path, settings)
        assert max(hit.at_host for hit in site.hits) == 2
        assert max(hit.at_address for hit in site.hits) == 3


def test_no_delay_means_no_adaptive_delay_either(tmp_path: Path) -> None:
    with Site(FAST) as site:
        slow_web(site, 0.3)
        fetch_all(site, tmp_path, {"POLITENESS_DELAY": "0", "POLITENESS_LATENCY_FACTOR": "10"})
        pages = [hit for hit in of(site, "one.test") if hit.path != "/robots.txt"]
        assert pages[-1].t - pages[0].t < 5 * 0.3 + 2.0  # ten times the latency would be 15 s
