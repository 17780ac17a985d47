from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.live_table import LiveProgress, RunLimits, render
from focuscrawl.report.translation import Language
from focuscrawl.store.overview import FrontierNow
from tests.report.sample import HOSTILE


def shown(progress: LiveProgress, now: float, width: int = 120, language: str = "en") -> str:
    out = io.StringIO()
    Console(file=out, width=width, force_terminal=False).print(render(progress, now, width, Language(language)))
    return out.getvalue()


def busy() -> LiveProgress:
    progress = LiveProgress("demo", RunLimits(max_pages=1000), pages=300, relevant=150, duplicates=7, errors=1, started=0.0)
    progress.frontier = FrontierNow(1200, 3, 40, "xn--fiqs8s.example.com", 31.0)
    progress.advice = "next 100 pages: 6 to 40 relevant"
    for number in range(250):
        progress.page(number >= 200, HOSTILE)
    return progress


def test_figures_and_a_harmless_title() -> None:
    text = shown(busy(), 60.0)
    for piece in (
        "pages          300, 300 a minute", "30 % of 1,000 pages, 2 min 20 s left",
        "150 of 300 (50 %), 25 % of the last 200", "1,200 URLs on 40 hosts, 3 for another try", "7, and 1 error",
        "中国.example.com, 31 s", "[bold]中文标题", "<script>", "next 100 pages",
    ):  # fmt: skip
        assert piece in text
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_the_figures_in_chinese() -> None:
    text = shown(busy(), 60.0, language="zh")
    for piece in (
        "页面      300，每分钟 300", "30 %，共 1,000 页，还需 2 分 20 秒", "150 / 300（50 %），最近 200 页中 25 %",
        "1,200 个网址，40 个主机，3 个等待再试", "7，1 个错误", "最长等待  中国.example.com, 31 秒",
        "接下来 100 页：相关 6 至 40",
    ):  # fmt: skip
        assert piece in text
    progress = busy()
    progress.again = Figures(same=3, requests=4)
    progress.frontier = FrontierNow(due=9)
    assert "3 / 12（到期），4 次请求" in shown(progress, 60.0, language="zh")


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("width", [60, 80])
def test_nothing_is_wider_than_the_terminal_or_wrapped(width: int, language: str) -> None:
    lines = shown(busy(), 60.0, width, language).splitlines()
    assert len(lines) == 9
    assert max(map(cell_len, lines)) <= width


def test_each_limit_has_a_bar_and_a_time() -> None:
    limits = RunLimits(max_relevant=20, max_requests=400, minutes=10)
    progress = LiveProgress("demo", limits, pages=60, relevant=10, started=0.0)
    progress.requests = 100
    progress.recent.extend([True, False])
    text = shown(progress, 60.0)
    assert "████████░░░░░░░░ 50 % of 20 relevant pages, 20 s left" in text
    assert "████░░░░░░░░░░░░ 25 % of 400 requests, 3 min left" in text
    assert "█░░░░░░░░░░░░░░░ 10 % of 10 min, 9 min left" in text
    progress.relevant = 20
    assert (
        "████████████████ 100 % of 20 relevant pages\n" in "\n".join(map(str.rstrip, shown(progress, 60.0).splitlines())) + "\n"
    )


def test_before_the_first_page() -> None:
    text = shown(LiveProgress("demo", RunLimits(max_pages=10), started=0.0), 0.0)
    assert "0 of 0 (0 %)" in text
    assert "left" not in text


def test_pages_per_minute_over_the_last_minute() -> None:
    progress = LiveProgress("demo", started=0.0)
    progress.pages = 10
    assert progress.pages_per_minute(10.0) == 60.0
    progress.pages = 110
    assert progress.pages_per_minute(60.0) == 120.0
    progress.pages = 140
    assert round(progress.pages_per_minute(100.0)) == 45


def test_a_recrawl_shows_what_has_become_of_pages() -> None:
    progress = LiveProgress("demo", started=0.0)
    progress.frontier = FrontierNow(12, 3, 4, "slow.example.com", 31.0, 1234)
    progress.again = Figures(
        unmodified=30, same=10, minor=1, changed=5, new=6, gone=2, suspect=3, absent=4, failed=7, requests=88
    )
    text = shown(progress, 60.0, 60)
    for piece in ("62 of 1,296 that were due, 88 requests", "unchanged     40", "6, and 6 new", "9 gone or missing, 7 failed"):
        assert piece in text
    assert "last relevant" not in text
    assert "pages" not in text
