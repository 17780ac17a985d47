"""What is computed on arrays is what networkx computes on the same graphs."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest

from focuscrawl.graph.bow_tie import PARTS, parts
from focuscrawl.graph.distances import distances
from focuscrawl.graph.hubs import hits
from focuscrawl.graph.web import WebGraph
from tests.graph.webs import random_webs

WEBS = random_webs()
DENSE = [(web, graph) for web, graph in WEBS if web.links.nnz > 3 * web.size]
"""In sparse ones the iteration is slow, and not everything has one answer."""


@pytest.mark.parametrize(("web", "graph"), WEBS)
def test_degrees(web: WebGraph, graph: nx.DiGraph) -> None:
    assert web.in_degrees.tolist() == [graph.in_degree(node) for node in range(web.size)]
    assert web.out_degrees.tolist() == [graph.out_degree(node) for node in range(web.size)]


@pytest.mark.parametrize(("web", "graph"), WEBS)
def test_the_bow_tie(web: WebGraph, graph: nx.DiGraph) -> None:
    places = [PARTS[number] for number in parts(web)]
    found = {part: {node for node in range(web.size) if places[node] == part} for part in PARTS}
    core = found["core"]
    assert core in [set(each) for each in nx.strongly_connected_components(graph)]
    assert len(core) == max(map(len, nx.strongly_connected_components(graph)))
    one = next(iter(core))
    assert found["in"] == nx.ancestors(graph, one) - core
    assert found["out"] == nx.descendants(graph, one) - core
    below = set().union(*(nx.descendants(graph, node) for node in found["in"]))
    above = set().union(*(nx.ancestors(graph, node) for node in found["out"]))
    assert found["tubes"] == (below & above) - core - found["in"] - found["out"]
    (whole,) = (each for each in nx.weakly_connected_components(graph) if one in each)
    assert found["disconnected"] == set(range(web.size)) - whole
    assert found["tendrils"] == whole - core - found["in"] - found["out"] - found["tubes"]


def test_the_webs_have_all_parts() -> None:
    assert {PARTS[number] for web, _ in WEBS for number in parts(web)} == set(PARTS)


@pytest.mark.parametrize(("web", "graph"), WEBS)
def test_distances(web: WebGraph, graph: nx.DiGraph) -> None:
    lengths = [steps for start, ends in nx.all_pairs_shortest_path_length(graph) for end, steps in ends.items() if end != start]
    found = distances(web)
    assert found is not None
    assert found.exact
    assert found.mean == pytest.approx(np.mean(lengths))
    assert (found.longest, found.error) == (max(lengths), 0)
    assert found.connected == pytest.approx(len(lengths) / web.size / (web.size - 1))


def test_a_sample_says_how_far_it_may_be_off() -> None:
    """Of 60 samples 19 of 20 should hold the true mean: fewer than 48 would be no accident."""
    web, _ = WEBS[-1]
    whole = distances(web)
    assert whole is not None
    held = 0
    for seed in range(60):
        found = distances(web, most=60, seed=seed)
        assert found is not None
        assert not found.exact
        assert found.longest <= whole.longest
        held += abs(found.mean - whole.mean) <= found.error
    assert held >= 48


@pytest.mark.parametrize(("web", "graph"), DENSE)
def test_hubs_and_authorities(web: WebGraph, graph: nx.DiGraph) -> None:
    hubs, authorities = nx.hits(graph, max_iter=1000, tol=1e-12)
    found = hits(web.links)
    assert found[0] == pytest.approx([hubs[node] for node in range(web.size)], abs=1e-4)
    assert found[1] == pytest.approx([authorities[node] for node in range(web.size)], abs=1e-4)
