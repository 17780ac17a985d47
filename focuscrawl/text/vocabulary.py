"""The words of a topic that decide how texts are cut into terms (`text.segment`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Groups = tuple[tuple[str, ...], ...]
"""Groups of two or more words or phrases each, of which the first stands for all."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one topic, or of several whose pages are cut once, as the user wrote them."""

    keywords: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    """Other words that the user gave (negative terms, words with a weight) and that may be several words."""
    synonyms: Groups = ()

    @classmethod
    def of_all(cls, topics: Iterable[Vocabulary]) -> Vocabulary:
        """The words of all these topics, each once."""
        each = list(topics)
        keywords = dict.fromkeys(word for one in each for word in one.keywords)
        phrases = dict.fromkeys(word for one in each for word in one.phrases)
        synonyms = dict.fromkeys(group for one in each for group in one.synonyms)
        return cls(tuple(keywords), tuple(phrases), tuple(synonyms))
