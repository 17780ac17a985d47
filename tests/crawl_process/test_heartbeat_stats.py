from __future__ import annotations

import json

import pytest

from focuscrawl.crawl.counting import REMEMBERED_SECONDS, HeartbeatStats, ProcessCounts

NOW = 1000.0


def test_the_rate_is_that_of_the_last_minute() -> None:
    stats = HeartbeatStats()
    assert stats.per_minute(0, NOW) == 0.0
    assert stats.per_minute(10, NOW + 30) == 20.0
    assert stats.per_minute(70, NOW + 60) == 70.0
    assert stats.per_minute(70, NOW + 120) == pytest.approx(0.0)


def test_what_a_heartbeat_tells() -> None:
    told = HeartbeatStats().json(ProcessCounts(pages=5), NOW, logged_errors=2, trouble="", control="pause", partition="1/2")
    values = json.loads(told)
    assert values == {
        "pages": 5, "relevant": 0, "duplicates": 0, "requests": 0, "errors": 0, "pages_per_minute": 0.0, "logged_errors": 2,
        "control": "pause", "trouble": "", "partition": "1/2",
    }  # fmt: skip


def test_a_trouble_is_told_for_some_time_after_it_has_passed() -> None:
    stats = HeartbeatStats()

    def told(trouble: str, now: float) -> object:
        said = stats.json(ProcessCounts(), now, logged_errors=0, trouble=trouble, control="run", partition="")
        return json.loads(said)["trouble"]

    assert told("disk full", NOW) == "disk full"
    assert told("", NOW + 10) == "disk full"
    assert told("", NOW + REMEMBERED_SECONDS + 1) == ""
