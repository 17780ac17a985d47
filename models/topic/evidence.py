"""What a topic is made from: the words of its keywords, examples and counter-examples."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import combinations

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter, has_han, telling_words
from focuscrawl.text.stems import JOINT
from focuscrawl.text.vocabulary import Groups, Vocabulary
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.readable import url_text


@dataclass(frozen=True, slots=True)
class GivenTerms:
    """What the user has decided about single terms: weights, and words that speak against the topic.

    Terms are as the segmenter cuts them. If both are empty, the topic's texts and keywords alone decide.
    """

    weights: tuple[tuple[str, float], ...] = ()
    """Each between -1 and 1; 0 drops the term."""
    negative: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    """Those of several words, as the user wrote them."""
    silent: tuple[str, ...] = ()
    """Those that count for nothing, because no word of theirs is a term."""
    reduced: tuple[tuple[str, str], ...] = ()
    """Those of several words of which one counts alone, with that word."""

    @classmethod
    def read(cls, segmenter: Segmenter, weights: Sequence[tuple[str, float]] = (), negative: Sequence[str] = ()) -> GivenTerms:
        """Cut the user's words into terms. What is given for several words holds for the phrase, not for each word: `machine`
        may well be a word of the topic that `washing machine` speaks against. Where only one word of several tells anything
        (`first aid`), it holds for that one. If a term has a weight and is negative, the weight holds."""

        def terms(word: str) -> Sequence[str]:
            if phrase := segmenter.phrase(word):
                return [phrase]
            return segmenter.reference_terms(telling_words(word), within=False)

        weight_of = {term: weight for word, weight in weights for term in terms(word)}
        against = dict.fromkeys(term for word in negative for term in terms(word))
        words = dict.fromkeys([*negative, *(word for word, _ in weights)])
        return cls(
            tuple(weight_of.items()),
            tuple(term for term in against if term not in weight_of),
            tuple(filter(segmenter.phrase, words)),
            tuple(word for word in words if not terms(word) and dict(weights).get(word) != 0),
            tuple((word, alone) for word in words if (alone := segmenter.counts_alone(word))),
        )

    def apply(self, vector: Mapping[str, float]) -> dict[str, float]:
        """The topic vector with these weights in it. The terms that speak for the topic still have length 1.

        A given weight stands in the result as it was given, and the other terms share the rest of the length. If the given
        weights leave nothing (their squares sum to 1 or more), the given terms are the whole topic, scaled to length 1. A
        negative term weighs as much against the topic as its strongest term does for it. Terms that speak against the topic do
        not count for the length, so that they take nothing from the weights of the others.
        """
        if not self.weights and not self.negative:
            return dict(vector)
        mentioned = {term for term, _ in self.weights} | set(self.negative)
        given = {term: weight for term, weight in self.weights if weight > 0}
        rest = {term: weight for term, weight in vector.items() if term not in mentioned and weight > 0}
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
"""So many examples of one site show how they differ from its other pages. Fewer may have nothing in common but the site."""


def site_of(document: EvidenceText) -> str:
    """The registered domain of a page, or the site that a file was assigned to; empty if it was assigned to none."""
    return registered_domain(host_name(document.source)) if "://" in document.source else document.site


def one_site(evidence: Evidence) -> str:
    """The registered domain of all examples, if these are a few pages of one site; else empty."""
    sites = {site for document in evidence.examples if (site := site_of(document))}
    pages = sum("://" in document.source for document in evidence.examples)
    return sites.pop() if len(sites) == 1 and 1 < pages == len(evidence.examples) < ENOUGH_OF_ONE_SITE else ""


LEAST_EXAMPLES = 3
"""With fewer examples, what they have in common may be their sites' words, or those of one corner of the topic."""


class Emphasis(Enum):
    """Which words of the examples count.

    Examples of one subject have their strong words in common. Examples of one kind of page from many sites (home pages,
    courses, manuals) each have a subject of their own, to which their strongest words belong. What they have in common are
    ordinary words that many of them hold.
    """

    ALL = "all"
    """All words."""
    SHARED = "shared"
    """Words that examples of several sites hold."""
    COMMON = "common"
    """The same words, weighted by the square of the share of sites that hold them."""


BOILERPLATE_TEXTS = 3
"""A line that stands word for word in this many of the texts is boilerplate of their site and says nothing of the topic (mean
area on the two recorded webs 0.787 and 0.532 with this rule, 0.761 and 0.533 without)."""
SHARED_LINES = 0.2
"""Two files are of one site if they share this part of the shorter one's lines. Pages of one kind on several sites share
less."""
_TITLE_PARTS = re.compile(r" [-\u2013\u2014|\u00b7:\u00bb\u00ab]+ |\| ")
"""Matches what separates the parts of a title, of which the last ones name the site."""
KEPT_SEEDS = 100
"""Seeds that are kept with a topic, for people who read its file."""
KEPT_TERMS = 1000
"""Terms kept of one text, the most frequent ones. A longer text says no more about its topic."""


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """One text as term counts, with the URL or file it came from."""

    source: str
    """URL or path."""
    counts: Mapping[str, int]
    title_terms: tuple[str, ...] = ()
    """The terms of the title."""
    url_terms: tuple[str, ...] = ()
    """The terms of a page's URL; none for a file."""
    site: str = ""
    """For a file, a name that all files of the same site have; empty for a page."""

    @property
    def words(self) -> dict[str, int]:
        """The counts without those of numbers: dates and counts say nothing of what a text is about, however frequent they
        are."""
        return {term: n for term, n in self.counts.items() if not term.isdecimal()}

    @property
    def is_chinese(self) -> bool:
        """Whether most words are Chinese."""
        words = self.words
        return 2 * sum(n for term, n in words.items() if has_han(term)) > sum(words.values())

    @classmethod
    def of(cls, source: str, terms: Iterable[str]) -> EvidenceText:
        """The text with these terms, cut to the `KEPT_TERMS` most frequent ones."""
        return cls(source, dict(Counter(terms).most_common(KEPT_TERMS)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """All data from which a topic's vector is computed, so that it can be computed again with better document frequencies."""

    keywords: tuple[str, ...] = ()
    """The keywords as the user wrote them."""
    keyword_terms: tuple[str, ...] = ()
    """Their terms; a keyword of several words gives the phrase and each of the words."""
    phrases: tuple[str, ...] = ()
    """Those of them that are phrases."""
    phrase_words: tuple[str, ...] = ()
    """Those of them that stand in phrases alone."""
    examples: tuple[EvidenceText, ...] = ()
    negatives: tuple[EvidenceText, ...] = ()
    seeds: tuple[str, ...] = ()
    han_share: float = 0.0
    """Share of Chinese words among all terms, in [0, 1]."""
    given: GivenTerms = NOTHING_GIVEN
    """What the user has decided about single terms."""
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
        """Cut the topic's own texts by the reference segmenter. `examples` and `negatives` are pairs (source, text).

        Texts without a term are left out. Raises BadInput if nothing is left that says what the topic is.
        """
        words, phrases, phrase_words = _keyword_terms(segmenter, keywords)
        positive = _documents(segmenter, examples)
        if not words and not any(document.words for document in positive):
            raise BadInput(
                "The topic has no words: give keywords other than function words (the, 的), or examples or seeds with text."
            )
        terms = Counter(words)
        for document in positive:
            terms.update(document.counts)
        han = sum(n for term, n in terms.items() if not term.isascii())
        others, share = _documents(segmenter, negatives), han / terms.total()
        kept_seeds = tuple(seeds[:KEPT_SEEDS])
        own = (tuple(keywords), words, phrases, phrase_words)
        return cls(*own, positive, others, kept_seeds, share, given, segmenter.synonyms)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words by which the pages of this topic are cut."""
        return Vocabulary(self.keywords, self.given.phrases, self.synonyms)

    def splits(self, segmenter: Segmenter, vocabulary: Vocabulary) -> bool:
        """Whether an earlier version made the topic of these words, which took those of several words apart."""
        wanted = {phrase for word in (*vocabulary.keywords, *vocabulary.phrases) if (phrase := segmenter.phrase(word))}
        return not wanted <= {*self.phrases, *map(segmenter.phrase, self.given.phrases)}

    @property
    def keywords_first(self) -> bool:
        """Whether pages are judged by the keywords before all else. Beside these, one or two examples teach the regression, and
        at most what pages without a keyword may say (`models.page.judging_words`): most of their words are not the topic's, and
        the weights of the page model are fitted to keywords alone."""
        return bool(self.keyword_terms) and len(self.examples) < LEAST_EXAMPLES

    @property
    def half(self) -> set[str]:
        """The terms of the keywords that count half: words of phrases, and long Chinese words, whose words tell more."""
        words = {word for phrase in self.phrases if JOINT in phrase for word in phrase.split(JOINT)}
        return {phrase for phrase in self.phrases if JOINT not in phrase} | (words & set(self.phrase_words))

    @property
    def keyword_words(self) -> tuple[str, ...]:
        """The terms of the keywords without phrases."""
        return tuple(term for term in self.keyword_terms if term not in self.phrases)


def _keyword_terms(segmenter: Segmenter, keywords: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """The terms of the keywords, each once; the phrases among them; and the words that stand in phrases alone."""
    terms: dict[str, None] = {}
    phrases: dict[str, None] = {}
    alone: set[str] = set()
    others = set(map(segmenter.phrase, segmenter.phrases))  # not words of the keywords in which they stand
    for keyword in keywords:
        phrase = segmenter.phrase(keyword)
        words = [term for term in segmenter.reference_terms(telling_words(keyword), within=False) if term not in others]
        terms |= dict.fromkeys([phrase, *words] if phrase else words)
        if phrase:
            phrases[phrase] = None
        else:
            alone.update(words)
    return tuple(terms), tuple(phrases), tuple(term for term in terms if term not in phrases and term not in alone)


def _documents(segmenter: Segmenter, texts: Sequence[tuple[str, str]]) -> tuple[EvidenceText, ...]:
    """The texts, given as (source, text), as term counts. The first line of each text is its title, or empty.

    A copy of a text is left out: copies recognize each other, whatever they say."""
    texts = list({" ".join(text.split()): (source, text) for source, text in reversed(texts)}.values())[::-1]
    read = []
    sites = iter(sites_of_files([text for source, text in texts if "://" not in source]))
    for (source, whole), text in zip(texts, without_boilerplate([text for _, text in texts]), strict=True):
        title = tuple(segmenter.reference_terms(whole.partition("\n")[0]))
        document = replace(EvidenceText.of(source, segmenter.reference_terms(text)), title_terms=title)
        if "://" in source:
            document = replace(document, url_terms=tuple(segmenter.terms(url_text(source))))
        else:
            document = replace(document, site=next(sites))
        read.append(document)
    return tuple(document for document in read if document.counts)


def without_boilerplate(texts: Sequence[str]) -> list[str]:
    """The texts without the lines that BOILERPLATE_TEXTS of them share. A text without other lines stays as it is."""
    lines = [text.splitlines() for text in texts]
    holders = Counter(line for text in lines for line in set(text))
    own = ["\n".join(line for line in text if holders[line] < BOILERPLATE_TEXTS).strip() for text in lines]
    return [left or text for left, text in zip(own, texts, strict=True)]


def sites_of_files(texts: Sequence[str]) -> list[str]:
    """A name for the site of each text of a file, which has no URL. The first line of a text is its title. Two texts are of one
    site if their titles end alike or they share a good part of their lines, or if other texts connect them so. 1 ms for
    twelve."""
    heads = [text.partition("\n") for text in texts]
    ends = [set(_TITLE_PARTS.split(title.strip())[1:]) for title, _, _ in heads]
    lines = [{line.strip() for line in text.splitlines()} - {""} for _, _, text in heads]
    sites = [f"file {number}" for number in range(len(texts))]
    for one, other in combinations(range(len(texts)), 2):
        shared, fewer = len(lines[one] & lines[other]), min(len(lines[one]), len(lines[other]))
        if ends[one] & ends[other] or shared >= max(1, SHARED_LINES * fewer):
            sites = [sites[one] if site == sites[other] else site for site in sites]
    return sites
