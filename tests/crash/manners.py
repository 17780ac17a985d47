"""What must hold of a crawl besides its store: its manners, by the web's own log, and its log lines."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import pairwise

from synthweb.accesslog import Access
from tests.crash.harness import CrashSite
from tests.crash.invariants import Findings, check
from tests.faults.watch import note
from tests.postgres import PASSWORD

CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e]")
SLACK = 0.03
"""Seconds between sending and the clock of the server's side."""
ROBOTS = "/robots.txt"


def gaps(accesses: Iterable[Access]) -> dict[str, list[float]]:
    """Seconds between requests, by host."""
    times = defaultdict(list)
    for access in accesses:
        times[access.host].append(access.t)
    return {name: [after - before for before, after in pairwise(sorted(moments))] for name, moments in times.items()}


def too_soon(accesses: Sequence[Access], delay: float) -> list[str]:
    """Requests that came sooner after the one before than the delay (seconds) of its host allows."""
    return [
        f"{name} was asked after {gap:.3f} s, not {delay:g}"
        for name, seconds in gaps(accesses).items()
        for gap in seconds
        if gap < delay - SLACK
    ]


def forbidden(site: CrashSite) -> list[str]:
    """Requests that robots.txt forbids, or that came before robots.txt was asked for."""
    known: Counter[str] = Counter()
    found = []
    for access in site.accesses():
        known[access.host] += access.path == ROBOTS
        url = site.web.web.facts.url(site.web.web.layout.by_name[access.host], access.path)
        if access.path != ROBOTS and (not known[access.host] or not site.web.web.label(url).allowed):
            found.append(f"asked against robots.txt: {url}")
    return found


def judge(site: CrashSite, *, ended: bool = True) -> Findings:
    """Everything: store, WARC files, manners, log lines."""
    found = check(site.directory, site.asked(), ended=ended)
    found.problems += forbidden(site)
    lines = site.log_text().splitlines()
    found.problems += [f"a control character in the log: {line!r}" for line in lines if CONTROL.search(line)]
    found.problems += ["the password is in the log" for line in lines if PASSWORD in line]
    note(lost=len(found.lost), twice=found.stored_twice, refetched=found.refetched)
    return found


def assert_whole(site: CrashSite, refetched: int = 0) -> Findings:
    """Every page of the web is stored once. `refetched`: pages that may have been asked for once more."""
    found = judge(site)
    assert found.wrong == [], f"{found.wrong}\n{site.log_end()}"
    assert len(found.pages) == site.web.plan.pages
    assert found.refetched <= refetched
    return found
