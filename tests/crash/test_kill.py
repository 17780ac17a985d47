"""kill -9 while a crawl is at work: nothing is lost, nothing is stored twice."""

from __future__ import annotations

import random

import pytest

from synthweb.running import RunningWeb
from tests.crash.crowd import Crowd
from tests.crash.harness import IN_FLIGHT, MakeSite
from tests.crash.manners import assert_whole, judge

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("store", "workers", "kills"), [("sqlite", 1, 3), ("sqlite", 3, 4), ("postgresql", 3, 4)], indirect=["store"]
)
def test_a_crawl_that_is_killed_again_and_again_ends_as_if_nothing_had_happened(
    make_site: MakeSite, web: RunningWeb, workers: int, kills: int
) -> None:
    site = make_site(web)
    crowd = Crowd(site, workers, random.Random(random.random()))
    crowd.kill_often(kills, web.plan.pages)
    assert set(crowd.end()) == {0}, site.log_end()
    found = assert_whole(site, crowd.kills * IN_FLIGHT)

    asked = site.requests()
    assert site.run() == 0
    again = judge(site)
    assert (again.pages, again.wrong, site.requests() - asked) == (found.pages, [], 0)
