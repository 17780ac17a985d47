"""Which words of addresses lead to relevant pages? Learned from the pages a crawl has seen, without a label.

Sites sort their pages: sections, categories and file names say what a page is about, in words that no example holds.
Each word of an address keeps the mean probability that its text alone gave to the pages it led to, shrunk towards the
mean of all pages. The whole model's own probability is not used, so that an early error cannot confirm itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

SHRINKAGE = 4.0
"""Pages of the mean kind that are added to every word."""
LEAST_PAGES = 2
FIRST_SHARE, FIRST_PAGES = 0.15, 10
"""What is thought of the share of relevant pages before any was seen, and how many pages that counts for."""
KEPT_WORDS = 50_000


class AddressRecord:
    """Sums of probabilities and numbers of pages, by word."""

    def __init__(self) -> None:
        self._words: dict[str, list[float]] = {}
        self._sum = FIRST_SHARE * FIRST_PAGES
        self._pages = float(FIRST_PAGES)

    def learn(self, address: Iterable[str], probability: float) -> None:
        """A page at an address of these words is relevant with this probability. O(words)."""
        self._sum += probability
        self._pages += 1
        for word in set(address):
            entry = self._words.setdefault(word, [0.0, 0])
            entry[0] += probability
            entry[1] += 1
        if len(self._words) > KEPT_WORDS:
            self._words = {word: entry for word, entry in self._words.items() if entry[1] > 1}

    def log_odds(self, address: Iterable[str]) -> dict[str, float]:
        """Log odds of each known word against the mean of all pages."""
        mean = self._sum / self._pages
        whole, odds = math.log(mean / (1 - mean)), {}
        for word in set(address):
            entry = self._words.get(word)
            if entry and entry[1] >= LEAST_PAGES:
                share = (entry[0] + SHRINKAGE * mean) / (entry[1] + SHRINKAGE)
                odds[word] = math.log(share / (1 - share)) - whole
        return odds

    def state(self) -> dict[str, Any]:
        """Plain data for JSON. Words met once are left out."""
        kept = {word: [round(entry[0], 4), entry[1]] for word, entry in self._words.items() if entry[1] > 1}
        return {"sum": self._sum, "pages": self._pages, "words": kept}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> AddressRecord:
        """The record as `state` gave it. Raises KeyError, TypeError or ValueError for other data."""
        record = cls()
        record._sum, record._pages = float(state["sum"]), float(state["pages"])
        record._words = {str(word): [float(total), float(n)] for word, (total, n) in dict(state["words"]).items()}
        if not 0 < record._sum < record._pages or any(not 0 <= total <= n for total, n in record._words.values()):
            raise ValueError("sums of probabilities beyond the number of pages")
        return record
