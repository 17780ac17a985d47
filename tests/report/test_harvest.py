from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.report.charts.curve import area, at, found_curve, marks
from focuscrawl.report.charts.harvest_chart import HarvestCurve, Panel, draw, readable
from focuscrawl.report.replays import Comparison, Line, as_json, parts
from focuscrawl.report.table import Table


def test_all_relevant_pages_first_is_one() -> None:
    assert area(found_curve([True] * 200 + [False] * 800), 200, 1000) == 1.0
    assert area(found_curve([True] * 5), 5, 1000) == 1.0  # it ends early and has found all
    assert area(found_curve([True] * 5), 10, 3) == 1.0


def test_late_is_worse_and_nothing_is_nothing() -> None:
    early, late = found_curve([True] * 50 + [False] * 250), found_curve([False] * 250 + [True] * 50)
    assert area(early, 50, 300) == 1.0
    assert area(late, 50, 300) < 0.1
    assert area([], 50, 300) == area(early, 0, 300) == 0.0


def test_the_area_looks_at_three_times_the_relevant_pages() -> None:
    found = found_curve([False] * 600 + [True] * 200)
    assert area(found, 200, 1000) == 0.0
    assert area(found, 201, 1000) > 0.0


def test_found_at_round_numbers() -> None:
    assert marks(600) == [100, 250, 500, 600]
    assert marks(40) == [40]
    assert marks(0) == []
    assert (at([1, 2, 2], 2), at([1, 2, 2], 50), at([], 3), at([1], 0)) == (2, 2, 0, 0)


COMPARISON = Comparison(
    "demo", 300, 30, "by the crawl's verdicts", 300,
    [
        Line("learned", "learned", "stored", [min(place, 30) for place in range(1, 301)], 1.0, missing=7, moved=3, left=2),
        Line("as crawled", "as crawled", "", [place // 10 for place in range(1, 301)], 0.5),
    ],
)  # fmt: skip


def test_the_table_has_found_pages_and_says_what_was_left_out() -> None:
    words, table, warning = parts(COMPARISON)
    assert isinstance(table, Table)
    assert table.cells()[0] == ["learned", "30", "30", "30", "300", "1.000"]
    assert "300 stored pages, 30 of them relevant by the crawl's verdicts" in str(words)
    assert "7 links to others were passed over" in str(warning)


def test_json_has_figures_and_a_thinned_out_curve() -> None:
    plain = as_json(COMPARISON)
    first = plain["replays"][0]
    assert first["found_at"] == {"100": 30, "250": 30, "300": 30}
    assert (first["area"], first["links_not_stored"], first["curve_step"], len(first["curve"])) == (1.0, 7, 1, 300)
    long = Line("x", "x", "", list(range(2000)), 0.1)
    thinned = as_json(Comparison("c", 1, 1, "", 1, [long]))["replays"][0]
    assert (thinned["curve_step"], len(thinned["curve"])) == (4, 500)


@pytest.mark.slow
@pytest.mark.system  # on its first import matplotlib asks a program which fonts there are
def test_a_picture_is_drawn_with_chinese_titles(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="drawing needs matplotlib")
    curves = [HarvestCurve(f"s{number}", [0, 1, number]) for number in range(12)] + [
        HarvestCurve("bound", [1, 2, 3], faint=True)
    ]
    for count in (1, 3, 9):
        panels = [Panel("图书馆 $x", "library", curves, "note") for _ in range(count)]
        draw(panels, tmp_path / f"{count}.png", "各主题")
        assert (tmp_path / f"{count}.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"


@pytest.mark.system
def test_a_title_that_no_font_has_gives_way_to_the_name(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib", reason="drawing needs matplotlib")
    monkeypatch.setattr("focuscrawl.report.charts.harvest_chart.FONTS", ("DejaVu Sans",))
    title, font = readable("图书馆", "library é")
    assert title == "library ?"
    assert font.name == "DejaVuSans.ttf"
    assert readable("Straße", "x")[0] == "Straße"
