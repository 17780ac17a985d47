"""The loop that makes a topic: found pages are offered, picked ones give ranked terms, picked terms find better pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Any, Literal

from focuscrawl.report.plain import one_line
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.search.query import any_of
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.pages.page_texts import PageText, page_numbered
from focuscrawl.text.chinese import simplified
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import JOINT, written
from focuscrawl.topics.workspace import Workspace
from focuscrawl.url.readable import readable
from models.topic.background import Background
from models.topic.evidence import without_boilerplate
from models.topic.keywords import extract
from models.topic.vsm import TopicModel

QUERY_TERMS = 8
"""How many terms of the topic are searched for if it has no keywords."""
EXCERPT = 160
"""Most terminal columns of an excerpt."""
PASSAGE = 400
"""About this many characters of a passage are shown."""
LINES = 200
"""First lines of a text from which an excerpt is chosen."""

Standing = Literal["", "keyword", "negative", "of the pages"]

BY_SIMILARITY = (
    "Pages are judged here by similarity, the cosine of their words and the topic's; a crawl with the default page model judges"
    " by probabilities."
)
"""What the scores of candidates are, while the topic's vector alone judges."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page that is offered."""

    url: str
    title: str
    excerpt: str
    """The line of the page that says most about the topic."""
    language: str
    source: str
    score: float
    """Similarity to the present topic, in [0, 1]."""
    relevant: bool
    answer: str = ""
    """`picked`, `yes`, `no`, or empty while it is open."""

    def question(self, _: Language = ENGLISH) -> str:
        """The page in three lines, to ask whether it belongs to the topic."""
        return f"{one_line(self.title, 70) or _('(no title)')}\n    {one_line(readable(self.url), 100)}\n    {self.excerpt}"


@dataclass(frozen=True, slots=True)
class RankedTerm:
    """A word of the picked pages."""

    word: str
    weight: float
    """Mean TF-IDF weight over the picked pages, in [0, 1]."""
    texts: int
    """Number of picked pages that contain it."""
    standing: Standing
    """Its role in the topic so far."""


def queries_of(workspace: Workspace) -> list[str]:
    """What to search for: the topic's keywords with their synonyms, else its strongest terms."""
    words = [*workspace.topic.keywords, *(word for group in workspace.topic.synonyms for word in group)]
    if words:
        return list(dict.fromkeys(words))
    model = workspace.model()
    terms = sorted(model.weights.items(), key=lambda item: -item[1])[:QUERY_TERMS] if model else []
    spellings = workspace.spellings()
    return [written(term, spellings) for term, weight in terms if weight > 0]


def search_crawl(index: CrawlSearch, store: Any, crawl: str, queries: Sequence[str], limit: int) -> list[PageText]:
    """Pages of a crawl's store that match, best first."""
    pages = (page_numbered(store, crawl, hit.page_id) for hit in index.best(any_of(queries), limit))
    return [page for page in pages if page is not None]


def candidates(workspace: Workspace, pages: Sequence[PageText]) -> list[Candidate]:
    """The pages as candidates, in the same order."""
    model = workspace.model()
    return [_candidate(workspace, page, model) for page in pages]


def _candidate(workspace: Workspace, page: PageText, model: TopicModel | None) -> Candidate:
    verdict = workspace.judge(page, model) if model else None
    label = workspace.labels.get(page.url)
    answer = "picked" if page.url in workspace.topic.examples else "" if label is None else "yes" if label.relevant else "no"
    return Candidate(
        url=page.url,
        title=page.title,
        excerpt=excerpt(page.text, workspace.segmenter, model.weights if model else {}),
        language=page.language,
        source=page.source,
        score=round(verdict.relevance, 4) if verdict else 0.0,
        relevant=bool(verdict and verdict.relevant),
        answer=answer,
    )


def excerpt(text: str, segmenter: Segmenter, weights: Mapping[str, float]) -> str:
    """The line with the most weight of topic terms, cut to EXCERPT; the longest of the first lines if none has any."""
    lines = [line for line in text.splitlines()[:LINES] if line.strip()]
    return one_line(lines[_best_line(lines, segmenter, weights)], EXCERPT) if lines else ""


def _best_line(lines: Sequence[str], segmenter: Segmenter, weights: Mapping[str, float]) -> int:
    def worth(number: int) -> tuple[float, int]:
        line = lines[number]
        return sum(weights.get(term, 0.0) for term in set(segmenter.terms(line[:500]))), min(len(line), EXCERPT)

    return max(range(len(lines)), key=worth, default=0)


def passage(text: str, segmenter: Segmenter, weights: Mapping[str, float]) -> list[tuple[str, bool]]:
    """The passage that a person needs to judge a page: about `PASSAGE` characters, from the line that says most about the topic
    on, as pieces (text, whether it is a word or phrase with a weight)."""
    lines = [line for line in text.splitlines()[:LINES] if line.strip()]
    best = _best_line(lines, segmenter, weights)
    parts = _parts(" ".join(lines[best:])[:PASSAGE], weights)
    terms = [[term for term in segmenter.terms(part) if JOINT not in term] for part in parts]
    counts = [any(weights.get(term) for term in (simplified(part), *own)) for part, own in zip(parts, terms, strict=True)]
    for first, last in _phrases(terms, weights):
        counts[first : last + 1] = [True] * (last + 1 - first)
    grouped = groupby(zip(parts, counts, strict=True), key=itemgetter(1))
    return [("".join(part for part, _ in group), counted) for counted, group in grouped]


def _parts(text: str, weights: Mapping[str, float]) -> list[str]:
    """The text split into Latin words, Chinese words of the topic, and what is between them."""
    words = {word for term in weights for word in term.split(JOINT) if not word.isascii()}
    wanted = "|".join(["[A-Za-z0-9]+", *map(re.escape, sorted(words, key=len, reverse=True))])
    ends = [0, *(end for found in re.finditer(wanted, simplified(text)) for end in found.span()), len(text)]
    return [text[start:end] for start, end in pairwise(ends) if start < end]


def _phrases(terms: Sequence[Sequence[str]], weights: Mapping[str, float]) -> Iterator[tuple[int, int]]:
    """The first and the last part of each phrase with a weight. `terms`: of the parts."""
    sequence = [(term, number) for number, own in enumerate(terms) for term in own]
    for phrase in (term.split(JOINT) for term, weight in weights.items() if JOINT in term and weight):
        for at in range(len(sequence) - len(phrase) + 1):
            found = sequence[at : at + len(phrase)]
            if [term for term, _ in found] == phrase:
                yield found[0][1], found[-1][1]


def ranked_terms(workspace: Workspace, limit: int = 40, of_rejected: bool = False) -> list[RankedTerm]:
    """The best words of the picked pages, or of the rejected ones, largest TF-IDF weight first; empty if the texts of all of
    them are missing."""
    pages = workspace.rejected_texts() if of_rejected else workspace.picked_texts()
    texts = without_boilerplate([text for _, text in pages])
    if not texts:
        return []
    model = workspace.model()
    found = extract([simplified(text) for text in texts], workspace.segmenter, Background(), limit)
    return [RankedTerm(each.word, round(each.weight, 4), each.texts, _standing(workspace, each.word, model)) for each in found]


def _standing(workspace: Workspace, word: str, model: TopicModel | None) -> Standing:
    terms = set(workspace.segmenter.terms(word))
    if model is None or not terms:
        return ""
    if terms & set(model.evidence.given.negative):
        return "negative"
    if terms & set(model.evidence.keyword_terms):
        return "keyword"
    return "of the pages" if terms & set(model.weights) else ""
