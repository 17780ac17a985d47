"""Which index page does a page hang on?"""

from __future__ import annotations

import numpy as np

from focuscrawl.graph.site_tree import above, site_links
from tests.graph.webs import web

HOME, NEWS, SPORT = 0, 1, 2
LINKS = [
    *((HOME, page) for page in range(1, 8)), *((NEWS, page) for page in (3, 4, 5)), (SPORT, 6), (SPORT, 7),
    (3, 7), (3, 6), (4, 3), (8, 3), (NEWS, HOME), (SPORT, HOME), (3, HOME),
]  # fmt: skip


def test_links_of_content_pages_and_to_other_sites_are_pruned() -> None:
    graph = web(9, [*LINKS, (NEWS, 8)], hosts=[0] * 8 + [1])
    is_index = np.isin(np.arange(9), [HOME, NEWS, SPORT, 8])
    tree = site_links(graph, is_index)
    assert tree.nnz == 7 + 3 + 2 + 2
    assert {int(source) for source in tree.nonzero()[0]} == {HOME, NEWS, SPORT}


def test_a_page_hangs_on_the_index_page_that_lists_fewest() -> None:
    graph = web(9, LINKS, hosts=[0] * 8 + [1])
    found = above(site_links(graph, np.isin(np.arange(9), [HOME, NEWS, SPORT, 8])))
    assert found.tolist() == [-1, HOME, HOME, NEWS, NEWS, NEWS, SPORT, SPORT, -1]


def test_nothing_hangs_on_itself() -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        graph = web(30, random.integers(0, 30, (150, 2)).tolist())
        found = above(site_links(graph, random.random(30) < 0.5)).tolist()
        for page in range(30):
            seen = []
            while page >= 0:
                assert page not in seen
                seen.append(page)
                page = found[page]
