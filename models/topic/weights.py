"""Topic weights by equation 1 of the customizable focused crawler: TF-IDF, normalized by document, averaged.

    w_i = f_i log(D/h_i) / sqrt(sum_j (f_j log(D/h_j))^2)      f_i: occurrences in the document; log(D/h_i): idf

A term's topic weight is the mean of its weights over the topic's documents. `fitted_means` computes the means with
scikit-learn when a topic is made; `means` does the same with plain dictionaries, for the refreshes during a crawl,
which must not import scikit-learn (1 s) nor wait for it. A test holds the two together.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from models.topic.evidence import Document, Evidence

Vector = dict[str, float]
Idf = Callable[[str], float]
Means = Callable[[Sequence[Document], Idf], Vector]

KEYWORD_FACTOR = 1.5
"""Length of the keywords' part against the examples' part: what the user said outright counts more than the texts
that happen to be examples (mean area on the two recorded webs, in an early prototype: 0.72 and 0.44 at 0.7, 0.78
and 0.45 at 1.5)."""
NEGATIVE_FACTOR = 0.5
"""Rocchio's part of the counter-examples' mean that is subtracted."""


def document_vector(counts: Mapping[str, int], idf: Idf) -> Vector:
    """Equation 1: the weights of one document's terms; Euclidean length 1, or all 0."""
    return normalized({term: n * idf(term) for term, n in counts.items()})


def normalized(vector: Vector) -> Vector:
    """The vector at length 1; unchanged if it is 0."""
    length = math.sqrt(sum(weight * weight for weight in vector.values()))
    return {term: weight / length for term, weight in vector.items()} if length else vector


def means(documents: Sequence[Document], idf: Idf) -> Vector:
    """Mean weight of each term over the documents."""
    sums: Vector = {}
    for document in documents:
        for term, weight in document_vector(document.counts, idf).items():
            sums[term] = sums.get(term, 0.0) + weight
    return {term: weight / len(documents) for term, weight in sums.items()}


def fitted_means(documents: Sequence[Document], idf: Idf) -> Vector:
    """Like `means`, by scikit-learn's sparse matrices."""
    if not documents:
        return {}
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.preprocessing import normalize

    vectorizer = DictVectorizer(sparse=True)
    counts = vectorizer.fit_transform([dict(document.counts) for document in documents])
    names = vectorizer.get_feature_names_out()
    weighted = normalize(counts.multiply([idf(name) for name in names]).tocsr(), norm="l2")
    return {str(name): float(mean) for name, mean in zip(names, weighted.mean(axis=0).A1, strict=True)}


def topic_weights(evidence: Evidence, idf: Idf, min_weight: float, mean: Means = means) -> Vector:
    """The topic's vector, length 1: examples' means less the counter-examples', plus the keywords.

    Terms whose mean weight is below `min_weight` are dropped; keywords stay. What the user gave outright comes last.
    """
    said = keyword_vector(evidence, idf)
    return evidence.given.apply(compose(mean(evidence.examples, idf), mean(evidence.negatives, idf), said, min_weight))


def keyword_vector(evidence: Evidence, idf: Idf) -> Vector:
    """The keywords as a document in which each term occurs once."""
    return document_vector(dict.fromkeys(evidence.keyword_terms, 1), idf)


def compose(examples: Vector, negatives: Vector, keywords: Vector, min_weight: float) -> Vector:
    """One topic vector of length 1 from its three parts."""
    kept = {
        term: weight - NEGATIVE_FACTOR * negatives.get(term, 0.0)
        for term, weight in examples.items()
        if weight - NEGATIVE_FACTOR * negatives.get(term, 0.0) >= min_weight
    }
    topic = normalized(kept)
    for term, weight in keywords.items():
        topic[term] = topic.get(term, 0.0) + KEYWORD_FACTOR * weight
    return normalized({term: weight for term, weight in topic.items() if weight > 0})
