"""The states of a page that is not found any more: a table, and random histories against what must never be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from focuscrawl.recrawl.gone import (
    SHORTEST_DELAY,
    TAKEN_OUT,
    Gone,
    failed,
    failure_share_after,
    found,
    missing,
    moved,
    state_of,
)
from focuscrawl.recrawl.state import DAY, RevisitRecord

START = 1_800_000_000.0
PAGE = RevisitRecord(1, 2, first_at=START, checked_at=START, due_at=START + DAY)
LIVE, SUSPECT, GONE, MOVED, REMOVED = Gone


def history(*steps: tuple[float, int], failing: float = 0.0) -> tuple[RevisitRecord, list[Gone]]:
    """Visits at day and status (200: found, 301: moved, 500: failed); the states after each."""
    visit, states = PAGE, []
    for day, status in steps:
        now = START + day * DAY
        if status == 200:
            visit = found(visit)
        elif status == 301:
            visit = moved(visit, now)
        elif status == 500:
            visit = failed(visit, now)
        else:
            visit, told = missing(visit, status, failing, now)
            assert told is state_of(visit)
        states.append(state_of(visit))
    return visit, states


@pytest.mark.parametrize(
    ("steps", "states"),
    [
        ([(1, 404), (2, 404), (5, 404)], [SUSPECT, SUSPECT, GONE]),
        ([(1, 410), (2, 410)], [SUSPECT, GONE]),
        ([(1, 404), (2, 410)], [SUSPECT, GONE]),
        ([(1, 410), (2, 404), (5, 404)], [SUSPECT, SUSPECT, GONE]),
        ([(1, 410), (2, 404), (3, 410)], [SUSPECT, SUSPECT, GONE]),
        ([(1, 404), (2, 404), (3, 404), (3.9, 404), (4, 404)], [SUSPECT, SUSPECT, SUSPECT, SUSPECT, GONE]),
        ([(1, 404), (30, 404), (60, 404)], [SUSPECT, SUSPECT, GONE]),
        ([(1, 404), (2, 404), (3, 200), (5, 404), (6, 404)], [SUSPECT, SUSPECT, LIVE, SUSPECT, SUSPECT]),
        ([(1, 404), (2, 500), (9, 500), (20, 404)], [SUSPECT, SUSPECT, SUSPECT, SUSPECT]),
        ([(1, 410), (2, 410), (92, 404), (300, 200)], [SUSPECT, GONE, GONE, LIVE]),
        ([(1, 410), (2, 410), (2.1, 404)], [SUSPECT, GONE, GONE]),
        ([(1, 410), (2, 410), (92, 500)], [SUSPECT, GONE, GONE]),
        ([(1, 301)], [MOVED]),
        ([(1, 404), (2, 301), (92, 404), (300, 404), (700, 200)], [SUSPECT, MOVED, MOVED, MOVED, LIVE]),
        ([(1, 410), (2, 410), (92, 301)], [SUSPECT, GONE, MOVED]),
    ],
)
def test_histories(steps: list[tuple[float, int]], states: list[Gone]) -> None:
    assert history(*steps)[1] == states


@pytest.mark.parametrize(("status", "state"), [(404, GONE), (410, GONE), (301, MOVED), (200, LIVE), (500, REMOVED)])
def test_what_an_operator_took_out_is_what_its_next_visit_finds(status: int, state: Gone) -> None:
    taken = replace(PAGE, gone=TAKEN_OUT, gone_at=START + DAY)
    assert state_of(taken) is REMOVED
    now = START + 2 * DAY
    visit = {
        200: found(taken), 301: moved(taken, now), 500: failed(taken, now),
    }.get(status) or missing(taken, status, 0.0, now)[0]  # fmt: skip
    assert state_of(visit) is state
    if state in (GONE, MOVED):
        assert (visit.gone_at, visit.due_at) == (now, now + 90 * DAY)


def test_a_soft_404_counts_as_a_404() -> None:
    visit = PAGE
    for day, state in ((1, SUSPECT), (2, SUSPECT), (5, GONE)):
        visit, told = missing(visit, 200, 0.0, START + day * DAY)
        assert told is state


def test_when_it_is_looked_at_again() -> None:
    def wait(*steps: tuple[float, int]) -> float:
        return (history(*steps)[0].due_at - START) / DAY - steps[-1][0]

    assert wait((1, 404)) == pytest.approx(0.9)
    assert wait((1, 404), (2, 404)) == pytest.approx(2.9)
    assert wait((1, 404), (2, 404), (3, 404)) == pytest.approx(8.9)
    assert wait((1, 410)) == pytest.approx(0.9)
    assert wait((1, 404), (2, 404), (5, 404)) == pytest.approx(90)
    gone = [(1.0, 410), (2.0, 410)]
    waits = []
    for _ in range(6):
        waits.append(wait(*gone))
        gone.append((gone[-1][0] + waits[-1], 404))
    assert waits == pytest.approx([90, 180, 360, 720, 730, 730])
    assert wait((1, 301)) == pytest.approx(90)
    assert wait((1, 301), (91, 301)) == pytest.approx(180)


def test_the_first_visit_that_missed_it_is_kept() -> None:
    assert history((1, 404), (2, 404), (5, 404))[0].gone_at == START + DAY
    assert history((1, 404), (2, 200))[0].gone_at == 0.0


def test_a_visit_that_found_nothing_was_a_look() -> None:
    assert history((1, 404))[0].checked_at == START + DAY
    assert history((1, 500))[0].checked_at == START


def test_an_error_puts_the_visit_off_the_longer_the_longer_it_lasts() -> None:
    visit, waits = PAGE, []
    now = START + DAY
    for _ in range(25):
        visit = failed(visit, now)
        waits.append((visit.due_at - now) / DAY)
        now = visit.due_at
    assert waits[0] == pytest.approx(0.9)
    assert waits == sorted(waits)
    assert waits[-1] == 30
    assert visit.checked_at == START


def test_what_was_never_seen_is_tried_daily() -> None:
    assert failed(RevisitRecord(1, 2), START).due_at == START + SHORTEST_DELAY


def test_nothing_counts_while_the_host_is_down() -> None:
    visit, states = history((1, 404), (2, 404), (5, 404), (9, 410), (20, 410), failing=0.51)
    assert set(states) == {LIVE}
    assert (visit.gone, visit.checked_at) == (0, START)


def test_a_suspect_stays_one_while_its_host_is_down() -> None:
    suspect, _ = history((1, 404))
    visit, state = missing(suspect, 410, 0.9, START + 2 * DAY)
    assert (state, visit.gone, visit.gone_at) == (SUSPECT, 1, suspect.gone_at)


def test_seven_failures_in_a_row_are_an_outage_and_seven_answers_end_it() -> None:
    share, failures = 0.0, 0
    while share <= 0.5:
        share, failures = failure_share_after(share, True), failures + 1
    assert failures == 7
    for _ in range(200):
        share = failure_share_after(share, True)
    assert share <= 1.0
    answers = 0
    while share > 0.5:
        share, answers = failure_share_after(share, False), answers + 1
    assert answers == 7


class Histories(RuleBasedStateMachine):
    """Random answers at random times: the model counts by itself what the states must not contradict."""

    def __init__(self) -> None:
        super().__init__()
        self.visit, self.now, self.failure_share = PAGE, START, 0.0
        self.missed: list[tuple[float, int]] = []
        """Times and statuses since it was last found, of those that counted."""

    @rule(days=st.floats(0.0, 5.0))
    def time_passes(self, days: float) -> None:
        self.now += days * DAY

    @rule(down=st.booleans(), times=st.integers(1, 10))
    def others_are_fetched(self, down: bool, times: int) -> None:
        for _ in range(times):
            self.failure_share = failure_share_after(self.failure_share, down)

    @rule(status=st.sampled_from([404, 404, 410, 200]))
    def it_is_missing(self, status: int) -> None:
        before, planned = state_of(self.visit), self.visit.due_at
        self.visit, state = missing(self.visit, status, self.failure_share, self.now)
        assert state is state_of(self.visit)
        if self.failure_share > 0.5:
            assert state is before
        elif before is not Gone.MOVED:
            self.missed.append((self.now, status))
        if self.failure_share <= 0.5 and before in (Gone.GONE, Gone.MOVED) and self.now < planned:
            assert self.visit.due_at == planned  # a look before its time moves nothing
        else:
            assert self.visit.due_at >= self.now + SHORTEST_DELAY

    @rule()
    def it_fails(self) -> None:
        before = state_of(self.visit)
        self.visit = failed(self.visit, self.now)
        assert state_of(self.visit) is before
        assert self.now + SHORTEST_DELAY <= self.visit.due_at <= self.now + 30 * DAY

    @rule()
    def it_is_found(self) -> None:
        self.visit, self.missed = found(self.visit), []
        assert state_of(self.visit) is Gone.LIVE

    @precondition(lambda self: self.failure_share < 0.2)
    @rule()
    def it_has_moved(self) -> None:
        self.visit, self.missed = moved(self.visit, self.now), []
        assert state_of(self.visit) is Gone.MOVED

    @invariant()
    def gone_needs_visits_and_time(self) -> None:
        if state_of(self.visit) is not Gone.GONE:
            return
        assert len(self.missed) >= 2
        if all(status != 410 for _, status in self.missed):
            assert len(self.missed) >= 3
            assert self.missed[-1][0] - self.missed[0][0] >= 3 * DAY

    @invariant()
    def what_is_not_missed_is_there(self) -> None:
        if not self.missed and state_of(self.visit) is not Gone.MOVED:
            assert state_of(self.visit) is Gone.LIVE
        assert 0 <= self.visit.gone < 1 << 15


Histories.TestCase.settings = settings(max_examples=60, stateful_step_count=40)
TestHistories = Histories.TestCase


def test_a_failure_and_a_look_before_its_time_leave_what_is_gone_due_as_planned() -> None:
    """An example for `Histories`, which takes none by decorator: 404, 410, a failure, and 404 half a day later."""
    one = Histories()
    one.it_is_missing(404)
    one.it_is_missing(410)
    one.it_fails()
    planned = one.visit.due_at
    one.time_passes(0.5)
    one.it_is_missing(404)
    one.gone_needs_visits_and_time()
    one.what_is_not_missed_is_there()
    assert (state_of(one.visit), one.visit.due_at) == (Gone.GONE, planned)
    assert (planned - one.now) / DAY == pytest.approx(0.4)


def test_a_look_before_its_time_does_not_put_off_the_next() -> None:
    gone = history((1, 410), (2, 410))[0]
    early, state = missing(gone, 410, 0.0, gone.due_at - DAY)
    assert (state, early.due_at, early.gone) == (GONE, gone.due_at, gone.gone)
