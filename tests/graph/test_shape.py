"""All figures together, on webs small enough to be known by heart."""

from __future__ import annotations

import networkx as nx
import pytest

from focuscrawl.graph.citations import Citation, citations
from focuscrawl.graph.hubs import between_hosts
from focuscrawl.graph.shape import distribution, shape_of
from tests.graph.webs import web


def url_of(page_ids: object) -> dict[int, str]:
    return {number: f"http://x.test/{number}" for number in range(1, 1000)}


def test_an_empty_web_has_a_shape() -> None:
    shape = shape_of(web(0, []), url_of)
    assert (shape.pages, shape.links, shape.distances, shape.hubs) == (0, 0, None, [])
    assert set(shape.parts.values()) == {0}


def test_a_page_without_links() -> None:
    shape = shape_of(web(1, [], outside=[3]), url_of)
    assert (shape.parts["core"], shape.outside, shape.out_degree.most, shape.in_degree.zero) == (1, 3, 3, 1)
    assert shape.distances is None


def test_a_chain_longer_than_any_recursion() -> None:
    shape = shape_of(web(3000, [(at, at + 1) for at in range(2999)]), url_of)
    assert shape.parts == {"core": 1, "in": 0, "out": 2999, "tubes": 0, "tendrils": 0, "disconnected": 0}
    assert shape.distances is not None
    assert shape.distances.longest > 2900


def test_hosts_that_cite_each_other() -> None:
    links = [(0, 2), (1, 2), (2, 0), (0, 4), (3, 4), (4, 5), (5, 4), (5, 0)]
    found = citations(web(6, links, hosts=[0, 0, 1, 1, 2, 2]), 10)
    assert found.strongest == [Citation("h0.test", "h1.test", 2, 1), Citation("h0.test", "h2.test", 1, 1)]
    assert (found.links, found.mutual) == (6, 2)
    assert citations(web(6, links, hosts=[0, 0, 1, 1, 2, 2]), 1).strongest == found.strongest[:1]


def test_hubs_count_links_between_hosts_where_there_are_enough() -> None:
    few = web(4, [(0, 1), (1, 2), (2, 3)], hosts=[0, 0, 1, 1])
    assert between_hosts(few) is None
    many = web(300, [(at, 299 - at) for at in range(150)] + [(0, 1)], hosts=[0] * 150 + [1] * 150)
    crossing = between_hosts(many)
    assert crossing is not None
    assert crossing.nnz == 150


def test_a_distribution_to_be_drawn() -> None:
    import numpy as np

    found = distribution(np.array([0, 1, 1, 2, 8]))
    assert (found.mean, found.most, found.zero) == (2.4, 8, 1)
    assert found.points == [(1, 0.8), (2, 0.4), (8, 0.2)]


@pytest.mark.slow
def test_exponents_of_a_generated_web(monkeypatch: pytest.MonkeyPatch) -> None:
    """A web that grows by preferential attachment (Bollobás and others 2003); its in-degrees' exponent is about 2.1 then."""
    import numpy as np

    graph = nx.DiGraph(nx.scale_free_graph(20_000, alpha=0.1, beta=0.8, gamma=0.1, delta_in=0.1, delta_out=0.1, seed=5))
    graph.remove_edges_from(list(nx.selfloop_edges(graph)))
    monkeypatch.setattr("focuscrawl.graph.power_law.REPLICATES", 20)
    found = shape_of(web(20_000, list(graph.edges())), url_of)
    degrees = np.array([degree for _, degree in graph.in_degree()])
    assert found.in_degree.mean == pytest.approx(degrees.mean())
    law = found.in_degree.law
    assert law is not None
    assert 1.8 < law.alpha < 2.6
