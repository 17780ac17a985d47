"""One number for how much a page's text, title and URL are about the topic, by the topic's words alone."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from models.page.page_context import PageContext
from models.topic.vsm import similarity
from models.topic.weights import Idf, Vector

FIRST_TERMS = 60
"""The first terms of a page say what it is about, and contain little boilerplate."""
TEXT_PARTS = (10.0, 2.0, 2.0, 1.0, 3.0)
"""Weights of the square roots of five similarities: by occurrences, with each term once, of first terms, title and URL."""


def text_score(
    words: Sequence[str], context: PageContext, weights: Vector, idf: Idf, counts: Mapping[str, int] | None = None
) -> tuple[float, float, dict[str, float]]:
    """The text score, in [0, 18], the page's similarity (equation 2), and the share of each topic term in the similarity.

    `counts`: the words, if they were counted already. If there are only `counts`, their order is not known, and all of them
    count as first terms. O(terms)."""
    counts = Counter(words) if counts is None else counts
    dot = squares = once = once_squares = cosine = 0.0
    parts: dict[str, float] = {}
    for term, n in counts.items():
        x = idf(term)
        squares += n * n * x * x
        once_squares += x * x
        if term in weights:  # as few are
            weight = weights[term]
            parts[term] = n * x * weight
            dot += n * x * weight
            once += x * weight
    occurrences, each_once, first, title, url = TEXT_PARTS
    score = title * math.sqrt(similarity(dict.fromkeys(context.title_terms, 1).items(), weights, idf))
    score += url * math.sqrt(similarity(dict.fromkeys(context.url_terms, 1).items(), weights, idf))
    if dot > 0:
        cosine = min(1.0, dot / math.sqrt(squares))
        score += occurrences * math.sqrt(cosine)
        parts = {term: part / dot for term, part in parts.items()}
    score += first * math.sqrt(similarity(Counter(words[:FIRST_TERMS]).items(), weights, idf) if words else cosine)
    if once > 0:
        score += each_once * math.sqrt(min(1.0, once / math.sqrt(once_squares)))
    return score, cosine, parts
