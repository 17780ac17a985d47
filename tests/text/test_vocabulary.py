"""The words by which the texts of a topic are cut."""

from __future__ import annotations

from focuscrawl.text.vocabulary import Vocabulary


def test_several_topics_have_the_words_of_each_once_in_their_order() -> None:
    first = Vocabulary(("train", "rail"), ("night train",), (("train", "railway"),))
    second = Vocabulary(("rail", "tram"), ("night train", "city tram"))
    assert Vocabulary.of_all(iter((first, second))) == Vocabulary(
        ("train", "rail", "tram"), ("night train", "city tram"), (("train", "railway"),)
    )
    assert Vocabulary.of_all(()) == Vocabulary()
