from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.bands import simhash_keys, sketch_keys

SIMHASH = st.integers(0, 2**64 - 1)


@settings(max_examples=200, deadline=None)
@given(SIMHASH, st.sets(st.integers(0, 63), max_size=3))
def test_up_to_three_bits_apart_share_a_key(value: int, flipped: set[int]) -> None:
    other = value
    for bit in flipped:
        other ^= 1 << bit
    assert set(simhash_keys(value)) & set(simhash_keys(other))


@given(SIMHASH)
def test_keys_are_small_and_one_for_each_band(value: int) -> None:
    keys = simhash_keys(value)
    assert [key >> 16 for key in keys] == [0, 1, 2, 3]


def test_complements_share_no_key() -> None:
    assert not set(simhash_keys(0x0123456789ABCDEF)) & set(simhash_keys(0xFEDCBA9876543210))


@settings(max_examples=50, deadline=None)
@given(st.lists(SIMHASH, min_size=12, max_size=12), st.integers(0, 11))
def test_sketches_share_the_keys_of_equal_groups(values: list[int], place: int) -> None:
    other = list(values)
    other[place] ^= 1
    a, b = sketch_keys(values, 4, 3, 1), sketch_keys(other, 4, 3, 1)
    assert [x == y for x, y in zip(a, b, strict=True)] == [band != place // 3 for band in range(4)]


def test_methods_have_ranges_of_their_own_in_a_signed_column() -> None:
    sketch = list(range(60))
    keys = [set(sketch_keys(sketch, 12, 5, family)) for family in (1, 2, 3)]
    assert not keys[0] & keys[1]
    assert not keys[1] & keys[2]
    assert all(2**60 <= key < 2**63 for each in keys for key in each)


def test_no_sketch_no_keys() -> None:
    assert sketch_keys((), 12, 5, 1) == []


def test_equal_values_in_different_bands_do_not_meet() -> None:
    assert len(set(sketch_keys([7] * 60, 12, 5, 1))) == 12
