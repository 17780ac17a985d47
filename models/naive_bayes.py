"""Multinomial naive Bayes over two classes, as in the adaptive crawler by incremental learning; the only one here.

    p(c) = N_c / Σ N        p(w|c) = (1 + N_wc) / (r + Σ_w N_wc)        r: terms in the vocabulary

Its two users are the page model of `models.page.naive_bayes`, fitted to a batch of documents, and the link classifier of
`models.link.link_classifier`, taught one link at a time. The counts N are all that the model is: a batch is counted by
scikit-learn's `MultinomialNB`, a single example adds to the counts, and the model after n examples is the one that a batch of
these n gives (a test holds the two together). Learning an example and scoring a text take O(terms).

A term that was never learned says nothing. The probabilities are close to 0 or 1 for all but the shortest texts, because every
word counts as independent evidence: they rank, they are not calibrated.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping

MAX_TERMS = 1_000_000
"""Terms in the vocabulary; later ones are left out, so that memory is bounded (some 100 MB when full)."""
MOST_LOG_ODDS = 700.0
"""exp() of more overflows a float."""

Counts = Mapping[str, int]
"""A document: how often each term occurs in it, at least once."""


class NaiveBayes:
    """p(positive | terms), from the examples so far."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        """The number of each term. Terms of links that wait have one before they are learned."""
        self._counts = (array("I"), array("I"))
        """Occurrences by number of the term, in negative and in positive examples. The lists below have the same order."""
        self._totals = [0, 0]
        self._examples = [0, 0]
        self._vocabulary = 0
        """Terms that were learned, which may be fewer than have a number."""

    @classmethod
    def fit(cls, negative: Iterable[Counts], positive: Iterable[Counts]) -> NaiveBayes:
        """The model of a batch, counted by scikit-learn (which takes a second to import). Both classes need a document."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.naive_bayes import MultinomialNB

        no, yes = [dict(counts) for counts in negative], [dict(counts) for counts in positive]
        vectorizer = DictVectorizer(sparse=True)
        fitted = MultinomialNB(alpha=1.0).fit(vectorizer.fit_transform(no + yes), [0] * len(no) + [1] * len(yes))
        model = cls()
        model.numbers(map(str, vectorizer.get_feature_names_out()))
        for kind, counts in enumerate(fitted.feature_count_[:, : len(model._numbers)].astype(int)):
            model._counts[kind][:] = array("I", counts.tolist())
            model._totals[kind] = int(counts.sum())
            model._examples[kind] = int(fitted.class_count_[kind])
        model._vocabulary = len(model._numbers)
        return model

    @property
    def examples(self) -> tuple[int, int]:
        """Examples learned: (negative, positive)."""
        return self._examples[0], self._examples[1]

    def numbers(self, terms: Iterable[str]) -> array[int]:
        """The terms as the numbers that `learn` and `log_odds` take, in order, repetitions kept; new terms get new numbers."""
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
        """log p(positive | terms) - log p(negative | terms); 0 while one of the classes has no example."""
        if not all(self._examples):
            return 0.0
        negative, positive = self._counts
        log, odds, known = math.log, 0.0, 0
        for number in numbers:
            against, for_it = negative[number], positive[number]
            if against or for_it:
                known += 1
                odds += log((1 + for_it) / (1 + against))
        return odds + known * self._total_log_odds() + self.prior_log_odds()

    def prior_log_odds(self) -> float:
        """log p(positive) - log p(negative). Both classes must have examples."""
        return math.log(self._examples[1] / self._examples[0])

    def term_log_odds(self) -> dict[str, float]:
        """log p(w | positive) - log p(w | negative) of all terms learned: what one occurrence adds to `log_odds`."""
        negative, positive = self._counts
        totals = self._total_log_odds()
        return {
            term: math.log((1 + positive[number]) / (1 + negative[number])) + totals
            for term, number in self._numbers.items()
            if positive[number] or negative[number]
        }

    def _total_log_odds(self) -> float:
        """The part of a term's log odds that is the same for all: the classes' sums of counts."""
        return math.log((self._vocabulary + self._totals[0]) / (self._vocabulary + self._totals[1]))


def probability(log_odds: float) -> float:
    """The chance that belongs to these log odds."""
    if log_odds >= 0:
        return 1.0 / (1.0 + math.exp(-min(log_odds, MOST_LOG_ODDS)))
    odds = math.exp(max(log_odds, -MOST_LOG_ODDS))
    return odds / (1.0 + odds)
