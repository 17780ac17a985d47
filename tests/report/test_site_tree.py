"""The tree of a site: what hangs on what, and where it is drawn."""

from __future__ import annotations

import math
from itertools import combinations

from focuscrawl.graph.files import Value
from focuscrawl.report.charts.site_tree import EDGE, MOST_DRAWN, MOST_LISTED, SIZE, site_tree

Facts = dict[str, Value]


def page(number: int, above: int, kind: str = "content") -> tuple[int, Facts]:
    facts: Facts = {
        "url": f"http://a.test/{number}", "title": f"Page {number}", "kind": kind, "relevant": number % 2 == 0,
        "category": "News", "above": above,
    }  # fmt: skip
    return number, facts


SITE = [page(1, 0, "index"), page(2, 1, "index"), page(3, 1), page(4, 2), page(5, 2), page(9, 0)]


def test_each_page_stands_below_its_index_page_the_largest_first() -> None:
    found = site_tree(SITE, [])
    assert (found.pages, found.index_pages) == (6, 2)
    listed = [(entry.title, entry.level, entry.below) for entry in found.listed]
    assert listed == [
        ("Page 1", 0, 4),
        ("Page 2", 1, 2),
        ("Page 4", 2, 0),
        ("Page 5", 2, 0),
        ("Page 3", 1, 0),
        ("Page 9", 0, 0),
    ]
    assert [entry.relevant for entry in found.listed] == [False, True, True, False, False, False]


def test_levels_are_circles_and_no_two_pages_lie_upon_each_other() -> None:
    found = site_tree(SITE, [(1, 2), (1, 4), (2, 2), (2, 77)])
    middle = SIZE / 2
    radius = {dot.entry.title: math.hypot(dot.x - middle, dot.y - middle) for dot in found.dots}
    assert radius["Page 1"] < radius["Page 2"] < radius["Page 4"] <= middle - EDGE + 0.1
    assert math.isclose(radius["Page 4"], radius["Page 5"])
    assert all(math.dist((one.x, one.y), (other.x, other.y)) > 20 for one, other in combinations(found.dots, 2))
    assert len(found.branches) == 4
    assert len(found.links) == 1  # from 1 to 4: the others are branches, or lead to the page itself or elsewhere


def test_one_root_stands_in_the_middle() -> None:
    [root] = [dot for dot in site_tree(SITE[:5], []).dots if dot.entry.level == 0]
    assert (root.x, root.y) == (SIZE / 2, SIZE / 2)


def test_large_sites_are_cut_and_long_chains_end() -> None:
    chain = [page(number, number - 1, "index") for number in range(1, 3_000)]
    found = site_tree(chain, [])
    assert (len(found.listed), len(found.dots), found.pages) == (MOST_LISTED, MOST_DRAWN, 2_999)
    assert found.listed[0].below == 2_998
    flat = site_tree([page(1, 0, "index"), *(page(number, 1) for number in range(2, 500))], [])
    assert len(flat.dots) == MOST_DRAWN


def test_a_site_without_pages() -> None:
    assert site_tree([], []).dots == []
