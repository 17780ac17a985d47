"""The vocabularies of the synthetic web: own word lists by topic and language, drawn with Zipf frequencies."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import accumulate

TOPICS = ("astronomy", "cooking", "football", "medicine", "finance", "gardening", "railways", "music")
GENERAL = "general"
LANGUAGES = ("en", "zh")


@cache
def read_lines(name: str) -> tuple[tuple[str, str], ...]:
    """`key: value` lines of a file of the lexicon, in order."""
    text = resources.files("synthweb.lexicon").joinpath(name).read_text(encoding="utf-8")
    pairs = (line.partition(": ") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple((key, value.strip()) for key, _, value in pairs)


@cache
def zipf_table(size: int) -> tuple[float, ...]:
    """Cumulative shares of ranks 1..size with weight 1 / (rank + 2); the last one is 1."""
    sums = list(accumulate(1.0 / (rank + 2.7) for rank in range(size)))
    return tuple(value / sums[-1] for value in sums)


def rank_of(share: float, size: int) -> int:
    """The rank (from 0) that a number in [0, 1) draws from `size` words."""
    return min(bisect_right(zipf_table(size), share), size - 1)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of one topic in one language, most frequent first."""

    topic: str
    language: str
    title: str
    slug: str
    keywords: tuple[str, ...]
    nouns: tuple[str, ...]
    verbs: tuple[str, ...]
    adjectives: tuple[str, ...]

    @property
    def words(self) -> frozenset[str]:
        """All own words."""
        return frozenset(self.nouns + self.verbs + self.adjectives)


def split_words(value: str) -> tuple[str, ...]:
    """Words of a line; an underscore joins the words of a compound."""
    return tuple(dict.fromkeys(word.replace("_", " ") for word in value.split()))


@cache
def vocabulary(topic: str, language: str) -> Vocabulary:
    """The vocabulary of a topic; KeyError or FileNotFoundError for a name that does not exist."""
    lines = dict(read_lines(f"{topic}.txt"))
    lists = {kind: split_words(lines[f"{language} {kind}"]) for kind in ("keywords", "noun", "verb", "adjective")}
    return Vocabulary(
        topic=topic,
        language=language,
        title=lines[f"{language} title"],
        slug=lines[f"{language} slug"],
        keywords=lists["keywords"],
        nouns=lists["noun"],
        verbs=lists["verb"],
        adjectives=lists["adjective"],
    )


@cache
def general_list(language: str, kind: str) -> tuple[str, ...]:
    """A list that only the general vocabulary has: adverb, time, given, family, place."""
    value = dict(read_lines("general.txt"))[f"{language} {kind}"]
    return tuple(value.split("|")) if kind == "time" else split_words(value)


def plural(noun: str) -> str:
    """The regular English plural of a noun (of its last word)."""
    if noun.endswith(("s", "x", "ch", "sh")):
        return noun + "es"
    if noun.endswith("y") and noun[-2] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def draw(words: Sequence[str], share: float, shift: int = 0) -> str:
    """The word that a number in [0, 1) draws by Zipf; `shift` turns the list, so that each page has favorites."""
    return words[(rank_of(share, len(words)) + shift) % len(words)]
