"""Status rules of RFC 9309, one row of our table after the other."""

from __future__ import annotations

import pytest

from focuscrawl.politeness.robots_state import LONGEST_WAIT, RobotsAnswer, RobotsState, decide, rules_of

_DAY = 86_400.0
_RULES = b"User-agent: *\nDisallow: /x"
_BODY_OF_AN_ERROR = b"User-agent: *\nDisallow: /"


def _verdict(state: RobotsState, path: str = "/x") -> str:
    file = rules_of(state)
    return "wait" if file is None else "yes" if file.allowed("http://h" + path, "foo") else "no"


@pytest.mark.parametrize(
    ("status", "verdict"),
    [(200, "no"), (203, "no"), (299, "no")]
    + [(status, "yes") for status in (400, 401, 402, 403, 404, 405, 410, 418, 451, 499)]
    + [(status, "wait") for status in (429, 500, 501, 502, 503, 504, 520, 530, 599, 0, 99, 199, 600, 999)]
    + [(status, "yes") for status in (300, 301, 302, 307, 308)],
)
def test_status(status: int, verdict: str) -> None:
    body = _RULES if status < 300 else _BODY_OF_AN_ERROR
    state = decide(RobotsAnswer(status, body), now=1_000.0)
    assert _verdict(state) == verdict
    assert 0 < state.expires_at - 1_000.0 <= _DAY


def test_an_empty_answer_has_no_rules() -> None:
    assert _verdict(decide(RobotsAnswer(204), 0.0)) == "yes"


def test_what_is_kept_expires_within_a_day() -> None:
    state = decide(RobotsAnswer(200, _RULES), now=5.0)
    assert (state.fetched_at, state.expires_at) == (5.0, 5.0 + _DAY)


def test_503_for_an_hour_then_rules() -> None:
    now, tries = 0.0, 0
    state: RobotsState | None = None
    while now < 3_600.0:
        state = decide(RobotsAnswer(503), now, state)
        assert _verdict(state) == "wait"
        now, tries = state.expires_at, tries + 1
    assert tries <= 6
    assert _verdict(decide(RobotsAnswer(200, _RULES), now, state)) == "no"


@pytest.mark.parametrize(("old", "verdict"), [(b"", "yes"), (_RULES, "no")], ids=["no rules known", "old rules"])
def test_after_thirty_days_the_old_rules_or_none_hold(old: bytes, verdict: str) -> None:
    state: RobotsState | None = decide(RobotsAnswer(200, old), 0.0) if old else None
    now, tries = _DAY, 0
    while now < _DAY + LONGEST_WAIT:
        state = decide(RobotsAnswer(0), now, state)
        assert _verdict(state) == "wait"
        now, tries = state.expires_at, tries + 1
    assert tries < 200
    state = decide(RobotsAnswer(500), now, state)
    assert _verdict(state) == verdict
    # It is looked at daily from then on, and stays so while the file is unreachable.
    state = decide(RobotsAnswer(0), state.expires_at, state)
    assert _verdict(state) == verdict


def test_retries_grow_and_are_bounded() -> None:
    state = decide(RobotsAnswer(0), 0.0)
    pauses = []
    for _ in range(20):
        before = state.expires_at
        state = decide(RobotsAnswer(0), before, state)
        pauses.append(state.expires_at - before)
    assert pauses[0] == 300.0
    assert pauses == sorted(pauses)
    assert pauses[-1] == 21_600.0


def test_retry_after_lengthens_the_wait_up_to_a_day() -> None:
    assert decide(RobotsAnswer(503, retry_after=3_000.0), 0.0).expires_at == 3_000.0
    assert decide(RobotsAnswer(429, retry_after=10.0**9), 0.0).expires_at == _DAY


def test_not_modified_keeps_the_rules() -> None:
    old = decide(RobotsAnswer(200, _RULES), 0.0)
    state = decide(RobotsAnswer(304), 50.0, old)
    assert (_verdict(state), state.fetched_at) == ("no", 50.0)
    assert _verdict(decide(RobotsAnswer(304), 50.0)) == "yes"


def test_a_file_that_broke_off_is_unreachable() -> None:
    state = decide(RobotsAnswer(200, _RULES, cut=True), 1_000.0)
    assert (_verdict(state), state.status, state.expires_at) == ("wait", 0, 1_300.0)


def test_the_last_good_rules_go_on_while_it_breaks_off() -> None:
    good = decide(RobotsAnswer(200, _RULES), 0.0)
    cut = RobotsAnswer(200, b"User-agent: *", cut=True)
    state = decide(cut, _DAY, good)
    assert (state.state, state.body, state.expires_at) == ("rules", _RULES, _DAY + 300.0)
    later = decide(cut, state.expires_at + 3_600.0, state)
    assert (later.body, later.fetched_at, later.expires_at) == (_RULES, _DAY, _DAY + 300.0 + 2 * 3_600.0 + 300.0)
    assert _verdict(decide(RobotsAnswer(503), later.expires_at, later)) == "wait"  # that is said by the host
    assert decide(RobotsAnswer(200, b""), later.expires_at, later).body == b""


def test_only_a_file_can_break_off() -> None:
    assert _verdict(decide(RobotsAnswer(404, b"half", cut=True), 0.0)) == "yes"
