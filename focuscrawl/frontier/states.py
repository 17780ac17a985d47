"""The life of a URL: its states, and the one table of transitions that decides which may follow which.

Invariant: every accepted URL is in exactly one state, and every step from one to another is one of the table (`advance`). The
states refine the four of T-spider (waiting, in progress, completed, error), because they also say why.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum


class State(IntEnum):
    """The states of a URL; the store keeps their numbers. QUEUED is 0 and LEASED is 1 because the partial indexes of the store
    name these numbers."""

    QUEUED = 0
    LEASED = 1
    WAIT = 2
    DONE = 3
    NOTMOD = 4
    REDIR = 5
    DUP = 6
    FILTERED = 7
    DENIED = 8
    FAILED = 9
    GONE = 10


class Event(StrEnum):
    """What can happen to a URL."""

    LEASED = "leased"
    RELEASED = "released"
    TAKEN_BACK = "taken back"
    SET_ASIDE = "set aside"
    STORED = "stored"
    UNCHANGED = "unchanged"
    REDIRECTED = "redirected"
    DUPLICATE = "duplicate"
    FILTERED = "filtered"
    DENIED = "denied"
    RETRY = "retry"
    GAVE_UP = "gave up"
    GONE = "gone"
    REMOVED = "removed"
    DUE = "due"
    PUT_OFF = "put off"


OUTCOMES: dict[Event, State] = {
    Event.RELEASED: State.QUEUED,
    Event.TAKEN_BACK: State.QUEUED,
    Event.SET_ASIDE: State.FAILED,
    Event.STORED: State.DONE,
    Event.UNCHANGED: State.NOTMOD,
    Event.REDIRECTED: State.REDIR,
    Event.DUPLICATE: State.DUP,
    Event.FILTERED: State.FILTERED,
    Event.DENIED: State.DENIED,
    Event.RETRY: State.WAIT,
    Event.GAVE_UP: State.FAILED,
    Event.GONE: State.GONE,
    Event.REMOVED: State.FILTERED,
}
"""The events that end a lease, and the state after each."""

REMOVED = "removed"
"""The error of a URL that an operator removed. Links never queue it again, only an operator does."""
MIRROR, REPEATS = "mirror", "repeats"
"""The errors of URLs that waited on a mirror, or in a part of the web that mostly repeats text seen before, and were put
aside. Links never queue them again either."""
ASIDE = frozenset({MIRROR, REPEATS})
BY_PART = frozenset({"yield", MIRROR})
"""Rules that refuse a link for what its part of the web brings or shows: it may be followed when that opens again."""
UNWANTED = ("depth", "scope", "url")
"""The errors of URLs that waited, and that the user did not want any more in a later run (`max_depth`, the scope,
READING_DOCUMENTS)."""

TRANSITIONS: dict[tuple[State, Event], State] = {
    (State.QUEUED, Event.LEASED): State.LEASED,
    **{(State.LEASED, event): state for event, state in OUTCOMES.items()},
    **{(state, Event.REMOVED): State.FILTERED for state in State},
    # PUT_OFF leads to DONE, or to the final state from which the URL became due (column `rest` of `revisit`).
    **{(state, Event.PUT_OFF): State.DONE for state in (State.QUEUED, State.WAIT)},
    **{(state, Event.DUE): State.QUEUED for state in State if state not in (State.QUEUED, State.LEASED)},
}


def advance(state: State, event: Event) -> State:
    """The state after an event. Raises ValueError if the table does not have the step."""
    try:
        return TRANSITIONS[state, event]
    except KeyError:
        raise ValueError(f"a URL in state {state.name} cannot be {event.value}") from None
