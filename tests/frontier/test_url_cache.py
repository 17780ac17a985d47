from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.frontier.url_cache import FIRST_SLOTS, SPILL, UrlCache


def test_a_known_url_needs_no_second_look_unless_it_is_better() -> None:
    cache = UrlCache(10)
    assert not cache.known(1, 0.5, 0.02)
    cache.put(1, 0.5)
    assert cache.known(1, 0.51, 0.02)
    assert not cache.known(1, 0.6, 0.02)
    cache.close(1)
    assert cache.known(1, 0.99, 0.02)
    assert cache.hit_rate == 0.75


def test_the_least_frequently_used_goes_first() -> None:
    cache = UrlCache(2)
    cache.put(1, 0.0)
    cache.put(2, 0.0)
    assert cache.known(1, 0.0, 0.0)
    cache.put(3, 0.0)
    assert cache.known(1, 0.0, 0.0)
    assert not cache.known(2, 0.0, 0.0)


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 20)), max_size=200), st.integers(1, 8))
def test_memory_stays_bounded(steps: list[tuple[bool, int]], capacity: int) -> None:
    cache = UrlCache(capacity)
    for put, key in steps:
        if put:
            cache.put(key, 0.0)
            assert cache.known(key, 0.0, 0.0)
        else:
            cache.known(key, 0.0, 0.0)
        assert len(cache) <= capacity


def test_no_room_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        UrlCache(0)


def test_a_url_that_was_given_another_priority_is_measured_by_that() -> None:
    cache = UrlCache(2)
    cache.put(1, 0.8)
    cache.rescore(1, 0.2)
    assert not cache.known(1, 0.5, 0.02)
    cache.rescore(7, 0.2)
    assert len(cache) == 1, "what it does not hold it need not note"
    cache.close(1)
    cache.rescore(1, 0.2)
    assert cache.known(1, 0.9, 0.02)


def test_when_many_are_held_some_of_the_least_used_go_at_a_time() -> None:
    cache = UrlCache(64)
    for key in range(64):
        cache.put(key, 0.5)
    for key in range(32):
        cache.known(key, 0.5, 0.0)
    for key in (100, 101, 102):
        cache.put(key, 0.5)
    gone = [key for key in range(64) if not cache.known(key, 0.5, 0.0)]
    assert gone == [32, 33, 34, 35], "two at a time, those first that were not used for longest"
    assert all(cache.known(key, 0.5, 0.0) for key in (100, 101, 102))


@pytest.mark.parametrize("step", [1, FIRST_SLOTS, -FIRST_SLOTS, 2**40 + 1])
def test_every_key_is_found_again_however_many_share_a_slot(step: int) -> None:
    keys = [FIRST_SLOTS - 1 + step * number for number in range(3 * FIRST_SLOTS)]
    cache = UrlCache(len(keys))
    for at, key in enumerate(keys):
        assert not cache.known(key, 0.0, 0.0)
        cache.put(key, at / len(keys))
        if at in (SPILL, FIRST_SLOTS, len(keys) - 1):
            assert all(cache.known(each, number / len(keys), 0.0) for number, each in enumerate(keys[: at + 1]))
            assert not any(cache.known(each, 1.0, 0.0) for each in keys[: at + 1])
    assert len(cache) == len(keys)


def test_it_holds_what_was_used_most() -> None:
    """Compared with plain dictionaries."""
    dice, cache = random.Random(1), UrlCache(40)
    used: dict[int, tuple[int, int]] = {}
    for clock in range(4_000):
        key = int(dice.random() ** 3 * 200) - 50
        if cache.known(key, 0.0, 0.0) != (key in used):
            pytest.fail(f"{key} at {clock}")
        if key not in used and len(used) == 40:
            del used[min(used, key=used.__getitem__)]
        cache.put(key, 0.0)
        used[key] = (used[key][0] + 1 if key in used else 1, clock)
