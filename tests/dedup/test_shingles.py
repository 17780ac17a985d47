from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.shingles import (
    SKETCH_SIZE,
    containment,
    estimated_resemblance,
    resemblance,
    shingles,
    short_resemblance,
    short_sketch,
    sketch,
)

WORDS = st.lists(st.sampled_from(["a", "rose", "is", "主题", "爬虫", "b", "c", "d"]), max_size=40)


def by_definition(words: list[str], width: int) -> set[tuple[str, ...]]:
    width = min(width, len(words))
    return {tuple(words[at : at + width]) for at in range(len(words) - width + 1)} if words else set()


def test_broders_example() -> None:
    """S(a rose is a rose is a rose, 4) has three members."""
    assert len(shingles(["a", "rose", "is", "a", "rose", "is", "a", "rose"], 4)) == 3


@settings(max_examples=100, deadline=None)
@given(WORDS, WORDS, st.integers(1, 4))
def test_resemblance_and_containment_by_the_definition(a: list[str], b: list[str], width: int) -> None:
    left, right = by_definition(a, width), by_definition(b, width)
    s, t = shingles(a, width), shingles(b, width)
    assert len(s) == len(left)
    # A text shorter than the width is one shorter shingle in both.
    assert resemblance(s, t) == pytest.approx(len(left & right) / len(left | right) if left | right else 0.0)
    assert containment(s, t) == pytest.approx(len(left & right) / len(left) if left else 0.0)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.8, 0.95])
def test_a_sketch_estimates_the_resemblance(share: float) -> None:
    draw = random.Random(7)
    errors = []
    for _ in range(20):
        common = {draw.getrandbits(64) for _ in range(int(1000 * share))}
        rest = [draw.getrandbits(64) for _ in range(1000 - len(common))]
        a = np.array(sorted(common | set(rest[::2])), dtype=np.uint64)
        b = np.array(sorted(common | set(rest[1::2])), dtype=np.uint64)
        errors.append(estimated_resemblance(sketch(a), sketch(b)) - resemblance(a, b))
    assert abs(np.mean(errors)) < 0.04
    assert np.std(errors) < 0.09


def test_sketches_of_long_texts_do_not_depend_on_the_blocks() -> None:
    words = [f"w{number}" for number in range(10_000)]
    whole = sketch(shingles(words))
    parts = [sketch(shingles(words[at : at + 2502])) for at in range(0, 10_000, 2500)]
    assert len(whole) == SKETCH_SIZE
    assert whole == tuple(min(values) for values in zip(*parts, strict=True))


def test_empty_texts() -> None:
    empty = shingles([])
    assert sketch(empty) == ()
    assert resemblance(empty, empty) == containment(empty, empty) == 0.0
    assert estimated_resemblance((), ()) == 0.0
    assert estimated_resemblance((), (1,)) == 0.0


@pytest.mark.parametrize("share", [0.2, 0.5, 0.8])
def test_a_short_sketch_estimates_the_resemblance(share: float) -> None:
    errors, draw = [], random.Random(5)
    for _ in range(100):
        common = [draw.getrandbits(64) for _ in range(round(600 * share / (1 + share)))]
        one, other = (common + [draw.getrandbits(64) for _ in range(300 - len(common))] for _ in range(2))
        a, b = np.array(one, dtype=np.uint64), np.array(other, dtype=np.uint64)
        errors.append(short_resemblance(short_sketch(a), short_sketch(b)) - share)
    assert abs(np.mean(errors)) < 0.02
    assert np.std(errors) < 0.07


@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=200), st.randoms())
def test_a_short_sketch_is_that_of_the_set(values: list[int], chance: random.Random) -> None:
    found = short_sketch(np.array(values, dtype=np.uint64))
    again = values + values[:50]
    chance.shuffle(again)
    assert found == short_sketch(np.array(again, dtype=np.uint64))
    smallest = {value >> 58: 1 + value % 255 for value in sorted(values, reverse=True)}
    assert list(found) == [smallest.get(place, 0) for place in range(SKETCH_SIZE)]
    assert short_resemblance(found, found) == (1.0 if values else 0.0)


def test_a_known_sketch_never_changes() -> None:
    """Sketches are stored: a change here would make old crawls unreadable."""
    words = ["主题", "爬虫", "finds", "the", "topic's", "pages"]
    assert sketch(shingles(words))[:2] == (2885950858856462492, 6219001121092506484)
    assert {place: value for place, value in enumerate(short_sketch(shingles(words))) if value} == {
        6: 135,
        19: 196,
        20: 191,
        48: 121,
    }
