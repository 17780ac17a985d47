"""SIGTERM and SIGINT: the crawl ends soon and cleanly, says so by its exit code, and goes on when started again."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.store.sqlite import connect
from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import IN_FLIGHT, CrashSite
from tests.crash.invariants import check

pytestmark = pytest.mark.slow


@pytest.fixture
def hanging(slow_web: RunningWeb, tmp_path: Path) -> Iterator[CrashSite]:
    crawled = CrashSite(slow_web, tmp_path)
    yield crawled
    crawled.close()


def left(site: CrashSite) -> tuple[int, int, list[str]]:
    """Leases, URLs in state LEASED, states of the workers."""
    db = connect(site.directory / "store.sqlite", read_only=True)
    try:
        leases = db.execute("select count(*) from lease").fetchone()[0]
        leased = db.execute("select count(*) from url where state=1").fetchone()[0]
        return leases, leased, [state for (state,) in db.execute("select state from worker order by id")]
    finally:
        db.close()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_stops_a_crawl_at_work_and_the_next_start_goes_on(
    site: CrashSite, web: RunningWeb, number: signal.Signals, code: int
) -> None:
    process = site.start()
    assert site.wait_requests(process, 100)
    process.send_signal(number)
    begin = time.monotonic()
    assert site.end_of(process) == code, site.log_end()
    assert time.monotonic() - begin < 10
    assert left(site) == (0, 0, ["gone"])
    assert check(site.directory, site.asked(), ended=False).problems == []
    assert site.run() == 0
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == web.plan.pages
    assert found.refetched == 0


@pytest.mark.parametrize("keywords", ["telescope", ""], ids=["at work", "before there is a topic"])
def test_sigterm_waits_less_than_ten_seconds_for_servers_that_hang(slow_web: RunningWeb, tmp_path: Path, keywords: str) -> None:
    site = CrashSite(slow_web, tmp_path, keywords=keywords)
    try:
        process = site.start()
        assert site.wait_requests(process, 1)
        process.send_signal(signal.SIGTERM)
        begin = time.monotonic()
        assert site.end_of(process) == 143, site.log_end()
        assert time.monotonic() - begin < 10
        assert left(site) == (0, 0, ["gone"])
    finally:
        site.close()


def test_a_second_signal_ends_at_once_and_costs_no_more_than_a_kill(site: CrashSite, web: RunningWeb) -> None:
    process = site.start()
    assert site.wait_requests(process, 100)
    process.send_signal(signal.SIGTERM)
    time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    assert site.end_of(process) == 143, site.log_end()
    assert time.monotonic() - begin < 5
    assert site.run() == 0
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert len(found.pages) == web.plan.pages
    assert found.refetched <= IN_FLIGHT


def test_a_second_signal_does_not_wait_for_servers_that_hang(hanging: CrashSite) -> None:
    process = hanging.start()
    assert hanging.wait_requests(process, 1)
    process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    begin = time.monotonic()
    assert hanging.end_of(process) == 130, hanging.log_end()
    assert time.monotonic() - begin < 4
