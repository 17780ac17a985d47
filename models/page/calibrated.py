"""The default page model: a calibrated probability from a few positives, without any negative.

1. What the text says: similarities of the topic with the page (once by occurrences, once with each term counted once), its
   first terms, its title and its URL, square roots added up (`models.page.text_score`). Where the examples are a kind of page
   on many sites, words count that many of them share (`models.page.emphasis`).
2. What the crawl has seen (`models.page.crawl_record`): words of the URL that led to relevant pages, and the share of
   relevant pages among those fetched lately.
3. From some fifty pages on, what a sample of them teaches about all their words (`models.page.page_regression`), fitted again
   as the crawl goes on (`models.page.refitting`).

Seen pages are unlabelled: they teach through the probability that their text alone gives (a self-training that cannot feed
on itself). All parts enter one logistic regression with fixed weights, so that 0.7 means that about seven of ten such pages
are relevant; `python -m tools.eval.pages --fit` fits weights on labelled recorded webs. Negative examples and the crawl's
document frequencies work through the topic's vector. Labels, where a person gives some, move constant and threshold
(`tuning_of`).

A page that has no word of the topic, nor several that go with it in this crawl, is not relevant, whatever its URL says.

O(terms) a page: 0.7 ms more than by the text alone, over the first thousand pages, fits included; a fit comes whenever the
pages seen have doubled and takes 0.1 s at most, in a thread.
It does not revise earlier verdicts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

from focuscrawl.items import Verdict
from models.page.crawl_record import CrawlRecord, log_odds
from models.page.emphasis import chosen_emphasis
from models.page.page_context import NO_CONTEXT, PageContext
from models.page.page_regression import TITLE, PageRegression, page_counts, text_of
from models.page.page_sample import Counts
from models.page.refitting import FIRST_FIT, Refitting
from models.page.text_score import text_score
from models.topic.evidence import Evidence, one_site
from models.topic.vsm import REASONS, TopicModel, left_out, made_up_pages, quantile
from models.topic.weights import Idf, topic_weights

WORDLESS = 0.5
"""Part of the threshold that the score of a page without any word of the topic stays below."""
LEAST_COMPANIONS = 3
"""Words that go with the topic in this crawl, which together stand for one of its own."""
LEAST_SAMPLED = 30
"""Different pages without which nothing is fitted."""
MOST_LOG_ODDS = 8.0
"""Probabilities stay in 0.0003 to 0.9997: no verdict is surer than that, whatever the sums say."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """Logistic regressions on the text alone, and on text, words of the URL and lately."""

    alone: tuple[float, float]
    """Weight of the text, constant."""
    whole: tuple[float, float, float, float]
    """Weights of the text, of the URL's words and of lately; constant."""
    pages: tuple[float, float, float, float, float]
    """As soon as there is a regression on the crawl's pages: weights of the text, of the URL's words, of lately and of the
    page's standing by that regression; constant. Fitted on three recorded webs, each tested on the two others."""
    threshold: float
    """Relevant from this probability on: half of the best F1 that such topics reach, which is where F1 of calibrated
    probabilities is largest (Lipton, Elkan, Naryanaswamy 2014)."""


SAID_MUCH = Calibration((0.90, -4.76), (0.50, 0.25, 0.20, -5.10), (0.33, 0.10, 0.45, 1.20, -4.00), 0.20)
OF_ONE_SITE = replace(SAID_MUCH, whole=(0.50, 0.25, 0.20, -4.60))
"""Such examples have words of their site in common, which do not count: what is left of them scores low elsewhere."""
KEYWORDS = Calibration((0.84, -3.06), (0.50, 0.50, 0.90, -2.80), (0.46, 0.35, 0.40, 1.50, -1.60), 0.30)
FEW_KEYWORDS = Calibration((0.68, -2.30), (0.50, 0.40, 0.90, -1.90), (0.42, 0.30, 0.40, 1.50, -1.50), 0.30)
SAID_LITTLE = Calibration((0.37, -2.74), (0.25, 0.20, 0.80, -2.40), (0.13, 0.20, 0.60, 5.00, -2.90), 0.20)
"""One or two pages only. In all of them the text weighs more, and the rest less, than fitted: the best weights for recorded
crawls (0.25, 0.74, 1.15 for much) lose elsewhere (F1 0.71 against 0.83 on the synthetic web) and gain next to nothing."""
FEW_EXAMPLES, MANY_KEYWORDS = 3, 6


def calibration(evidence: Evidence) -> Calibration:
    """The weights for a topic that is made of so much."""
    if len(evidence.examples) >= FEW_EXAMPLES:
        return OF_ONE_SITE if one_site(evidence) else SAID_MUCH
    if evidence.keyword_terms:
        return KEYWORDS if len(evidence.keyword_terms) >= MANY_KEYWORDS else FEW_KEYWORDS
    return SAID_LITTLE


USUAL_SCORE = 8.2
"""Text score of examples whose topic is as close as most."""
LOW_SCORE = 5.0
"""Examples below it share few words: their topic's pages would never count as relevant."""
PRIOR_EXAMPLES = 3
"""Examples of the usual score that are added before a narrow topic is judged strictly: three examples say little."""
NOISE_RATIO = 1.3
"""Examples must score so much above made-up pages about nothing; at 1, those would count half."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What the text score of a relevant page is for this topic: 4 where examples are of many subjects, 14 for a narrow one.

    Scores relative to it tell relevant pages on sight (F1 before anything was seen, on three webs, fitted on the two others:
    0.59; absolute scores 0.43). Beside a regression on the crawl's pages absolute scores do better, but where examples share
    few words."""

    usual: float = 0.0
    """The examples' median, each to the topic made without it; 0: too few to say."""

    def of(self, text: float, beside_pages: bool = False) -> float:
        """The text score as it enters the regression."""
        if beside_pages or not self.usual:
            return text + self.lift if text else 0.0
        return text * USUAL_SCORE / self.usual

    @property
    def lift(self) -> float:
        """What is added to scores where examples share few words."""
        return max(0.0, LOW_SCORE - self.usual) if self.usual else 0.0


def own_scale(evidence: Evidence, idf: Idf, min_weight: float) -> Scale:
    """The scale of this topic. 10 ms; 20 ms more where examples share few words."""
    if len(evidence.examples) < FEW_EXAMPLES:
        return Scale()
    usual = median(
        text_score((), PageContext(document.title_terms, document.url_terms), vector, idf, document.counts)[0]
        for document, vector in left_out(evidence, idf, min_weight)
    )
    if usual < LOW_SCORE:
        vector = topic_weights(evidence, idf, min_weight)
        noise = quantile(
            [text_score(page, NO_CONTEXT, vector, idf)[0] for page in made_up_pages(round(evidence.han_share, 2))], 0.95
        )
        usual = max(usual, NOISE_RATIO * noise, 1.0)
    if one_site(evidence):
        return Scale(min(usual, USUAL_SCORE))
    if usual > USUAL_SCORE:
        examples = len(evidence.examples)
        usual = (examples * usual + PRIOR_EXAMPLES * USUAL_SCORE) / (examples + PRIOR_EXAMPLES)
    return Scale(usual)


@dataclass(frozen=True, slots=True)
class Tuning:
    """What labelled pages say about the calibration."""

    shift: float = 0.0
    """Added to the constants."""
    threshold: float | None = None
    """In place of the calibration's."""


UNTUNED = Tuning()


@dataclass(frozen=True, slots=True)
class _Judged:
    """A page that was judged, and what is to be learned from it."""

    words: Sequence[str]
    alone: float
    """The probability by its text alone."""
    relevant: bool
    page: Counts


class CalibratedModel:
    """Relevance is a probability. Implements `models.page.page_model.PageModel`."""

    name = "calibrated"

    def __init__(self, topic: TopicModel) -> None:
        self.topic = topic
        self._calibration = calibration(topic.evidence)
        self._tuning = UNTUNED
        self.learned = CrawlRecord()
        self._scale = own_scale(topic.evidence, topic.background.idf, topic.min_weight)
        self._refitting = Refitting()
        self._judged: _Judged | None = None
        """The page judged last; `learn` wants it next."""

    @property
    def threshold(self) -> float:
        """The user's, else that of the labels, else the calibration's."""
        if (given := self.topic.given_threshold) is not None:
            return given
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
        """The probability that the page is relevant; terms are those of the topic and of the URL that speak for it."""
        if not words:
            return Verdict(0.0, False, self.threshold)
        counts = Counter(words)
        text, cosine, shares = text_score(words, context, self.topic.weights, self.topic.background.idf, counts)
        odds = self.learned.url_words.log_odds(context.url_terms)
        page = page_counts(counts, context)
        standing, spoke = self._refitting.current.standing(page) if self._refitting.current else (0.0, {})
        a, b, c, d, constant = self._weights
        own = a * self._scale.of(text, bool(self._refitting.current))
        score = probability(own + b * _joined(odds) + c * self.learned.lately_odds() + d * standing + constant)
        if not cosine and not self._has_topic_word(spoke):
            score = min(score, WORDLESS * self.threshold)
        self._judged = _Judged(words, self._alone(text), score >= self.threshold, page)
        parts = Counter({term: share * own for term, share in shares.items()})
        parts.update({f"url:{word}": b * value / math.sqrt(len(odds)) for word, value in odds.items() if value > 0})
        parts.update({_plain(term): d * part for term, part in spoke.items() if part > 0})
        return Verdict(score, score >= self.threshold, self.threshold, _reasons(parts), cosine)

    def signals(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> tuple[float, float, float, float]:
        """What a verdict weighs: the text, the URL's words, lately, the standing. For fitting a calibration."""
        text, _, _ = text_score(words, context, self.topic.weights, self.topic.background.idf)
        pages = self._refitting.current
        standing = pages.standing(page_counts(Counter(words), context))[0] if pages else 0.0
        return text, _joined(self.learned.url_words.log_odds(context.url_terms)), self.learned.lately_odds(), standing

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Count the page; where `relevant` differs from the verdict just given, somebody knows better and is believed."""
        if self._judged is None or self._judged.words is not words:
            self.judge(words, context)
        if self._judged is not None and words:
            alone = self._judged.alone
            believed = alone if relevant == self._judged.relevant else float(relevant)
            self.learned.learn(context.url_terms, believed, alone)
            self.learned.sample.offer(self._judged.page)
        self._judged = None
        if refreshed := self.topic.learn(words, relevant):
            self._revise()
        if self._refitting.due(self.learned.url_words.pages) and len(self.learned.sample) >= LEAST_SAMPLED:
            self._refitting.begin(self.learned.url_words.pages, self._lesson())
        return refreshed

    def refresh(self) -> None:
        """Refresh the topic."""
        self._judged = None
        self.topic.refresh()
        self._revise()
        pages = self.learned.url_words.pages
        if self._refitting.current is None and pages >= FIRST_FIT and len(self.learned.sample) >= LEAST_SAMPLED:
            self._refitting.begin(pages, self._lesson())

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

    def _revise(self) -> None:
        """What follows from the topic's evidence with the document frequencies as they are now."""
        topic, idf = self.topic, self.topic.background.idf
        topic.emphasize(chosen_emphasis(topic.evidence, idf, topic.min_weight, self.learned.sample.pages))
        self._scale = own_scale(topic.evidence, idf, topic.min_weight)

    def _alone(self, text: float) -> float:
        weight, constant = self._calibration.alone
        return probability(weight * self._scale.of(text, beside_pages=True) + constant + self._tuning.shift)

    @property
    def _weights(self) -> tuple[float, float, float, float, float]:
        """Of text, URL's words, lately and standing; constant."""
        a, b, c, d, constant = self._calibration.pages
        if self._refitting.current is None:
            (a, b, c, constant), d = self._calibration.whole, 0.0
        return a, b, c, d, constant + self._tuning.shift

    def _has_topic_word(self, spoke: Mapping[str, float]) -> bool:
        """Whether a word of the page's text that the examples have speaks for the topic, as the vector keeps the strongest few,
        or several that go with it in this crawl."""
        pages, examples = self._refitting.current, self.topic.evidence.examples
        if pages is None:
            return False
        own = any(part > 0 and any(term in document.counts for document in examples) for term, part in spoke.items())
        return own or sum(term in pages.companions for term in spoke) >= LEAST_COMPANIONS

    def _lesson(self) -> Callable[[], PageRegression]:
        """The fit to what is known now. Takes some 10 ms for what may change meanwhile; the rest can wait."""
        weights, evidence, pages = dict(self.topic.weights), self.topic.evidence, self.learned.sample.pages
        terms = {term.rpartition(":")[2] for term in set().union(*pages)}
        idf = {term: self.topic.background.idf(term) for term in terms}

        def alone(page: Counts) -> float:
            counts, context = text_of(page)
            words = list(counts)
            return self._alone(text_score(words, context, weights, idf.__getitem__, counts)[0])

        return lambda: PageRegression(weights, evidence, pages, [alone(page) for page in pages])


def probability(log_odds: float) -> float:
    """The probability of these log odds, kept away from 0 and 1."""
    return 1 / (1 + math.exp(-max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, log_odds))))


def _joined(odds: Mapping[str, float]) -> float:
    """Log odds of several words that say much the same: their sum counts as that of the square root of their number."""
    return sum(odds.values()) / math.sqrt(len(odds)) if odds else 0.0


def _plain(term: str) -> str:
    """A word of the title is named like one of the text."""
    return term.removeprefix(TITLE)


def _reasons(parts: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    """The parts that counted most, with their shares of all."""
    whole = sum(parts.values())
    best = sorted(parts, key=lambda term: (-abs(parts[term]), term))[:REASONS]
    return tuple((term, round(parts[term] / whole, 4)) for term in best) if whole > 0 else ()


# Tuning: what labelled pages say about the constant (a shift of the log odds) and the threshold.
#
# The calibration was fitted on other topics; until a crawl has seen pages, a topic whose pages share few words with each other
# would have none that reaches the threshold. Every label is judged by a topic made without its fold, or it would be found in
# its own example. The shift is Platt's intercept alone, drawn to 0 by a normal prior; the threshold is that of the best F1,
# drawn to the calibration's as long as labels are few.


FOLDS = 5
"""Parts that the labels are dealt into; more judge each label by a topic nearer to the final one, and take longer."""
LEAST_OF_A_KIND = 3
"""Labels of either kind without which nothing is tuned."""
SHIFT_SPREAD = 1.5
"""Standard deviation of the prior of the shift, in log odds."""
PRIOR_LABELS = 5
"""The calibration's threshold weighs as much as that found on so many labels of the rarer kind."""
ROUNDS = 25
"""Newton steps, of at most 1 each: convex, so a handful is enough."""


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
    best = best_threshold([(relevant, odds + shift) for relevant, odds in judged], log_odds(weights.threshold))
    own = (rarer * best + PRIOR_LABELS * log_odds(weights.threshold)) / (rarer + PRIOR_LABELS)
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
            scale = own_scale(evidence, idf, topic.min_weight)
            found += [(page, a * scale.of(text_score(page.words, page.context, vector, idf)[0]) + constant) for page in mine]
    return found


def _without(evidence: Evidence, sources: frozenset[str]) -> Evidence:
    examples = tuple(document for document in evidence.examples if document.source not in sources)
    negatives = tuple(document for document in evidence.negatives if document.source not in sources)
    return replace(evidence, examples=examples, negatives=negatives)
