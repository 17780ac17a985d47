"""The shape of a web in words and drawings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focuscrawl.graph.power_law import PowerLaw
from focuscrawl.graph.shape import Distribution, Shape, shape_of
from focuscrawl.report.charts import web_shape
from focuscrawl.report.html import environment
from focuscrawl.report.table import Table
from focuscrawl.report.translation import Language
from tests.graph.webs import web

LAW = PowerLaw(2.1, 0.03, 5, 900, 0.01, 0.42)
SPREAD = Distribution(3.0, 900, 4, [(1, 0.9), (5, 0.3), (40, 0.03), (900, 0.0005)], LAW)
LINKS = [(0, 1), (1, 2), (2, 0), (3, 0), (2, 4), (5, 6)]


@pytest.fixture
def shape() -> Shape:
    """A core of three, one page before it, one behind it, two apart."""
    found = shape_of(
        web(7, LINKS, hosts=[0, 0, 1, 1, 1, 0, 0]), lambda ids: {number: f"http://x.test/{number}" for number in ids}
    )
    return replace(found, in_degree=SPREAD)


@pytest.mark.parametrize(
    ("law", "said"),
    [
        (LAW, "power law, exponent 2.10 ± 0.03 from 5 on (900 values), p 0.42"),
        (replace(LAW, p=0.1), "no power law (p 0.10); the nearest has exponent 2.10"),
        (replace(LAW, alpha=6.0, p=0.0), "no power law: it falls off faster"),
        (None, "too few different values to say"),
    ],
)
def test_is_it_a_power_law(law: PowerLaw | None, said: str) -> None:
    assert web_shape.law_in_words(replace(SPREAD, law=law)).startswith(said)


def test_distances_say_what_was_estimated(shape: Shape) -> None:
    assert web_shape.distances_in_words(shape).startswith("1.86 clicks between two pages, the longest way 4; 0.35 + 2.06")
    assert shape.distances is not None
    sampled = replace(shape, distances=replace(shape.distances, exact=False, error=0.0123, starts=40))
    assert "1.86 ± 0.01 clicks" in web_shape.distances_in_words(sampled)
    assert "at least 4 (from 40 pages drawn at random)" in web_shape.distances_in_words(sampled)
    assert web_shape.distances_in_words(replace(shape, distances=None)) == "no page links to another"


def test_the_bow_tie_has_arrows_between_what_there_is(shape: Shape) -> None:
    drawn = web_shape.bow_tie(shape)
    assert [(area.part, area.pages) for area in drawn.areas][:3] == [("in", 1), ("core", 3), ("out", 1)]
    assert len(drawn.areas) == 6
    assert len(drawn.flows) == 2
    alone = web_shape.bow_tie(replace(shape, pages=3, parts={**dict.fromkeys(shape.parts, 0), "core": 3}))
    assert len(alone.areas) == 3
    assert alone.flows == []
    assert alone.height < drawn.height


def test_areas_grow_with_pages(shape: Shape) -> None:
    radius = {area.part: area.radius for area in web_shape.bow_tie(shape).areas}
    assert radius["core"] / radius["in"] == pytest.approx(np.sqrt(3))
    assert radius["tubes"] == 0


def test_curves_lie_in_their_plot(shape: Shape) -> None:
    (curve,) = web_shape.curves(shape)
    assert curve.law is not None
    for x, y in [*curve.points, curve.law[:2], curve.law[2:]]:
        assert web_shape.LEFT - 0.1 <= x <= web_shape.PLOT[0] - web_shape.RIGHT + 0.1
        assert web_shape.TOP - 0.1 <= y <= web_shape.PLOT[1] - web_shape.BOTTOM + 0.1
    assert [label for _, label in curve.x_ticks] == ["1", "10", "100", "1,000"]


def test_the_narrow_bow_tie_keeps_its_words(shape: Shape) -> None:
    narrow = web_shape.bow_tie(shape, 340)
    assert narrow.width == 340
    for area in narrow.areas:
        assert area.y + area.radius < area.label < narrow.height
        assert area.x - area.radius > 0
        assert area.x + area.radius < narrow.width
        assert area.label < area.words < narrow.height
    first, middle, last = narrow.areas[:3]
    assert middle.words - first.words >= 14  # a line of its own: beside each other they are wider than a phone
    assert first.words == last.words


def test_the_chapter_and_the_tables_say_the_same(shape: Shape) -> None:
    template = environment().get_template("web_shape.html")
    chapter = template.render(
        _=Language(), shape=shape, web_shape=web_shape, link=lambda url: url, translated=Language().translated
    )
    tables = "\n".join(part if isinstance(part, str) else part.text() for part in web_shape.shape_parts(shape, "c"))
    for said in ("power law, exponent 2.10", "http://x.test/3", "h1.test"):
        assert said.lower() in chapter.lower()
        assert said in tables
    assert any(isinstance(part, Table) and part.title == "Bow tie" for part in web_shape.shape_parts(shape, "c"))
