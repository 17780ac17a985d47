"""Topic weights by equation 1 of the customizable focused crawler: TF-IDF, normalized by document, averaged.

    w_i = f_i log(D/h_i) / sqrt(sum_j (f_j log(D/h_j))^2)      f_i: occurrences in the document; log(D/h_i): idf

A term's topic weight is the mean of its weights over the topic's documents. These are few, so that plain dictionaries are
enough; scikit-learn would take a second and 170 MB to import. A test compares the two.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from operator import mul

from models.topic.evidence import Emphasis, Evidence, EvidenceText, one_site, site_of

Vector = dict[str, float]
Idf = Callable[[str], float]

KEYWORD_FACTOR = 1.5
"""Length of the keywords' part relative to the examples' part: words that the user gave count more than the texts
that happen to be examples (mean area on the two recorded webs, in an early prototype: 0.72 and 0.44 at 0.7, 0.78
and 0.45 at 1.5)."""
ONE_SITE_FACTOR = 5.0
"""The same if the examples are a few pages of one site, because the words that they share may be the site's."""
HALF = 0.5
"""Of a keyword of several words, the words count so much, and the phrase 1; of one long Chinese word it is the other way round.
Measured in docs/experiments.md, *Keywords of several words*."""
LEAST_SITES, SITE_SHARE = 3, 1 / 3
"""A word counts as shared if examples of at least so many sites, and of this share of all sites, have it. Fewer may be about
one subject."""
SHARED_FACTOR, COMMON_FACTOR = 1.5, 6.0
"""Factors on the weights of shared words: ordinary words weigh little in each example, and about thirty should remain above
`min_weight`."""
NEGATIVE_FACTOR = 0.5
"""Share of the counter-examples' mean that is subtracted (Rocchio)."""


def document_vector(counts: Mapping[str, float], idf: Idf) -> Vector:
    """Equation 1: the weights of one document's terms; Euclidean length 1, or all 0."""
    return normalized({term: n * idf(term) for term, n in counts.items()})


def normalized(vector: Vector) -> Vector:
    """The vector at length 1; unchanged if it is 0."""
    length = math.sqrt(sum(map(mul, vector.values(), vector.values())))
    return {term: weight / length for term, weight in vector.items()} if length else vector


def means(documents: Sequence[EvidenceText], idf: Idf, emphasis: Emphasis = Emphasis.ALL) -> Vector:
    """Mean weight of each word over the documents, as they count with this emphasis."""
    return mean([example_vector(document, idf, emphasis) for document in documents])


def example_vector(document: EvidenceText, idf: Idf, emphasis: Emphasis) -> Vector:
    """The weights of an example's words. Where shared words count, each counts once: what a page says again and again is its
    subject, not what kind of page it is."""
    words = document.words
    return document_vector(words if emphasis is Emphasis.ALL else dict.fromkeys(words, 1), idf)


def mean(vectors: Sequence[Vector]) -> Vector:
    """Mean weight of each term over the vectors."""
    sums: Vector = {}
    for vector in vectors:
        for term, weight in vector.items():
            sums[term] = sums.get(term, 0.0) + weight
    return {term: weight / len(vectors) for term, weight in sums.items()}


def emphasized(means: Vector, documents: Sequence[EvidenceText], emphasis: Emphasis) -> Vector:
    """The mean weights of the words that count with this emphasis, by how many sites have documents with them. `means`: as
    made with the same emphasis."""
    if emphasis is Emphasis.ALL:
        return means
    sites: dict[str, set[str]] = {}
    for document in documents:
        sites.setdefault(site_of(document), set()).update(document.counts)
    other_sites = max(1, len(sites) - 1)
    holders = Counter(chain.from_iterable(sites.values()))
    least = max(LEAST_SITES, SITE_SHARE * len(sites))
    # A word stands on its own site anyway, so that the other sites that hold it count.
    shared = {term: holders[term] - 1 for term in means if holders[term] >= least}
    if emphasis is Emphasis.SHARED:
        return {term: SHARED_FACTOR * means[term] for term in shared}
    return {term: COMMON_FACTOR * means[term] * (n / other_sites) ** 2 for term, n in shared.items()}


def topic_weights(evidence: Evidence, idf: Idf, min_weight: float) -> Vector:
    """The topic's vector, of length 1: the means of the examples less those of the counter-examples, plus the keywords.

    Terms whose mean weight is below `min_weight` are dropped, but not keywords. Weights that the user gave are applied last.
    """
    keywords = keyword_part(evidence, idf)
    liked = emphasized(means(evidence.examples, idf, evidence.emphasis), evidence.examples, evidence.emphasis)
    return evidence.given.apply(compose(liked, means(evidence.negatives, idf), keywords, min_weight))


def keyword_part(evidence: Evidence, idf: Idf) -> Vector:
    """What the keywords add to the examples' part, which has length 1. They count as a document in which each term occurs
    once, or HALF a time."""
    factor = ONE_SITE_FACTOR if one_site(evidence) else KEYWORD_FACTOR
    occurrences = dict.fromkeys(evidence.keyword_terms, 1.0) | dict.fromkeys(evidence.half, HALF)
    vector = document_vector(occurrences, idf)
    return {term: factor * weight for term, weight in vector.items()}


def compose(examples: Vector, negatives: Vector, keywords: Vector, min_weight: float) -> Vector:
    """One topic vector of length 1 from its three parts; `keywords` as `keyword_part` gives them."""
    kept = {
        term: weight - NEGATIVE_FACTOR * negatives.get(term, 0.0)
        for term, weight in examples.items()
        if weight - NEGATIVE_FACTOR * negatives.get(term, 0.0) >= min_weight
    }
    topic = normalized(kept)
    for term, weight in keywords.items():
        topic[term] = topic.get(term, 0.0) + weight
    return normalized({term: weight for term, weight in topic.items() if weight > 0})
