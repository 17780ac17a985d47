from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.frontier.states import COARSE, TRANSITIONS, Event, State, advance


def test_every_state_has_a_coarse_one() -> None:
    assert set(COARSE) == set(State)
    assert set(COARSE.values()) == set("URCE")


def test_every_state_can_be_left_and_reached() -> None:
    assert {state for state, _ in TRANSITIONS} == set(State)
    assert set(TRANSITIONS.values()) == set(State)


@given(st.lists(st.sampled_from(list(Event)), max_size=30))
def test_a_walk_stays_in_the_table(events: list[Event]) -> None:
    state = State.QUEUED
    for event in events:
        if (state, event) in TRANSITIONS:
            state = advance(state, event)
        else:
            with pytest.raises(ValueError, match=state.name):
                advance(state, event)


def test_only_a_lease_an_operator_or_the_end_of_a_recrawl_leads_to_an_end() -> None:
    ends = [state for state, coarse in COARSE.items() if coarse in "CE"]
    sources = {
        (before, event in (Event.REMOVED, Event.PUT_OFF)) for (before, event), after in TRANSITIONS.items() if after in ends
    }
    assert sources == {(State.LEASED, False), (State.LEASED, True), (State.QUEUED, True), (State.WAIT, True)}
