"""Compares two states of a topic, before and after a round of the loop: its terms, its threshold, and the pages at hand. The
result is plain data, sentences and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from focuscrawl.report.plain import plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.text.stems import written
from focuscrawl.topics.suggesting import Candidate, RankedTerm
from focuscrawl.topics.workspace import Workspace
from focuscrawl.url.readable import readable
from models.page.page_context import page_context
from models.page.page_model import PageModel, verdict_on
from models.topic.vsm import TopicModel

MOVED = 0.01
"""Smaller changes of a weight do not count."""
SHOWN = 12
"""Most entries of each list."""


@dataclass(frozen=True, slots=True)
class JudgedPage:
    url: str
    title: str
    score: float
    relevant: bool


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The state of a topic; all fields are empty while it has no words."""

    weights: dict[str, float]
    threshold: float
    pages: dict[str, JudgedPage]
    """The pages at hand, by URL."""
    spelling: dict[str, str]
    """The written form of each term."""
    judge: str = ""
    """The page model that judged; empty: the topic's vector alone, whose scores and threshold are on another scale."""


EMPTY = Snapshot({}, 0.0, {}, {})


@dataclass(frozen=True, slots=True)
class Changes:
    added: tuple[tuple[str, float], ...]
    """Terms with their weights, largest first."""
    dropped: tuple[tuple[str, float], ...]
    """Terms with the weights that they had."""
    moved: tuple[tuple[str, float, float], ...]
    """(term, weight before, weight now), the largest changes first."""
    added_count: int
    dropped_count: int
    threshold: tuple[float, float]
    """(before, now); before is 0 if there was none, or none on the same scale."""
    judge: str
    """The page model on whose scale the threshold and the scores of pages are; empty: they are similarities."""
    newly_relevant: tuple[JudgedPage, ...]
    """Pages newly at or above the threshold, best first."""
    no_longer_relevant: tuple[JudgedPage, ...]
    newly_relevant_count: int
    no_longer_relevant_count: int
    pages: int
    """Number of pages that were judged both times."""
    relevant: int
    """How many of these pages are relevant now."""


class PagesAtHand:
    """The pages at hand. They are cut into terms once for each dictionary."""

    def __init__(self, pages: Iterable[PageText]) -> None:
        self._pages = {page.url: page for page in pages}
        self._terms: dict[str, Sequence[str]] = {}
        self._cut_by: object = None

    def add(self, pages: Iterable[PageText]) -> None:
        """Add pages whose URLs are new."""
        self._pages |= {page.url: page for page in pages if page.url not in self._pages}

    def snapshot(self, workspace: Workspace) -> Snapshot:
        """The topic now and its verdict on each page. Takes 0.1 ms per page, or 1 ms if the dictionary has changed."""
        model = workspace.model()
        return self._of(workspace, model, model) if model else EMPTY

    def trained(self, workspace: Workspace) -> Snapshot:
        """The topic as it was last trained and its page model's verdict on each page; all empty if it never was trained."""
        model = workspace.trained()
        return self._of(workspace, model.topic, model) if model else EMPTY

    def before_training(self, workspace: Workspace) -> Snapshot:
        """What a training is compared with: the topic as it was last trained, or, before its first training, as its words and
        examples make it."""
        return self.trained(workspace) if workspace.trained() else self.snapshot(workspace)

    def _of(self, workspace: Workspace, topic: TopicModel, model: TopicModel | PageModel) -> Snapshot:
        if self._cut_by is not workspace.segmenter:
            self._cut_by, self._terms = workspace.segmenter, {}
        judged = {}
        threshold = topic.own_threshold if isinstance(model, TopicModel) else model.judge(()).threshold
        for url, page in self._pages.items():
            if url not in self._terms:
                self._terms[url] = workspace.terms(page)
            if isinstance(model, TopicModel):
                verdict = workspace.judge(page, model, self._terms[url])
            else:
                context = page_context(page.title, url, workspace.segmenter)
                verdict = verdict_on(model, self._terms[url], context, page.language)
            judged[url] = JudgedPage(url, page.title, round(verdict.relevance, 4), verdict.relevant)
        judge = "" if isinstance(model, TopicModel) else model.name
        return Snapshot(dict(topic.weights), threshold, judged, workspace.spellings(), judge)


def compared(before: Snapshot, now: Snapshot) -> Changes:
    """The changes from one state to the next."""
    spelling = before.spelling | now.spelling
    added = [(term, weight) for term, weight in now.weights.items() if term not in before.weights]
    dropped = [(term, weight) for term, weight in before.weights.items() if term not in now.weights]
    both = [(term, before.weights[term], weight) for term, weight in now.weights.items() if term in before.weights]
    moved = sorted((row for row in both if abs(row[2] - row[1]) >= MOVED), key=lambda row: -abs(row[2] - row[1]))
    were = {url for url, page in before.pages.items() if page.relevant}
    risen = [page for url, page in now.pages.items() if page.relevant and url not in were]
    fallen = [page for url, page in now.pages.items() if not page.relevant and url in were]
    return Changes(
        added=_rounded(added, spelling),
        dropped=_rounded(dropped, spelling),
        moved=tuple((written(term, spelling), round(old, 4), round(new, 4)) for term, old, new in moved[:SHOWN]),
        added_count=len(added),
        dropped_count=len(dropped),
        threshold=(before.threshold if before.judge == now.judge else 0.0, now.threshold),
        judge=now.judge,
        newly_relevant=tuple(sorted(risen, key=lambda page: -page.score)[:SHOWN]),
        no_longer_relevant=tuple(sorted(fallen, key=lambda page: page.score)[:SHOWN]),
        newly_relevant_count=len(risen),
        no_longer_relevant_count=len(fallen),
        pages=len(now.pages),
        relevant=sum(page.relevant for page in now.pages.values()),
    )


def _rounded(terms: Sequence[tuple[str, float]], spelling: dict[str, str]) -> tuple[tuple[str, float], ...]:
    best = sorted(terms, key=lambda row: (-abs(row[1]), row[0]))[:SHOWN]
    return tuple((written(term, spelling), round(weight, 4)) for term, weight in best)


TITLE_WIDTH = 44
URL_WIDTH = 60


def candidates_part(found: Sequence[Candidate]) -> str | Table:
    """A table of the offered pages with their similarity to the present topic; a sentence if there are none."""
    if not found:
        return "No page was found; other keywords may find some."
    rows = [
        (str(number), f"{page.score:.2f}", "✓" if page.relevant else "", page.answer, page.title, readable(page.url))
        for number, page in enumerate(found, 1)
    ]
    columns = [
        Column("", True), Column("similarity", True), Column(""), Column("", ours=True), Column("title", width=TITLE_WIDTH),
        Column("page", width=URL_WIDTH),
    ]  # fmt: skip
    return Table(columns, rows, "Pages")


def terms_table(terms: Sequence[RankedTerm], title: str) -> Table:
    """A table of the ranked words of the picked pages."""
    widest = max((term.weight for term in terms), default=1.0) or 1.0
    rows = [
        (str(number), term.word, f"{term.weight:.3f}", "█" * round(12 * term.weight / widest), str(term.texts), term.standing)
        for number, term in enumerate(terms, 1)
    ]
    columns = [
        Column("", True),
        Column("term", width=30),
        Column("weight", True),
        Column("", bar=True),
        Column("pages", True),
        Column("", ours=True),
    ]
    return Table(columns, rows, title)


def changes_parts(changes: Changes) -> list[str | Table]:
    """The changes for display: a sentence for each kind of change, and a table of the pages that rose above the threshold."""
    parts: list[str | Table] = []
    if changes.added:
        parts.append(f"Terms added ({changes.added_count}): " + _terms(changes.added))
    if changes.dropped:
        parts.append(f"Terms dropped ({changes.dropped_count}): " + _terms(changes.dropped))
    if changes.moved:
        parts.append("Weights moved: " + ", ".join(f"{term} {old:.3f} → {new:.3f}" for term, old, new in changes.moved))
    old, new = changes.threshold
    if old != new:
        scale = f"relevance ({changes.judge})" if changes.judge else "similarity"
        parts.append(f"Threshold of {scale}: {old:g} → {new:g}" if old else f"Threshold of {scale}: {new:g}")
    if not parts:
        parts.append("Nothing changed.")
    if changes.pages:
        parts.append(
            f"Of {plural(changes.pages, 'page')} at hand {changes.relevant} are relevant:"
            f" {changes.newly_relevant_count} newly, {changes.no_longer_relevant_count} no longer."
        )
    if changes.newly_relevant:
        parts.append(_pages(changes.newly_relevant, "Newly above the threshold"))
    if changes.no_longer_relevant:
        parts.append(_pages(changes.no_longer_relevant, "No longer above it"))
    return parts


def _terms(terms: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{term} {weight:.3f}" for term, weight in terms)


def _pages(pages: Sequence[JudgedPage], title: str) -> Table:
    columns = [Column("score", True), Column("title", width=TITLE_WIDTH), Column("page", width=URL_WIDTH)]
    return Table(columns, [(f"{page.score:.2f}", page.title, readable(page.url)) for page in pages], title)
