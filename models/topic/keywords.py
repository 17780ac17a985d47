"""Ranks the words that say what some texts are about, for a person who refines a topic.

Words are ranked by TF-IDF (equation 1), and English ones shown in their most frequent form; Chinese words by jieba's own
keyword extraction, whose idf covers 260 000 words, with the topic's user words.
"""

from __future__ import annotations

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from focuscrawl.text.chinese import jieba_module, jieba_tokenizer
from focuscrawl.text.segment import Segmenter, has_han
from focuscrawl.text.stems import written
from models.topic.background import Background
from models.topic.weights import normalized

CANDIDATES = 200
"""Most Chinese words that jieba is to rank for one text."""
_word = re.compile(r"[A-Za-z0-9]+(?:\+\+|#)?")


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word as written, its mean weight over the texts, and the number of texts that hold it."""

    word: str
    weight: float
    texts: int


def extract(texts: Sequence[str], segmenter: Segmenter, background: Background, limit: int = 20) -> list[Keyword]:
    """The best `limit` keywords of the texts, those with the largest mean weights first. Weights are in [0, 1]."""
    sums: defaultdict[str, float] = defaultdict(float)
    holders: Counter[str] = Counter()
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        weights = _text_weights(text, segmenter, background, forms)
        for term, weight in weights.items():
            sums[term] += weight
        holders.update(weights.keys())
    ranked = sorted(sums, key=lambda term: (-sums[term], term))[:limit]
    best = {term: words.most_common(1)[0][0] for term, words in forms.items()}
    return [Keyword(written(term, best), sums[term] / len(texts), holders[term]) for term in ranked]


def _text_weights(
    text: str, segmenter: Segmenter, background: Background, forms: defaultdict[str, Counter[str]]
) -> dict[str, float]:
    """The weights of the terms of one text by equation 1. How its English terms are written is counted in `forms`.
    jieba, which takes seconds to load, is asked only where a term is Chinese."""
    counts = Counter(segmenter.reference_terms(text))
    scores = {term: n * background.idf(term) for term, n in counts.items() if not has_han(term)}
    if len(scores) < len(counts):
        scores.update(_chinese_scores(text, segmenter.user_words))
    for word, n in Counter(_word.findall(text)).items():
        for term in segmenter.terms(word):
            forms[term][word.lower()] += n
    return normalized(scores)


def _chinese_scores(text: str, user_words: tuple[str, ...]) -> dict[str, float]:
    """Occurrences times idf of the Chinese words of a text, by jieba.analyse."""
    extractor = _extractor(user_words)
    tags: list[tuple[str, float]] = extractor.extract_tags(text, topK=CANDIDATES, withWeight=True)
    share = {word: weight for word, weight in tags if not word.isascii()}
    if not share:
        return {}
    # jieba divides by the number of words it counted. This is undone here, so that both languages are on one scale.
    stop = extractor.stop_words
    words = sum(len(word.strip()) >= 2 and word.lower() not in stop for word in extractor.tokenizer.cut(text))
    return {word: weight * words for word, weight in share.items()}


@lru_cache(maxsize=1)  # 50 MB
def _extractor(user_words: tuple[str, ...]) -> Any:
    jieba_module()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from jieba.analyse import TFIDF

        extractor = TFIDF()  # leaves its idf file open, which is a warning too
    extractor.tokenizer = jieba_tokenizer(tuple(word for word in user_words if not word.isascii()))
    return extractor
