"""The default page model: a calibrated probability from a few positives, without any negative.

1. What the text says: similarities of the topic with the page (once by occurrences, once with each term counted once), with
   its first terms, its title and its URL; their square roots are added (`models.page.text_score`). If the examples are a kind
   of page on many sites, the words count that many of them share (`models.page.emphasis`). If there are one or two beside
   keywords, their words count for little or nothing (`models.page.judging_words`). If there are few or none, a keyword that a
   site says on every page, as in its name, does not count there (`models.page.site_words`).
2. What the crawl has seen (`models.page.crawl_record`): words of the URL that led to relevant pages, and the recent share of
   relevant pages.
3. From some fifty pages on, once enough of them are hardly relevant, what a sample of the pages teaches about all their words
   (`models.page.page_regression`). It is fitted again as the crawl goes on (`models.page.refitting`). From three examples on it
   also estimates how many of these pages are relevant: where few are, the same signals make a page less probable.

Seen pages are unlabelled. They teach by the probability that their text alone gives, so that the model cannot confirm its own
errors. All parts enter one logistic regression with fixed weights, so that 0.7 means that about seven of ten such pages are
relevant (`models.page.calibration`, `models.page.text_scale`). The crawl's document frequencies act through the topic's vector,
negative examples through it and the page regression. Labels that a person gives move probabilities and threshold
(`models.page.tuning`).

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
from typing import Any, NamedTuple

from focuscrawl.items import IN_TITLE, Verdict
from models.page.calibration import EVEN_SHARE, MOST_LOG_ODDS, Signals, Weights, calibration, log_odds, probability
from models.page.crawl_record import CrawlRecord
from models.page.emphasis import chosen_emphasis
from models.page.judging_words import judging_words
from models.page.page_context import NO_CONTEXT, PageContext
from models.page.page_regression import PageRegression, teach
from models.page.page_sample import TITLE, Counts, page_counts, text_of, url_terms_of
from models.page.refitting import FIRST_FIT, Fit, Refitting
from models.page.site_words import OwnPart, words_of_names
from models.page.text_scale import LOW_SCORE, USUAL_SCORE, own_scale
from models.page.tuning import UNTUNED, Tuning, former_tuning
from models.topic.vsm import TopicModel, reasons

WORDLESS = 0.5
"""The score of a page without any word of the topic is at most this share of the threshold."""
TITLE_TIMES = 4
"""A page that only repeats its title says it so often at most: as title, as heading, in a sentence and in a link."""
LEAST_COMPANIONS = 3
"""So many words that go with the topic in this crawl count as one word of the topic."""
LEAST_SAMPLED = 30
"""Different pages that the sample must have before a regression is fitted."""
TELLING_SCORE = 4.0
"""Examples that score lower do not tell how many pages are relevant: by their text alone too many relevant pages are taken for
irrelevant, and teach the regression so. The share comes out far too low."""


class _PageFacts(NamedTuple):
    """What the model reads of a page, to judge it and to learn from it."""

    words: Sequence[str]
    """As they were given."""
    own: OwnPart
    counts: Counter[str]
    """Of the terms of its own part."""
    text: float
    """Text score."""
    cosine: float
    shares: Mapping[str, float]
    """Of each term of the topic, in the cosine."""
    url_odds: Mapping[str, float]
    """Log odds of the words of its URL."""
    sampled: Counts
    """As it enters the sample of pages, and the page regression."""
    by_term: Mapping[str, float]
    """What each term adds to its standing."""
    signals: Signals

    @property
    def topic_words(self) -> set[str]:
        """The words of the topic's vector on the page."""
        return {term for term, share in self.shares.items() if share > 0} if self.cosine else set()


class CalibratedModel:
    """Relevance is a probability. Implements `models.page.page_model.PageModel`."""

    name = "calibrated"

    def __init__(self, topic: TopicModel) -> None:
        self.topic = topic
        self._calibration = calibration(topic.evidence)
        self._tuning = UNTUNED
        self.learned = CrawlRecord()
        self._scale = own_scale(topic.evidence, topic.background.idf, topic.min_weight)
        self._words = judging_words(topic)
        self._refitting = Refitting()
        self._site_words = words_of_names(topic.evidence)
        self._judged: tuple[_PageFacts, Verdict] | None = None
        """The page judged last. `learn` is usually called for it next, with the very same list of words."""

    @property
    def threshold(self) -> float:
        """The threshold that the user gave, else that of the calibration, moved by the labels."""
        if (given := self.topic.given_threshold) is not None:
            return given
        return self._tuning.threshold(self._calibration.threshold)

    def tune(self, tuning: Tuning) -> None:
        """Use this tuning from now on. Raises ValueError for values that no labels can give."""
        if not (abs(tuning.shift) <= MOST_LOG_ODDS and abs(tuning.move) <= 2 * MOST_LOG_ODDS):
            raise ValueError(f"a tuning of {tuning}")
        self._tuning = tuning

    @property
    def companions(self) -> Collection[str]:
        """Those of the page regression; none before it was fitted."""
        return self._refitting.current.companions if self._refitting.current else ()

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """The verdict, whose relevance is the probability that the page is relevant. Its terms are of text, title and URL, and
        those that do not count because the page's site says them on every page."""
        if not words:
            return Verdict(0.0, False, self.threshold)
        self._judged = self._judge(words, context)
        return self._judged[1]

    def _judge(self, words: Sequence[str], context: PageContext) -> tuple[_PageFacts, Verdict]:
        page = self._read(words, context)
        weights, marks = self._weights, page.own.marks
        score = probability(weights.log_odds(page.signals, self._tuning.shift))
        if not self._has_topic_word(page):
            score = min(score, WORDLESS * self.threshold)
        relevant = score >= self.threshold
        if relevant and not self._has_topic_word(page, repeated_words(page.counts, page.own.context.title_terms)):
            marks += ((IN_TITLE, 0.0),)
        return page, Verdict(score, relevant, self.threshold, (*reasons(_parts(page, weights)), *marks), page.cosine)

    def signals(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Signals:
        """The inputs of the logistic regression, for fitting a calibration."""
        return self._read(words, context).signals

    def _read(self, words: Sequence[str], context: PageContext) -> _PageFacts:
        own = self.learned.site_words.own_part(self._site_words, words, context)
        counts = Counter(own.terms)
        text, cosine, shares = self._words.score(own.terms, own.context, self.topic.background.idf, counts)
        url_odds = self.learned.url_words.log_odds(context.url_terms)
        sampled = page_counts(counts, own.context)
        regression = self._refitting.current
        standing, by_term = regression.standing(sampled) if regression else (0.0, {})
        signals = Signals(self._scaled(text), _joint_log_odds(url_odds), self.learned.recent_odds(), standing, self._share_odds)
        return _PageFacts(words, own, counts, text, cosine, shares, url_odds, sampled, by_term, signals)

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Learn from the page. If `relevant` differs from the verdict just given, somebody knows better, and that counts."""
        if words:  # else there is nothing to learn but the document frequencies
            judged = self._judged
            page, verdict = judged if judged and judged[0].words is words else self._judge(words, context)
            alone = self._alone(page.text)
            believed = alone if relevant == verdict.relevant else float(relevant)
            self.learned.learn(context.url_terms, believed, alone)
            self.learned.sample.offer(page.sampled)
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
        return {**self.learned.state(), "labels": [self._tuning.shift, self._tuning.move]}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> CalibratedModel:
        """The model as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        model = cls(topic)
        model.learned = CrawlRecord.restore(state)
        if "labels" in state:
            shift, move = state["labels"]
            model.tune(Tuning(float(shift), float(move)))
        else:
            model.tune(former_tuning(*state["tuning"], usual=model._calibration.threshold))
        return model

    def take_renamed(self) -> Mapping[str, Mapping[str, bool]]:
        return self.learned.site_words.take_found()

    def _revise(self) -> None:
        """Compute again what follows from the topic's evidence and the document frequencies."""
        topic, idf = self.topic, self.topic.background.idf
        topic.emphasize(self.learned.emphasis)  # another worker, or an earlier run, may have chosen
        emphasis = chosen_emphasis(topic.evidence, idf, topic.min_weight, self.learned.sample.pages)
        topic.emphasize(emphasis)
        self.learned.choose(emphasis)
        self._scale = own_scale(topic.evidence, idf, topic.min_weight)
        self._words = judging_words(topic)
        self._calibration = calibration(topic.evidence)

    def _scaled(self, text: float) -> float:
        """The text score as it enters the logistic regression of all signals."""
        return self._scale.ratio(text) if self._refitting.current is None else self._scale.raised(text, USUAL_SCORE)

    def _alone(self, text: float) -> float:
        """The probability by the text score alone, whatever labels say of the whole."""
        weight, constant = self._calibration.text_only
        return probability(weight * self._scale.raised(text, LOW_SCORE) + constant)

    @property
    def _share_odds(self) -> float:
        """The log odds of the estimated share of relevant pages, less those of EVEN_SHARE; 0 where the examples tell none."""
        regression = self._refitting.current
        if regression is None or regression.share is None or self._scale.usual < TELLING_SCORE:
            return 0.0
        return log_odds(regression.share) - log_odds(EVEN_SHARE)

    @property
    def _weights(self) -> Weights:
        calibration = self._calibration
        return calibration.without_regression if self._refitting.current is None else calibration.with_regression

    def _has_topic_word(self, page: _PageFacts, but: Set[str] = frozenset()) -> bool:
        """Whether the page has a word of the topic's vector, a word of the examples that speaks for the topic, or several words
        that go with it in this crawl; those in `but` do not count.

        The vector alone cannot tell: it keeps only the strongest words. Others of one or two examples beside keywords do not
        count."""
        if not page.topic_words <= but:
            return True
        regression, evidence = self._refitting.current, self.topic.evidence
        if regression is None:
            return False
        said = page.by_term.keys() - but
        if len(regression.companions & said) >= LEAST_COMPANIONS:
            return True
        speaking = {term for term in said if page.by_term[term] > 0}
        examples = () if evidence.keywords_first else evidence.examples
        return any(not document.counts.keys().isdisjoint(speaking) for document in examples)

    def _next_fit(self) -> Fit:
        """A function that fits the regression to what is known now, in another thread.

        Copying what may change meanwhile takes some 10 ms."""
        judged_by, evidence, pages = self._words, self.topic.evidence, self.learned.sample.pages
        url_odds = [_joint_log_odds(self.learned.url_words.log_odds(url_terms_of(page))) for page in pages]
        terms = {term.rpartition(":")[2] for term in set().union(*pages)}  # without the prefixes of title and URL
        idf = {term: self.topic.background.idf(term) for term in terms}

        def alone(page: Counts) -> float:
            counts, context = text_of(page)
            words = list(counts)
            return self._alone(judged_by.score(words, context, idf.__getitem__, counts)[0])

        def fit() -> PageRegression | None:
            probabilities = [alone(page) for page in pages]
            if not teach(evidence, probabilities):
                return None
            with_url = [probability(log_odds(by_text) + odds) for by_text, odds in zip(probabilities, url_odds, strict=True)]
            return PageRegression(judged_by.vector, evidence, pages, probabilities, with_url)

        return fit


def repeated_words(counts: Mapping[str, int], title_terms: Sequence[str]) -> set[str]:
    """The terms of its title that a page says no more often than if it only repeated that title.

    `counts`: how often each term stands in title and text together."""
    return {term for term, times in Counter(title_terms).items() if counts.get(term, 0) <= TITLE_TIMES * times}


def _parts(page: _PageFacts, weights: Weights) -> Counter[str]:
    """What the terms of a page have added to its log odds."""
    by_text = weights.text * page.signals.text
    parts = Counter({term: share * by_text for term, share in page.shares.items()})
    words = math.sqrt(len(page.url_odds))
    parts.update({f"url:{word}": weights.url_words * odds / words for word, odds in page.url_odds.items() if odds > 0})
    # Words of the title and of the text are named alike.
    parts.update({term.removeprefix(TITLE): weights.standing * part for term, part in page.by_term.items() if part > 0})
    return parts


def _joint_log_odds(odds: Mapping[str, float]) -> float:
    """Log odds of several words together, divided by the square root of their number, because they say much the same."""
    return sum(odds.values()) / math.sqrt(len(odds)) if odds else 0.0
