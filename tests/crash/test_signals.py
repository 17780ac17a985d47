"""SIGTERM and SIGINT: the crawl ends soon and cleanly, says so by its exit code, and goes on when started again."""

from __future__ import annotations

import signal
import time

import pytest

from focuscrawl.scrapy_side.signals import SAME_REQUEST
from synthweb.running import RunningWeb
from tests.crash.harness import FAULTY, IN_FLIGHT, SOON, CrashSite, MakeSite, Process
from tests.crash.manners import assert_whole, judge
from tests.crash.stores import sqlite_only

pytestmark = pytest.mark.slow
HANGING = {"DOWNLOAD_TIMEOUT": "300"}
"""Longer than the web of these tests takes to answer."""


def left(site: CrashSite) -> tuple[int, int, list[str]]:
    """Leases, URLs in state LEASED, states of the workers."""
    ((leases,),), ((leased,),) = site.rows("select count(*) from lease"), site.rows("select count(*) from url where state=1")
    return leases, leased, [state for (state,) in site.rows("select state from worker order by id")]


def twice(site: CrashSite, process: Process) -> None:
    """SIGINT, and another one that does not belong to it."""
    process.send_signal(signal.SIGINT)
    assert site.says("Received SIGINT", process)
    time.sleep(SAME_REQUEST[signal.SIGINT])
    process.send_signal(signal.SIGINT)


@pytest.mark.parametrize(
    ("store", "number", "code"),
    [("sqlite", signal.SIGTERM, 143), ("sqlite", signal.SIGINT, 130), ("postgresql", signal.SIGTERM, 143)],
    indirect=["store"],
)
def test_a_signal_stops_a_crawl_at_work_and_the_next_start_goes_on(site: CrashSite, number: signal.Signals, code: int) -> None:
    process = site.start()
    assert site.wait_requests(process, 100)
    process.send_signal(number)
    begin = time.monotonic()
    assert site.end_of(process) == code, site.log_end()
    assert time.monotonic() - begin < SOON
    assert left(site) == (0, 0, ["gone"])
    assert judge(site, ended=False).problems == []
    assert site.rows("select reason from run") == [(number.name,)]
    assert site.run() == 0
    assert_whole(site)


@sqlite_only
@pytest.mark.parametrize("keywords", ["telescope", ""], ids=["at work", "before there is a topic"])
def test_sigterm_does_not_wait_for_servers_that_hang(make_site: MakeSite, slow_web: RunningWeb, keywords: str) -> None:
    site = make_site(slow_web, keywords=keywords)
    process = site.start(settings=HANGING)
    assert site.wait_requests(process, 1)
    process.send_signal(signal.SIGTERM)
    begin = time.monotonic()
    assert site.end_of(process) == 143, site.log_end()
    assert time.monotonic() - begin < SOON
    assert left(site) == (0, 0, ["gone"])


@sqlite_only
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_that_comes_twice_at_once_is_one_request(site: CrashSite, number: signal.Signals) -> None:
    """`timeout` sends one to its child and one to the child's group."""
    process = site.start(FAULTY, environment={"SAME_REQUEST": 5})
    assert site.wait_requests(process, 100)
    for _ in range(3):
        process.send_signal(number)
        time.sleep(0.005)
    assert site.end_of(process) == 128 + number, site.log_end()
    assert left(site) == (0, 0, ["gone"])
    assert site.rows("select reason from run") == [(number.name,)]


@sqlite_only
def test_a_second_signal_ends_at_once_and_costs_no_more_than_a_kill(site: CrashSite) -> None:
    process = site.start()
    assert site.wait_requests(process, 100)
    twice(site, process)
    begin = time.monotonic()
    assert site.end_of(process) == 130, site.log_end()
    assert time.monotonic() - begin < SOON
    assert site.run() == 0
    assert_whole(site, IN_FLIGHT)


@sqlite_only
def test_a_second_signal_does_not_wait_for_servers_that_hang(make_site: MakeSite, slow_web: RunningWeb) -> None:
    hanging = make_site(slow_web)
    process = hanging.start(FAULTY, HANGING, environment={"GRACE_SECONDS": 300})
    assert hanging.wait_requests(process, 1)
    twice(hanging, process)
    begin = time.monotonic()
    assert hanging.end_of(process) == 130, hanging.log_end()
    assert time.monotonic() - begin < SOON
