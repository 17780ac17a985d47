from __future__ import annotations

import random

import pytest

from focuscrawl.frontier.forecast import PriorityCalibration
from focuscrawl.frontier.lanes import behind
from focuscrawl.frontier.stop_rules import POOR_PAGES, StopRules, StopWatch


def watched(rules: StopRules, outcomes: list[tuple[float, bool]]) -> StopWatch:
    watch = StopWatch(rules)
    for priority, relevant in outcomes:
        assert watch.record(priority, relevant) is None
    return watch


def test_nothing_is_promised_by_priorities_that_gave_nothing() -> None:
    calibration = PriorityCalibration()
    assert calibration.chance(0.5) == 1.0
    for number in range(200):
        calibration.record(0.8, number % 2 == 0)
        calibration.record(0.2, number % 50 == 0)
    assert calibration.chance(0.9) == calibration.chance(0.8) == pytest.approx(0.5, abs=0.02)
    assert calibration.chance(0.1) == calibration.chance(0.3) == pytest.approx(0.03, abs=0.02)


def test_chances_rise_with_priorities_and_follow_the_truth() -> None:
    rng, calibration = random.Random(4), PriorityCalibration()
    for _ in range(1000):
        priority = rng.random()
        calibration.record(priority, rng.random() < priority**2)
    chances = [calibration.chance(step / 20) for step in range(21)]
    assert chances == sorted(chances)
    assert sum(abs(chance - (step / 20) ** 2) for step, chance in enumerate(chances)) / 21 < 0.06


def test_priorities_of_any_scale_and_of_no_meaning() -> None:
    rng, calibration = random.Random(4), PriorityCalibration()
    for number in range(1000):
        calibration.record(-float(number), rng.random() < 0.3)  # as breadth-first has them
    assert calibration.chance(-2000.0) == pytest.approx(0.3, abs=0.15)


def test_harvest_is_judged_over_a_full_window_and_named() -> None:
    watch = watched(StopRules(harvest=0.5, window=10), [(0.5, True)] * 9)
    assert watch.record(0.5, True) is None
    stops = [watch.record(0.5, False) for _ in range(6)]
    assert [bool(stop) for stop in stops] == [False] * 5 + [True]
    assert stops[-1] is not None
    assert (stops[-1].reason, stops[-1].why) == ("harvest", "4 of the last 10 pages were relevant, below the limit of 0.5")


def test_too_little_is_expected_of_the_next_pages_for_long_enough() -> None:
    watch = watched(StopRules(expected_yield=0.05, edge=0), [(0.9, True)] * 60 + [(0.2, False)] * 100)
    assert watch.look([0.2] * 50) is None, "one look says nothing yet"
    for _ in range(POOR_PAGES - 1):
        assert watch.record(0.2, False) is None
    assert watch.look([0.2] * 50) is None
    watch.record(0.2, False)
    stop = watch.look([0.2] * 50)
    assert stop is not None
    assert (stop.reason, stop.why[:21]) == ("promise", "of the next 100 pages")


def test_a_good_stretch_begins_the_count_again() -> None:
    watch = watched(StopRules(expected_yield=0.05, edge=0), [(0.9, True)] * 60 + [(0.2, False)] * 100)
    assert watch.look([0.2] * 50) is None
    for number in range(POOR_PAGES):
        watch.record(0.9, number % 2 == 0)
    assert watch.look([0.9] * 100) is None
    for _ in range(60):
        watch.record(0.2, False)
    assert watch.look([0.2] * 50) is None


def test_nothing_is_foretold_before_anything_was_found() -> None:
    watch = watched(StopRules(expected_yield=0.05, edge=0), [(0.2, False)] * 500)
    assert watch.look([0.2] * 50) is None
    for _ in range(POOR_PAGES):
        watch.record(0.2, False)
    assert watch.look([0.2] * 50) is None


def test_the_edge_must_last() -> None:
    watch = watched(StopRules(edge=0.01, edge_window=50), [(0.9, True)] * 5 + [(0.1, False)] * 900)
    assert watch.look([0.1]) is None
    for _ in range(49):
        watch.record(0.1, False)
        assert watch.look([0.1, 0.1]) is None
    watch.record(0.1, False)
    assert watch.look([0.9, 0.1]) is None, "something good was found: the count begins anew"
    assert watch.look([0.1]) is None
    for _ in range(50):
        watch.record(0.1, False)
    stop = watch.look([0.1])
    assert stop is not None
    assert stop.reason == "edge"
    assert stop.why.startswith("for 50 pages the best waiting URL has had a chance below 0.01")


def test_there_is_no_edge_before_anything_was_found() -> None:
    watch = watched(StopRules(edge=0.01, edge_window=50), [(0.1, False)] * 900)
    watch.record(1.0, True, given=True)
    for _ in range(200):
        watch.record(0.1, False)
        assert watch.look([0.1]) is None
    watch.record(0.1, True)
    for _ in range(1200):
        watch.record(0.1, False)
        stop = watch.look([0.1])
    assert stop is not None
    assert stop.reason == "edge"


def test_nothing_is_judged_without_pages_or_without_waiting_urls() -> None:
    watch = StopWatch(StopRules(expected_yield=1.0, edge=1.0, edge_window=0))
    assert watch.look([0.1]) is None
    watch.record(0.1, False)
    assert watch.look([]) is None


def test_as_many_are_on_the_way_as_the_harvest_needs() -> None:
    watch = StopWatch(StopRules(window=100))
    assert (watch.fetches_for(0), watch.fetches_for(-1), watch.fetches_for(9)) == (0, 0, 9)
    for number in range(99):
        watch.record(0.5, number % 4 == 0)
    assert watch.fetches_for(1) == 4
    assert watch.fetches_for(10) == 39


def test_when_only_barren_parts_are_left_the_edge_says_so() -> None:
    watch = watched(StopRules(edge=0.01, edge_window=50), [(0.9, True)] * 20 + [(0.9, False)] * 10)
    assert watch.look([behind(0.8)]) is None
    for _ in range(1000):
        watch.record(behind(0.8), False)
    assert watch.look([behind(0.8)]) is None
    for _ in range(50):
        watch.record(behind(0.8), False)
    stop = watch.look([behind(0.8)])
    assert stop is not None
    assert stop.reason == "edge"
    assert stop.why.endswith("; all that waits lies in parts of the web that brought next to nothing")
