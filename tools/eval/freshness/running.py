"""One policy in one setting."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from focuscrawl.recrawl.planning import POLICIES
from tools.eval.freshness.crawler import Crawler
from tools.eval.freshness.oracle import ORACLES, Oracle
from tools.eval.freshness.pages import make_pages
from tools.eval.freshness.setting import Setting
from tools.eval.freshness.web import Web

SIGNALLED = "optimal, signals"
"""With Last-Modified and sitemaps on some of the pages; nobody else gets them."""
TOLD = 0.3
NAMES = (*POLICIES, SIGNALLED, *ORACLES)
FIRST_DAYS = 10.0
"""The first crawl takes so long."""


@dataclass(frozen=True)
class Row:
    setting: str
    policy: str
    freshness: float
    staleness_age: float
    """Days."""
    hit_rate: float
    fetches: int
    """In the time that is measured, like all figures."""
    oldest: float
    """Days since the last visit, of the page that waits longest at the end."""
    seconds: float


def run(name: str, setting: Setting) -> Row:
    """Simulate; the same arguments give the same row, but for the seconds."""
    began = time.perf_counter()
    if name == SIGNALLED:
        return replace(run("optimal", replace(setting, told=TOLD)), policy=name)
    web = Web(make_pages(setting), setting)
    crawler = Oracle(name, setting, web) if name in ORACLES else Crawler(name, setting, web)
    first = -FIRST_DAYS * web.pages.first
    web.begin(first)
    crawler.begin(first)
    steps, per_day, half = round(setting.days / setting.step), round(1 / setting.step), setting.measured_from
    jumped = False
    for number in range(1, steps + 1):
        now = number * setting.step
        if not jumped and now >= half:
            web.jump(now)
            jumped = True
        if number % per_day == 1:
            crawler.day(now)
        crawler.step(now)
    web.close(now)
    oldest = float(now - web.fetched_at.min())
    rate = web.hits / max(1, web.fetches)
    spent = time.perf_counter() - began
    return Row(setting.name, name, web.freshness, web.staleness_age, rate, web.fetches, oldest, spent)
