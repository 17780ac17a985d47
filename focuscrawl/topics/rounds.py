"""What a round of the loop brought, in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.report.plain import plural
from focuscrawl.report.table import Column, Table
from focuscrawl.topics.changes import Changes, JudgedPage
from focuscrawl.topics.suggesting import Candidate, RankedTerm

TITLE_WIDTH = 44
URL_WIDTH = 60


def candidates_table(found: Sequence[Candidate], title: str) -> Table:
    """The offered pages with their relevance as the topic stands."""
    rows = [
        (str(number), f"{page.score:.2f}", "✓" if page.relevant else "", page.answer, page.title, page.url)
        for number, page in enumerate(found, 1)
    ]
    columns = [
        Column("", True), Column("score", True), Column(""), Column(""), Column("title", width=TITLE_WIDTH),
        Column("page", width=URL_WIDTH),
    ]  # fmt: skip
    return Table(columns, rows, title)


def terms_table(terms: Sequence[RankedTerm], title: str) -> Table:
    """The ranked words of the picked pages."""
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
        Column(""),
    ]
    return Table(columns, rows, title)


def changes_parts(changes: Changes) -> list[str | Table]:
    """What changed: a sentence for each kind of change, and the pages that rose above the threshold."""
    told: list[str | Table] = []
    if changes.added:
        told.append(f"Terms added ({changes.added_count}): " + _terms(changes.added))
    if changes.dropped:
        told.append(f"Terms dropped ({changes.dropped_count}): " + _terms(changes.dropped))
    if changes.moved:
        told.append("Weights moved: " + ", ".join(f"{term} {old:.3f} → {new:.3f}" for term, old, new in changes.moved))
    old, new = changes.threshold
    if old != new:
        told.append(f"Threshold: {old:g} → {new:g}" if old else f"Threshold: {new:g}")
    if not told:
        told.append("Nothing changed.")
    if changes.pages:
        told.append(
            f"Of {plural(changes.pages, 'page')} at hand {changes.relevant} are relevant:"
            f" {changes.newly_relevant_count} newly, {changes.no_longer_relevant_count} no longer."
        )
    if changes.newly_relevant:
        told.append(_pages(changes.newly_relevant, "Newly above the threshold"))
    if changes.no_longer_relevant:
        told.append(_pages(changes.no_longer_relevant, "No longer above it"))
    return told


def _terms(terms: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{term} {weight:.3f}" for term, weight in terms)


def _pages(pages: Sequence[JudgedPage], title: str) -> Table:
    columns = [Column("score", True), Column("title", width=TITLE_WIDTH), Column("page", width=URL_WIDTH)]
    return Table(columns, [(f"{page.score:.2f}", page.title, page.url) for page in pages], title)
