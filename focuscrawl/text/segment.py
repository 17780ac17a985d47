"""Text to clean terms: lower-cased, English stemmed, Chinese simplified and cut into words, stop words dropped.

Pages are cut by `rjieba` (0.3 ms a page) with the same dictionary and user words where it is installed, by `jieba`
itself (15 ms) where not. A topic's own texts are always cut by `jieba`, the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import metadata
from importlib.resources import files
from itertools import chain

from focuscrawl.text.chinese import SOURCE, cutter, forget_dictionary, reference_cutter, simplified
from focuscrawl.text.stems import ASCII_WORDS, stemmer

# --- words that say nothing about any topic, in English and Chinese ------------------------------------------------------


def _read(name: str) -> frozenset[str]:
    lines = files("focuscrawl.text").joinpath("data", name).read_text("utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def stop_words() -> frozenset[str]:
    """Lower-cased stop words of both languages, as they stand in a text (not stemmed)."""
    return _read("stopwords_en.txt") | _read("stopwords_zh.txt")


# --- words that mean the same, as one term: the topic's own dictionary -----------------------------------------------------
# Each group is read as terms; wherever the terms of a member stand, those of its first word are put. So `区块链` and
# `distributed ledger` count as `blockchain`, in a topic and in every text that is compared with it.

Groups = tuple[tuple[str, ...], ...]
"""Each with two or more words or phrases; the first stands for all."""
Terms = tuple[str, ...]


class Synonyms:
    """The groups of one topic, ready to replace. `cut` gives the plain terms of a word or phrase."""

    def __init__(self, groups: Iterable[Sequence[str]], cut: Callable[[str], Sequence[str]]) -> None:
        self.words: dict[str, Terms] = {}
        """Single terms with what stands for them."""
        self._phrases: dict[str, list[tuple[Terms, Terms]]] = {}
        for group in groups:
            first, *others = (tuple(cut(word)) for word in group)
            for other in others:
                if not first or not other or other == first:
                    continue
                if len(other) == 1:
                    self.words[other[0]] = first
                else:
                    self._phrases.setdefault(other[0], []).append((other, first))
        for found in self._phrases.values():
            found.sort(key=lambda pair: -len(pair[0]))

    def join(self, terms: list[str]) -> list[str]:
        """The terms with phrases of several replaced, longest first; O(terms)."""
        if not self._phrases or self._phrases.keys().isdisjoint(terms):
            return terms
        joined: list[str] = []
        place = 0
        while place < len(terms):
            length, put = self._at(terms, place)
            joined += put
            place += length
        return joined

    def _at(self, terms: list[str], place: int) -> tuple[int, Sequence[str]]:
        for phrase, put in self._phrases.get(terms[place], ()):
            if tuple(terms[place : place + len(phrase)]) == phrase:
                return len(phrase), put
        return 1, terms[place : place + 1]


HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_has_han = re.compile(f"[{HAN}]").search


def has_han(text: str) -> bool:
    """Whether a Chinese character is in it."""
    return _has_han(text) is not None


_tokens = re.compile(rf"[^\W_{HAN}]+(?:\+\+|#)?|[{HAN}]+")
_words = re.compile(r"[^\W_]+(?:\+\+|#)?")
"""The tokens of a text without Chinese characters."""

MAX_WORD = 40
"""Longer runs of letters are codes or broken text."""
MAX_DIGITS = 4
"""A year is a term, longer numbers are not."""
CACHED_WORDS = 200_000
"""Different tokens whose terms are remembered."""


class _Terms(dict[str, tuple[str, ...]]):
    """Raw token to its terms, learned as tokens come; emptied when full, so that memory stays bounded."""

    def __init__(self, user_words: frozenset[str]) -> None:
        super().__init__()
        self._user_words = user_words
        self._stop = stop_words()
        self._stem = stemmer()
        self._same: dict[str, Terms] = {}

    def replace(self, same: dict[str, Terms]) -> None:
        """From now on put these terms in the place of single ones."""
        self.clear()
        self._same = same

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        found = tuple(term for part in _tokens.findall(token) if (term := self._term(part)))
        if self._same:
            found = tuple(chain.from_iterable(self._same.get(term, (term,)) for term in found))
        self[token] = found
        return found

    def _term(self, word: str) -> str:
        """The term of one word, or an empty string where it has none."""
        if word in self._user_words:
            return self._stem(word) if word.isascii() else word
        if word in self._stop or len(word) < 2 or len(word) > MAX_WORD:
            return ""
        if word.isdecimal():
            return word if len(word) <= MAX_DIGITS else ""
        return self._stem(word) if word.isascii() else word


class Segmenter:
    """Cuts text into terms for one topic. Not safe for use from two threads at once.

    `user_words` are added to the dictionary of Chinese words; those of one letter or character are terms too, which
    otherwise are dropped. `synonyms` are groups of words and phrases that count as the first of them; they are user
    words too. `prefer` forces `jieba` or `rjieba`; empty takes the faster one that is installed. With `parts` a long
    Chinese word gives the words inside it, too: for a search index, where they are to find it.
    Raises ImportError where the preferred one is missing.
    """

    def __init__(self, user_words: Iterable[str] = (), prefer: str = "", synonyms: Groups = (), *, parts: bool = False) -> None:
        words = chain(user_words, *synonyms)
        self.user_words = tuple(sorted({simplified(word.strip().lower()) for word in words} - {""}))
        self._terms = _Terms(frozenset(self.user_words))
        self.chinese = tuple(word for word in self.user_words if _has_han(word))
        """Of the user words."""
        self._cutter_name, self._cut = cutter(self.chinese, prefer, parts)
        self.synonyms = synonyms
        self._synonyms = Synonyms((), self.terms)
        if synonyms:
            self._synonyms = Synonyms(synonyms, self.reference_terms)
            self._terms.replace(self._synonyms.words)

    @property
    def name(self) -> str:
        """Names and versions of what cuts, folds and stems; kept with the topic."""
        return f"{self._cutter_name}, PyStemmer {metadata.version('PyStemmer')}, {SOURCE}"

    def terms(self, text: str) -> list[str]:
        """The terms of `text` in their order. Mixed text is fine; O(length)."""
        text = text.lower()
        if text.isascii():  # the same tokens, found faster
            words: Iterable[str] = ASCII_WORDS.findall(text)
        else:
            words = self._cut(simplified(text)) if _has_han(text) else _words.findall(text)
        return self._synonyms.join(list(chain.from_iterable(map(self._terms.__getitem__, words))))

    def reference_terms(self, text: str) -> list[str]:
        """Like `terms`, but Chinese is cut by jieba itself: for a topic's own texts (15 ms for 5 000 characters)."""
        text = simplified(text.lower())
        if not _has_han(text):
            return self.terms(text)
        words = reference_cutter(self.chinese)(text)
        return self._synonyms.join(list(chain.from_iterable(map(self._terms.__getitem__, words))))

    def forget_reference(self) -> None:
        """No topic's own text is to be cut any more, or not soon: give back the memory of jieba's dictionary, unless pages are
        cut by it too."""
        if not self._cutter_name.startswith("jieba"):
            forget_dictionary()


# --- for replays, which meet the same anchors and contexts run after run --------------------------------------------------

SHORT = 2_000
"""Characters; longer texts are pages, and whoever replays those keeps their terms by page."""
KEPT = 150_000
"""Texts; then all are forgotten."""


class RememberingSegmenter(Segmenter):
    """As `Segmenter`. Lists of terms are handed out again: they are not to be changed."""

    def __init__(self, user_words: Iterable[str] = (), prefer: str = "", synonyms: Groups = ()) -> None:
        super().__init__(user_words, prefer, synonyms)
        self._texts: dict[str, list[str]] = {}

    def terms(self, text: str) -> list[str]:
        found = self._texts.get(text)
        if found is None:
            found = super().terms(text)
            if len(text) <= SHORT:
                if len(self._texts) >= KEPT:
                    self._texts.clear()
                self._texts[text] = found
        return found
