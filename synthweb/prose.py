"""Sentences of the synthetic web: patterns filled from a topic's vocabulary and the general one, Zipf-distributed."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from random import Random

from synthweb.words import GENERAL, draw, general_list, plural, read_lines, vocabulary

SLOT = re.compile(r"(a/)?\{(\w)\}")
PATTERN_FILES = {"en": "english.txt", "zh": "chinese.txt"}
TOPICAL_SHARE = 0.72
SUBJECTS = 4
CJK_CHARS_PER_WORD = 1.7

Pattern = tuple[tuple[str, str, bool], ...]
"""Pieces of a sentence: text before the slot, the slot's letter ("" at the end), whether it takes an article."""


@cache
def patterns(language: str, kind: str) -> tuple[Pattern, ...]:
    """The compiled patterns of one kind: t title, l lead, w with topic words, g general."""
    return tuple(compile_pattern(text) for key, text in read_lines(PATTERN_FILES[language]) if key == kind)


def compile_pattern(text: str) -> Pattern:
    """Split a pattern at its slots."""
    pieces, at = [], 0
    for match in SLOT.finditer(text):
        pieces.append((text[at : match.start()], match[2], bool(match[1])))
        at = match.end()
    return (*pieces, (text[at:], "", False))


class Writer:
    """Writes titles and texts about one topic; the same arguments give the same sequence of sentences.

    `edits` is the share of slots that get another word than without it: a near-duplicate is the same writer with edits.
    """

    def __init__(self, language: str, topic: str, seed: int, edits: float = 0.0, edit_seed: int = 0) -> None:
        self.language = language
        self.topical = 0.0 if topic == GENERAL else TOPICAL_SHARE
        self.random = Random(seed).random
        self.edits = edits
        self.edit_random = Random(edit_seed).random if edits else self.random
        self.shift = seed % 1009
        own, general = vocabulary(topic, language), vocabulary(GENERAL, language)
        subjects = [draw(own.nouns, (self.random() + index) / SUBJECTS, self.shift) for index in range(SUBJECTS)]
        self.slots = self.make_slots(own.nouns, own.verbs, own.adjectives, tuple(subjects))
        self.slots.update(g=self.picker(general.nouns), v=self.picker(general.verbs), b=self.picker(general.adjectives))
        self.slots["s"] = self.plurals(general.nouns)

    def make_slots(
        self, nouns: tuple[str, ...], verbs: tuple[str, ...], adjectives: tuple[str, ...], subjects: tuple[str, ...]
    ) -> dict[str, Callable[[], str]]:
        """The slots that carry the topic, and names, places, numbers."""
        language = self.language
        return {
            "N": self.picker(nouns),
            "S": self.plurals(nouns),
            "U": self.picker(subjects),
            "V": self.picker(verbs),
            "A": self.picker(adjectives),
            "R": self.picker(general_list(language, "adverb")),
            "T": self.picker(general_list(language, "time")),
            "L": self.picker(general_list(language, "place")),
            "P": self.person,
            "D": self.number,
        }

    def picker(self, words: tuple[str, ...]) -> Callable[[], str]:
        """Half of the draws by the topic's own ranks, half by ranks turned for this page."""
        random, shift = self.random, self.shift

        def pick() -> str:
            share = random() * 2
            return draw(words, share, 0) if share < 1 else draw(words, share - 1, shift)

        return pick

    def plurals(self, words: tuple[str, ...]) -> Callable[[], str]:
        """Plural nouns in English; Chinese has none."""
        pick = self.picker(words)
        return pick if self.language == "zh" else lambda: plural(pick())

    def person(self) -> str:
        """A name that rarely occurs twice on different pages in the same form."""
        family = self.any_of(general_list(self.language, "family"))
        given = self.any_of(general_list(self.language, "given"))
        return family + given if self.language == "zh" else f"{given} {family}"

    def any_of(self, words: tuple[str, ...]) -> str:
        """A word of a list, all alike."""
        return words[int(self.random() * len(words))]

    def number(self) -> str:
        """A number from 2 to 99."""
        return str(2 + int(self.random() * 98))

    def fill(self, pattern: Pattern) -> str:
        """One sentence from a pattern."""
        out: list[str] = []
        for text, slot, article in pattern:
            out.append(text)
            if slot:
                word = self.slots[slot]()
                if self.edits and self.edit_random() < self.edits:
                    word = self.replaced(slot, word)
                if article:
                    out.append("an " if word[0] in "aeiouAEIOU" else "a ")
                out.append(word)
        sentence = "".join(out)
        return sentence[0].upper() + sentence[1:]

    def replaced(self, slot: str, word: str) -> str:
        """Another word of the same kind, drawn without touching the main sequence."""
        if slot in "PDTLR":
            return word
        kind = {"V": "verbs", "v": "verbs", "A": "adjectives", "b": "adjectives"}.get(slot, "nouns")
        words: tuple[str, ...] = getattr(vocabulary(GENERAL, self.language), kind)
        return words[int(self.edit_random() * len(words))]

    def sentence(self, kind: str) -> str:
        """A sentence of a kind of pattern."""
        choice = patterns(self.language, kind)
        return self.fill(choice[int(self.random() * len(choice))])

    def title(self) -> str:
        """A title."""
        return self.sentence("t")

    def text(self, words: int) -> list[str]:
        """Paragraphs with at least so many words together (Chinese: characters / 1.7), a lead sentence first."""
        paragraphs, count, gap = [], 0.0, " " if self.language == "en" else ""
        opening = "l" if self.topical else "g"
        while count < words:
            sentences = [self.sentence(opening)]
            opening = "w" if self.random() < self.topical else "g"
            while len(sentences) < 3 + self.random() * 4:
                sentences.append(self.sentence("w" if self.random() < self.topical else "g"))
            paragraph = gap.join(sentences)
            count += len(paragraph.split()) if gap else len(paragraph) / CJK_CHARS_PER_WORD
            paragraphs.append(paragraph)
        return paragraphs
