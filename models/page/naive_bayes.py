"""Naive Bayes as a page model, as in the adaptive crawler by incremental learning; the formula is in `models.naive_bayes`.

Relevant are the topic's examples and keywords. The paper has labelled irrelevant pages; here these are the counter-examples,
made-up pages, and, from the first refresh on, a random sample (`PageSample`) of pages seen that the topic's vector does not
call relevant. p(c|page) is close to 0 or 1 for all but the shortest pages: it ranks, it is not calibrated.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from focuscrawl.items import Verdict
from models.naive_bayes import NaiveBayes, probability
from models.page.page_context import NO_CONTEXT, PageContext
from models.page.page_sample import PageSample
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
        self.learned = PageSample(SAMPLE)
        self._compared: tuple[Sequence[str], float] | None = None
        """The page judged last and its cosine with the topic; `learn` wants it next."""
        self._fit()

    @property
    def revision(self) -> int:
        """The topic's."""
        return self.topic.revision

    def judge(self, words: Sequence[str], context: PageContext = NO_CONTEXT) -> Verdict:
        """p(relevant|page) by the words of the vocabulary; terms are those that speak for it."""
        cosine = self._similarity(words)
        parts = {term: n * self._odds[term] for term, n in Counter(words).items() if term in self._odds}
        if not parts:
            return Verdict(0.0, False, self.threshold, similarity=cosine)
        score = probability(self._prior + sum(parts.values()))
        spoke_for = {term: part for term, part in parts.items() if part > 0}
        return Verdict(score, score >= self.threshold, self.threshold, reasons(spoke_for), cosine)

    def learn(self, words: Sequence[str], relevant: bool, context: PageContext = NO_CONTEXT) -> bool:
        """Keep the page for the next fit if the topic's vector calls it irrelevant: its own verdicts teach it nothing."""
        if self._similarity(words) < self.topic.own_threshold:
            self.learned.offer(dict(Counter(words).most_common(KEPT_TERMS)))
        self._compared = None
        if not self.topic.learn(words, relevant):
            return False
        self._fit()
        return True

    def take_renamed(self) -> Mapping[str, Mapping[str, bool]]:
        """None: names of sites count as any word."""
        return {}

    def refresh(self) -> None:
        """Fit again with the pages kept so far."""
        self._compared = None
        self.topic.refresh()
        self._fit()

    def state(self) -> dict[str, Any]:
        """The sample of seen pages; the probabilities follow from it."""
        return {"seen": self.learned.pages}

    @classmethod
    def restore(cls, topic: TopicModel, state: Mapping[str, Any]) -> NaiveBayesModel:
        """The model as `state` gave it, fitted. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        model = cls(topic)
        model.learned.add({"pages": state["seen"]})
        model._fit()
        return model

    def _similarity(self, words: Sequence[str]) -> float:
        if self._compared is None or self._compared[0] is not words:
            self._compared = words, self.topic.similarity(words)
        return self._compared[1]

    def _fit(self) -> None:
        evidence, rng = self.topic.evidence, random.Random(7)  # the same made-up pages in every fit and process
        relevant: list[Mapping[str, int]] = [document.counts for document in evidence.examples]
        if evidence.keyword_terms:
            relevant.append(dict.fromkeys(evidence.keyword_terms, 1))
        other: list[Mapping[str, int]] = [document.counts for document in evidence.negatives]
        other += self.learned.pages
        other += [Counter(draw(rng, evidence.han_share)) for _ in range(MADE_UP_PAGES)]
        bayes = NaiveBayes.fit(other, relevant)
        self._prior, self._odds = bayes.prior_log_odds(), bayes.term_log_odds()
