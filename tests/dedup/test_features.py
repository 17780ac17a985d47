from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.bands import from_bytes, to_bytes


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1)))
def test_there_and_back(values: list[int]) -> None:
    assert from_bytes(to_bytes(values)) == tuple(values)


def test_least_significant_byte_first() -> None:
    assert to_bytes([1, 2**63]) == b"\x01" + bytes(7) + bytes(7) + b"\x80"


def test_a_cut_field_is_refused() -> None:
    with pytest.raises(ValueError):
        from_bytes(b"1234567")
