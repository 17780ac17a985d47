"""The freshness of a collection: what is due and when, what has changed lately, how fast the pages of each site change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from focuscrawl.recrawl.state import DAY
from focuscrawl.report.charts.curve import Frame, counting_frame
from focuscrawl.report.plain import count, duration, moment, percent, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.change_log import changes_between
from focuscrawl.store.revisits.revisit_rows import count_revisits, due_between
from focuscrawl.store.revisits.site_rates import SiteRates, site_rates
from focuscrawl.url.readable import readable_host

AHEAD, BACK = 14, 28
"""Days, from today on and up to today."""
MOST_SITES = 20
"""Most sites that are shown."""
MOST_REVISITS = 200_000
"""With more revisited URLs the rates of sites are left out. A pass over so many takes a second of CPU time."""
KINDS = ("new", "changed", "gone", "moved", "back")
SITE_COLUMNS = (
    Column("site", width=40, names=True), *(Column(name, True) for name in ("pages", "in a day", "a week", "a month")),
    *(Column(name, True, spare=True) for name in ("visits", "changes")),
    Column("last look", True, spare=True, ours=True), Column("due", True, spare=True),
)  # fmt: skip
SITES_EXPLAINED = (
    "Share of a site's pages that change within a day, a week, a month, by their estimated rates; visits and changes are"
    " those seen; last look: mean time since."
)


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


def sites_table(rows: Sequence[SiteRates], limit: int = 0) -> Table:
    """A table of the first `limit` rows (0: all), which are those of `store.revisits.site_rates.site_rates`."""
    shown = rows[:limit] if limit else rows
    of = f"{count(len(shown))} of {count(len(rows))}" if len(shown) < len(rows) else count(len(rows))
    return Table(SITE_COLUMNS, [site_cells(row) for row in shown], f"Sites ({of})", tight=True)


def site_cells(row: SiteRates) -> tuple[str, ...]:
    """The cells of a row, one for each of SITE_COLUMNS."""
    return (
        readable_host(row.site), count(row.pages), percent(row.day), percent(row.week), percent(row.month), count(row.visits),
        count(row.changes), duration(row.age), count(row.due),
    )  # fmt: skip


def site_json(row: SiteRates) -> Mapping[str, Any]:
    """A row as plain values. Shares are between 0 and 1; `age` is the mean time since the last revisit, in seconds."""
    return {
        "site": row.site, "pages": row.pages, "changed_in_day": row.day, "changed_in_week": row.week,
        "changed_in_month": row.month, "visits": row.visits, "changes": row.changes, "age": round(row.age, 3), "due": row.due,
    }  # fmt: skip
