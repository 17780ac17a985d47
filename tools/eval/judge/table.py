"""Rows of the judge's exam as tables: each topic, means with standard errors, differences to a former result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev

from focuscrawl.report.precision import SPREAD
from focuscrawl.report.table import Column, Table
from tools.eval.harvest.compare import Values, difference
from tools.eval.judge.exam import COLUMNS, Row

ALL = "all webs"
Group = tuple[str, str, int]
"""Web, what topics are made of, and pages seen."""


def by_topic(rows: Sequence[Row]) -> str:
    """A line for each topic."""
    heads = [Column(head) for head in ("web", "topic", "made of", "seen")] + [Column(head, True) for head in COLUMNS]
    lines = [
        [row["web"], row["topic"], row["set"], str(row["seen"]), *("-" if row[c] is None else f"{row[c]:.3f}" for c in COLUMNS)]
        for row in rows
    ]
    return Table(heads, lines).text()


def means(rows: Sequence[Row]) -> str:
    """Means over topics with standard errors, by web and over all webs. `error`: the mean distance of `said` and `true`;
    `within`: the share of topics whose true precision lies in the range that is told; `told`: of how many topics."""
    heads = [Column(head) for head in ("web", "made of", "seen")] + [Column("topics", True)]
    heads += [Column(head, True) for head in (*COLUMNS, "error", "within", "told")]
    lines = []
    for (web, name, seen), group in _groups(rows):
        values = [_mean([row[column] for row in group if row[column] is not None]) for column in COLUMNS]
        away = [abs(row["said"] - row["true"]) for row in group if row["said"] is not None]
        within = f"{fmean(distance <= SPREAD for distance in away):.2f}" if away else "-"
        lines.append([web, name, str(seen), str(len(group)), *values, _mean(away), within, str(len(away))])
    return Table(heads, lines).text()


def differences(before: Sequence[Row], after: Sequence[Row]) -> str:
    """Topics that both have, on the same sample of pages: the second less the first."""
    same = {(row["web"], row["topic"], row["sample"]) for row in before}
    usable = [row for row in after if (row["web"], row["topic"], row["sample"]) in same]
    former = dict(_groups(before))
    heads = [Column(head) for head in ("web", "made of", "seen", "column")]
    heads += [Column(head, True) for head in ("this", "former", "difference", "s.e.", "topics", "better, worse")]
    lines = []
    for (web, name, seen), group in _groups(usable):
        for column in COLUMNS[:5]:
            mine, other = _values(group, column), _values(former.get((web, name, seen), ()), column)
            if mine.keys() & other.keys():
                found = difference(mine, other)
                lines.append([
                    web, name, str(seen), column, f"{found.mine:.3f}", f"{found.other:.3f}", f"{found.mean:+.3f}",
                    f"{found.error:.3f}", str(found.topics), f"{found.better}, {found.worse}",
                ])  # fmt: skip
    return Table(heads, lines).text()


def _groups(rows: Sequence[Row]) -> Iterator[tuple[Group, list[Row]]]:
    webs = list(dict.fromkeys(row["web"] for row in rows))
    found: dict[Group, list[Row]] = {}
    for web in [*webs, *([ALL] if len(webs) > 1 else [])]:
        for row in rows:
            if web in (row["web"], ALL):
                found.setdefault((web, row["set"], row["seen"]), []).append(row)
    yield from found.items()


def _values(rows: Sequence[Row], column: str) -> Values:
    return {(row["web"], row["topic"]): row[column] for row in rows}


def _mean(values: Sequence[float]) -> str:
    if not values:
        return "-"
    error = f" ± {stdev(values) / sqrt(len(values)):.3f}" if len(values) > 1 else ""
    return f"{fmean(values):.3f}{error}"
