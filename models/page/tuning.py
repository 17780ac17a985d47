"""Labelled pages tune the calibrated page model: they say how probable its pages are, and from where on they are relevant.

The calibration was fitted on other topics. Without tuning, and until a crawl has seen pages, no page of a topic whose pages
share few words would reach the threshold. Every label is judged by a topic made without its fold, because it may be an
example itself.

The shift is the intercept of Platt's method, drawn to 0 by a normal prior. It corrects probabilities, and moves the threshold
with them, so that it changes no verdict: where all pages score too low, the threshold may still lie well between relevant and
irrelevant ones. It is moved beside that towards the best F1 on the labels, as far as these are many
(docs/experiments.md, *What labels change*).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from models.page.calibration import Calibration, calibration, log_odds, probability
from models.page.page_context import PageContext
from models.page.text_scale import own_scale
from models.page.text_score import text_score
from models.topic.evidence import Evidence
from models.topic.vsm import TopicModel
from models.topic.weights import topic_weights

FOLDS = 5
"""Parts into which the labels are divided. With more, each label is judged by a topic nearer to the final one; it takes
longer."""
LEAST_OF_A_KIND = 3
"""Labels of each kind that are needed for a tuning."""
SHIFT_SPREAD = 1.5
"""Standard deviation of the prior of the shift, in log odds."""
PRIOR_LABELS = 12
"""The threshold that is likely without them counts as much as one found on this many labels of the rarer kind."""
FOLLOWED = 0.4
"""That threshold is lower than the calibration's by this part of the shift, as the best one is where all pages score low."""
ROUNDS = 25
"""Steps of Newton's method, each of at most 1. The problem is convex, so a few are enough."""


@dataclass(frozen=True, slots=True)
class Tuning:
    """What labelled pages change about the calibration."""

    shift: float = 0.0
    """Added to the log odds of every page, and of the threshold."""
    move: float = 0.0
    """Added to the log odds of the threshold alone."""

    def threshold(self, usual: float) -> float:
        """The threshold of a calibration, moved."""
        return round(probability(log_odds(usual) + self.shift + self.move), 4)


UNTUNED = Tuning()


def former_tuning(shift: float, threshold: float | None, *, usual: float) -> Tuning:
    """The tuning that an earlier version kept as a shift of the pages alone, and a threshold in place of the calibration's
    `usual` one, if it was not None. It gives the same verdicts as long as the calibration stays."""
    limit = log_odds(usual if threshold is None else float(threshold))
    return Tuning(float(shift), limit - log_odds(usual) - float(shift))


@dataclass(frozen=True, slots=True)
class LabelledPage:
    """A labelled page as terms."""

    source: str
    relevant: bool
    words: Sequence[str]
    context: PageContext


def tuning_of(topic: TopicModel, pages: Sequence[LabelledPage]) -> Tuning:
    """The tuning by labels of a topic that was made with them; `UNTUNED` if they are too few."""
    weights = calibration(topic.evidence)
    judged = [(page.relevant, odds) for page, odds in _held_out(topic, pages, weights)]
    yes = sum(relevant for relevant, _ in judged)
    rarer = min(yes, len(judged) - yes)
    if rarer < LEAST_OF_A_KIND:
        return UNTUNED
    shift, usual = fitted_shift(judged), log_odds(weights.threshold)
    likely = usual - FOLLOWED * shift
    limit = (rarer * best_threshold(judged, likely) + PRIOR_LABELS * likely) / (rarer + PRIOR_LABELS)
    return Tuning(round(shift, 4), round(limit - usual, 4))


def fitted_shift(judged: Sequence[tuple[bool, float]]) -> float:
    """The shift of the log odds under which these (relevant, log odds) are most likely, by Newton's method."""
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
    """The threshold with the best F1, as log odds, halfway between two pages; of several the nearest to `usual`."""
    scores = sorted({odds for _, odds in judged})
    between = [(low + high) / 2 for low, high in pairwise(scores)]
    return max([usual, *between], key=lambda limit: (_f1(judged, limit), -abs(limit - usual)))


def _f1(judged: Sequence[tuple[bool, float]], limit: float) -> float:
    both = sum(relevant and odds >= limit for relevant, odds in judged)
    either = sum(relevant for relevant, _ in judged) + sum(odds >= limit for _, odds in judged)
    return 2 * both / either if either else 0.0


def _held_out(topic: TopicModel, pages: Sequence[LabelledPage], weights: Calibration) -> list[tuple[LabelledPage, float]]:
    """The log odds of each page under the topic without the page's fold. Each fold has its part of both kinds."""
    by_kind, idf = sorted(pages, key=lambda page: page.relevant), topic.background.idf
    scored = []
    for fold in range(FOLDS):
        held_out = by_kind[fold::FOLDS]
        evidence = _without(topic.evidence, frozenset(page.source for page in held_out))
        vector = topic_weights(evidence, idf, topic.min_weight)
        if vector:
            text_weight, constant = weights.without_regression.text, weights.without_regression.constant
            scale = own_scale(evidence, idf, topic.min_weight)
            for page in held_out:
                text = text_score(page.words, page.context, vector, idf)[0]
                scored.append((page, text_weight * scale.ratio(text) + constant))
    return scored


def _without(evidence: Evidence, sources: frozenset[str]) -> Evidence:
    examples = tuple(document for document in evidence.examples if document.source not in sources)
    negatives = tuple(document for document in evidence.negatives if document.source not in sources)
    return replace(evidence, examples=examples, negatives=negatives)
