"""Text to clean terms: lower-cased, English stemmed, Chinese simplified and cut into words, stop words dropped.

Pages are cut by `rjieba` (0.3 ms a page) with the same dictionary and user words where it is installed, by `jieba`
itself (15 ms) where not. A topic's own texts are always cut by `jieba`, the reference.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from importlib import metadata
from itertools import chain

import Stemmer

from focuscrawl.text.chinese_cutter import cutter, reference_cutter
from focuscrawl.text.folding import SOURCE, simplified
from focuscrawl.text.stopwords import stop_words
from focuscrawl.text.synonyms import Groups, Synonyms, Terms

HAN = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
_has_han = re.compile(f"[{HAN}]").search
_tokens = re.compile(rf"[^\W_{HAN}]+(?:\+\+|#)?|[{HAN}]+")

MAX_WORD = 40
"""Longer runs of letters are codes or broken text."""
MAX_DIGITS = 4
"""A year is a term, longer numbers are not."""
CACHED_WORDS = 200_000


class _Terms(dict[str, tuple[str, ...]]):
    """Raw token to its terms, learned as tokens come; emptied when full, so that memory stays bounded."""

    def __init__(self, user_words: frozenset[str]) -> None:
        super().__init__()
        self._user_words = user_words
        self._stop = stop_words()
        self._stem: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
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
    words too. `prefer` forces `jieba` or `rjieba`; empty takes the faster one that is installed.
    Raises ImportError where the preferred one is missing.
    """

    def __init__(self, user_words: Iterable[str] = (), prefer: str = "", synonyms: Groups = ()) -> None:
        words = chain(user_words, *synonyms)
        self.user_words = tuple(sorted({simplified(word.strip().lower()) for word in words} - {""}))
        self._terms = _Terms(frozenset(self.user_words))
        chinese = tuple(word for word in self.user_words if _has_han(word))
        self._cutter_name, self._cut = cutter(chinese, prefer)
        self._reference: Callable[[str], Iterable[str]] | None = None
        self._chinese = chinese
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
        text = simplified(text.lower())
        words = self._cut(text) if _has_han(text) else _tokens.findall(text)
        return self._synonyms.join(list(chain.from_iterable(map(self._terms.__getitem__, words))))

    def reference_terms(self, text: str) -> list[str]:
        """Like `terms`, but Chinese is cut by jieba itself: for a topic's own texts (15 ms for 5 000 characters)."""
        text = simplified(text.lower())
        if not _has_han(text):
            return self.terms(text)
        if self._reference is None:
            self._reference = reference_cutter(self._chinese)
        return self._synonyms.join(list(chain.from_iterable(map(self._terms.__getitem__, self._reference(text)))))
