"""Multinomial naive Bayes over two classes, learned one example at a time.

    p(c) = N_c / Σ N        p(w|c) = (1 + N_wc) / (r + Σ_w N_wc)        r: terms in the vocabulary

as in the adaptive crawler by incremental learning. The counts are all there is: learning adds to them, so the model after
n examples is the one that a batch of these n would give (a test holds it to scikit-learn's MultinomialNB). A term that
was never learned says nothing.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable

MAX_TERMS = 1_000_000
"""Terms in the vocabulary; later ones are left out, so that memory is bounded (some 100 MB)."""


class IncrementalBayes:
    """p(positive | terms), from the examples so far."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._counts = (array("I"), array("I"))
        self._totals = [0, 0]
        self._examples = [0, 0]
        self._vocabulary = 0

    @property
    def examples(self) -> tuple[int, int]:
        """Examples learned: (negative, positive)."""
        return self._examples[0], self._examples[1]

    def numbers(self, terms: Iterable[str]) -> array[int]:
        """The terms as the numbers that the other methods take, duplicates kept."""
        known, found = self._numbers, array("I")
        for term in terms:
            number = known.get(term)
            if number is None:
                if len(known) >= MAX_TERMS:
                    continue
                number = known[term] = len(known)
                for counts in self._counts:
                    counts.append(0)
            found.append(number)
        return found

    def learn(self, numbers: Iterable[int], positive: bool) -> None:
        """Count one example."""
        own, other = self._counts[positive], self._counts[not positive]
        total = 0
        for number in numbers:
            if not own[number] and not other[number]:
                self._vocabulary += 1
            own[number] += 1
            total += 1
        self._totals[positive] += total
        self._examples[positive] += 1

    def log_odds(self, numbers: Iterable[int]) -> float:
        """log p(positive | terms) - log p(negative | terms). Both classes must have examples, or it is 0."""
        if not all(self._examples):
            return 0.0
        negative, positive = self._counts
        log, odds, known = math.log, 0.0, 0
        for number in numbers:
            against, for_it = negative[number], positive[number]
            if against or for_it:
                known += 1
                odds += log((1 + for_it) / (1 + against))
        odds += known * log((self._vocabulary + self._totals[0]) / (self._vocabulary + self._totals[1]))
        return odds + log(self._examples[1] / self._examples[0])


def probability(log_odds: float) -> float:
    """The chance that belongs to these log-odds."""
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-min(log_odds, 700.0)))
    odds = math.exp(max(log_odds, -700.0))
    return odds / (1.0 + odds)
