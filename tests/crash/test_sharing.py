"""Several processes on one crawl: no URL twice, one pace for all, and a dead one's work is taken over."""

from __future__ import annotations

import time

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import FAULTY, IN_FLIGHT, SOON, MakeSite, kill
from tests.crash.manners import assert_whole, too_soon
from tests.crash.stores import postgresql_only, sqlite_only

pytestmark = pytest.mark.slow


def test_processes_that_start_at_once_share_a_crawl_and_make_one_topic_of_its_seeds(
    make_site: MakeSite, late_web: RunningWeb
) -> None:
    site = make_site(late_web, keywords="")
    # The delay leaves something to the process that comes last: on a busy machine some seconds lie between them.
    few = {"POLITENESS_CONCURRENCY": 3, "CONCURRENT_REQUESTS": 2, "POLITENESS_DELAY": 0.4}
    processes = [site.start(settings=few) for _ in range(3)]
    assert [site.end_of(process) for process in processes] == [0, 0, 0], site.log_end(200)
    found = assert_whole(site)
    assert site.log_text().count("topic of ") == 1
    assert max(access.in_flight for access in site.accesses()) <= 3
    shares = site.rows("select worker, count(*), count(distinct warc) from page group by worker")
    assert len(shares) == 3
    assert found.warc_files == 3


@postgresql_only
def test_the_delay_of_a_host_holds_over_all_processes_and_over_the_death_of_one(
    make_site: MakeSite, small_web: RunningWeb
) -> None:
    delay = 0.3
    site = make_site(small_web)
    paced = {"POLITENESS_DELAY": delay, "POLITENESS_CONCURRENCY": 1, "POLITENESS_LATENCY_FACTOR": 0}
    doomed, *others = [site.start(settings=paced) for _ in range(3)]
    assert site.wait_requests(doomed, 12)
    assert kill(doomed)
    assert [site.end_of(process) for process in others] == [0, 0], site.log_end()
    assert_whole(site, IN_FLIGHT)
    assert {access.in_flight for access in site.accesses()} == {1}
    assert too_soon(site.accesses(), delay) == []


@sqlite_only
def test_what_a_killed_process_held_is_taken_over_at_once(make_site: MakeSite, late_web: RunningWeb) -> None:
    site = make_site(late_web)
    dead = {"DEAD_SECONDS": 300}
    doomed, other = [site.start(FAULTY, {"CONCURRENT_REQUESTS": 4}, environment=dead) for _ in range(2)]
    assert site.wait_until(lambda: len(site.rows("select distinct worker from lease")) == 2, other), site.log_end()
    assert kill(doomed)
    begin = time.monotonic()
    assert site.wait_until(lambda: site.rows("select count(*) from worker where state='dead'") == [(1,)], other)
    assert time.monotonic() - begin < SOON
    assert site.end_of(other) == 0, site.log_end()
    assert_whole(site, IN_FLIGHT)
