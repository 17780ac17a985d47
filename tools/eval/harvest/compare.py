"""Is a difference more than noise? Paired differences over topics, with their standard errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev

from focuscrawl.report.table import Column, Table
from tools.eval.harvest.measure import EARLY, Row
from tools.eval.harvest.recorded import KNOWING
from tools.eval.harvest.references import STEP

BEST = "best reference"
"""Of each topic, by the measure at hand: no strategy is as good, since it is chosen knowing the result."""
MEASURES = ("area", *(f"harvest at {pages}" for pages in EARLY))
Values = dict[tuple[str, str], float]
"""By web and topic: the mean over random streams."""


@dataclass(frozen=True)
class Difference:
    """Paired over topics."""

    mine: float
    other: float
    error: float
    """Standard error of the mean difference: the topics' scatter, streams' scatter in it."""
    topics: int
    better: int
    worse: int

    @property
    def mean(self) -> float:
        return self.mine - self.other


def difference(mine: Values, other: Values) -> Difference:
    """Of the topics that both have; at least one."""
    common = sorted(mine.keys() & other.keys())
    pairs = [mine[key] - other[key] for key in common]
    error = stdev(pairs) / sqrt(len(pairs)) if len(pairs) > 1 else float("nan")
    return Difference(
        fmean(mine[key] for key in common), fmean(other[key] for key in common), error, len(pairs),
        sum(pair > 0 for pair in pairs), sum(pair < 0 for pair in pairs),
    )  # fmt: skip


def values(rows: Sequence[Row], column: str, measure: str) -> Values:
    """A column's values by topic; topics that lack it are left out."""
    found: Values = {}
    for row in rows:
        if column == BEST:
            among = [name for name in references(row) if name not in KNOWING]
            known = [value for name in among if (value := _value(row, name, measure)) is not None]
            value = max(known, default=None)
        else:
            value = _value(row, column, measure)
        if value is not None:
            found[row["web"], row["topic"]] = value
    return found


def references(row: Row) -> list[str]:
    """The columns of a row that are none of ours."""
    mine = {run["column"] for run in row["runs"]}
    return [name for name in row["areas"] if name not in mine]


def _value(row: Row, column: str, measure: str) -> float | None:
    if measure == "area":
        area: float | None = row["areas"].get(column)
        return area
    pages = int(measure.rsplit(" ", 1)[1])
    curve = row["curves"].get(column, ())
    return float(curve[pages // STEP - 1]) / pages if len(curve) >= pages // STEP else None


def stream_noise(rows: Sequence[Row], column: str) -> float | None:
    """Standard deviation of the mean area over topics from one random stream to the next; None with one stream."""
    streams = sorted({run["seed"] for row in rows for run in row["runs"] if run["column"] == column})
    if len(streams) < 2:
        return None
    spreads = []
    for row in rows:
        areas = [run["area"] for run in row["runs"] if run["column"] == column]
        spreads.append(stdev(areas) ** 2 if len(areas) > 1 else 0.0)
    return sqrt(sum(spreads)) / len(spreads)


def comparison(files: Sequence[Sequence[Row]], tested: str) -> str:
    """Tables as text. One file: `tested` less each other column and less the best reference of each topic. Two files: the
    second less the first, for each column of ours that both have. By web, and over all webs."""
    webs = list(dict.fromkeys(row["web"] for rows in files for row in rows))
    parts = []
    for name in [*webs, *(["all webs"] if len(webs) > 1 else [])]:
        here = [[row for row in rows if name in (row["web"], "all webs")] for rows in files]
        lines = list(_between(here[0], here[1]) if len(here) > 1 else _within(here[0], tested))
        heads = [
            Column(name),
            *(Column(head, True) for head in ("this", "other", "difference", "s.e.", "topics", "better, worse")),
        ]
        parts.append(Table(heads, lines).text())
        parts.append(_noise(here[-1]))
    return "\n".join(part for part in parts if part)


def _within(rows: Sequence[Row], tested: str) -> Iterator[list[str]]:
    others = list(dict.fromkeys(name for row in rows for name in row["areas"] if name != tested))
    for measure in MEASURES:
        mine = values(rows, tested, measure)
        for other in [*others, BEST]:
            if mine.keys() & (theirs := values(rows, other, measure)).keys():
                yield _line(f"{measure}: {tested} - {other}", difference(mine, theirs))


def _between(before: Sequence[Row], after: Sequence[Row]) -> Iterator[list[str]]:
    ours = list(dict.fromkeys(run["column"] for row in after for run in row["runs"]))
    for measure in MEASURES:
        for column in ours:
            mine, other = values(after, column, measure), values(before, column, measure)
            if mine.keys() & other.keys():
                yield _line(f"{measure}: {column}", difference(mine, other))


def _line(name: str, found: Difference) -> list[str]:
    return [
        name, f"{found.mine:.3f}", f"{found.other:.3f}", f"{found.mean:+.3f}", f"{found.error:.3f}", str(found.topics),
        f"{found.better}, {found.worse}",
    ]  # fmt: skip


def _noise(rows: Sequence[Row]) -> str:
    noises = {
        column: stream_noise(rows, column) for column in dict.fromkeys(run["column"] for row in rows for run in row["runs"])
    }
    texts = [f"{column} {noise:.3f}" for column, noise in noises.items() if noise is not None]
    return f"mean area from one random stream to the next, standard deviation: {', '.join(texts)}\n" if texts else ""
