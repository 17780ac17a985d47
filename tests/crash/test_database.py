"""The database server dies, or the network to it breaks: workers wait, and lose nothing."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import psycopg
import pytest

from tests.crash.harness import FAULTY, GOES_ON, IN_FLIGHT, SOON, WAITS, CrashSite
from tests.crash.manners import assert_whole
from tests.crash.proxy import Proxy
from tests.crash.served import OwnServer, serving
from tests.crash.stores import postgresql_only
from tests.postgres import Unavailable

pytestmark = [pytest.mark.slow, postgresql_only]
DEAD = {"DEAD_SECONDS": 4}


@pytest.fixture(scope="module")
def served() -> Iterator[OwnServer]:
    """A server that may be killed: it must run again when the test ends."""
    try:
        with serving() as server:
            yield server
    except Unavailable as why:
        pytest.skip(str(why))


@pytest.fixture
def proxy(served: OwnServer) -> Iterator[Proxy]:
    """The network of one worker."""
    with Proxy(served.port) as running:
        yield running


def test_a_server_that_is_killed_and_started_again_costs_nothing(site: CrashSite, served: OwnServer) -> None:
    workers = [site.start() for _ in range(4)]
    assert site.wait_until(lambda: len(site.rows("select 1 from worker where state='live'")) == 4)
    served.kill()
    try:
        assert site.wait_until(lambda: site.log_text().count(WAITS) >= 4)
    finally:
        served.start()
    assert [site.end_of(worker) for worker in workers] == [0] * 4, site.log_end()
    assert site.log_text().count(GOES_ON) >= 4
    assert_whole(site)


@pytest.mark.parametrize("fault", ["killed", "frozen"])
def test_sigterm_does_not_wait_for_the_database(site: CrashSite, served: OwnServer, proxy: Proxy, fault: str) -> None:
    worker = site.start(FAULTY, port=proxy.port, environment={"ENDING_SECONDS": 300})
    assert site.wait_requests(worker, 60)
    if fault == "killed":
        served.kill()
        assert site.says(WAITS, worker)
    else:
        proxy.freeze()
        time.sleep(1)
    worker.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    code, seconds = site.end_of(worker), time.monotonic() - begin
    if fault == "killed":
        served.start()
    assert (code, seconds < SOON) == (143, True), (seconds, site.log_end())
    assert site.run() == 0, site.log_end()
    assert_whole(site, IN_FLIGHT)


def test_a_start_without_the_database_is_refused_in_one_sentence(site: CrashSite, served: OwnServer) -> None:
    served.kill()
    try:
        assert site.run() == 1, site.log_end()
    finally:
        served.start()
    assert "PostgreSQL server" in site.log_text()
    assert "Traceback" not in site.log_text()
    assert site.requests() == 0 or not site.accesses()


@pytest.mark.parametrize("fault", ["cut", "frozen"])
def test_a_short_break_of_one_workers_network_costs_nothing(site: CrashSite, proxy: Proxy, fault: str) -> None:
    worker, other = site.start(port=proxy.port), site.start()
    assert site.wait_until(lambda: len(site.rows("select distinct worker from lease")) == 2, worker), site.log_end()
    if fault == "cut":
        proxy.cut()
        assert site.says(WAITS, worker)
    else:
        proxy.freeze()
        time.sleep(3)
    proxy.heal()
    assert [site.end_of(process) for process in (worker, other)] == [0, 0], site.log_end()
    assert_whole(site)


@pytest.mark.parametrize("fault", ["cut", "frozen"])
def test_who_is_cut_off_for_too_long_is_dead_for_the_others_and_learns_it(site: CrashSite, proxy: Proxy, fault: str) -> None:
    worker = site.start(FAULTY, port=proxy.port, environment=DEAD)
    assert site.wait_requests(worker, 60)
    if fault == "cut":
        proxy.cut()
    else:
        proxy.freeze()
    assert site.end_of(site.start(FAULTY, environment=DEAD)) == 0, site.log_end()
    finished = assert_whole(site, 2 * IN_FLIGHT)
    proxy.heal()
    assert site.end_of(worker) == 1, site.log_end()
    assert "took this one for dead" in site.log_text()
    assert site.rows("select reason from run order by id") == [("lost",), ("empty",)]
    assert assert_whole(site, 2 * IN_FLIGHT).pages == finished.pages


def test_tables_that_others_lock_are_waited_for(site: CrashSite) -> None:
    worker = site.start()
    assert site.wait_requests(worker, 60)
    with psycopg.connect(site.url) as db:
        db.execute(f"lock table crawl_{site.directory.name}.url in exclusive mode".encode())
        assert site.says(WAITS, worker)
        time.sleep(2)
        assert worker.poll() is None
    assert site.end_of(worker) == 0, site.log_end()
    assert_whole(site)
