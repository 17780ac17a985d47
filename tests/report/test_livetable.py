from __future__ import annotations

import io

from rich.console import Console

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.live_table import Progress, render
from focuscrawl.store.overview import FrontierNow
from tests.report.sample import HOSTILE


def shown(progress: Progress, now: float) -> str:
    out = io.StringIO()
    Console(file=out, width=120, force_terminal=False).print(render(progress, now))
    return out.getvalue()


def test_figures_and_a_harmless_title() -> None:
    progress = Progress("demo", pages=300, relevant=150, duplicates=7, started=0.0)
    progress.frontier = FrontierNow(1200, 3, 40, "slow.example.com", 31.0)
    for number in range(250):
        progress.page(number >= 200, HOSTILE)
    text = shown(progress, 60.0)
    for piece in ("300", "50 % (25 %)", "1,200/3/40", "slow.example.com 31 s", "[bold]中文标题", "<script>"):
        assert piece in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_before_the_first_page() -> None:
    assert "0 % (0 %)" in shown(Progress("demo", started=0.0), 0.0)


def test_pages_per_minute_over_the_last_minute() -> None:
    progress = Progress("demo", started=0.0)
    progress.pages = 10
    assert progress.pages_per_minute(10.0) == 60.0
    progress.pages = 110
    assert progress.pages_per_minute(60.0) == 120.0
    progress.pages = 140
    assert round(progress.pages_per_minute(100.0)) == 45


def test_a_recrawl_shows_what_has_become_of_pages() -> None:
    progress = Progress("demo", started=0.0)
    progress.frontier = FrontierNow(12, 3, 4, "slow.example.com", 31.0, 1234)
    progress.again = Figures(
        unmodified=30, same=10, minor=1, changed=5, new=6, gone=2, suspect=3, absent=4, failed=7, requests=88
    )
    lines = shown(progress, 60.0).splitlines()
    text = " ".join(line.strip() for line in lines)
    for title in ("looked at", "unchanged", "changed", "gone or", "failed", "due left"):
        assert title in text
    (row,) = [line.split() for line in lines if "1,234" in line]
    assert row == ["62", "40", "6", "6", "9", "7", "88", "1,234", "slow.example.com", "31", "s"]
    assert "harvest" not in text
    assert "last relevant" not in text
