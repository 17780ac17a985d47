"""Static allocation with real processes: each has a part of the web, and together they have all of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
import pytest

from focuscrawl.frontier.partition import bucket_of, key_of, owner
from synthweb.running import RunningWeb
from tests.crash.harness import CrashSite, MakeSite, Process
from tests.crash.manners import assert_whole

pytestmark = pytest.mark.slow

PART_OF_WORKER = "select w.id, r.arguments from worker w join run r on r.id=w.run"
FETCHES = (
    "select f.worker, h.origin, u.path from fetches f join host h on h.hid=f.hid join url u on u.hid=f.hid and u.uid=f.uid"
)


PATIENT = {"FRONTIER_IDLE_STOP": 60}
"""For workers that start together: on a busy machine some seconds lie between them, and who comes first has nothing to do until
the worker of the seeds' part is there. They end at once when nothing waits anywhere."""


def start(site: CrashSite, part: str, settings: Mapping[str, Any]) -> Process:
    return site.start(settings=settings, arguments={"partition": part})


def fetches(site: CrashSite) -> list[tuple[str, str]]:
    """(part, URL) of every fetch."""
    parts = {worker: orjson.loads(arguments)["partition"] for worker, arguments in site.rows(PART_OF_WORKER)}
    return [(parts[worker], origin + tail) for worker, origin, tail in site.rows(FETCHES)]


@pytest.mark.parametrize("grain", ["host", "path"])
def test_three_workers_fetch_what_is_theirs_and_together_the_whole_web(
    make_site: MakeSite, web: RunningWeb, grain: str
) -> None:
    site = make_site(web)
    workers = [start(site, f"{number}/3", {"PARTITION_GRAIN": grain, **PATIENT}) for number in (1, 2, 3)]
    assert [site.end_of(worker) for worker in workers] == [0, 0, 0], site.log_end()
    assert_whole(site)
    done = fetches(site)
    assert {part for part, _ in done} == {"1/3", "2/3", "3/3"}
    for part, url in done:
        assert part == f"{owner(bucket_of(key_of(grain, url)), 3)}/3", url


def test_a_worker_whose_others_are_missing_ends_and_says_what_waits(make_site: MakeSite, web: RunningWeb) -> None:
    site = make_site(web)
    assert site.end_of(start(site, "3/3", {})) == 0, site.log_end()  # the seed's host is its own
    waiting = site.rows("select count(*) from url where state in (0, 2)")[0][0]
    assert waiting > 0
    told = f"nothing of partition 3/3 falls due soon; {waiting} URLs of other partitions wait for workers with 1/3, 2/3"
    assert site.rows("select reason, why from run") == [("empty", told)]
    stats = orjson.loads(site.rows("select stats from run")[0][0])
    assert stats["frontier/foreign_waiting_count"] == waiting
    assert {part for part, _ in fetches(site)} == {"3/3"}
    others = [start(site, f"{number}/3", PATIENT) for number in (1, 2)]
    assert site.wait_until(lambda: len(site.rows("select 1 from worker")) == 3)
    third = start(site, "3/3", PATIENT)  # what the others find for it
    assert [site.end_of(worker) for worker in (*others, third)] == [0, 0, 0], site.log_end()
    assert_whole(site)


def test_in_firewall_mode_a_worker_stays_within_its_part(make_site: MakeSite, web: RunningWeb) -> None:
    site = make_site(web)
    settings = {"PARTITION_FOREIGN": "drop", "FRONTIER_IDLE_STOP": 1}
    assert site.end_of(start(site, "3/3", settings)) == 0, site.log_end()
    assert {row[0] for row in site.rows("select name from host")} == {"wiki.deltanest.test"}
    refused = site.rows("select count(*) from refused where rule='foreign'")[0][0]
    stats = orjson.loads(site.rows("select stats from run")[0][0])
    assert stats["links/refused_count/foreign"] >= refused > 0
    assert site.rows("select reason, why from run") == [("empty", "no waiting URL falls due soon")]


def test_in_cross_over_mode_one_worker_fetches_the_whole_web(make_site: MakeSite, web: RunningWeb) -> None:
    site = make_site(web)
    assert site.end_of(start(site, "2/3", {"PARTITION_FOREIGN": "fetch"})) == 0, site.log_end()
    assert_whole(site)
