"""Writes what is new as one HTML file beside the report: changed pages with their diffs, and how fast each site changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from focuscrawl.recrawl.diff import OMITTED, DiffPiece
from focuscrawl.report import html
from focuscrawl.report.revisits.changes import ChangeLists, gather, in_words
from focuscrawl.report.revisits.freshness import SITE_COLUMNS, SITES_EXPLAINED, site_cells
from focuscrawl.report.translation import Language
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import NetChange, PageChange, changes_of
from focuscrawl.store.revisits.revisit_rows import count_revisits
from focuscrawl.store.revisits.site_rates import SiteRates, site_rates
from focuscrawl.store.revisits.versions import VersionDiff, bytes_since, diff_of
from focuscrawl.whole_files import write_whole

CHANGES = "changes.html"
ROWS = 500
"""Most rows of each list."""
READ = 5000
"""Most changes that are counted."""
DIFFS, STEPS = 200, 3
"""Most pages with a diff, and most versions of a page that are compared."""
LONGEST_TEXT, ALL_TEXTS = 100_000, 2_000_000
"""Most bytes of compressed text that are compared for one page, and for all. Longer texts take seconds each."""
PIECE, PIECES = 1500, 40
"""Most characters of a piece of a diff, and most pieces of a diff."""
SITES = 100
"""Most rows of the table of sites."""
MOST_REVISITS = 1_000_000
"""For a crawl with more revisited URLs the table of sites is left out, so that the end of a run does not take minutes."""


@dataclass(slots=True, frozen=True)
class ChangesPage:
    lists: ChangeLists
    made_at: float
    diffs: Mapping[int, Sequence[VersionDiff]]
    """By id of the change: what it changed, the latest version first."""
    sites: Sequence[SiteRates]
    """The largest sites."""
    all_sites: int
    """Number of all sites."""
    too_many: bool = False
    """Whether the table of sites is left out because of MOST_REVISITS."""

    @property
    def news(self) -> str:
        """What has changed, in a sentence."""
        return in_words(self.lists)


def collect(db: Database, crawl: str, since: float, now: float) -> ChangesPage:
    """What has changed since then. It compares a bounded number of texts."""
    lists = gather(changes_of(db, since, now + 1), crawl, since, now, ROWS, READ)
    too_many = count_revisits(db) > MOST_REVISITS
    sites = [] if too_many else site_rates(db, now)
    return ChangesPage(lists, now, diffs_of(db, lists.shown.get(NetChange.CHANGED, ())), sites[:SITES], len(sites), too_many)


def diffs_of(db: Database, changes: Sequence[PageChange]) -> dict[int, list[VersionDiff]]:
    """The diffs of the first DIFFS pages with kept versions, without texts that are too long, by id of the change."""
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
    """A diff with at most PIECES pieces of PIECE characters, so that many fit into a page."""
    pieces = [_cut(piece) for piece in step.pieces[:PIECES]]
    if len(step.pieces) > PIECES:
        pieces.append(DiffPiece("kept", OMITTED))
    return replace(step, pieces=tuple(pieces))


def render(page: ChangesPage, report: str = "", language: str = "en") -> str:
    """The HTML page. All text from the web is escaped and stripped of control characters. `report`: name of the report beside
    it."""
    return (
        html.environment()
        .get_template("changes.html")
        .render(
            _=Language(language), page=page, lists=page.lists, news=page.news, report=report, columns=SITE_COLUMNS,
            site_rows=[site_cells(row) for row in page.sites], explained=SITES_EXPLAINED,
            **{net.value: page.lists.shown.get(net, []) for net in NetChange},
        )
    )  # fmt: skip


def write(page: ChangesPage, path: Path, report: str = "", language: str = "en") -> None:
    """Replace the file."""
    write_whole(path, render(page, report, language), "replace")


def _cut(piece: DiffPiece) -> DiffPiece:
    """A piece without its middle if it is too long."""
    over = len(piece.text) - PIECE
    if over <= 0:
        return piece
    half = PIECE // 2
    return replace(piece, text=piece.text[:half] + OMITTED + piece.text[-half:], left_out=piece.left_out + over)
