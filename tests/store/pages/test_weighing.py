"""Weights of a whole graph are those that the formula gives page by page."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from focuscrawl.graph.page_weight import weight
from focuscrawl.graph.web import WebGraph
from focuscrawl.store.pages.weighing import standings
from tests.graph.webs import random_webs, web


def test_a_page_in_the_middle() -> None:
    graph = web(5, [(0, 2), (1, 2), (3, 0), (4, 0), (2, 4)])
    found = list(standings(graph, np.array([1, 1, 3, 1, 1]), np.array([0, 1, 2, 1, 1])))
    assert [one.in_degree for one in found] == [2, 0, 2, 0, 1]
    middle = found[2]
    assert (middle.page_id, middle.parents, middle.copies, middle.directory_depth) == (3, 0.5, 3, 2)
    assert middle.weight == pytest.approx(weight(2, 0.5, 3, 2)[0])


@pytest.mark.parametrize("graph", [graph for graph, _ in random_webs()])
def test_parents_are_those_that_link(graph: WebGraph) -> None:
    ones = np.ones(graph.size, np.int64)
    found = list(standings(graph, ones, ones))
    dense = graph.links.toarray()
    for place, one in enumerate(found):
        parents = np.flatnonzero(dense[:, place])
        levels = [max(0, int(dense[:, parent].sum()).bit_length() - 1) for parent in parents]
        assert one.in_degree == len(parents)
        assert one.parents == pytest.approx(np.mean(levels) if levels else 0)
        assert one == replace(one, weight=weight(one.in_degree, one.parents, 1, 1)[0])
