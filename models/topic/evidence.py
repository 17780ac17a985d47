"""What a topic is made from: the words of its keywords, examples and counter-examples."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import combinations

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Groups, Segmenter
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.readable import url_text


@dataclass(frozen=True, slots=True)
class GivenTerms:
    """What the user says outright about single terms: weights, and words that speak against the topic.

    Terms are as the segmenter cuts them. Empty: the topic's texts and keywords alone decide.
    """

    weights: tuple[tuple[str, float], ...] = ()
    """Each between -1 and 1; 0 drops the term."""
    negative: tuple[str, ...] = ()

    @classmethod
    def read(cls, segmenter: Segmenter, weights: Iterable[tuple[str, float]] = (), negative: Iterable[str] = ()) -> GivenTerms:
        """Words to terms. A phrase of several terms says the same of each."""
        found = {term: weight for word, weight in weights for term in segmenter.reference_terms(word)}
        against = dict.fromkeys(term for word in negative for term in segmenter.reference_terms(word))
        return cls(tuple(found.items()), tuple(term for term in against if term not in found))

    def apply(self, vector: Mapping[str, float]) -> dict[str, float]:
        """The topic vector with these weights in it; the terms that speak for the topic keep length 1.

        A given weight stands in the result as it was given, and the other terms share what is left of the length; where
        the given ones leave nothing (their squares sum to 1 or more) they are all of the topic, at length 1. A negative
        term weighs as much against the topic as its strongest term does for it. What speaks against stands beside the
        length, so that it takes nothing from the weights of the others.
        """
        if not self.weights and not self.negative:
            return dict(vector)
        known = {term for term, _ in self.weights} | set(self.negative)
        given = {term: weight for term, weight in self.weights if weight > 0}
        rest = {term: weight for term, weight in vector.items() if term not in known and weight > 0}
        length, taken = math.hypot(*rest.values()), sum(weight * weight for weight in given.values())
        if taken >= 1 or not length:
            topic = _scaled(given, 1 / math.sqrt(taken)) if taken else {}
        else:
            topic = given | _scaled(rest, math.sqrt(1 - taken) / length)
        if not topic:
            return {}
        against = dict.fromkeys(self.negative, -max(topic.values()))
        return topic | against | {term: weight for term, weight in self.weights if weight < 0}


NOTHING_GIVEN = GivenTerms()


def _scaled(vector: Mapping[str, float], factor: float) -> dict[str, float]:
    return {term: weight * factor for term, weight in vector.items()}


ENOUGH_OF_ONE_SITE = 6
"""So many examples of one site tell what differs on it; fewer may have no more in common than the site."""


def site_of(document: EvidenceText) -> str:
    """The registered domain that a page is of; of a file, the site that it was found to have; empty if that was not asked."""
    return registered_domain(host_name(document.source)) if "://" in document.source else document.site


def one_site(evidence: Evidence) -> str:
    """The registered domain that all of a few examples come from; empty where there are several, or enough examples."""
    sites = {site for document in evidence.examples if (site := site_of(document))}
    pages = sum("://" in document.source for document in evidence.examples)
    return sites.pop() if len(sites) == 1 and 1 < pages == len(evidence.examples) < ENOUGH_OF_ONE_SITE else ""


class Emphasis(Enum):
    """Which words of the examples count.

    Examples of one subject have their strong words in common. Examples that are a kind of page on many sites (home pages,
    courses, manuals) have subjects of their own, whose words are the strongest of each: what they have in common are ordinary
    words that many of them hold.
    """

    ALL = "all"
    SHARED = "shared"
    """Those that examples of several sites hold."""
    COMMON = "common"
    """The same, by the square of the share of sites that hold them."""


FURNITURE_TEXTS = 3
"""A line that stands word for word in so many of the texts is furniture of their site, not what they are about (mean
area on the two recorded webs 0.787 and 0.532 with it, 0.761 and 0.533 without)."""
SHARED_LINES = 0.2
"""Part of the shorter file's lines that two files of one site have in common. So few pages of a kind on several sites share."""
_TITLE_PARTS = re.compile(r" [-\u2013\u2014|\u00b7:\u00bb\u00ab]+ |\| ")
"""What stands between the parts of a title: the last ones name the site."""
KEPT_TERMS = 1000
"""Most frequent terms kept of one text; a longer text says no more about its topic."""


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """One text as term counts, with the address or file it came from."""

    source: str
    counts: Mapping[str, int]
    title_terms: tuple[str, ...] = ()
    """Of a page: the terms of its title; none of a file."""
    url_terms: tuple[str, ...] = ()
    """Of a page: the terms of its URL."""
    site: str = ""
    """Of a file: a name that it has in common with the files of the same site."""

    @property
    def words(self) -> dict[str, int]:
        """The counts without numbers: dates and counts say nothing of what a text is about, however often they stand there."""
        return {term: n for term, n in self.counts.items() if not term.isdecimal()}

    @classmethod
    def of(cls, source: str, terms: Iterable[str]) -> EvidenceText:
        """The document of these terms, longest lists cut to the most frequent `KEPT_TERMS`."""
        return cls(source, dict(Counter(terms).most_common(KEPT_TERMS)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a topic's vector is computed from, so that it can be computed again with better document frequencies."""

    keywords: tuple[str, ...] = ()
    """As the user wrote them."""
    keyword_terms: tuple[str, ...] = ()
    examples: tuple[EvidenceText, ...] = ()
    negatives: tuple[EvidenceText, ...] = ()
    seeds: tuple[str, ...] = ()
    han_share: float = field(default=0.0)
    """Share of Chinese words among all terms, in [0, 1]."""
    given: GivenTerms = NOTHING_GIVEN
    """What the user said about single terms."""
    synonyms: Groups = ()
    """The topic's dictionary, as the segmenter that cut the texts had it."""
    emphasis: Emphasis = Emphasis.ALL
    """Chosen by what the crawl has seen (`models.page.emphasis`)."""

    @classmethod
    def read(
        cls,
        segmenter: Segmenter,
        examples: Sequence[tuple[str, str]] = (),
        keywords: Sequence[str] = (),
        negatives: Sequence[tuple[str, str]] = (),
        seeds: Sequence[str] = (),
        given: GivenTerms = NOTHING_GIVEN,
    ) -> Evidence:
        """Cut the topic's own texts by the reference segmenter. `examples` and `negatives` are (source, text).

        Texts without a term are left out; raises BadInput if nothing is left that says what the topic is.
        """
        words = tuple(dict.fromkeys(term for keyword in keywords for term in segmenter.reference_terms(keyword)))
        positive = _documents(segmenter, examples)
        if not words and not any(document.words for document in positive):
            raise BadInput("The topic has no words: give keywords, or examples or seeds that have text.")
        terms = Counter(words)
        for document in positive:
            terms.update(document.counts)
        han = sum(n for term, n in terms.items() if not term.isascii())
        others, share = _documents(segmenter, negatives), han / terms.total()
        return cls(tuple(keywords), words, positive, others, tuple(seeds), share, given, segmenter.synonyms)


def _documents(segmenter: Segmenter, texts: Sequence[tuple[str, str]]) -> tuple[EvidenceText, ...]:
    """Each text has its title, or an empty line, first."""
    read = []
    sites = iter(sites_of_files([text for source, text in texts if "://" not in source]))
    for (source, whole), text in zip(texts, without_furniture([text for _, text in texts]), strict=True):
        document = EvidenceText.of(source, segmenter.reference_terms(text))
        if "://" in source:
            title = segmenter.reference_terms(whole.partition("\n")[0])
            document = replace(document, title_terms=tuple(title), url_terms=tuple(segmenter.terms(url_text(source))))
        else:
            document = replace(document, site=next(sites))
        read.append(document)
    return tuple(document for document in read if document.counts)


def without_furniture(texts: Sequence[str]) -> list[str]:
    """The texts without the lines that many of them share; a text that has no other lines stays as it is."""
    lines = [text.splitlines() for text in texts]
    holders = Counter(line for text in lines for line in set(text))
    own = ["\n".join(line for line in text if holders[line] < FURNITURE_TEXTS).strip() for text in lines]
    return [left or text for left, text in zip(own, texts, strict=True)]


def sites_of_files(texts: Sequence[str]) -> list[str]:
    """A name for the site of each text, title first, as no address tells it: two texts are of one site if their titles end
    alike or they have a good part of their lines in common, and so are all that hang together by that. 1 ms for twelve."""
    heads = [text.partition("\n") for text in texts]
    ends = [set(_TITLE_PARTS.split(title.strip())[1:]) for title, _, _ in heads]
    lines = [{line.strip() for line in text.splitlines()} - {""} for _, _, text in heads]
    sites = [f"file {number}" for number in range(len(texts))]
    for one, other in combinations(range(len(texts)), 2):
        shared, fewer = len(lines[one] & lines[other]), min(len(lines[one]), len(lines[other]))
        if ends[one] & ends[other] or shared >= max(1, SHARED_LINES * fewer):
            sites = [sites[one] if site == sites[other] else site for site in sites]
    return sites
