"""Sentences that were said before are known, whoever said them."""

from __future__ import annotations

from focuscrawl.dedup.novelty import Novelty

ONE = "The comet was seen from three observatories in the same night."
TWO = "Nobody had expected a second tail of ionised gas so early."
THREE = "Its orbit will bring it back in four hundred years or so."


def test_known_is_what_was_said_before_by_length() -> None:
    read = Novelty()
    assert read.known_share(f"{ONE} {TWO}") == 0.0
    assert read.known_share(f"{TWO}\n{THREE}") == len(TWO[:-1]) / len(TWO[:-1] + THREE[:-1])
    assert read.known_share(f"{THREE}  {ONE.upper()}") == 1.0


def test_short_sentences_and_empty_texts_say_nothing() -> None:
    read = Novelty()
    assert [read.known_share(text) for text in ("Back to top. Home.", "Back to top. Home.", "", "...")] == [0.0] * 4


def test_a_sentence_twice_on_one_page_is_not_known_for_that() -> None:
    assert Novelty().known_share(f"{ONE} {ONE}") == 0.0


def test_chinese_sentences_count_with_half_the_characters() -> None:
    read = Novelty()
    text = "这颗彗星在同一个夜里被三座天文台看到。下一次回来要四百年。"
    assert read.known_share(text) == 0.0
    assert read.known_share(text) == 1.0


def test_what_is_old_is_forgotten_at_last() -> None:
    read = Novelty(bits=1 << 16, most=10)
    read.known_share(ONE)
    for number in range(9):
        read.known_share(f"A sentence that is long enough has number {number} in it.")
    assert read.known_share(ONE) == 1.0  # in the table before
    for number in range(100, 125):
        read.known_share(f"A sentence that is long enough has number {number} in it.")
    assert read.known_share(ONE) == 0.0
