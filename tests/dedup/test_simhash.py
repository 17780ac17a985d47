from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.dedup.simhash import distance, reference_simhash64, simhash64
from focuscrawl.dedup.tokens import _word_hash

WORDS = st.one_of(st.sampled_from(["a", "the", "爬虫", "主题", "news", ""]), st.text(st.characters(exclude_categories=["Cs"])))


@settings(max_examples=100, deadline=None)
@given(st.lists(WORDS, max_size=300))
def test_equal_to_the_simhash_package(words: list[str]) -> None:
    assert simhash64(words) == reference_simhash64(words)


@pytest.mark.parametrize(
    "words",
    [
        [],
        [""],
        ["same"] * 300,
        ["a", "b"],
        ["主题", "爬虫"] * 200 + ["x"],
        [f"word{number % 977}" for number in range(40_000)],
    ],
    ids=["none", "empty", "above a byte's range", "ties", "Chinese", "several blocks"],
)
def test_equal_to_the_simhash_package_at_the_edges(words: list[str]) -> None:
    assert simhash64(words) == reference_simhash64(words)


def test_a_known_value_never_changes() -> None:
    """Values are stored: a change here would make old crawls unreadable."""
    assert simhash64(["the", "quick", "brown", "fox", "jumps", "over", "the", "lazy", "dog"]) == 0x2D826D2221CA8B1F
    assert simhash64(["主题", "爬虫", "隧道"]) == 0xD30571BACCF6B3A8


def test_a_lone_surrogate_does_no_harm() -> None:
    assert simhash64(["\ud800"]) != 0


def test_distance_counts_bits() -> None:
    assert distance(0, 0) == 0
    assert distance(0b1011, 0b0001) == 2
    assert distance(0, 2**64 - 1) == 64


def test_similar_texts_are_near_and_others_far() -> None:
    text = [f"w{number * number % 101}" for number in range(400)]
    changed = [*text[:200], "new", *text[201:]]
    other = [f"v{number * number % 101}" for number in range(400)]
    assert distance(simhash64(text), simhash64(changed)) <= 3
    assert distance(simhash64(text), simhash64(other)) > 12


def test_the_cache_of_word_hashes_is_bounded() -> None:
    simhash64([f"unique{number}" for number in range(70_000)])
    info = _word_hash.cache_info()
    assert info.maxsize is not None
    assert info.currsize <= info.maxsize
