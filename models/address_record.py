"""Which words of addresses lead to relevant pages? Learned from the pages a crawl has seen, without a label.

Sites sort their pages: sections, categories and file names say what a page is about, in words that no example holds.
Each word of an address keeps the mean probability that its text alone gave to the pages it led to, shrunk towards the
mean of all pages. The whole model's own probability is not used, so that an early error cannot confirm itself.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from focuscrawl.learned import Part, sliced

SHRINKAGE = 4.0
"""Pages of the mean kind that are added to every word."""
LEAST_PAGES = 2
FIRST_SHARE, FIRST_PAGES = 0.15, 10
"""What is thought of the share of relevant pages before any was seen, and how many pages that counts for."""
KEPT_WORDS = 50_000
DIGITS = 6
"""Of sums that are handed out."""


class _Sums:
    """Sum of the probabilities of pages, number of pages, and both by word."""

    __slots__ = ("pages", "total", "words")

    def __init__(self) -> None:
        self.total, self.pages = 0.0, 0
        self.words: dict[str, list[float]] = {}

    def learn(self, words: Collection[str], probability: float) -> None:
        self.add(probability, 1, dict.fromkeys(words, (probability, 1)))

    def add(self, total: float, pages: int, words: Mapping[str, Iterable[float]]) -> None:
        self.total += total
        self.pages += pages
        for word, (its_total, its_pages) in words.items():
            entry = self.words.setdefault(word, [0.0, 0])
            entry[0] += its_total
            entry[1] += its_pages
        if len(self.words) > KEPT_WORDS:
            self.words = {word: entry for word, entry in self.words.items() if entry[1] > 1}

    def copy(self) -> _Sums:
        copy = _Sums()
        copy.total, copy.pages = self.total, self.pages
        copy.words = {word: [total, pages] for word, (total, pages) in self.words.items()}
        return copy

    def parts(self) -> Iterator[Part]:
        """A part has `sum` and `pages` of the words in it, or of all pages in the first."""
        for number, piece in enumerate(sliced(self.words) if self.pages else ()):
            words = {word: [round(total, DIGITS), pages] for word, (total, pages) in piece.items()}
            total, pages = (0.0, 0) if number else (round(self.total, DIGITS), self.pages)
            yield {"sum": total, "pages": pages, "words": words}


class AddressRecord:
    """Sums of probabilities and numbers of pages, by word."""

    def __init__(self) -> None:
        self._seen = _Sums()
        self._new = _Sums()
        """The part of it that `take` has not handed out."""

    @property
    def pages(self) -> int:
        """Pages seen, by all workers that have told."""
        return self._seen.pages

    def learn(self, address: Iterable[str], probability: float) -> None:
        """A page at an address of these words is relevant with this probability. O(words)."""
        words = set(address)
        self._seen.learn(words, probability)
        self._new.learn(words, probability)

    def log_odds(self, address: Iterable[str]) -> dict[str, float]:
        """Log odds of each known word against the mean of all pages."""
        mean = (self._seen.total + FIRST_SHARE * FIRST_PAGES) / (self._seen.pages + FIRST_PAGES)
        whole, odds = math.log(mean / (1 - mean)), {}
        for word in set(address):
            entry = self._seen.words.get(word)
            if entry and entry[1] >= LEAST_PAGES:
                share = (entry[0] + SHRINKAGE * mean) / (entry[1] + SHRINKAGE)
                odds[word] = math.log(share / (1 - share)) - whole
        return odds

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.learned`."""
        new, self._new = self._new, _Sums()
        return new.parts()

    def add(self, part: Part) -> None:
        """See `focuscrawl.learned`."""
        total, pages = float(part["sum"]), int(part["pages"])
        words = {str(word): (float(its), int(n)) for word, (its, n) in part["words"].items()}
        if not 0 <= total <= pages or any(not 0 <= its <= n for its, n in words.values()):
            raise ValueError("sums of probabilities beyond the number of pages")
        self._seen.add(total, pages, words)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.learned`."""
        return self._seen.copy().parts()

    def restart(self) -> None:
        """See `focuscrawl.learned`."""
        self._seen = self._new.copy()

    def state(self) -> dict[str, Any]:
        """Plain data for the file of a trained model. Words met once are left out."""
        kept = {word: [round(entry[0], 4), entry[1]] for word, entry in self._seen.words.items() if entry[1] > 1}
        return {"sum": self._seen.total, "pages": self._seen.pages, "words": kept}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> AddressRecord:
        """The record as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        record = cls()
        record.add(dict(state))
        return record
