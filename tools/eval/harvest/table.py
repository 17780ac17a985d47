"""The figures as tables, and the word on whether they are good enough."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from focuscrawl.report.table import Column, Table
from tools.eval.harvest.measure import Row
from tools.eval.harvest.recorded import BLIND, KNOWING


def print_web(name: str, rows: Sequence[Row]) -> None:
    """A line a topic and the mean; our strategies first, then the references."""
    if not rows:
        return
    names = columns(rows)
    lines = [[row["topic"], *(f"{row['areas'][name]:.3f}" if name in row["areas"] else "" for name in names)] for row in rows]
    lines.append(["mean", *(f"{mean(rows, name):.3f}" for name in names)])
    print(f"\n{Table([Column(name), *(Column(name, True) for name in names)], lines).text()}")
    heads = ("", "P", "R", "fetched", "ms a page", "kept out by tunnelling", "moved")
    facts = ("precision", "recall", "fetched", "ms_per_page", "tunnel", "moved")
    lines = []
    for column in dict.fromkeys(run["column"] for row in rows for run in row["runs"]):
        runs = [run for row in rows for run in row["runs"] if run["column"] == column]
        values = [fmean(run[fact] for run in runs) for fact in facts]
        lines.append([column, *(f"{value:.2f}" if value < 100 else f"{value:,.0f}" for value in values)])
    print(f"\n{Table([Column(heads[0]), *(Column(head, True) for head in heads[1:])], lines).text()}", flush=True)


def columns(rows: Sequence[Row]) -> list[str]:
    """Our strategies, then the references with the bounds last."""
    mine = list(dict.fromkeys(run["column"] for row in rows for run in row["runs"]))
    others = list(dict.fromkeys(name for row in rows for name in row["areas"] if name not in mine))
    return mine + sorted(others, key=lambda name: (name in KNOWING, name))


def mean(rows: Sequence[Row], column: str) -> float:
    """Over the topics that have it."""
    values = [row["areas"][column] for row in rows if column in row["areas"]]
    return fmean(values) if values else 0.0


def check(rows: Sequence[Row], tested: str) -> int:
    """0 if the strategy is above every rival's mean on each web and below all of them on no topic; rivals ran on all topics."""
    if not rows or tested not in rows[0]["areas"]:
        return 0
    mine = {run["column"] for row in rows for run in row["runs"]}
    common = set.intersection(*(set(row["areas"]) for row in rows))
    rivals = [name for name in rows[0]["areas"] if name in common - mine - KNOWING]
    if not rivals:
        return 0
    bad = 0
    for web in dict.fromkeys(row["web"] for row in rows):
        here = [row for row in rows if row["web"] == web]
        best = max(rivals, key=lambda name: mean(here, name))
        print(f"\n{web}: {tested} {mean(here, tested):.3f}, best reference {best} {mean(here, best):.3f}")
        bad += mean(here, tested) <= mean(here, best)
        scoring = [name for name in rivals if name not in BLIND]
        worst = [row["topic"] for row in here if scoring and _below_all(row, tested, scoring)]
        below = [row for row in here if row["areas"][tested] < max(row["areas"][name] for name in rivals)]
        texts = ", ".join(f"{row['topic']} {row['areas'][tested]:.3f} ({_best(row, rivals)})" for row in below)
        print(
            f"below every reference that scores: {', '.join(worst) or 'on no topic'}; below the best of all: {texts or 'none'}"
        )
        bad += bool(worst)
    return int(bad > 0)


def _below_all(row: Row, tested: str, rivals: Sequence[str]) -> bool:
    return all(row["areas"][tested] < row["areas"][name] for name in rivals)


def _best(row: Row, rivals: Sequence[str]) -> str:
    best = max(rivals, key=lambda name: float(row["areas"][name]))
    return f"{best} {row['areas'][best]:.3f}"
