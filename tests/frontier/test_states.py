from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.frontier.states import TRANSITIONS, Event, State, advance


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
    ends = set(State) - {State.QUEUED, State.WAIT, State.LEASED}
    to_an_end = [(before, event) for (before, event), after in TRANSITIONS.items() if after in ends]
    assert {before for before, event in to_an_end if event is Event.REMOVED} == set(State)
    assert {before for before, event in to_an_end if event is Event.PUT_OFF} == {State.QUEUED, State.WAIT}
    assert {before for before, event in to_an_end if event not in (Event.REMOVED, Event.PUT_OFF)} == {State.LEASED}


def test_what_an_operator_removed_has_no_other_end() -> None:
    assert {after for (_, event), after in TRANSITIONS.items() if event is Event.REMOVED} == {State.FILTERED}
