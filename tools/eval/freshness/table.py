"""The rows as a table, and whether they are good enough."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.eval.freshness.running import NAMES, SIGNALLED, Row

BASE = "log-normal, 0.1"
LEAST_SHARE = 0.98
"""Of the oracle's freshness."""
MOST_AGE = 1.0
RIVALS = ("uniform", "batch", "nutch", "similarity")


def markdown(rows: Sequence[Row]) -> Iterator[str]:
    """A line a policy, a column a setting: freshness, staleness age in days, hit rate."""
    settings = list(dict.fromkeys(row.setting for row in rows))
    found = {(row.policy, row.setting): row for row in rows}
    yield "| policy | " + " | ".join(settings) + " |"
    yield "|---|" + "---|" * len(settings)
    for name in NAMES:
        cells = [_cell(found.get((name, setting))) for setting in settings]
        yield f"| {name} | " + " | ".join(cells) + " |"


def shortcomings(rows: Sequence[Row]) -> list[str]:
    """What is not as it should be; nothing when all is well. Settings that were not run are not looked at."""
    found = {(row.setting, row.policy): row for row in rows}
    wrong = []
    for setting in dict.fromkeys(row.setting for row in rows):
        ours, oracle = found.get((setting, "optimal")), found.get((setting, "oracle"))
        if ours is None:
            continue
        for rival in (found.get((setting, name)) for name in RIVALS):
            if rival is not None and rival.freshness >= ours.freshness:
                wrong.append(f"{setting}: {rival.policy} is fresher than optimal ({rival.freshness:.3f}, {ours.freshness:.3f})")
        if setting != BASE or oracle is None:
            continue
        if ours.freshness < LEAST_SHARE * oracle.freshness:
            wrong.append(f"{setting}: optimal has {ours.freshness / oracle.freshness:.3f} of the oracle's freshness")
        if ours.staleness_age >= MOST_AGE:
            wrong.append(f"{setting}: staleness age {ours.staleness_age:.2f} days")
        signalled = found.get((setting, SIGNALLED))
        if signalled is not None and signalled.freshness <= oracle.freshness:
            wrong.append(f"{setting}: with signals {signalled.freshness:.3f}, the oracle without them {oracle.freshness:.3f}")
    return wrong


def _cell(row: Row | None) -> str:
    return "" if row is None else f"{row.freshness:.3f}, {row.staleness_age:.2f}, {row.hit_rate:.2f}"
