"""What the user says outright about single terms of a topic: their weights, and words that speak against it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from focuscrawl.text.segment import Segmenter


@dataclass(frozen=True, slots=True)
class GivenTerms:
    """Terms as the segmenter cuts them. Empty: the topic's texts and keywords alone decide."""

    weights: tuple[tuple[str, float], ...] = ()
    """Each between -1 and 1; 0 drops the term."""
    negative: tuple[str, ...] = ()

    @classmethod
    def read(cls, segmenter: Segmenter, weights: Iterable[tuple[str, float]] = (), negative: Iterable[str] = ()) -> GivenTerms:
        """Words to terms. A phrase of several terms says the same of each."""
        found = {term: weight for word, weight in weights for term in segmenter.reference_terms(word)}
        against = dict.fromkeys(term for word in negative for term in segmenter.reference_terms(word))
        return cls(tuple(found.items()), tuple(term for term in against if term not in found))

    def apply(self, vector: Mapping[str, float]) -> dict[str, float]:
        """The topic vector with these weights in it; the terms that speak for the topic keep length 1.

        A given weight stands in the result as it was given, and the other terms share what is left of the length; where
        the given ones leave nothing (their squares sum to 1 or more) they are all of the topic, at length 1. A negative
        term weighs as much against the topic as its strongest term does for it. What speaks against stands beside the
        length, so that it takes nothing from the weights of the others.
        """
        if not self.weights and not self.negative:
            return dict(vector)
        known = {term for term, _ in self.weights} | set(self.negative)
        given = {term: weight for term, weight in self.weights if weight > 0}
        rest = {term: weight for term, weight in vector.items() if term not in known and weight > 0}
        length, taken = math.hypot(*rest.values()), sum(weight * weight for weight in given.values())
        if taken >= 1 or not length:
            topic = _scaled(given, 1 / math.sqrt(taken)) if taken else {}
        else:
            topic = given | _scaled(rest, math.sqrt(1 - taken) / length)
        if not topic:
            return {}
        against = dict.fromkeys(self.negative, -max(topic.values()))
        return topic | against | {term: weight for term, weight in self.weights if weight < 0}


NOTHING_GIVEN = GivenTerms()


def _scaled(vector: Mapping[str, float], factor: float) -> dict[str, float]:
    return {term: weight * factor for term, weight in vector.items()}
