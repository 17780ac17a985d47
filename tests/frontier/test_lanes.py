"""Lanes keep their order, and the order inside."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.lanes import behind, is_behind, is_lifted, lifted, value_of


@pytest.mark.parametrize("priority", [0.0, 0.25, 1.0, -1.0, -5000.0, 7.0])
def test_what_waits_behind_everything_else_keeps_its_place_among_its_like(priority: float) -> None:
    back = behind(priority)
    assert back < -100_000 < lifted(0.0)
    assert is_behind(back)
    assert not is_behind(priority)
    assert not is_lifted(back)
    assert behind(back) == back
    assert value_of(back) == priority
    assert back < behind(priority + 0.01)
    new, last = behind(back, "new"), behind(back, "last")
    assert new == behind(priority, "new") == behind(new) < behind(-5000.0)
    assert last == behind(priority, "last") == behind(new, "last") == behind(last, "new") < behind(-5000.0, "new")
    assert value_of(new) == value_of(last) == priority


def test_what_a_recrawl_looks_at_is_ahead() -> None:
    assert value_of(lifted(0.5)) == 0.5
    assert is_lifted(lifted(0.0))
    assert not is_behind(lifted(0.0))
