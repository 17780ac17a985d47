"""What labelled pages say about the calibrated model: its constant (a shift of the log odds) and its threshold.

The calibration was fitted on other topics; until a crawl has seen pages, a topic whose pages share few words with each other
would have none that reaches the threshold. Every label is judged by a topic made without its fold, or it would be found in
its own example. The shift is Platt's intercept alone, drawn to 0 by a normal prior; the threshold is that of the best F1,
drawn to the calibration's as long as labels are few.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from models.calibrated import UNTUNED, Calibration, Tuning, calibration, probability, text_score
from models.clues import Clues
from models.evidence import Evidence
from models.vsm import TopicModel
from models.weights import topic_weights

FOLDS = 5
LEAST_OF_A_KIND = 3
"""Labels of either kind without which nothing is tuned."""
SHIFT_SPREAD = 1.5
"""Standard deviation of the prior of the shift, in log odds."""
PRIOR_LABELS = 5
"""The calibration's threshold weighs as much as that found on so many labels of the rarer kind."""
ROUNDS = 25


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A labelled page as terms."""

    source: str
    relevant: bool
    words: Sequence[str]
    clues: Clues


def tuning_of(topic: TopicModel, pages: Sequence[LabelledPage]) -> Tuning:
    """What the labels say about the topic that was made with them; `UNTUNED` where they are too few."""
    weights = calibration(topic.evidence)
    judged = [(page.relevant, odds) for page, odds in _held_out(topic, pages, weights)]
    yes = sum(relevant for relevant, _ in judged)
    rarer = min(yes, len(judged) - yes)
    if rarer < LEAST_OF_A_KIND:
        return UNTUNED
    shift = fitted_shift(judged)
    best = best_threshold([(relevant, odds + shift) for relevant, odds in judged], _log_odds(weights.threshold))
    own = (rarer * best + PRIOR_LABELS * _log_odds(weights.threshold)) / (rarer + PRIOR_LABELS)
    return Tuning(round(shift, 4), round(probability(own), 4))


def fitted_shift(judged: Sequence[tuple[bool, float]]) -> float:
    """The shift of the log odds under which (relevant, log odds) are most likely, by Newton's method."""
    shift, precision = 0.0, 1 / SHIFT_SPREAD**2
    for _ in range(ROUNDS):
        slope, curve = -shift * precision, precision
        for relevant, odds in judged:
            p = probability(odds + shift)
            slope += relevant - p
            curve += p * (1 - p)
        shift += max(-1.0, min(1.0, slope / curve))
    return shift


def best_threshold(judged: Sequence[tuple[bool, float]], usual: float) -> float:
    """The log odds from which on F1 is best: halfway between two pages; of several the nearest to `usual`."""
    scores = sorted({odds for _, odds in judged})
    between = [(low + high) / 2 for low, high in pairwise(scores)]
    return max([usual, *between], key=lambda limit: (_f1(judged, limit), -abs(limit - usual)))


def _f1(judged: Sequence[tuple[bool, float]], limit: float) -> float:
    both = sum(relevant and odds >= limit for relevant, odds in judged)
    either = sum(relevant for relevant, _ in judged) + sum(odds >= limit for _, odds in judged)
    return 2 * both / either if either else 0.0


def _held_out(topic: TopicModel, pages: Sequence[LabelledPage], weights: Calibration) -> list[tuple[LabelledPage, float]]:
    """The log odds of each page under the topic without its fold; kinds are dealt evenly."""
    dealt, idf = sorted(pages, key=lambda page: page.relevant), topic.background.idf
    found = []
    for fold in range(FOLDS):
        mine = dealt[fold::FOLDS]
        evidence = _without(topic.evidence, frozenset(page.source for page in mine))
        vector = topic_weights(evidence, idf, topic.min_weight)
        if vector:
            a, _, _, constant = weights.whole
            found += [(page, a * text_score(page.words, page.clues, vector, idf)[0] + constant) for page in mine]
    return found


def _without(evidence: Evidence, sources: frozenset[str]) -> Evidence:
    examples = tuple(document for document in evidence.examples if document.source not in sources)
    negatives = tuple(document for document in evidence.negatives if document.source not in sources)
    return replace(evidence, examples=examples, negatives=negatives)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))
