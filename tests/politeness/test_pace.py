"""Pace: invariants by hypothesis, then the cases that have names."""

from __future__ import annotations

from dataclasses import astuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.politeness.pace import (
    MAX_CRAWL_DELAY,
    Pace,
    PaceSettings,
    RequestOutcome,
    after_answer,
    concurrency,
    started,
    with_crawl_delay,
)

_SETTINGS = PaceSettings()
_OFF = PaceSettings(delay=0.0)
_FAST = RequestOutcome(latency=0.01, status=200)

_OUTCOMES = st.builds(
    RequestOutcome,
    latency=st.none() | st.floats(0, 100),
    status=st.sampled_from([0, 200, 200, 200, 301, 304, 403, 404, 408, 429, 500, 503, 520]),
    retry_after=st.none() | st.floats(0, 1e12),
    error=st.sampled_from(["", "", "", "timeout", "connect", "dns", "certificate", "length"]),
)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.tuples(_OUTCOMES, st.floats(0, 500)), max_size=25),
    st.sampled_from([0.0, 0.5, 1.0, 10.0]),
    st.sampled_from([None, 0.0, 3.0, 1e9]),
)
def test_invariants(events: list[tuple[RequestOutcome, float]], delay: float, crawl_delay: float | None) -> None:
    wishes = PaceSettings(delay=delay)
    pace, now = with_crawl_delay(Pace(), crawl_delay, wishes), 1_000.0
    least = max(delay, min(crawl_delay or 0.0, MAX_CRAWL_DELAY))
    for outcome, gap in events:
        now += gap
        new = after_answer(pace, outcome, now, wishes)
        assert new.next_at >= pace.next_at
        assert new.next_at >= now + least
        assert new.delay >= least
        assert new.next_at <= max(pace.next_at, now + 86_400.0 + 3_600.0)
        if outcome.error in ("timeout", "connect", "dns", "certificate") or outcome.status >= 400:
            assert new.delay >= pace.delay or outcome.status < 500
            assert new.latency >= pace.latency
        pace = started(new, now, wishes)
        assert pace.next_at >= new.next_at


def test_the_delay_follows_latency_up_faster_than_down() -> None:
    pace = Pace()
    for now in range(20):
        pace = after_answer(pace, RequestOutcome(latency=3.0, status=200), float(now * 10), _SETTINGS)
    assert pace.delay == pytest.approx(6.0)
    slower = after_answer(pace, RequestOutcome(latency=5.0, status=200), 500.0, _SETTINGS)
    faster = after_answer(pace, RequestOutcome(latency=1.0, status=200), 500.0, _SETTINGS)
    assert slower.latency - pace.latency > pace.latency - faster.latency > 0


def test_the_adaptive_part_is_capped() -> None:
    assert after_answer(Pace(), RequestOutcome(latency=500.0, status=200), 0.0, _SETTINGS).delay == _SETTINGS.longest_adaptive


def test_a_fast_error_page_does_not_speed_up() -> None:
    slow = after_answer(Pace(), RequestOutcome(latency=4.0, status=200), 0.0, _SETTINGS)
    for status in (403, 404, 410, 500, 503):
        assert after_answer(slow, RequestOutcome(latency=0.001, status=status), 100.0, _SETTINGS).delay >= slow.delay


def test_no_delay_switches_the_adaptive_part_off() -> None:
    assert after_answer(Pace(), RequestOutcome(latency=9.0, status=200), 50.0, _OFF).next_at == 50.0


def test_no_delay_still_keeps_crawl_delay_and_retry_after_and_breaker() -> None:
    pace = with_crawl_delay(Pace(), 2.0, _OFF)
    assert after_answer(pace, _FAST, 50.0, _OFF).next_at == 52.0
    assert after_answer(Pace(), RequestOutcome(status=429, retry_after=77.0), 50.0, _OFF).next_at == 127.0
    down = Pace()
    for _ in range(5):
        down = after_answer(down, RequestOutcome(error="connect"), 50.0, _OFF)
    assert down.next_at == 350.0


@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(
    ("retry_after", "wait"), [(10.0, 10.0), (3_600.0, 3_600.0), (10.0**9, 86_400.0), (None, 300.0), (0.0, 2.0)]
)
def test_retry_after(status: int, retry_after: float | None, wait: float) -> None:
    pace = after_answer(Pace(), RequestOutcome(latency=0.1, status=status, retry_after=retry_after), 1_000.0, _SETTINGS)
    assert pace.next_at == pytest.approx(1_000.0 + wait)


def test_repeated_throttling_waits_longer() -> None:
    pace, now, waits = Pace(), 0.0, []
    for _ in range(6):
        pace = after_answer(pace, RequestOutcome(status=429), now, _SETTINGS)
        waits.append(pace.next_at - now)
        now = pace.next_at
    assert waits[:3] == [300.0, 600.0, 1_200.0]
    assert waits == sorted(waits)


def test_a_host_down_for_six_hours_sees_at_most_20_requests() -> None:
    pace, now, asked = Pace(), 0.0, 0
    while now < 6 * 3_600.0:
        asked += 1
        pace = after_answer(pace, RequestOutcome(error="connect"), now + 0.2, _SETTINGS)
        now = pace.next_at
    assert 5 < asked <= 20
    back = after_answer(pace, _FAST, now, _SETTINGS)
    assert (back.fails, back.next_at) == (0, now + 1.0)


def test_breaker_states_and_the_single_probe() -> None:
    wishes = PaceSettings(concurrency=8)
    pace = Pace()
    assert concurrency(pace, wishes) == 8
    now = 0.0
    for _ in range(5):
        now = pace.next_at
        pace = after_answer(pace, RequestOutcome(error="timeout"), now, wishes)
    assert concurrency(pace, wishes) == 1
    assert now < pace.backoff_until == pace.next_at


def test_failures_in_flight_together_count_once() -> None:
    pace = Pace()
    for _ in range(16):
        pace = after_answer(pace, RequestOutcome(status=503), 10.0, _OFF)
    assert (pace.fails, pace.next_at) == (1, 310.0)


def test_a_late_success_does_not_cut_the_wait_short() -> None:
    pace = after_answer(Pace(), RequestOutcome(status=429, retry_after=600.0), 0.0, _SETTINGS)
    assert after_answer(pace, _FAST, 1.0, _SETTINGS).next_at == 600.0


@pytest.mark.parametrize("error", ["length", "truncated", "type"])
def test_our_own_decisions_are_no_failures(error: str) -> None:
    assert after_answer(Pace(), RequestOutcome(error=error), 0.0, _SETTINGS).fails == 0


def test_an_address_suffers_only_from_what_speaks_of_the_machine() -> None:
    address = PaceSettings(statuses=False)
    for outcome in (
        RequestOutcome(status=503),
        RequestOutcome(status=500),
        RequestOutcome(error="dns"),
        RequestOutcome(error="tls"),
    ):
        assert after_answer(Pace(), outcome, 0.0, address).fails == 0
    for error in ("timeout", "connect", "reset"):
        assert after_answer(Pace(), RequestOutcome(error=error), 0.0, address).fails == 1


@pytest.mark.parametrize(
    ("crawl_delay", "kept"), [(None, 0.0), (0.0, 0.0), (0.5, 0.5), (10.0, 10.0), (3_600.0, 120.0), (-1.0, 0.0)]
)
def test_crawl_delay_is_clamped(crawl_delay: float | None, kept: float) -> None:
    pace = with_crawl_delay(Pace(), crawl_delay, _SETTINGS)
    assert (pace.crawl_delay, pace.delay) == (kept, max(1.0, kept))


def test_a_host_whose_certificate_is_refused_is_left_alone() -> None:
    pace, now = Pace(), 0.0
    for _ in range(_SETTINGS.breaker_fails):
        now = pace.next_at
        pace = after_answer(pace, RequestOutcome(error="certificate"), now, _SETTINGS)
    assert pace.next_at == now + _SETTINGS.first_probe


def test_a_pace_is_a_row() -> None:
    pace = after_answer(Pace(), RequestOutcome(latency=0.5, status=500), 10.0, _SETTINGS)
    assert Pace(*astuple(pace)) == pace
