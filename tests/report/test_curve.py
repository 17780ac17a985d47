from __future__ import annotations

import random

import pytest

from focuscrawl.report.charts.curve import Point, draw, harvest_curve


def test_cumulative_and_recent_share(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.report.charts.curve.WINDOW", 2)
    curve = harvest_curve([True, True, False, False])
    assert curve == [Point(1, 1.0, 1.0), Point(2, 1.0, 1.0), Point(3, 2 / 3, 0.5), Point(4, 0.5, 0.0)]


@pytest.mark.parametrize("pages", [0, 1, 2, 499, 500, 501, 1000, 12_345])
def test_a_long_crawl_is_thinned_and_keeps_its_ends(pages: int) -> None:
    rng = random.Random(pages)
    values = [rng.random() < 0.3 for _ in range(pages)]
    curve = harvest_curve(values)
    assert len(curve) <= 500
    if pages:
        assert (curve[0].pages, curve[-1].pages) == (1, pages)
        assert curve[-1].rate == sum(values) / pages
        assert curve[-1].recent == sum(values[-200:]) / len(values[-200:])
        assert len(curve) >= min(pages, 250)


@pytest.mark.parametrize("pages", [1, 2, 7, 100, 99_999])
def test_the_drawing_stays_inside_its_frame(pages: int) -> None:
    drawing = draw(harvest_curve(number % 3 == 0 for number in range(pages)))
    points = [tuple(map(float, point.split(","))) for point in (drawing.rate + " " + drawing.recent).split()]
    axes = drawing.frame
    assert all(axes.left <= x <= axes.right and axes.top <= y <= axes.bottom for x, y in points)
    assert 1 <= len(axes.x_ticks) <= 8


def test_a_poor_harvest_gets_a_closer_scale() -> None:
    assert draw([Point(1, 0.0, 0.0), Point(900, 0.02, 0.03)]).frame.y_ticks[-1][1] == "5 %"
