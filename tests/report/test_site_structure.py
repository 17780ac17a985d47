"""The treemap of sites and categories."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from focuscrawl.report.charts.site_structure import HEIGHT, MOST_PARTS, MOST_SITES, NARROW, WIDTH, Box, in_words, tiles, treemap
from focuscrawl.store.pages.link_graph import SiteStructure


@given(st.lists(st.integers(0, 1000), max_size=40), st.floats(1, 900), st.floats(1, 900))
def test_areas_are_in_proportion_and_inside(numbers: list[int], width: float, height: float) -> None:
    numbers.sort(reverse=True)
    whole = Box(5, 7, width, height)
    boxes = treemap(numbers, whole)
    assert len(boxes) == len(numbers)
    for number, box in zip(numbers, boxes, strict=True):
        assert box.width * box.height == pytest.approx(width * height * number / sum(numbers) if number else 0, abs=1e-6)
        assert box.x >= 5 - 1e-6
        assert box.y >= 7 - 1e-6
        assert box.x + box.width <= 5 + width + 1e-4
        assert box.y + box.height <= 7 + height + 1e-4


def test_boxes_are_near_to_squares() -> None:
    for box in treemap([6, 6, 4, 3, 2, 2, 1], Box(0, 0, 600, 400)):  # the example of the paper
        assert max(box.width / box.height, box.height / box.width) < 3


def site(name: str, pages: int, **categories: int) -> SiteStructure:
    return SiteStructure(name, 1, pages - 1, Counter(categories), Counter({"/": pages - sum(categories.values())}))


def test_the_drawing_for_a_phone_is_one_of_its_own() -> None:
    width, height, most = NARROW
    drawn = tiles([site(f"s{number}.test", 20) for number in range(most + 2)], width, height, most)
    assert drawn[-1].title == "2 other sites: 40 pages"
    assert max(tile.box.x + tile.box.width for tile in drawn) == pytest.approx(width)
    assert max(tile.box.y + tile.box.height for tile in drawn) == pytest.approx(height)
    assert all(tile.label for tile in drawn if tile.site)


def test_sites_hold_their_parts() -> None:
    drawn = tiles([site("a.test", 60, News=30, Sport=20), site("b.test", 40)])
    assert [(tile.title, tile.site, tile.known) for tile in drawn] == [
        ("a.test: 60 pages (1 index, 59 content)", True, True),
        ("a.test, News: 30 pages", False, True),
        ("a.test, Sport: 20 pages", False, True),
        ("a.test, /: 10 pages", False, False),
        ("b.test: 40 pages (1 index, 39 content)", True, True),
        ("b.test, /: 40 pages", False, False),
    ]
    assert all(tile.label for tile in drawn)


def test_only_so_many_are_drawn() -> None:
    many = [site(f"s{number}.test", 100, **{f"c{part}": 2 for part in range(40)}) for number in range(30)]
    drawn = tiles(many)
    assert sum(tile.site for tile in drawn) == MOST_SITES + 1
    assert len(drawn) <= (MOST_SITES + 1) * (MOST_PARTS + 2)
    assert any(tile.title == "18 other sites: 1,800 pages" for tile in drawn)
    assert all(tile.box.x + tile.box.width <= WIDTH + 0.1 and tile.box.y + tile.box.height <= HEIGHT + 0.1 for tile in drawn)


def test_hostile_names_are_one_line() -> None:
    drawn = tiles([site("a.test", 9, **{"<script>\n\x1b[31m\u202e": 9})])
    assert all(char.isprintable() for tile in drawn for char in tile.label + tile.title)


def test_in_words() -> None:
    assert in_words([site("a.test", 60, News=30, Sport=20), site("b.test", 40)]).startswith(
        "100 pages of 2 sites: 2 index, 98 content. 50 pages (50 %) name a category of the site, 2 different at the first level"
    )
    assert in_words([]).startswith("0 pages of 0 sites")
