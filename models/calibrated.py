"""The default page model: a calibrated probability from a few positives, without any negative.

1. What the text says: similarities of the topic with the page (once by occurrences, once with each term counted once), its
   first terms, its title and its address, square roots added up.
2. What the crawl has seen (`models.crawl_record`): words of the address that led to relevant pages, and the share of
   relevant pages among those fetched lately.

Seen pages are unlabelled: they teach through the probability that their text alone gives (a self-training that cannot feed
on itself). All parts enter one logistic regression with fixed weights, so that 0.7 means that about seven of ten such pages
are relevant; `python -m tools.eval.pages --fit` fits weights on labelled recorded webs. Negative examples and the crawl's
document frequencies work through the topic's vector.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from focuscrawl.items import Verdict
from models.clues import NO_CLUES, Clues
from models.crawl_record import CrawlRecord
from models.evidence import Evidence
from models.vsm import REASONS, TopicModel, similarity
from models.weights import Idf, Vector

FIRST_TERMS = 60
"""The beginning of a page says what it is about, and holds little furniture."""
TEXT_PARTS = (10.0, 2.0, 2.0, 1.0, 3.0)
"""Weights of the square roots of the similarities: by occurrences, each term once, first terms, title, address."""
MOST_LOG_ODDS = 8.0


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic regressions on the text alone, and on text, address record and lately."""

    alone: tuple[float, float]
    """Weight of the text, constant."""
    whole: tuple[float, float, float, float]
    """Weights of the text, of the address record and of lately; constant."""
    threshold: float
    """Relevant from this probability on: half of the best F1 that such topics reach, which is where F1 of calibrated
    probabilities is largest (Lipton, Elkan, Naryanaswamy 2014)."""


SAID_MUCH = Calibration((0.90, -4.76), (0.50, 0.60, 0.70, -3.60), 0.35)
KEYWORDS = Calibration((0.84, -3.06), (0.50, 0.50, 0.90, -2.80), 0.30)
FEW_KEYWORDS = Calibration((0.68, -2.30), (0.50, 0.40, 0.90, -1.90), 0.30)
SAID_LITTLE = Calibration((0.37, -2.74), (0.25, 0.20, 0.80, -2.40), 0.20)
"""One or two pages only. In all of them the text weighs more, and the rest less, than fitted: the best weights for recorded
crawls (0.25, 0.74, 1.15 for much) lose elsewhere (F1 0.71 against 0.83 on the synthetic web) and gain next to nothing."""
FEW_EXAMPLES, MANY_KEYWORDS = 3, 6


def calibration(evidence: Evidence) -> Calibration:
    """The weights for a topic that is made of so much."""
    if len(evidence.examples) >= FEW_EXAMPLES:
        return SAID_MUCH
    if evidence.keyword_terms:
        return KEYWORDS if len(evidence.keyword_terms) >= MANY_KEYWORDS else FEW_KEYWORDS
    return SAID_LITTLE


@dataclass(frozen=True, slots=True)
class Tuning:
    """What labelled pages say about the calibration, see `models.tuning`."""

    shift: float = 0.0
    """Added to the constants."""
    threshold: float | None = None
    """In place of the calibration's."""


UNTUNED = Tuning()


class CalibratedModel:
    """Scores are probabilities."""

    name = "calibrated"

    def __init__(self, topic: TopicModel) -> None:
        self.topic = topic
        self._calibration = calibration(topic.evidence)
        self._tuning = UNTUNED
        self.learned = CrawlRecord()
        self._judged: tuple[Sequence[str], float, bool] | None = None
        """The page judged last: its words, the probability by its text alone, the verdict. `learn` wants them next."""

    @property
    def threshold(self) -> float:
        """The user's, else that of the labels, else the calibration's."""
        if self.topic.threshold.given:
            return self.topic.threshold.value
        return self._calibration.threshold if self._tuning.threshold is None else self._tuning.threshold

    def tune(self, tuning: Tuning) -> None:
        """Take over what labelled pages say. Raises ValueError for what no labels can say."""
        limit = 0.5 if tuning.threshold is None else tuning.threshold
        if not (abs(tuning.shift) <= MOST_LOG_ODDS and 0 < limit < 1):
            raise ValueError(f"a tuning of {tuning}")
        self._tuning = tuning

    @property
    def revision(self) -> int:
        """The topic's."""
        return self.topic.revision

    def judge(self, words: Sequence[str], clues: Clues = NO_CLUES) -> Verdict:
        """The probability that the page is relevant; terms are those of the topic and of the address that speak for it."""
        if not words:
            return Verdict(0.0, False, self.threshold)
        text, cosine, parts = text_score(words, clues, self.topic.weights, self.topic.background.idf)
        odds = self.learned.addresses.log_odds(clues.address)
        a, b, c, _ = self._calibration.whole
        score = probability(a * text + b * _joined(odds) + c * self.learned.lately_odds() + self._constant)
        self._judged = (words, self._alone(text), score >= self.threshold)
        for word, value in odds.items():
            if value > 0:
                name = f"address:{word}"
                parts[name] = b * value / math.sqrt(len(odds)) / (a * text) if text else 1.0
        return Verdict(score, score >= self.threshold, self.threshold, _reasons(parts), cosine)

    def signals(self, words: Sequence[str], clues: Clues = NO_CLUES) -> tuple[float, float, float]:
        """What a verdict weighs: the text, the address record, lately. For fitting a calibration."""
        text, _, _ = text_score(words, clues, self.topic.weights, self.topic.background.idf)
        return text, _joined(self.learned.addresses.log_odds(clues.address)), self.learned.lately_odds()

    def learn(self, words: Sequence[str], relevant: bool, clues: Clues = NO_CLUES) -> bool:
        """Count the page; where `relevant` differs from the verdict just given, somebody knows better and is believed."""
        if self._judged is None or self._judged[0] is not words:
            self.judge(words, clues)
        if self._judged is not None and words:
            _, alone, verdict = self._judged
            self.learned.learn(clues.address, alone if relevant == verdict else float(relevant), alone)
        self._judged = None
        return self.topic.learn(words, relevant)

    def refresh(self) -> None:
        """Refresh the topic."""
        self._judged = None
        self.topic.refresh()

    def state(self) -> dict[str, Any]:
        """What the crawl has seen, and what labels said."""
        return {**self.learned.state(), "tuning": [self._tuning.shift, self._tuning.threshold]}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> CalibratedModel:
        """The model as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        model = cls(topic)
        model.learned = CrawlRecord.restore(state)
        shift, threshold = state["tuning"]
        model.tune(Tuning(float(shift), None if threshold is None else float(threshold)))
        return model

    def _alone(self, text: float) -> float:
        weight, constant = self._calibration.alone
        return probability(weight * text + constant + self._tuning.shift)

    @property
    def _constant(self) -> float:
        return self._calibration.whole[3] + self._tuning.shift


def text_score(words: Sequence[str], clues: Clues, weights: Vector, idf: Idf) -> tuple[float, float, dict[str, float]]:
    """What the text says, in [0, 18], the page's similarity (equation 2), and each topic term's share in that. O(terms)."""
    dot = squares = once = once_squares = cosine = 0.0
    parts: dict[str, float] = {}
    for term, n in Counter(words).items():
        x = idf(term)
        squares += n * n * x * x
        once_squares += x * x
        if (weight := weights.get(term)) is not None:
            parts[term] = n * x * weight
            dot += n * x * weight
            once += x * weight
    occurrences, each_once, first, title, address = TEXT_PARTS
    score = first * math.sqrt(similarity(Counter(words[:FIRST_TERMS]).items(), weights, idf))
    score += title * math.sqrt(similarity(dict.fromkeys(clues.title, 1).items(), weights, idf))
    score += address * math.sqrt(similarity(dict.fromkeys(clues.address, 1).items(), weights, idf))
    if dot > 0:
        cosine = min(1.0, dot / math.sqrt(squares))
        score += occurrences * math.sqrt(cosine)
        parts = {term: part / dot for term, part in parts.items()}
    if once > 0:
        score += each_once * math.sqrt(min(1.0, once / math.sqrt(once_squares)))
    return score, cosine, parts


def probability(log_odds: float) -> float:
    """The probability of these log odds, kept away from 0 and 1."""
    return 1 / (1 + math.exp(-max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, log_odds))))


def _joined(odds: Mapping[str, float]) -> float:
    """Log odds of several words that say much the same: their sum counts as that of the square root of their number."""
    return sum(odds.values()) / math.sqrt(len(odds)) if odds else 0.0


def _reasons(parts: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """The parts that counted most, with their shares of all."""
    whole = sum(parts.values())
    best = sorted(parts, key=lambda term: (-abs(parts[term]), term))[:REASONS]
    return tuple((term, round(parts[term] / whole, 4)) for term in best) if whole > 0 else ()
