"""Tests before anything is fetched whether a crawl would recognize pages of its topic: each example is left out once, and
judged by the topic that the others make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from focuscrawl.text.segment import has_han, plain_word, weak_keywords
from focuscrawl.text.stems import written
from models.topic.evidence import Evidence, one_site
from models.topic.vsm import MIN_HELD_OUT, TopicModel, held_out, made_up_pages, quantile

NOISE_SHARE = 0.95
"""An example is recognized if it is more similar to the topic than this share of made-up pages about nothing."""
RECOGNIZED = 0.67
"""Share of the examples that must be recognized. With less, many pages of the topic would be missed."""
FEW_WORDS = 3
"""With fewer keywords, and nothing else, a topic is rather a query than a topic."""
NAMED = 3
"""Most words that a warning names."""


@dataclass(frozen=True, slots=True)
class SelfTest:
    """What can be expected of a topic's verdicts, by its own texts."""

    examples: int
    """How many examples were left out and judged; 0: there are too few."""
    recognized: int
    """How many of these were recognized."""
    warning: str
    """A few sentences that say what would help; empty if nothing is wrong with the topic."""


def self_test(topic: TopicModel, spelling: Mapping[str, str] = {}) -> SelfTest:
    """Test a topic. 20 ms for twelve examples.

    `spelling`: terms as people write them, for words that are named."""
    evidence, idf = topic.evidence, topic.background.idf
    weak = _weak(evidence)
    if len(evidence.examples) < MIN_HELD_OUT:
        warning = _other_language(evidence) or _of_one_site(evidence) or _few(evidence)
        return SelfTest(0, 0, " ".join(filter(None, (weak, warning))))
    pages = made_up_pages(round(evidence.han_share, 2))
    noise = quantile([topic.similarity(page) for page in pages], NOISE_SHARE)
    similarities = held_out(evidence, idf, topic.min_weight)
    recognized = sum(value > max(noise, 1e-9) for value in similarities)  # without a word in common: not recognized
    warning = _warning(topic, len(similarities), recognized, spelling)
    return SelfTest(len(similarities), recognized, " ".join(filter(None, (weak, warning))))


def _weak(evidence: Evidence) -> str:
    """The warning if what the user gave counts for little, or not as it was written; else empty."""
    empty, reduced = weak_keywords(evidence.keywords)
    told = []
    if empty:
        told.append(f"Keywords that stand on pages about anything distinguish few pages: {', '.join(empty[:NAMED])}.")
    if reduced:
        told.append(_alone("Keywords", list(reduced.items())))
    if silent := evidence.given.silent:
        named = ", ".join(silent[:NAMED])
        told.append(f"Negative terms and weights that count for nothing, because such words are no terms: {named}.")
    if evidence.given.reduced:
        told.append(_alone("Negative terms and weights", evidence.given.reduced))
    return " ".join(told)


def _alone(what: str, reduced: Sequence[tuple[str, str]]) -> str:
    named = ", ".join(f"{written} ({word})" for written, word in reduced[:NAMED])
    return f"{what} of which one word counts alone, because texts of any kind have the others: {named}."


def _warning(topic: TopicModel, examples: int, recognized: int, spelling: Mapping[str, str]) -> str:
    """The first warning that applies; empty if none does."""
    if recognized < RECOGNIZED * examples:
        shared = ", ".join(written(term, spelling) for term in _shared(topic))
        words = f", such as {shared}," if shared else ""
        return (
            f"Only {recognized} of the {examples} examples are recognized by the others: they share few words. Keywords that "
            f"such pages share{words} or more examples of each kind would help; what is found first will be uncertain."
        )
    return _other_language(topic.evidence) or _of_one_site(topic.evidence)


def _of_one_site(evidence: Evidence) -> str:
    """The warning if the examples are a few pages of one site; else empty."""
    if not (site := one_site(evidence)):
        return ""
    pages = len(evidence.examples)
    return f"All {pages} examples are pages of {site}: an example of another site tells the topic from the site."


def _other_language(evidence: Evidence) -> str:
    """The warning if some keywords are in another language than all examples, because examples raise the threshold to what
    pages of their language reach; else empty, also where keywords count before all else. Languages are told apart by their
    script alone. Keywords that stand on pages about anything do not count."""
    if evidence.keywords_first:
        return ""
    held = {term for document in evidence.examples for term in document.counts}
    unheld = [term for term in evidence.keyword_terms if term not in held and not term.isdecimal()]
    scripts = {document.is_chinese for document in evidence.examples}
    if len(scripts) != 1 or all(has_han(term) in scripts for term in unheld):
        return ""
    chinese = True in scripts
    bridges = (group for group in evidence.synonyms if any(has_han(word) == chinese for word in group))
    joined = {plain_word(word) for group in bridges for word in group}
    empty, _ = weak_keywords(evidence.keywords)
    telling = [word for word in evidence.keywords if word not in empty]
    others = [word for word in telling if has_han(word) != chinese and plain_word(word) not in joined]
    if not others:
        return ""
    words = ", ".join(others[:NAMED])
    subject = f"The keywords {words} are" if len(others) > 1 else f"The keyword {words} is"
    return (
        f"{subject} in another language than all examples: pages in it score lower, and many will be passed over. An example"
        " page in each language would help."
    )


def _few(evidence: Evidence) -> str:
    """The warning for a topic of a few keywords alone; else empty."""
    if evidence.examples or len(evidence.keyword_words) >= FEW_WORDS:
        return ""
    return "The topic is no more than a word or two: three example pages, or more keywords, would recognize its pages better."


def _shared(topic: TopicModel) -> list[str]:
    """Words that several examples have, that are rare elsewhere, and that are not keywords yet."""
    evidence, idf = topic.evidence, topic.background.idf
    holders = Counter(term for document in evidence.examples for term in document.counts)
    known = set(evidence.keyword_terms)
    worth = {term: n * idf(term) for term, n in holders.items() if n > 1 and term not in known and not term.isdecimal()}
    return sorted(worth, key=lambda term: (-worth[term], term))[:NAMED]
