"""What operators say is done by every worker within 5 s, and holds over a restart: proved by the web's own log."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from itertools import pairwise

import pytest
from scrapy.commands import ScrapyCommand

from focuscrawl.commands import frontier, pause, resume, stop, workers
from synthweb.running import RunningWeb
from tests.commands.call import call
from tests.crash.harness import CrashSite, MakeSite, Process
from tests.crash.invariants import check

pytestmark = pytest.mark.slow

EFFECT = 5.0
GRACE = 10.0
"""A stop waits for answers to requests in flight."""
DELAY = 0.3
SLOWLY = {
    "POLITENESS_DELAY": str(DELAY),
    "POLITENESS_CONCURRENCY": "1",
    "POLITENESS_LATENCY_FACTOR": "0",
    "FRONTIER_IDLE_STOP": "2",
}


class Operator:
    """Says something to a crawl, as its commands do, and watches the web."""

    def __init__(self, site: CrashSite, capsys: pytest.CaptureFixture[str]) -> None:
        self.site = site
        self._capsys = capsys

    def say(self, command: Callable[[], ScrapyCommand], *arguments: str) -> str:
        assert call(command(), self.site.folder, *arguments) == 0
        return self._capsys.readouterr().out

    def asked_since(self, moment: float, host: str = "") -> list[str]:
        """Requests after a moment of the monotonic clock."""
        return [
            f"{access.host}{access.path}"
            for access in self.site.web.accesses()
            if access.t > moment and host in ("", access.host) and access.path != "/robots.txt"
        ]

    def smallest_gap(self, began: float) -> float:
        """Seconds between two requests to one host."""
        times: dict[str, list[float]] = {}
        for access in self.site.web.accesses():
            if access.t > began:
                times.setdefault(access.host, []).append(access.t)
        return min(after - before for of_host in times.values() for before, after in pairwise(sorted(of_host)))

    def waiting(self, *arguments: str) -> list[dict[str, object]]:
        return [
            json.loads(line)
            for line in self.say(frontier.Command, "ls", self.site.directory.name, "--json", *arguments).splitlines()
        ]


def quiet(operator: Operator, seconds: float, host: str = "") -> bool:
    """Whether nothing is asked for, from 5 s after now on."""
    time.sleep(EFFECT)
    since = time.monotonic()
    time.sleep(seconds)
    return not operator.asked_since(since, host)


def test_two_workers_do_what_operators_say(make_site: MakeSite, web: RunningWeb, capsys: pytest.CaptureFixture[str]) -> None:
    site = make_site(web)
    operator = Operator(site, capsys)
    name, began = site.directory.name, time.monotonic()
    first, second = site.start(settings=SLOWLY), site.start(settings=SLOWLY)
    assert site.wait_requests(first, 20), site.log_end()

    third = _pause(operator, name, first, second)
    removed = _hold_and_remove(operator, name)
    _stop(operator, name, second, third)
    assert operator.smallest_gap(began) >= DELAY - 0.03, "leases that are given back leave the host's pace as it is"

    before = time.monotonic()
    assert site.run(settings=SLOWLY) == 2
    assert not operator.asked_since(before)
    assert f"`scrapy resume {name}` resumes it" in site.log_end()

    operator.say(resume.Command, name)
    assert site.run() == 0, site.log_end()
    assert not removed & set(site.asked())
    found = check(site.directory, site.asked())
    assert (found.problems, found.stored_twice) == ([], 0)
    assert len(found.pages) <= web.plan.pages - len(removed)


def _pause(operator: Operator, name: str, first: Process, second: Process) -> Process:
    """Both wait, and one that starts later; the first is ended. Returns the third, which goes on with the second."""
    site = operator.site
    said = operator.say(pause.Command, name)
    assert "2 workers will lease nothing more" in said
    assert quiet(operator, 2.0), site.log_end()
    first.terminate()
    assert site.end_of(first) == 143
    third = site.start(settings=SLOWLY)
    assert site.wait_until(lambda: site.log_text().count("paused by an operator") == 3, third), site.log_end()
    since = time.monotonic()
    time.sleep(3.0)  # longer than FRONTIER_IDLE_STOP
    assert not operator.asked_since(since)
    states = [json.loads(line)["state"] for line in operator.say(workers.Command, name, "--json").splitlines()]
    assert sorted(states) == ["gone", "paused", "paused"]
    assert (second.poll(), third.poll()) == (None, None)
    operator.say(resume.Command, name)
    since = time.monotonic()
    assert site.wait_requests(second, 3), site.log_end()
    assert time.monotonic() - since < EFFECT
    return third


def _hold_and_remove(operator: Operator, name: str) -> set[str]:
    """Returns the URLs that were removed before they were fetched."""
    waiting = operator.waiting("--state", "queued", "--limit", "1000")
    hosts = sorted({str(one["host"]) for one in waiting}, key=lambda host: -sum(one["host"] == host for one in waiting))
    held, other = hosts[:2]
    removed = {str(one["url"]) for one in waiting if one["host"] == other}
    removed = set(sorted(removed)[: len(removed) // 2])
    operator.say(frontier.Command, "rm", name, *removed)
    operator.say(frontier.Command, "hold", name, held)
    assert quiet(operator, 2.0, held), operator.site.log_end()
    removed -= set(operator.site.asked())  # between the list and the removal, or in flight then
    assert operator.asked_since(time.monotonic() - 2.0), "the other hosts go on"
    operator.say(frontier.Command, "release", name, held)
    since = time.monotonic()
    assert operator.site.wait_until(lambda: bool(operator.asked_since(since, held)))
    assert time.monotonic() - since < EFFECT
    back = removed.pop()
    since = time.monotonic()
    operator.say(frontier.Command, "add", name, back)
    assert operator.site.wait_until(lambda: back in operator.site.asked())
    assert time.monotonic() - since < EFFECT
    return removed


def _stop(operator: Operator, name: str, *processes: Process) -> None:
    began = time.monotonic()
    operator.say(stop.Command, name)
    assert [operator.site.end_of(process) for process in processes] == [1, 1], operator.site.log_end()
    assert time.monotonic() - began < EFFECT + GRACE
    assert "an operator (" in operator.site.log_text()
