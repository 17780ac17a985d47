"""What is new, as one HTML file beside the report: each changed page with its diff, and how fast each site changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from focuscrawl.recrawl.diff import OMITTED, DiffPiece
from focuscrawl.report import html
from focuscrawl.report.revisits.changes import ChangeLists, gather, headline
from focuscrawl.report.revisits.site_rates import COLUMNS, EXPLAINED, cells
from focuscrawl.report.translation import Language
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import NetChange, PageChange, changes_of
from focuscrawl.store.revisits.revisit_rows import count_revisits
from focuscrawl.store.revisits.site_rates import SiteRates, site_rates
from focuscrawl.store.revisits.versions import VersionDiff, bytes_since, diff_of

CHANGES = "changes.html"
ROWS = 500
"""Of each list."""
READ = 5000
"""Changes that are counted."""
DIFFS, STEPS = 200, 3
"""Pages with a diff, and versions of one page."""
LONGEST_TEXT, ALL_TEXTS = 100_000, 2_000_000
"""Bytes of compressed text that are compared for one page, and for all: longer texts take seconds each."""
PIECE, PIECES = 1500, 40
"""Characters of one piece of a diff, and pieces of one diff."""
SITES = 100
MOST_VISITS = 1_000_000
"""Of a crawl with more pages the table of sites is left out: the end of a run should not take minutes."""


@dataclass(slots=True, frozen=True)
class ChangesPage:
    lists: ChangeLists
    made_at: float
    diffs: Mapping[int, Sequence[VersionDiff]]
    """By id of the change, the latest version first."""
    sites: Sequence[SiteRates]
    """The largest."""
    all_sites: int
    too_many: bool = False
    """Pages for the table of sites."""

    @property
    def news(self) -> str:
        """In a sentence."""
        return headline(self.lists)


def collect(db: Database, crawl: str, since: float, now: float) -> ChangesPage:
    """What has happened since then. Reads the store, and compares a bounded number of texts."""
    lists = gather(changes_of(db, since, now + 1), crawl, since, now, ROWS, READ)
    too_many = count_revisits(db) > MOST_VISITS
    sites = [] if too_many else site_rates(db, now)
    return ChangesPage(lists, now, diffs_of(db, lists.shown.get(NetChange.CHANGED, ())), sites[:SITES], len(sites), too_many)


def diffs_of(db: Database, changes: Sequence[PageChange]) -> dict[int, list[VersionDiff]]:
    """Of the first DIFFS pages with kept versions, as far as their texts are not too long."""
    found: dict[int, list[VersionDiff]] = {}
    left = ALL_TEXTS
    for change in changes:
        if len(found) >= DIFFS or left <= 0:
            break
        if not change.version:
            continue
        first = max(change.version, change.last_version - STEPS + 1)
        bytes_ = bytes_since(db, change.page_id, first)
        if bytes_ > LONGEST_TEXT:
            continue
        left -= bytes_
        steps = (diff_of(db, change.page_id, number) for number in range(change.last_version, first - 1, -1))
        found[change.id] = [shortened(step) for step in steps if step]
    return found


def shortened(step: VersionDiff) -> VersionDiff:
    """With pieces that fit into a page of many."""
    pieces = [_cut(piece) for piece in step.pieces[:PIECES]]
    if len(step.pieces) > PIECES:
        pieces.append(DiffPiece("kept", OMITTED))
    return replace(step, pieces=tuple(pieces))


def render(page: ChangesPage, report: str = "", language: str = "en") -> str:
    """All text from the web is escaped and stripped of control characters. `report`: name of the report beside it."""
    return (
        html.environment()
        .get_template("changes.html")
        .render(
            _=Language(language), page=page, lists=page.lists, news=page.news, report=report, columns=COLUMNS,
            site_rows=[cells(row) for row in page.sites], explained=EXPLAINED,
            **{net.value: page.lists.shown.get(net, []) for net in NetChange},
        )
    )  # fmt: skip


def write(page: ChangesPage, path: Path, report: str = "", language: str = "en") -> None:
    """Replace the file."""
    html.replace(path, render(page, report, language))


def _cut(piece: DiffPiece) -> DiffPiece:
    over = len(piece.text) - PIECE
    if over <= 0:
        return piece
    half = PIECE // 2
    return replace(piece, text=piece.text[:half] + OMITTED + piece.text[-half:], left_out=piece.left_out + over)
