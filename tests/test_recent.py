"""`Recent` against a list of all that was noted."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.recent import SHARE, Recent

NOTES = st.lists(st.tuples(st.integers(0, 60), st.integers()), max_size=200)


@given(notes=NOTES, most=st.integers(1, 50))
def test_the_entries_are_those_that_were_noted_last(notes: list[tuple[int, int]], most: int) -> None:
    """Of the `most` last ones at most one in SHARE, and one more, is forgotten before its time."""
    table: Recent[int, int] = Recent(most)
    every: dict[int, int] = {}
    for key, value in notes:
        before = dict(table)
        forgotten = table.note(key, value)
        assert dict(forgotten) == {old: kept for old, kept in before.items() if old not in table}
        every.pop(key, None)
        every[key] = value
        assert len(table) <= most
        kept = list(every.items())[-len(table) :]
        assert list(table.items()) == kept
        assert len(kept) >= min(len(every), most - most // SHARE)
