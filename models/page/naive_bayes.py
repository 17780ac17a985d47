"""Naive Bayes as a page model, as in the adaptive crawler by incremental learning; the formula is in `models.naive_bayes`.

Relevant are the topic's examples and keywords. The paper has labelled irrelevant pages; here these are the counter-examples,
made-up pages, and, from the first refresh on, a random sample (`models.page.page_sample`) of pages seen that the topic's
vector does not call relevant. A keyword that a site says on every page does not count there (`models.page.site_words`).
p(c|page) is close to 0 or 1 for all but the shortest pages: it ranks, it is not calibrated.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from focuscrawl.items import Verdict
from models.naive_bayes import NaiveBayes, probability
from models.page.page_context import NO_CONTEXT, PageContext
from models.page.seen_pages import SeenPages
from models.page.site_words import OwnPart, words_of_names
from models.topic.background import draw
from models.topic.vsm import TopicModel, reasons

THRESHOLD = 0.2
"""Of the paper's experiment."""
MADE_UP_PAGES = 40
"""Drawn from the bundled word frequencies: without them a new topic would have no irrelevant pages to compare with."""
SAMPLE = 200
"""Seen irrelevant pages kept."""
KEPT_TERMS = 300
"""Most frequent terms of a page that are kept in the sample."""


class NaiveBayesModel:
    """Two classes, relevant and not."""

    name = "naive-bayes"
    companions: Collection[str] = ()

    def __init__(self, topic: TopicModel) -> None:
        self.topic = topic
        self.threshold = topic.threshold.value if topic.threshold.given else THRESHOLD
        self.learned = SeenPages(SAMPLE)
        self._site_words = words_of_names(topic.evidence)
        self._compared: tuple[Sequence[str], OwnPart, float] | None = None
        """The page judged last, what it says beyond its site, and the cosine of that with the topic; `learn` wants it next."""
        self._fit()

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """p(relevant|page) by the words of the vocabulary; terms are those that speak for it."""
        own, cosine = self._compare(words, context)
        parts = {term: n * self._odds[term] for term, n in Counter(own.terms).items() if term in self._odds}
        if not parts:
            return Verdict(0.0, False, self.threshold, own.marks, cosine)
        score = probability(self._prior + sum(parts.values()))
        spoke_for = {term: part for term, part in parts.items() if part > 0}
        return Verdict(score, score >= self.threshold, self.threshold, (*reasons(spoke_for), *own.marks), cosine)

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Keep the page for the next fit if the topic's vector calls it irrelevant: its own verdicts teach it nothing."""
        last = self._compared
        own, cosine = last[1:] if last and last[0] is words else self._compare(words, context)
        if cosine < self.topic.own_threshold:
            self.learned.sample.offer(dict(Counter(own.terms).most_common(KEPT_TERMS)))
        self._compared = None
        self.learned.site_words.learn(self._site_words, words, context)
        if not self.topic.learn(words, relevant):
            return False
        self._fit()
        return True

    def take_renamed(self) -> Mapping[str, Mapping[str, bool]]:
        return self.learned.site_words.take_found()

    def refresh(self) -> None:
        """Fit again with the pages kept so far."""
        self._compared = None
        self.topic.refresh()
        self._fit()

    def state(self) -> dict[str, Any]:
        """The sample of seen pages, from which the probabilities follow, and what sites say."""
        return {"seen": self.learned.sample.pages, "hosts": self.learned.site_words.state()}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> NaiveBayesModel:
        """The model as `state` gave it, fitted. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        model = cls(topic)
        model.learned.add({"pages": state["seen"]})
        model.learned.add({"hosts": state.get("hosts", {})})
        model._fit()
        return model

    def _compare(self, words: Sequence[str], context: PageContext) -> tuple[OwnPart, float]:
        """What the page says beyond its site, and the cosine of that with the topic."""
        own = self.learned.site_words.own_part(self._site_words, words, context)
        self._compared = words, own, self.topic.similarity(own.terms)
        return self._compared[1:]

    def _fit(self) -> None:
        evidence, rng = self.topic.evidence, random.Random(7)  # the same made-up pages in every fit and process
        relevant: list[Mapping[str, int]] = [document.counts for document in evidence.examples]
        if evidence.keyword_terms:
            relevant.append(dict.fromkeys(evidence.keyword_terms, 1))
        other: list[Mapping[str, int]] = [document.counts for document in evidence.negatives]
        other += self.learned.sample.pages
        other += [Counter(draw(rng, evidence.han_share)) for _ in range(MADE_UP_PAGES)]
        bayes = NaiveBayes.fit(other, relevant)
        self._prior, self._odds = bayes.prior_log_odds(), bayes.term_log_odds()
