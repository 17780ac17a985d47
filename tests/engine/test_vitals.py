from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any, cast

import pytest

from focuscrawl.crawl.heartbeat_stats import REMEMBERED_SECONDS, Vitals
from focuscrawl.crawl.session import Counts, CrawlSession
from focuscrawl.store.workers.control import Wanted

NOW = 1000.0


def session(pages: int = 0, trouble: str = "") -> CrawlSession:
    parts: Any = SimpleNamespace(
        counts=Counts(pages=pages), store=SimpleNamespace(writer=SimpleNamespace(trouble=trouble)),
        control=SimpleNamespace(wanted=Wanted.PAUSE), job=SimpleNamespace(arguments=SimpleNamespace(partition="1/2")),
    )  # fmt: skip
    return cast("CrawlSession", parts)


def test_the_rate_is_that_of_the_last_minute() -> None:
    vitals = Vitals()
    assert vitals.per_minute(0, NOW) == 0.0
    assert vitals.per_minute(10, NOW + 30) == 20.0
    assert vitals.per_minute(70, NOW + 60) == 70.0
    assert vitals.per_minute(70, NOW + 120) == pytest.approx(0.0)


def test_what_a_heartbeat_tells() -> None:
    values = json.loads(Vitals().json(session(pages=5), NOW))
    assert values == {
        "pages": 5, "relevant": 0, "duplicates": 0, "requests": 0, "errors": 0, "pages_per_minute": 0.0,
        "control": "pause", "trouble": "", "partition": "1/2",
    }  # fmt: skip


def test_a_trouble_is_told_for_some_time_after_it_has_passed() -> None:
    vitals = Vitals()

    def told(trouble: str, now: float) -> object:
        return json.loads(vitals.json(session(trouble=trouble), now))["trouble"]

    assert told("disk full", NOW) == "disk full"
    assert told("", NOW + 10) == "disk full"
    assert told("", NOW + REMEMBERED_SECONDS + 1) == ""
