"""Answers that are kept: how long, for whom, and that one is made at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable

import pytest

from focuscrawl.dashboard import stores as module
from focuscrawl.dashboard.stores import LEAST_SECONDS, LONGEST_SECONDS, MOST, SHARE, Cache
from tests.patience import PATIENCE


class Time:
    """Stands for the module `time`."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Time:
    made = Time()
    monkeypatch.setattr(module, "time", made)
    return made


def taking(clock: Time, seconds: float, made: list[float]) -> Callable[[], float]:
    def make() -> float:
        clock.now += seconds
        made.append(clock.now)
        return clock.now

    return make


@pytest.mark.parametrize(("cost", "kept"), [(0.0, LEAST_SECONDS), (0.2, 0.2 / SHARE), (30.0, LONGEST_SECONDS)])
def test_what_costs_more_is_kept_longer(clock: Time, cost: float, kept: float) -> None:
    cache, made = Cache(), list[float]()
    cache.get("key", taking(clock, cost, made))
    clock.now += kept - 0.01
    cache.get("key", taking(clock, cost, made))
    assert len(made) == 1
    clock.now += 0.02
    cache.get("key", taking(clock, cost, made))
    assert len(made) == 2


def test_an_answer_can_be_kept_for_longer(clock: Time) -> None:
    cache, made = Cache(), list[float]()
    cache.get("key", taking(clock, 0.0, made), 500.0)
    clock.now += 499.0
    assert cache.get("key", taking(clock, 0.0, made)) == made[0]


def test_an_error_is_not_kept(clock: Time) -> None:
    def fail() -> None:
        raise ValueError

    cache = Cache()
    with pytest.raises(ValueError):
        cache.get("key", fail)
    assert cache.get("key", lambda: 7) == 7


def test_after_a_change_everything_is_made_anew(clock: Time) -> None:
    cache = Cache()
    assert cache.get("key", lambda: 1) == 1
    cache.forget()
    assert cache.get("key", lambda: 2) == 2


def test_the_oldest_answers_go_first(clock: Time) -> None:
    cache = Cache()
    for key in range(MOST + 1):
        cache.get(key, lambda: "old")
    assert cache.get(MOST // 2, lambda: "new") == "old"
    assert cache.get(0, lambda: "new") == "new"


def test_readers_who_come_at_once_wait_for_one_answer(clock: Time) -> None:
    cache, made, begin = Cache(), list[int](), threading.Event()

    def make() -> int:
        begin.wait(PATIENCE)
        made.append(1)
        return 7

    found: list[int] = []
    readers = [threading.Thread(target=lambda: found.append(cache.get("key", make))) for _ in range(5)]
    for reader in readers:
        reader.start()
    begin.set()
    for reader in readers:
        reader.join(PATIENCE)
    assert (found, made) == ([7] * 5, [1])
