from __future__ import annotations

import random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.winnowing import (
    GRAM,
    MOST_FEATURES,
    WINDOW,
    chosen,
    features,
    gram_hashes,
    plain,
    similarity,
)

LETTERS = st.text("ab主题", max_size=80)


def test_only_letters_and_digits_count() -> None:
    assert plain("Ａ do-run_run: 主题，爬虫 1!") == "adorunrun主题爬虫1"


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(0, 5), max_size=60), st.integers(1, 10))
def test_the_rightmost_minimum_of_every_window(values: list[int], window: int) -> None:
    """By the definition, one window at a time."""
    hashes = np.array(values, dtype=np.uint64)
    expected = set()
    window = min(window, len(values))
    for start in range(len(values) - window + 1 if values else 0):
        part = values[start : start + window]
        expected.add(start + max(place for place, value in enumerate(part) if value == min(part)))
    assert chosen(hashes, window).tolist() == sorted(expected)


@settings(max_examples=100, deadline=None)
@given(LETTERS, LETTERS, LETTERS, LETTERS, st.text("ab主题", min_size=14, max_size=30))
def test_the_guarantee(a: str, b: str, c: str, d: str, match: str) -> None:
    """A match of at least window + gram - 1 characters is always found (Schleimer et al., section 3)."""
    gram, window = 5, 10
    left, right = gram_hashes(a + match + b, gram), gram_hashes(c + match + d, gram)
    kept_left = set(left[chosen(left, window)].tolist())
    kept_right = set(right[chosen(right, window)].tolist())
    assert kept_left & kept_right


def test_the_guarantee_at_our_sizes() -> None:
    match = "abcdefghijklmnopqrstuvwxyz0123456789"[: GRAM + WINDOW - 1]
    assert set(features("x" * 40 + match).tolist()) & set(features(match + "y" * 40).tolist())


def test_density_is_near_two_in_window_plus_one() -> None:
    hashes = gram_hashes("".join(chr(0x4E00 + number * number % 9973) for number in range(5000)))
    density = len(chosen(hashes)) / len(hashes)
    assert 0.9 < density * (WINDOW + 1) / 2 < 1.1


def test_short_and_empty_texts() -> None:
    assert len(features("")) == 0
    assert len(features("...")) == 0
    assert len(features("ab")) == 1
    assert similarity((), (1,)) == 0.0


def test_long_texts_are_compared_by_a_fair_sample() -> None:
    draw = random.Random(2)
    text = "".join(chr(0x4E00 + draw.randrange(15_000)) for _ in range(20_000))
    other = "".join(chr(0x4E00 + draw.randrange(15_000)) for _ in range(10_000))
    whole, half = (tuple(features(each).tolist()) for each in (text, text[:10_000] + other))
    assert len(whole) == MOST_FEATURES
    assert list(whole) == sorted(whole)
    assert similarity(whole, whole) == 1.0
    assert 0.2 < similarity(whole, half) < 0.46
