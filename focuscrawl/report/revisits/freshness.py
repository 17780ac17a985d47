"""How fresh a collection is: what is due and when, what has changed lately, how fast the pages of each site change."""

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
"""Days."""
MOST_SITES = 20
"""That are shown."""
MOST_REVISITS = 200_000
"""URLs of which the sites' rates are told: a pass over them takes a second of a processor."""
KINDS = ("new", "changed", "gone", "moved", "back")


class DueDay(NamedTuple):
    begin: float
    """Epoch seconds."""
    due: int


class ChangedDay(NamedTuple):
    begin: float
    kinds: dict[str, int]
    """Changes that were seen, by KINDS."""


@dataclass(slots=True, frozen=True)
class CollectionFreshness:
    all: int
    """URLs that are revisited."""
    due: int
    """Now."""
    later: int
    """After the days ahead."""
    days: list[DueDay]
    """Today and the next AHEAD - 1."""
    changes: list[ChangedDay]
    """The last BACK days, today among them."""
    sites: list[SiteRates] = field(default_factory=list)
    """That were revisited, the largest first."""

    @property
    def soon(self) -> int:
        """Due in the days ahead, not yet now."""
        return sum(day.due for day in self.days)


class DayBar(NamedTuple):
    left: float
    width: float
    height: float
    title: str


def freshness(db: Database, now: float, *, sites: bool = False) -> CollectionFreshness:
    """`now`: of the store's clock. `sites`: with the rates of sites, where that is quick."""
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
    """What is to be done, and what was seen."""
    seen = {kind: sum(day.kinds.get(kind, 0) for day in figures.changes) for kind in KINDS}
    seen_words = ", ".join(f"{count(number)} {kind}" for kind, number in seen.items() if number)
    return (
        f"{plural(figures.all, 'URL')} {'is' if figures.all == 1 else 'are'} revisited: {count(figures.due)} due now,"
        f" {count(figures.soon)} in the next {AHEAD} days, {count(figures.later)} later."
        + (f" Seen in the last {BACK} days: {seen_words}." if seen_words else "")
    )


def draw_due(figures: CollectionFreshness, width: int = 760, height: int = 160) -> tuple[Frame, list[DayBar]]:
    """A bar for each day ahead."""
    axes = counting_frame(2, max(day.due for day in figures.days), width, height)
    wide = (axes.right - axes.left) / len(figures.days)
    return axes, [
        DayBar(
            axes.left + wide * at + 1, wide - 2, axes.bottom - axes.y(day.due), f"{moment(day.begin)[:10]}: {count(day.due)}"
        )
        for at, day in enumerate(figures.days)
    ]
