"""What the access log says about the manners of three workers at once, with each store: one pace over all of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.store.crawls import Crawl
from tests import forked
from tests.crash.served import Served
from tests.crawl.certificate import certified
from tests.crawl.polite_web import ADDRESS_DELAY, DELAY, HOSTS, SLACK, gaps, of, web
from tests.crawl.run import ASTRONOMY, QUICK
from tests.crawl.site import Hit, Site, page
from tests.engines import ENGINES
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow
WORKERS = 3
BOTH = "pace.test"
"""Speaks http and https."""
PACED = {
    "POLITENESS_DELAY": DELAY,
    "POLITENESS_ADDRESS_DELAY": ADDRESS_DELAY,
    "POLITENESS_ADDRESS_CONCURRENCY": 1,  # with more the delay is kept between grants, and a loaded machine sends late
    "FRONTIER_IDLE_STOP": 5,
}


@dataclass(slots=True)
class Shared:
    """A crawl by several workers that has ended."""

    plain: Site
    secure: Site
    crawl: Crawl

    @property
    def hits(self) -> list[Hit]:
        return sorted([*self.plain.hits, *self.secure.hits], key=lambda hit: hit.t)

    def rows(self, query: str) -> list[tuple[object, ...]]:
        with closing(self.crawl.open()) as db:
            return db.execute(query).fetchall()


@pytest.fixture(params=ENGINES, scope="module")
def shared(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shared]:
    served: Served | None = None if request.param == "sqlite" else request.getfixturevalue("served")
    folder = tmp_path_factory.mktemp("polite")
    with Site(HOSTS) as plain, Site({BOTH: HOSTS[BOTH]}, tls=certified(folder, BOTH)) as secure:
        web(plain)
        secure.answers[f"{BOTH}/"] = page("secure home", [f"/{number}" for number in range(4)])
        for number in range(4):
            secure.answers[f"{BOTH}/{number}"] = page(f"secure {number}")
        seeds = folder / "hosts.txt"
        seeds.write_text("\n".join([secure.url(f"{BOTH}/"), *(plain.url(f"{host}/") for host in HOSTS)]))
        settings = {**QUICK, **PACED, "CRAWLS_DIR": folder, "DNS_SERVERS": plain.dns}
        if served:
            settings["STORE_URL"] = served.new_database()
        crawl_at_once(seeds, settings, folder)
        yield Shared(plain, secure, Crawl("hosts", folder / "hosts"))


def crawl_at_once(seeds: Path, settings: dict[str, object], folder: Path) -> None:
    """Several workers on one crawl, each with a log of its own."""
    command = ["crawl", "topic", "-a", f"seeds={seeds}", "-a", f"keywords={ASTRONOMY}", "-a", "strategy=breadth-first"]
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    logs = [folder / f"worker{number}.log" for number in range(WORKERS)]
    with ExitStack() as stack:
        files = [stack.enter_context(log.open("wb")) for log in logs]
        workers = [forked.start("scrapy", *command, stdout=file, stderr=file) for file in files]
        codes = [worker.wait(PATIENCE) for worker in workers]
    failed = [log.read_text()[-3000:] for code, log in zip(codes, logs, strict=True) if code]
    assert not any(codes), f"{codes}: {failed}"


def test_several_workers_took_part(shared: Shared) -> None:
    assert len(shared.rows("select distinct worker from page")) > 1


def test_nothing_is_asked_twice(shared: Shared) -> None:
    for site in (shared.plain, shared.secure):
        for host in HOSTS:
            paths = [path for path in site.paths(host) if (host, path) not in {("busy.test", "/0"), ("limit.test", "/0")}]
            assert len(paths) == len(set(paths)), host
            assert paths[:1] in ([], ["/robots.txt"])


def test_one_request_at_a_time_and_the_delay_between_them(shared: Shared) -> None:
    """http and https of one host name keep one pace."""
    assert {hit.at_host for hit in shared.hits} == {1}
    assert {hit.at_address for hit in shared.hits} == {1}
    for host in HOSTS:
        assert all(gap >= DELAY - SLACK for gap in gaps([hit for hit in shared.hits if hit.host == host])), host
    assert len(shared.secure.paths(BOTH)) == 6


def test_addresses_keep_their_delay(shared: Shared) -> None:
    for address in set(HOSTS.values()):
        found = [hit for hit in shared.hits if hit.address == address]
        short = [
            (gap, hit.host, hit.path) for gap, hit in zip(gaps(found), found[1:], strict=True) if gap < ADDRESS_DELAY - SLACK
        ]
        assert short == []


def test_crawl_delay_and_retry_after_are_kept(shared: Shared) -> None:
    assert all(gap >= 0.9 - SLACK for gap in gaps(of(shared.plain, "wait.test")))
    for host in ("busy.test", "limit.test"):
        found = of(shared.plain, host)
        refused = next(number for number, hit in enumerate(found) if hit.path == "/0")
        assert gaps(found)[refused] >= 2.0 - SLACK


def test_what_robots_txt_forbids_is_never_asked(shared: Shared) -> None:
    assert "/private/x" not in shared.plain.paths(BOTH)
    assert shared.plain.paths("closed.test") == ["/robots.txt"]
    denied = shared.rows(f"select path from url where state={State.DENIED:d} and error='robots'")
    assert ("/private/x",) in denied


def test_gaps_are_measured_over_both_schemes(shared: Shared) -> None:
    """Else the proof above would prove nothing."""
    mixed = [hit.path for hit in shared.hits if hit.host == BOTH]
    assert len(mixed) == len(shared.plain.paths(BOTH)) + len(shared.secure.paths(BOTH))
    ports = [id(site) for site in (shared.plain, shared.secure) for hit in site.hits if hit.host == BOTH]
    assert any(a != b for a, b in pairwise(ports))
