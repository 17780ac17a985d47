"""How `similarity` settles, as a picture. Needs matplotlib, which is only imported here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from focuscrawl.report.charts.harvest_chart import COLORS, FAINT, GRID, INK
from tools.eval.freshness.settling import Settled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SHOWN = (1.0, 6.0, 40.0)
"""True periods whose course is drawn, days."""
VISITS = 80


def picture(found: Sequence[Settled], path: Path) -> None:
    """For each kind of change: the course of some pages, and where all of them settle. Writes a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 3.2 * len(found)), dpi=90, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    for number, settled in enumerate(found):
        _courses(figure.add_subplot(len(found), 2, 2 * number + 1), settled)
        _ends(figure.add_subplot(len(found), 2, 2 * number + 2), settled)
    figure.savefig(path, format="png")


def _courses(axes: Axes, settled: Settled) -> None:
    for color, true in zip(COLORS, SHOWN, strict=False):
        page = int(np.abs(np.log(settled.true / true)).argmin())
        axes.plot(settled.periods[page, :VISITS], color=color, linewidth=1.5)
        axes.axhline(settled.true[page], color=color, linewidth=1.0, linestyle=(0, (4, 3)))
    _plain(axes, f"Changes at {settled.kind} times: course (dashed: true)", "visit", "period, days")


def _ends(axes: Axes, settled: Settled) -> None:
    late = settled.periods[:, settled.periods.shape[1] // 2 :]
    low, middle, high = np.quantile(late, (0.1, 0.5, 0.9), axis=1)
    axes.fill_between(settled.true, low, high, color=COLORS[5], alpha=0.35, linewidth=0, label="80 % of the visits")
    axes.plot(settled.true, middle, color=COLORS[0], linewidth=1.5, label="median")
    axes.plot(settled.true, settled.true, color=FAINT, linewidth=1.2, linestyle=(0, (4, 3)), label="true period")
    axes.set_xscale("log")
    axes.legend(frameon=False, fontsize=8, labelcolor=INK)
    _plain(axes, "Period after 100 visits", "days between two changes", "period, days")


def _plain(axes: Axes, title: str, across: str, up: str) -> None:
    axes.set_yscale("log")
    axes.set_title(title, fontsize=10, color=INK, loc="left")
    axes.set_xlabel(across, fontsize=8.5, color=INK)
    axes.set_ylabel(up, fontsize=8.5, color=INK)
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.tick_params(labelsize=8, colors=INK, length=0)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
