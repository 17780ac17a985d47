"""By which words of the topic pages are judged: by all of them, or by the keywords first.

Beside keywords, most words of one or two examples are not the topic's. So pages are judged by the keywords, as if there were no
examples. But keywords in another language than an example find few pages like it: then a page without a keyword is judged by
all words, and a part of that score counts (docs/experiments.md, *One or two examples beside keywords*). Links are scored by all
words of the topic: on news those lead where keywords do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from focuscrawl.text.segment import has_han
from models.page.page_context import PageContext
from models.page.text_score import text_score
from models.topic.vsm import TopicModel
from models.topic.weights import Idf, Vector, topic_weights

WITHOUT_KEYWORD = 0.33
"""The part of its text score by all words that counts of a page without a keyword. At 0.5 more pages off the topic become
relevant, at 0.15 half of what examples find is lost (docs/experiments.md)."""


class JudgingWords(NamedTuple):
    """The words of a topic that count on a page. They do not change, so that another thread may use them."""

    vector: Vector
    """Those that count first."""
    otherwise: Vector | None = None
    """Those that count on a page without any of the first; None: no others."""

    def score(
        self, words: Sequence[str], context: PageContext, idf: Idf, counts: Mapping[str, int] | None = None
    ) -> tuple[float, float, dict[str, float]]:
        """See `models.page.text_score.text_score`."""
        scored = text_score(words, context, self.vector, idf, counts)
        if scored[0] > 0 or self.otherwise is None:
            return scored
        score, cosine, shares = text_score(words, context, self.otherwise, idf, counts)
        return WITHOUT_KEYWORD * score, cosine, shares


def judging_words(topic: TopicModel) -> JudgingWords:
    """The words by which pages of this topic are judged."""
    evidence = topic.evidence
    if not evidence.keywords_first:
        return JudgingWords(topic.weights)
    keywords = topic_weights(replace(evidence, examples=()), topic.background.idf, topic.min_weight)
    scripts = {has_han(term) for term in evidence.keyword_terms}
    foreign = any(example.is_chinese not in scripts for example in evidence.examples)
    return JudgingWords(keywords, topic.weights if foreign else None)
