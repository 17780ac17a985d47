"""The vocabularies and the sentences made of them."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from synthweb.prose import Writer
from synthweb.script import to_traditional
from synthweb.words import GENERAL, LANGUAGES, TOPICS, general_list, plural, vocabulary, zipf_table


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_topic_has_words_of_its_own(language: str) -> None:
    sizes = {topic: len(vocabulary(topic, language).words) for topic in TOPICS}
    assert len(sizes) >= 8
    assert all(80 <= size <= 160 for size in sizes.values()), sizes


@pytest.mark.parametrize("language", LANGUAGES)
def test_topics_share_hardly_any_words(language: str) -> None:
    for one, other in combinations(TOPICS, 2):
        shared = vocabulary(one, language).words & vocabulary(other, language).words
        assert len(shared) <= 3, (one, other, shared)


@pytest.mark.parametrize("topic", TOPICS)
def test_keywords_are_words_of_the_topic(topic: str) -> None:
    for language in LANGUAGES:
        own = vocabulary(topic, language)
        assert len(own.keywords) >= 5
        assert len(set(own.keywords) & own.words) >= 4


def test_traditional_forms_cover_the_lexicon() -> None:
    words = [word for topic in (*TOPICS, GENERAL) for word in vocabulary(topic, "zh").words]
    names = [word for kind in ("adverb", "time", "given", "family", "place") for word in general_list("zh", kind)]
    assert to_traditional("观测银河系") == "觀測銀河系"
    for word in words + names:
        to_traditional(word).encode("big5")


@pytest.mark.parametrize(
    ("noun", "expected"), [("star", "stars"), ("galaxy", "galaxies"), ("pitch", "pitches"), ("key", "keys")]
)
def test_plural(noun: str, expected: str) -> None:
    assert plural(noun) == expected


def test_zipf_shares_fall() -> None:
    table = zipf_table(100)
    shares = [after - before for before, after in zip((0.0, *table), table, strict=False)]
    assert table[-1] == pytest.approx(1)
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 10 * shares[-1]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("topic", ["finance", GENERAL])
def test_texts_have_the_asked_length_and_repeat(language: str, topic: str) -> None:
    text = Writer(language, topic, 5).text(300)
    assert text == Writer(language, topic, 5).text(300)
    assert text != Writer(language, topic, 6).text(300)
    length = len(" ".join(text).split()) if language == "en" else len("".join(text)) / 1.7
    assert 300 <= length <= 450
    assert "{" not in "".join(text)


def test_texts_are_about_their_topic() -> None:
    own = set(vocabulary("music", "en").nouns)
    text = " ".join(" ".join(Writer("en", "music", seed).text(300)) for seed in range(10)).lower().split()
    other = " ".join(" ".join(Writer("en", "cooking", seed).text(300)) for seed in range(10)).lower().split()
    assert sum(word in own for word in text) > 0.05 * len(text)
    assert sum(word in own for word in other) < 0.01 * len(other)


def test_edits_change_about_two_percent_of_the_words() -> None:
    shares = []
    for seed in range(10):
        original = Writer("en", "music", seed).text(400)
        edited = Writer("en", "music", seed, 0.045, 77).text(400)
        counts = Counter(" ".join(original).split())
        changed = counts - Counter(" ".join(edited).split())
        shares.append(changed.total() / counts.total())
    assert 0.01 < sum(shares) / len(shares) < 0.04
