"""What a topic is made from: the words of its keywords, examples and counter-examples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from focuscrawl.errors import BadInput
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.synonyms import Groups
from models.given_terms import NOTHING_GIVEN, GivenTerms

FURNITURE_TEXTS = 3
"""A line that stands word for word in so many of the texts is furniture of their site, not what they are about (mean
area on the two recorded webs 0.787 and 0.532 with it, 0.761 and 0.533 without)."""
KEPT_TERMS = 1000
"""Most frequent terms kept of one text; a longer text says no more about its topic."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text as term counts, with the address or file it came from."""

    source: str
    counts: Mapping[str, int]

    @classmethod
    def of(cls, source: str, terms: Iterable[str]) -> Document:
        """The document of these terms, longest lists cut to the most frequent `KEPT_TERMS`."""
        return cls(source, dict(Counter(terms).most_common(KEPT_TERMS)))


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that a topic's vector is computed from, so that it can be computed again with better document frequencies."""

    keywords: tuple[str, ...] = ()
    """As the user wrote them."""
    keyword_terms: tuple[str, ...] = ()
    examples: tuple[Document, ...] = ()
    negatives: tuple[Document, ...] = ()
    seeds: tuple[str, ...] = ()
    han_share: float = field(default=0.0)
    """Share of Chinese words among all terms, in [0, 1]."""
    given: GivenTerms = NOTHING_GIVEN
    """What the user said about single terms."""
    synonyms: Groups = ()
    """The topic's dictionary, as the segmenter that cut the texts had it."""

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
        if not words and not positive:
            raise BadInput("The topic has no words: give keywords, or examples or seeds that have text.")
        terms = Counter(words)
        for document in positive:
            terms.update(document.counts)
        han = sum(n for term, n in terms.items() if not term.isascii())
        others, share = _documents(segmenter, negatives), han / terms.total()
        return cls(tuple(keywords), words, positive, others, tuple(seeds), share, given, segmenter.synonyms)


def _documents(segmenter: Segmenter, texts: Sequence[tuple[str, str]]) -> tuple[Document, ...]:
    own = without_furniture([text for _, text in texts])
    read = (Document.of(texts[n][0], segmenter.reference_terms(text)) for n, text in enumerate(own))
    return tuple(document for document in read if document.counts)


def without_furniture(texts: Sequence[str]) -> list[str]:
    """The texts without the lines that many of them share; a text that has no other lines stays as it is."""
    lines = [text.splitlines() for text in texts]
    holders = Counter(line for text in lines for line in set(text))
    own = ["\n".join(line for line in text if holders[line] < FURNITURE_TEXTS).strip() for text in lines]
    return [left or text for left, text in zip(own, texts, strict=True)]
