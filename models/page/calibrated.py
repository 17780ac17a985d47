"""The default page model: a calibrated probability from a few positives, without any negative.

1. What the text says: similarities of the topic with the page (once by occurrences, once with each term counted once), with
   its first terms, its title and its URL; their square roots are added (`models.page.text_score`). If the examples are a kind
   of page on many sites, the words count that many of them share (`models.page.emphasis`). If there are few or none, a keyword
   that a site says on every page, as in its name, does not count there (`models.page.site_words`).
2. What the crawl has seen (`models.page.crawl_record`): words of the URL that led to relevant pages, and the recent share of
   relevant pages.
3. From some fifty pages on, once enough of them are hardly relevant, what a sample of the pages teaches about all their words
   (`models.page.page_regression`). It is fitted again as the crawl goes on (`models.page.refitting`). From three examples on it
   also estimates how many of these pages are relevant: where few are, the same signals make a page less probable.

Seen pages are unlabelled. They teach by the probability that their text alone gives, so that the model cannot confirm its own
errors. All parts enter one logistic regression with fixed weights, so that 0.7 means that about seven of ten such pages are
relevant; `python -m tools.eval.pages --fit` fits the weights on labelled recorded webs. The crawl's document frequencies act
through the topic's vector, negative examples through it and the page regression. Labels that a person gives move the constant
and the threshold (`tuning_of`).

A page without any word of the topic, and without several words that go with the topic in this crawl, is not relevant, whatever
its URL says. One that says such words only because it repeats its title (`repeated_words`) stays relevant, but is marked, for
the order: the reviews of a product, the citation of a record and the history of an article show its title and a form.

Cost: O(terms) a page, 0.7 ms more than by the text alone over the first thousand pages, fits included. A fit begins whenever
the pages seen have doubled, and takes 0.1 s at most, in a thread. Earlier verdicts are not revised, but for pages of sites
that were not known by name yet.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import Any

from focuscrawl.items import IN_TITLE, Verdict
from models.page.crawl_record import CrawlRecord, log_odds
from models.page.emphasis import chosen_emphasis
from models.page.page_context import NO_CONTEXT, PageContext
from models.page.page_regression import LEAST_EXAMPLES, TITLE, PageRegression, page_counts, teach, text_of
from models.page.page_sample import Counts
from models.page.refitting import FIRST_FIT, Fit, Refitting
from models.page.site_words import OwnPart, words_of_names
from models.page.text_score import text_score
from models.topic.evidence import Emphasis, Evidence, one_site
from models.topic.vsm import TopicModel, left_out, made_up_pages, quantile, reasons
from models.topic.weights import Idf, topic_weights

WORDLESS = 0.5
"""The score of a page without any word of the topic is at most this share of the threshold."""
TITLE_TIMES = 4
"""A page that only repeats its title says it so often at most: as title, as heading, in a sentence and in a link."""
LEAST_COMPANIONS = 3
"""So many words that go with the topic in this crawl count as one word of the topic."""
LEAST_SAMPLED = 30
"""Different pages that the sample must have before a regression is fitted."""
MOST_LOG_ODDS = 8.0
"""Probabilities stay between 0.0003 and 0.9997, whatever the sums say."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights of three logistic regressions: on the text alone, on all signals before there is a page regression, and on
    all signals with it (`models.page.page_regression`)."""

    text_only: tuple[float, float]
    """Weight of the text, constant."""
    without_regression: tuple[float, float, float, float]
    """Weights of the text, of the URL's words and of the recent share; constant."""
    with_regression: tuple[float, float, float, float, float, float]
    """Weights of the text, of the URL's words, of the recent share, of the page's standing by the page regression, and of the
    share of relevant pages that this estimates; constant. Fitted on recorded webs, each tested on the others
    (docs/measured.md)."""
    threshold: float
    """Relevant from this probability on: half of the best F1 that such topics reach, which is where F1 of calibrated
    probabilities is largest (Lipton, Elkan, Naryanaswamy 2014)."""


FROM_EXAMPLES = Calibration((0.90, -4.76), (0.50, 0.25, 0.20, -5.10), (0.20, 0.10, 0.25, 1.20, 0.20, -3.70), 0.20)
FROM_ONE_SITE = replace(FROM_EXAMPLES, without_regression=(0.50, 0.25, 0.20, -4.60))
"""For examples of one site. Words of their site do not count, and what is left of the examples scores low on other sites."""
FROM_SHARED_WORDS = replace(FROM_EXAMPLES, with_regression=(0.40, 0.20, 0.50, 2.40, 0.40, -5.50), threshold=0.38)
"""For examples that are a kind of page: shared words tell such pages apart, but score low on all of them. With the regression,
the log odds are twice those of FROM_EXAMPLES, and 1.9 more. Fitted on crawls of one made web, tested on another
(docs/experiments.md, *Topics that are a kind of page*)."""
FROM_KEYWORDS = Calibration((0.84, -3.06), (0.50, 0.50, 0.90, -2.80), (0.46, 0.35, 0.40, 1.50, 0.0, -1.60), 0.30)
FROM_FEW_KEYWORDS = Calibration((0.68, -2.30), (0.50, 0.40, 0.90, -1.90), (0.42, 0.30, 0.40, 1.50, 0.0, -1.50), 0.30)
FROM_FEW_PAGES = Calibration((0.37, -2.74), (0.25, 0.20, 0.80, -2.40), (0.13, 0.20, 0.60, 5.00, 0.0, -2.90), 0.20)
"""One or two pages only. In all calibrations but FROM_SHARED_WORDS the words of URLs and the recent share weigh less than
fitted: the best weights for recorded crawls (0.25, 0.74, 1.15 with examples, before there is a regression) lose elsewhere (F1
0.71 against 0.83 on the synthetic web) and gain next to nothing."""
MANY_KEYWORDS = 6
"""From so many keywords on, as from LEAST_EXAMPLES examples on, a topic has the weights of a well described one."""


def calibration(evidence: Evidence) -> Calibration:
    """The weights for a topic, by how much evidence it is made from."""
    if len(evidence.examples) >= LEAST_EXAMPLES:
        if evidence.emphasis is not Emphasis.ALL:
            return FROM_SHARED_WORDS
        return FROM_ONE_SITE if one_site(evidence) else FROM_EXAMPLES
    if evidence.keyword_terms:
        return FROM_KEYWORDS if len(evidence.keyword_words) >= MANY_KEYWORDS else FROM_FEW_KEYWORDS
    return FROM_FEW_PAGES


USUAL_SCORE = 8.2
"""Text score of the examples of a usual topic."""
LOW_SCORE = 5.0
"""Examples that score lower share few words, and pages like them would never count as relevant."""
PRIOR_EXAMPLES = 3
"""Examples of the usual score that are added to those of a narrow topic, because three examples say little about it."""
TELLING_SCORE = 4.0
"""Examples that score lower do not tell how many pages are relevant: by their text alone too many relevant pages are taken for
irrelevant, and teach the regression so. The share comes out far too low."""
EVEN_SHARE = 0.62
"""The estimated share of relevant pages that changes no probability; fitted together with its weight."""
NOISE_RATIO = 1.3
"""Examples must score this many times as high as made-up pages about nothing; at 1, these would count half."""


@dataclass(frozen=True, slots=True)
class Scale:
    """What text score a relevant page of this topic has: 4 if its examples have many subjects, 14 if it is narrow.

    Scores relative to this recognize relevant pages before any page was seen (F1 on three webs, fitted on the two others: 0.59;
    absolute scores 0.43). Beside the page regression, the scores of topics whose examples score low are raised instead, all by
    the same amount: average precision is 0.003 higher so (docs/measured.md)."""

    usual: float = 0.0
    """Median text score of the examples, each with the topic made without it; 0: there are too few examples."""

    def ratio(self, text: float) -> float:
        """The text score as it would be if this were a usual topic."""
        return text * USUAL_SCORE / self.usual if self.usual else text

    def raised(self, text: float, least: float) -> float:
        """The text score and what the topic's own usual score lacks of `least`. 0 stays 0."""
        return text + max(0.0, least - self.usual) if text and self.usual else text


def own_scale(evidence: Evidence, idf: Idf, min_weight: float) -> Scale:
    """The scale of this topic. Takes 10 ms, and 20 ms more if the examples share few words."""
    if len(evidence.examples) < LEAST_EXAMPLES:
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
    """What labelled pages change about the calibration."""

    shift: float = 0.0
    """Added to the constants."""
    threshold: float | None = None
    """Replaces the threshold of the calibration; None: does not."""


UNTUNED = Tuning()


@dataclass(frozen=True, slots=True)
class _Judged:
    """A judged page, and what is to be learned from it."""

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
        self._site_words = words_of_names(topic.evidence)
        self._judged: _Judged | None = None
        """The page judged last. `learn` is usually called for it next, with the very same list of words."""

    @property
    def threshold(self) -> float:
        """The threshold that the user gave, else that of the labels, else that of the calibration."""
        if (given := self.topic.given_threshold) is not None:
            return given
        return self._calibration.threshold if self._tuning.threshold is None else self._tuning.threshold

    def tune(self, tuning: Tuning) -> None:
        """Use this tuning from now on. Raises ValueError for values that no labels can give."""
        limit = 0.5 if tuning.threshold is None else tuning.threshold
        if not (abs(tuning.shift) <= MOST_LOG_ODDS and 0 < limit < 1):
            raise ValueError(f"a tuning of {tuning}")
        self._tuning = tuning

    @property
    def revision(self) -> int:
        """The topic's."""
        return self.topic.revision

    @property
    def companions(self) -> Collection[str]:
        """Those of the page regression; none before it was fitted."""
        return self._refitting.current.companions if self._refitting.current else ()

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """The verdict, whose relevance is the probability that the page is relevant. Its terms are of text, title and URL, and
        those that do not count because the page's site says them on every page."""
        if not words:
            return Verdict(0.0, False, self.threshold)
        own = self._own(words, context)
        terms_of_page, context_of_page = own.terms, own.context
        counts = Counter(terms_of_page)
        text, cosine, shares = text_score(terms_of_page, context_of_page, self.topic.weights, self.topic.background.idf, counts)
        odds = self.learned.url_words.log_odds(context.url_terms)
        page = page_counts(counts, context_of_page)
        standing, by_term = self._refitting.current.standing(page) if self._refitting.current else (0.0, {})
        of_text, of_url, of_recent, of_standing, of_share, constant = self._weights
        by_text = of_text * self._scaled(text)
        score = probability(
            by_text
            + of_url * _joint_log_odds(odds)
            + of_recent * self.learned.recent_odds()
            + of_standing * standing
            + of_share * self._share_odds
            + constant
        )
        of_topic = {term for term, share in shares.items() if share > 0} if cosine else set()
        if not self._has_topic_word(of_topic, by_term):
            score = min(score, WORDLESS * self.threshold)
        relevant, marks = score >= self.threshold, own.marks
        if relevant and not self._has_topic_word(of_topic, by_term, repeated_words(counts, context_of_page.title_terms)):
            marks += ((IN_TITLE, 0.0),)
        self._judged = _Judged(words, self._alone(text), relevant, page)
        parts = Counter({term: share * by_text for term, share in shares.items()})
        parts.update({f"url:{word}": of_url * value / math.sqrt(len(odds)) for word, value in odds.items() if value > 0})
        # Words of the title and of the text are named alike.
        parts.update({term.removeprefix(TITLE): of_standing * part for term, part in by_term.items() if part > 0})
        return Verdict(score, relevant, self.threshold, (*reasons(parts), *marks), cosine)

    def signals(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> tuple[float, float, float, float, float]:
        """The inputs of the logistic regression, for fitting a calibration: text, the URL's words, recent share, standing, log
        odds of the share of relevant pages, against those of EVEN_SHARE."""
        own, context_of_page, _ = self._own(words, context)
        text = self._scaled(text_score(own, context_of_page, self.topic.weights, self.topic.background.idf)[0])
        pages = self._refitting.current
        standing = pages.standing(page_counts(Counter(own), context_of_page))[0] if pages else 0.0
        url_odds = _joint_log_odds(self.learned.url_words.log_odds(context.url_terms))
        return text, url_odds, self.learned.recent_odds(), standing, self._share_odds

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Learn from the page. If `relevant` differs from the verdict just given, somebody knows better, and that counts."""
        # `judge` returns early for an empty page, and then there is nothing to learn but the document frequencies.
        if self._judged is None or self._judged.words is not words:
            self.judge(words, context)
        if self._judged is not None and words:
            alone = self._judged.alone
            believed = alone if relevant == self._judged.relevant else float(relevant)
            self.learned.learn(context.url_terms, believed, alone)
            self.learned.sample.offer(self._judged.page)
            self.learned.site_words.learn(self._site_words, words, context)
        self._judged = None
        if refreshed := self.topic.learn(words, relevant):
            self._revise()
        if self._refitting.due(self.learned.url_words.pages) and len(self.learned.sample) >= LEAST_SAMPLED:
            self._refitting.begin(self.learned.url_words.pages, self._next_fit())
        return refreshed

    def refresh(self) -> None:
        """Refresh the topic."""
        self._judged = None
        self.topic.refresh()
        self._revise()
        pages = self.learned.url_words.pages
        if self._refitting.current is None and pages >= FIRST_FIT and len(self.learned.sample) >= LEAST_SAMPLED:
            self._refitting.begin(pages, self._next_fit())

    def state(self) -> dict[str, Any]:
        """What the crawl has seen, and the tuning by labels."""
        return {**self.learned.state(), "tuning": [self._tuning.shift, self._tuning.threshold]}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> CalibratedModel:
        """The model as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        model = cls(topic)
        model.learned = CrawlRecord.restore(state)
        shift, threshold = state["tuning"]
        model.tune(Tuning(float(shift), None if threshold is None else float(threshold)))
        return model

    def take_renamed(self) -> Mapping[str, Mapping[str, bool]]:
        """See `models.page.page_model.PageModel`."""
        return self.learned.site_words.take_found()

    def _own(self, words: Sequence[str], context: PageContext) -> OwnPart:
        """The page without what its site says on every page."""
        return self.learned.site_words.own_part(self._site_words, words, context)

    def _revise(self) -> None:
        """Compute again what follows from the topic's evidence and the document frequencies."""
        topic, idf = self.topic, self.topic.background.idf
        topic.emphasize(self.learned.emphasis)  # another worker, or an earlier run, may have chosen
        emphasis = chosen_emphasis(topic.evidence, idf, topic.min_weight, self.learned.sample.pages)
        topic.emphasize(emphasis)
        self.learned.choose(emphasis)
        self._scale = own_scale(topic.evidence, idf, topic.min_weight)
        self._calibration = calibration(topic.evidence)

    def _scaled(self, text: float) -> float:
        """The text score as it enters the logistic regression of all signals."""
        return self._scale.ratio(text) if self._refitting.current is None else self._scale.raised(text, USUAL_SCORE)

    def _alone(self, text: float) -> float:
        """The probability by the text score alone."""
        weight, constant = self._calibration.text_only
        return probability(weight * self._scale.raised(text, LOW_SCORE) + constant + self._tuning.shift)

    @property
    def _share_odds(self) -> float:
        """The log odds of the estimated share of relevant pages, less those of EVEN_SHARE; 0 where the examples tell none."""
        pages = self._refitting.current
        if pages is None or pages.share is None or self._scale.usual < TELLING_SCORE:
            return 0.0
        return log_odds(pages.share) - log_odds(EVEN_SHARE)

    @property
    def _weights(self) -> tuple[float, float, float, float, float, float]:
        """Weights of the text, the URL's words, the recent share, the standing and the share of relevant pages; constant."""
        text, url, recent, standing, share, constant = self._calibration.with_regression
        if self._refitting.current is None:
            (text, url, recent, constant), standing, share = self._calibration.without_regression, 0.0, 0.0
        return text, url, recent, standing, share, constant + self._tuning.shift

    def _has_topic_word(self, of_topic: Set[str], by_term: Mapping[str, float], but: Set[str] = frozenset()) -> bool:
        """Whether the page has a word of the topic's vector, a word of the examples that speaks for the topic, or several words
        that go with it in this crawl; those in `but` do not count.

        The vector alone cannot tell: it keeps only the strongest words. Beside keywords, words of one or two examples do not
        count, because most of these are words of their sites. `of_topic`: the words of the vector on the page. `by_term`: as
        `PageRegression.standing` gives."""
        pages, evidence = self._refitting.current, self.topic.evidence
        examples = evidence.examples
        if evidence.keyword_terms and len(examples) < LEAST_EXAMPLES:
            of_topic, examples = of_topic & evidence.given_terms, ()
        if not of_topic <= but:
            return True
        if pages is None:
            return False
        said = {term: part for term, part in by_term.items() if term not in but}
        own = any(part > 0 and any(term in document.counts for document in examples) for term, part in said.items())
        return own or sum(term in pages.companions for term in said) >= LEAST_COMPANIONS

    def _next_fit(self) -> Fit:
        """A function that fits the regression to what is known now, in another thread.

        Copying what may change meanwhile takes some 10 ms."""
        weights, evidence, pages = dict(self.topic.weights), self.topic.evidence, self.learned.sample.pages
        terms = {term.rpartition(":")[2] for term in set().union(*pages)}  # without the prefixes of title and URL
        idf = {term: self.topic.background.idf(term) for term in terms}

        def alone(page: Counts) -> float:
            counts, context = text_of(page)
            words = list(counts)
            return self._alone(text_score(words, context, weights, idf.__getitem__, counts)[0])

        def fit() -> PageRegression | None:
            probabilities = [alone(page) for page in pages]
            return PageRegression(weights, evidence, pages, probabilities) if teach(evidence, probabilities) else None

        return fit


def repeated_words(counts: Mapping[str, int], title_terms: Sequence[str]) -> set[str]:
    """The terms of its title that a page says no more often than if it only repeated that title.

    `counts`: how often each term stands in title and text together."""
    return {term for term, times in Counter(title_terms).items() if counts.get(term, 0) <= TITLE_TIMES * times}


def probability(log_odds: float) -> float:
    """The probability of these log odds, kept away from 0 and 1."""
    return 1 / (1 + math.exp(-max(-MOST_LOG_ODDS, min(MOST_LOG_ODDS, log_odds))))


def _joint_log_odds(odds: Mapping[str, float]) -> float:
    """Log odds of several words together, divided by the square root of their number, because they say much the same."""
    return sum(odds.values()) / math.sqrt(len(odds)) if odds else 0.0


# Tuning: labelled pages move the constant (a shift of the log odds) and the threshold.
#
# The calibration was fitted on other topics. Without tuning, and until a crawl has seen pages, no page of a topic whose pages
# share few words would reach the threshold. Every label is judged by a topic made without its fold, because it may be an
# example itself. The shift is the intercept of Platt's method, drawn to 0 by a normal prior. The threshold is that of the best
# F1, drawn to that of the calibration as long as labels are few.


FOLDS = 5
"""Parts into which the labels are divided. With more, each label is judged by a topic nearer to the final one; it takes
longer."""
LEAST_OF_A_KIND = 3
"""Labels of each kind that are needed for a tuning."""
SHIFT_SPREAD = 1.5
"""Standard deviation of the prior of the shift, in log odds."""
PRIOR_LABELS = 5
"""The threshold of the calibration counts as much as one found on this many labels of the rarer kind."""
ROUNDS = 25
"""Steps of Newton's method, each of at most 1. The problem is convex, so a few are enough."""


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
    shift = fitted_shift(judged)
    best = best_threshold([(relevant, odds + shift) for relevant, odds in judged], log_odds(weights.threshold))
    own = (rarer * best + PRIOR_LABELS * log_odds(weights.threshold)) / (rarer + PRIOR_LABELS)
    return Tuning(round(shift, 4), round(probability(own), 4))


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
            weight, _, _, constant = weights.without_regression
            scale = own_scale(evidence, idf, topic.min_weight)
            for page in held_out:
                text = text_score(page.words, page.context, vector, idf)[0]
                scored.append((page, weight * scale.ratio(text) + constant))
    return scored


def _without(evidence: Evidence, sources: frozenset[str]) -> Evidence:
    examples = tuple(document for document in evidence.examples if document.source not in sources)
    negatives = tuple(document for document in evidence.negatives if document.source not in sources)
    return replace(evidence, examples=examples, negatives=negatives)
