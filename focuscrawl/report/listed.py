"""A page that a report lists: why it was fetched, how its text begins, and what made its score."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from focuscrawl.report import score_parts
from focuscrawl.report.plain import one_line
from focuscrawl.report.score import scores_of
from focuscrawl.report.why import reason
from focuscrawl.store.engines.database import Database
from focuscrawl.store.explain import Explanation, explain
from focuscrawl.store.pages.page_texts import page_at

BEGINNING = 360
"""Terminal columns of a text that are shown, some four lines. A Chinese character counts as two."""
SHOWN = 0.0005
"""A part that adds less to a score is left out, because it would be shown as 0.000."""


class ScoreRow(NamedTuple):
    topic: str
    """Name of the topic; empty in a crawl of one topic."""
    words: str
    meaning: str
    """What it means; empty if the words say all."""
    value: float


@dataclass(slots=True, frozen=True)
class ListedScore:
    title: str
    rows: list[ScoreRow]
    score: float
    total: str


@dataclass(slots=True, frozen=True)
class ListedDetails:
    reason: str
    """Why it was fetched, in a sentence; empty if no reason was kept."""
    beginning: str
    """The beginning of its main text, on one line."""
    scores: list[ListedScore]


def listed_details(db: Database, crawl: str, urls: Iterable[str]) -> dict[str, ListedDetails]:
    """Details of these pages, by URL. Takes two milliseconds for each."""
    found = {}
    for url in urls:
        facts, page = explain(db, url), page_at(db, crawl, url)
        found[url] = ListedDetails(reason(facts), one_line(page.text, BEGINNING) if page else "", _scores(facts))
    return found


def _scores(facts: Explanation) -> list[ListedScore]:
    found = []
    for score in scores_of(facts):
        rows = [
            ScoreRow(*score_parts.topic_and_words(name), score_parts.meaning(name), value)
            for name, value in score.parts.items()
            if abs(value) >= SHOWN
        ]
        found.append(ListedScore(score.title, rows, score.score, score.total))
    return found
