"""The freshness of a collection: what is due and when, what has changed lately, how fast the pages of each site change."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from focuscrawl.recrawl.state import DAY
from focuscrawl.report.charts.curve import Frame, counting_frame
from focuscrawl.report.plain import count, moment, plural
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import changes_between
from focuscrawl.store.revisits.revisit_rows import count_revisits, due_between
from focuscrawl.store.revisits.site_rates import SiteRates, site_rates

AHEAD, BACK = 14, 28
"""Days, from today on and up to today."""
MOST_SITES = 20
"""Most sites that are shown."""
MOST_REVISITS = 200_000
"""With more revisited URLs the rates of sites are left out. A pass over so many takes a second of CPU time."""
KINDS = ("new", "changed", "gone", "moved", "back")


class DueDay(NamedTuple):
    begin: float
    """Epoch seconds."""
    due: int
    """Number of URLs."""


class ChangedDay(NamedTuple):
    begin: float
    kinds: dict[str, int]
    """Number of changes that were seen, by KINDS."""


@dataclass(slots=True, frozen=True)
class CollectionFreshness:
    all: int
    """Number of URLs that are revisited."""
    due: int
    """How many of them are due now."""
    later: int
    """How many become due after the next AHEAD days."""
    days: list[DueDay]
    """The URLs that become due from now on: today and on each of the next AHEAD - 1 days."""
    changes: list[ChangedDay]
    """The changes of the last BACK days, including today."""
    sites: list[SiteRates] = field(default_factory=list)
    """The sites of which pages were revisited, the largest first."""

    @property
    def soon(self) -> int:
        """Number of URLs that become due in the next AHEAD days, but are not due now."""
        return sum(day.due for day in self.days)


class DayBar(NamedTuple):
    left: float
    width: float
    height: float
    title: str


def freshness(db: Database, now: float, *, sites: bool = False) -> CollectionFreshness:
    """The freshness of a crawl's collection. `now`: by the store's clock. `sites`: whether to compute the rates of sites, if
    there are at most MOST_REVISITS URLs."""
    today = now - now % DAY
    ahead = [now, *(today + DAY * day for day in range(1, AHEAD + 1))]
    back = [today - DAY * day for day in range(BACK - 1, -1, -1)] + [now]
    revisits = count_revisits(db)
    due, *days = due_between(db, [0.0, *ahead])
    rates = site_rates(db, now) if sites and revisits <= MOST_REVISITS else []
    return CollectionFreshness(
        revisits,
        due,
        revisits - due - sum(days),
        [DueDay(start, number) for start, number in zip(ahead, days, strict=False)],
        [ChangedDay(start, kinds) for start, kinds in zip(back, changes_between(db, back), strict=False)],
        [row for row in rates if row.visits][:MOST_SITES],
    )


def in_words(figures: CollectionFreshness) -> str:
    """Sentences on what is due, and which changes were seen."""
    seen = {kind: sum(day.kinds.get(kind, 0) for day in figures.changes) for kind in KINDS}
    seen_words = ", ".join(f"{count(number)} {kind}" for kind, number in seen.items() if number)
    return (
        f"{plural(figures.all, 'URL')} {'is' if figures.all == 1 else 'are'} revisited: {count(figures.due)} due now,"
        f" {count(figures.soon)} in the next {AHEAD} days, {count(figures.later)} later."
        + (f" Seen in the last {BACK} days: {seen_words}." if seen_words else "")
    )


def draw_due(figures: CollectionFreshness, width: int = 760, height: int = 160) -> tuple[Frame, list[DayBar]]:
    """The axes, and a bar for each of the next AHEAD days."""
    axes = counting_frame(2, max(day.due for day in figures.days), width, height)
    wide = (axes.right - axes.left) / len(figures.days)
    return axes, [
        DayBar(
            axes.left + wide * at + 1, wide - 2, axes.bottom - axes.y(day.due), f"{moment(day.begin)[:10]}: {count(day.due)}"
        )
        for at, day in enumerate(figures.days)
    ]
