"""Shows how fast the pages of each site change, as a table and as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from focuscrawl.report.plain import count, duration, percent
from focuscrawl.report.table import Column, Table
from focuscrawl.store.revisits.site_rates import SiteRates

COLUMNS = (
    Column("site", width=40), *(Column(name, True) for name in ("pages", "in a day", "a week", "a month")),
    *(Column(name, True, spare=True) for name in ("visits", "changes", "last look", "due")),
)  # fmt: skip
EXPLAINED = (
    "Share of a site's pages that change within a day, a week, a month, by their estimated rates; visits and changes are"
    " those seen; last look: mean time since."
)


def sites_table(rows: Sequence[SiteRates], limit: int = 0) -> Table:
    """A table of the first `limit` rows (0: all), which are those of `store.revisits.site_rates.site_rates`."""
    shown = rows[:limit] if limit else rows
    of = f"{count(len(shown))} of {count(len(rows))}" if len(shown) < len(rows) else count(len(rows))
    return Table(COLUMNS, [cells(row) for row in shown], f"Sites ({of})", tight=True)


def cells(row: SiteRates) -> tuple[str, ...]:
    """The cells of a row, one for each of COLUMNS."""
    return (
        row.site, count(row.pages), percent(row.day), percent(row.week), percent(row.month), count(row.visits),
        count(row.changes), duration(row.age), count(row.due),
    )  # fmt: skip


def as_json(row: SiteRates) -> Mapping[str, Any]:
    """A row as plain values. Shares are between 0 and 1; `age` is the mean time since the last revisit, in seconds."""
    return {
        "site": row.site, "pages": row.pages, "changed_in_day": row.day, "changed_in_week": row.week,
        "changed_in_month": row.month, "visits": row.visits, "changes": row.changes, "age": round(row.age, 3), "due": row.due,
    }  # fmt: skip
