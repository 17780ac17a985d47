"""The curves of all topics as one picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from focuscrawl.report.charts.harvest_chart import HarvestCurve, Panel, draw
from tools.eval.harvest.measure import Row
from tools.eval.harvest.recorded import KNOWING
from tools.eval.harvest.references import STEP
from tools.eval.harvest.table import columns, mean

RIVALS = 3
"""Of the references the best on the mean, so that the lines can be told apart."""


def picture(rows: Sequence[Row], path: Path) -> None:
    """A panel a topic: our strategies, the best references and the oracle, over the fetches that the area looks at."""
    mine = [name for name in columns(rows) if any(run["column"] == name for row in rows for run in row["runs"])]
    rivals = [name for name in columns(rows) if name not in mine and name not in KNOWING]
    best = sorted(rivals, key=lambda name: -mean(rows, name))[:RIVALS]
    panels = []
    for row in rows:
        points = max(300, 3 * row["relevant"]) // STEP
        drawn = [HarvestCurve(name, row["curves"][name][:points], STEP) for name in (*mine, *best) if name in row["curves"]]
        drawn.append(HarvestCurve("oracle", row["curves"].get("oracle", [])[:points], STEP, faint=True))
        area = f"{mine[0]} {row['areas'][mine[0]]:.3f}"
        panels.append(Panel(f"{row['web']}: {row['title']}", f"{row['web']}: {row['topic']}", drawn, area))
    draw(panels, path)
