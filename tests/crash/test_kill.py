"""kill -9 while a crawl is at work: nothing is lost, nothing is stored twice."""

from __future__ import annotations

import random

import pytest

from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import IN_FLIGHT, CrashSite
from tests.crash.invariants import check
from tests.crash.soak import kill_often

KILLS = 4

pytestmark = pytest.mark.slow


def test_a_crawl_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(site: CrashSite, web: RunningWeb) -> None:
    kills = kill_often(site, KILLS, web.plan.pages, random.Random(random.random()))
    assert site.run() == 0, site.log_end()
    found = check(site.directory, site.asked())
    assert found.problems == []
    assert found.lost == []
    assert found.stored_twice == 0
    assert len(found.pages) == web.plan.pages
    assert found.refetched <= kills * IN_FLIGHT

    asked = site.requests()
    assert site.run() == 0
    again = check(site.directory, site.asked())
    assert (again.pages, again.problems, site.requests() - asked) == (found.pages, [], 0)
