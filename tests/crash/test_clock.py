"""The wall clock is set by a day, forward and back, under running workers and between runs: no storm, no freeze."""

from __future__ import annotations

import signal

import pytest

from tests.crash.harness import FAULTY, CrashSite
from tests.crash.manners import assert_whole, too_soon

pytestmark = pytest.mark.slow
DAY = 86_400
DELAY = 0.1
PACED = {"POLITENESS_DELAY": DELAY, "POLITENESS_CONCURRENCY": 1, "POLITENESS_LATENCY_FACTOR": 0}


def test_clocks_that_jump_neither_hurry_nor_stop_a_crawl(site: CrashSite) -> None:
    jump = site.folder / "jump"
    jumping = [site.start(FAULTY, PACED, environment={"CLOCK_JUMP": f"{days * DAY},{jump}"}) for days in (1, -1)]
    assert site.wait_requests(jumping[0], 20)
    jump.touch()
    assert site.wait_requests(jumping[0], 30)
    for process in jumping:
        process.send_signal(signal.SIGTERM)
    assert [site.end_of(process) for process in jumping] == [143, 143], site.log_end()

    process = site.start(FAULTY, PACED, environment={"CLOCK_JUMP": f"{2 * DAY},{jump}"})
    assert site.wait_requests(process, 10), site.log_end()
    process.send_signal(signal.SIGTERM)
    assert site.end_of(process) == 143, site.log_end()
    assert site.end_of(site.start(FAULTY, PACED, environment={"CLOCK_JUMP": f"{-2 * DAY},{jump}"})) == 0, site.log_end()
    assert_whole(site)
    assert "took this one for dead" not in site.log_text()
    assert too_soon(site.accesses(), DELAY) == []
