"""The default page model: a calibrated probability from a few positives, without any negative.

1. What the text says: similarities of the topic with the page (once by occurrences, once with each term counted once), its
   first terms, its title and its address, square roots added up.
2. What the crawl has seen (`models.page.calibrated`): words of the address that led to relevant pages, and the share of
   relevant pages among those fetched lately.

Seen pages are unlabelled: they teach through the probability that their text alone gives (a self-training that cannot feed
on itself). All parts enter one logistic regression with fixed weights, so that 0.7 means that about seven of ten such pages
are relevant; `python -m tools.eval.pages --fit` fits weights on labelled recorded webs. Negative examples and the crawl's
document frequencies work through the topic's vector.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from focuscrawl.items import Verdict
from focuscrawl.shared_counts import Part, sliced
from models.page.page_context import NO_CONTEXT, PageContext
from models.topic.evidence import Evidence
from models.topic.vsm import REASONS, TopicModel, similarity
from models.topic.weights import Idf, Vector, topic_weights

# Which words of addresses lead to relevant pages? Learned from the pages a crawl has seen, without a label.
#
# Sites sort their pages: sections, categories and file names say what a page is about, in words that no example holds.
# Each word of an address keeps the mean probability that its text alone gave to the pages it led to, shrunk towards the
# mean of all pages. The whole model's own probability is not used, so that an early error cannot confirm itself.


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
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, _Sums()
        return new.parts()

    def add(self, part: Part) -> None:
        """See `focuscrawl.shared_counts`."""
        total, pages = float(part["sum"]), int(part["pages"])
        words = {str(word): (float(its), int(n)) for word, (its, n) in part["words"].items()}
        if not 0 <= total <= pages or any(not 0 <= its <= n for its, n in words.values()):
            raise ValueError("sums of probabilities beyond the number of pages")
        self._seen.add(total, pages, words)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        return self._seen.copy().parts()

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
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


# What the calibrated page model has seen of a crawl: words of addresses, and in which runs pages come.
#
# Crawls meet relevant pages in runs, and each worker has runs of its own, on hosts of its own. So `lately` stays with the
# worker that met the pages; how far it foretells the next page is learned by all together. A worker that has met none
# begins with what the one that knew most said last.


LATELY = 0.98
"""What the share of relevant pages keeps from one page to the next: it looks back on about fifty."""
USUAL_SHARE = 0.12
FIRST_RUNS = 0.1
"""What is thought of that before pages were seen: that it foretells fully, at the weight of ten pages 0.1 away."""
LEAST_SHARE, MOST_SHARE = 0.01, 0.97


class CrawlRecord:
    """Learns without labels, from the probability that a page's text alone gives. Implements
    `focuscrawl.shared_counts.Learned`."""

    def __init__(self) -> None:
        self.addresses = AddressRecord()
        self._runs = [0.0, 0.0]
        """How far the share lately foretells the next page: sums of x·y and of x·x, both as distances from the usual share."""
        self._new_runs = [0.0, 0.0]
        self._lately = USUAL_SHARE
        self._own = False
        """Whether `lately` is of pages that were met here."""
        self._latest = (0, USUAL_SHARE)
        """Of the worker that knew most pages: their number, its `lately`."""

    def learn(self, address: Iterable[str], probability: float, alone: float) -> None:
        """A page at an address of these words is relevant with this probability; `alone`: what its text says."""
        self.addresses.learn(address, probability)
        distance = self._lately - USUAL_SHARE
        for runs in (self._runs, self._new_runs):
            runs[0] += distance * (alone - USUAL_SHARE)
            runs[1] += distance * distance
        self._lately = min(MOST_SHARE, max(LEAST_SHARE, LATELY * self._lately + (1 - LATELY) * alone))
        self._own = True
        self._latest = (self.addresses.pages, self._lately)

    def lately_odds(self) -> float:
        """Log odds of the share lately against the usual, weighed by how far it foretold so far (a regression's slope): pages
        in no order make it count for nothing."""
        slope = max(0.0, min(1.0, (self._runs[0] + FIRST_RUNS) / (self._runs[1] + FIRST_RUNS)))
        return slope * (_log_odds(self._lately) - _log_odds(USUAL_SHARE))

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        runs, self._new_runs = self._new_runs, [0.0, 0.0]
        return _joined_records(self._runs_part(runs), self.addresses.take())

    def add(self, part: Part) -> None:
        """See `focuscrawl.shared_counts`."""
        products, squares = map(float, part.get("runs", (0.0, 0.0)))
        pages, lately = part.get("lately", self._latest)
        pages, lately = int(pages), float(lately)
        if not (squares >= 0 and math.isfinite(products) and LEAST_SHARE <= lately <= MOST_SHARE):
            raise ValueError(f"runs of {products} and {squares}, or a share of {lately}")
        self.addresses.add(part["addresses"])
        self._runs = [self._runs[0] + products, self._runs[1] + squares]
        self._latest = max(self._latest, (pages, lately))
        if not self._own:
            self._lately = self._latest[1]

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        return _joined_records(self._runs_part(self._runs), self.addresses.whole())

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self.addresses.restart()
        self._runs = list(self._new_runs)

    def state(self) -> dict[str, Any]:
        """All of it, as plain data for the file of a trained model."""
        return {"lately": self._lately, "runs": self._runs, "addresses": self.addresses.state()}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> CrawlRecord:
        """The record as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        record = cls()
        record.add({"lately": [0, state["lately"]], "runs": state["runs"], "addresses": state["addresses"]})
        record._latest = (0, float(state["lately"]))
        record._lately = record._latest[1]
        return record

    def _runs_part(self, runs: list[float]) -> Part:
        return {"runs": list(runs), "lately": list(self._latest)}


def _joined_records(first: Part, parts: Iterator[Part]) -> Iterator[Part]:
    for part in parts:
        yield {"addresses": part, **first}
        first = {}


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))


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
    """What labelled pages say about the calibration, see `models.page.calibrated`."""

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

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """The probability that the page is relevant; terms are those of the topic and of the address that speak for it."""
        if not words:
            return Verdict(0.0, False, self.threshold)
        text, cosine, parts = text_score(words, context, self.topic.weights, self.topic.background.idf)
        odds = self.learned.addresses.log_odds(context.address)
        a, b, c, _ = self._calibration.whole
        score = probability(a * text + b * _joined(odds) + c * self.learned.lately_odds() + self._constant)
        self._judged = (words, self._alone(text), score >= self.threshold)
        for word, value in odds.items():
            if value > 0:
                name = f"address:{word}"
                parts[name] = b * value / math.sqrt(len(odds)) / (a * text) if text else 1.0
        return Verdict(score, score >= self.threshold, self.threshold, _reasons(parts), cosine)

    def signals(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> tuple[float, float, float]:
        """What a verdict weighs: the text, the address record, lately. For fitting a calibration."""
        text, _, _ = text_score(words, context, self.topic.weights, self.topic.background.idf)
        return text, _joined(self.learned.addresses.log_odds(context.address)), self.learned.lately_odds()

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Count the page; where `relevant` differs from the verdict just given, somebody knows better and is believed."""
        if self._judged is None or self._judged[0] is not words:
            self.judge(words, context)
        if self._judged is not None and words:
            _, alone, verdict = self._judged
            self.learned.learn(context.address, alone if relevant == verdict else float(relevant), alone)
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


def text_score(words: Sequence[str], context: PageContext, weights: Vector, idf: Idf) -> tuple[float, float, dict[str, float]]:
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
    score += title * math.sqrt(similarity(dict.fromkeys(context.title, 1).items(), weights, idf))
    score += address * math.sqrt(similarity(dict.fromkeys(context.address, 1).items(), weights, idf))
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


# What labelled pages say about the calibrated model: its constant (a shift of the log odds) and its threshold.
#
# The calibration was fitted on other topics; until a crawl has seen pages, a topic whose pages share few words with each other
# would have none that reaches the threshold. Every label is judged by a topic made without its fold, or it would be found in
# its own example. The shift is Platt's intercept alone, drawn to 0 by a normal prior; the threshold is that of the best F1,
# drawn to the calibration's as long as labels are few.


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
    context: PageContext


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
            found += [(page, a * text_score(page.words, page.context, vector, idf)[0] + constant) for page in mine]
    return found


def _without(evidence: Evidence, sources: frozenset[str]) -> Evidence:
    examples = tuple(document for document in evidence.examples if document.source not in sources)
    negatives = tuple(document for document in evidence.negatives if document.source not in sources)
    return replace(evidence, examples=examples, negatives=negatives)
