"""Draws harvest curves as a PNG, with a panel for each topic and a line for each strategy.

It needs matplotlib, which is imported by its functions, because no other module needs it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.report.plain import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7b3294", "#4d4d4d")
"""Distinct for color-blind people, too, and dark enough on white."""
DASHES = ("-", (0, (5, 1.5)), (0, (1.2, 1.2)))
"""Styles of lines: once all colors are used, they are used again with the next style."""
FAINT_DASHES = ((0, (4, 2)), (0, (1, 1.5)))
GRID, INK, FAINT = "#e3e6ea", "#22262b", "#7a828c"
"""Colors of the grid, of words and of faint lines."""
FONTS = (
    "DejaVu Sans", "Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "Source Han Sans CN", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Microsoft YaHei", "PingFang SC", "Hiragino Sans GB", "SimHei", "Noto Sans CJK JP",
    "Droid Sans Fallback", "Arial Unicode MS", "Noto Serif CJK SC", "AR PL UMing CN", "SimSun",
)  # fmt: skip
"""Fonts in the order in which they are tried. All but the first have Chinese characters."""


@dataclass(slots=True, frozen=True)
class HarvestCurve:
    name: str
    found: Sequence[float]
    """Number of relevant pages found after `step`, 2 `step`, … fetches."""
    step: int = 1
    faint: bool = False
    """Whether it is a bound or a reference, which is drawn thin."""


@dataclass(slots=True, frozen=True)
class Panel:
    title: str
    """In any script."""
    name: str
    """Used instead if no installed font has the title's characters."""
    curves: Sequence[HarvestCurve]
    note: str = ""


def draw(panels: Sequence[Panel], path: Path, title: str = "") -> None:
    """Write the picture, in which a name has the same color in all panels.

    Raises OSError if it cannot be written, and ImportError if matplotlib is not installed.
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    across = 1 if len(panels) == 1 else 2 if len(panels) <= 4 else 4
    down = max(1, math.ceil(len(panels) / across))
    size = (9.0, 5.2) if len(panels) == 1 else (3.6 * across + 2.0, 2.7 * down + 0.6)
    figure = Figure(figsize=size, dpi=150, facecolor="white", layout="constrained")
    FigureCanvasAgg(figure)
    styles = _styles(curve for panel in panels for curve in panel.curves)
    for number, panel in enumerate(panels, 1):
        axes = figure.add_subplot(down, across, number)
        _panel(
            axes,
            panel,
            styles,
            large=len(panels) == 1,
            outer=(number % across == 1 or across == 1, number > len(panels) - across),
        )
    handles = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
    names = [name for name in styles if name in handles]
    figure.legend(
        [handles[name] for name in names], names, loc="outside right upper", frameon=False, fontsize=9, labelcolor=INK
    )
    if title:
        shown, font = readable(title, title)
        figure.suptitle(shown, font=font, fontsize=12, color=INK, x=0.01, ha="left")
    figure.savefig(path, format="png")


def _styles(curves: Iterable[HarvestCurve]) -> dict[str, dict[str, object]]:
    """The style of each name's line, in the order in which names occur first."""
    styles: dict[str, dict[str, object]] = {}
    bold = faint = 0
    for curve in curves:
        if curve.name in styles:
            continue
        if curve.faint:
            styles[curve.name] = {"color": FAINT, "linewidth": 1.1, "zorder": 1}
            styles[curve.name]["linestyle"] = FAINT_DASHES[faint % len(FAINT_DASHES)]
            faint += 1
        else:
            turn, place = divmod(bold, len(COLORS))
            styles[curve.name] = {"color": COLORS[place], "linewidth": 1.7, "zorder": 3}
            styles[curve.name]["linestyle"] = DASHES[turn % len(DASHES)]
            bold += 1
    return styles


def _panel(axes: Axes, panel: Panel, styles: dict[str, dict[str, object]], large: bool, outer: tuple[bool, bool]) -> None:
    """Draw a panel. `large`: whether it is the only one. `outer`: whether it is at the left edge, and whether at the bottom,
    where axes have names."""
    for curve in panel.curves:
        places = [0, *(curve.step * (place + 1) for place in range(len(curve.found)))]
        axes.plot(places, [0, *curve.found], label=curve.name, solid_capstyle="round", **styles[curve.name])  # type: ignore[arg-type]
    title, font = readable(panel.title, panel.name)
    axes.set_title(title, font=font, fontsize=12 if large else 9.5, color=INK, loc="left")
    if panel.note and large:
        axes.set_title(panel.note, fontsize=8.5, color=FAINT, loc="right")
    elif panel.note:  # beside the title there is no room
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
        axes.text(0.985, 0.04, panel.note, transform=axes.transAxes, fontsize=7, color=INK, ha="right", bbox=box)
    axes.set_xlim(left=0)
    axes.set_ylim(bottom=0)
    axes.grid(True, color=GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    axes.tick_params(labelsize=9 if large else 7.5, colors=INK, length=0)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(FAINT)
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5, integer=True))
        axis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    if outer[0]:
        axes.set_ylabel("relevant pages found", fontsize=9 if large else 8, color=INK)
    if outer[1]:
        axes.set_xlabel("pages fetched", fontsize=9 if large else 8, color=INK)


def readable(text: str, otherwise: str) -> tuple[str, Path]:
    """The text and a font file that has all its characters; `otherwise` as ASCII, if no installed font has them."""
    from matplotlib import font_manager

    text = one_line(text, 60).replace("$", r"\$")
    fonts = sorted(font_manager.fontManager.ttflist, key=lambda font: (font.style, str(font.stretch)) == ("normal", "normal"))
    upright = [font for font in fonts if str(font.weight) in ("400", "normal", "500", "medium", "regular", "book")]
    installed = {font.name: font.fname for font in upright}  # the last font of a name wins, which is neither slanted nor narrow
    for family in FONTS:
        if family in installed:
            font = font_manager.get_font(installed[family])
            if all(font.get_char_index(ord(character)) for character in text if not character.isspace()):
                return text, Path(installed[family])
    plain = one_line(otherwise, 60).encode("ascii", "replace").decode().replace("$", r"\$")
    return plain, Path(installed.get(FONTS[0]) or font_manager.findfont("sans-serif"))
