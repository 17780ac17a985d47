from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.graph.page_weight import directory_depth, weight
from focuscrawl.items import Duplicate
from models.order.protocol import OrderContext
from models.order.weight import Degrees, WeightOrder
from tests.models.order.pages import key_of, page, url_of

nodes = st.integers(0, 7)


@pytest.mark.parametrize(
    ("url", "depth"),
    [
        ("http://a.example/", 0),
        ("http://a.example", 0),
        ("http://a.example/cs", 1),
        ("http://a.example/cs/", 1),
        ("http://a.example/x.html", 1),
        ("http://a.example//a//b/", 2),
        ("http://a.example/a/b/c?d=/e/f", 3),
    ],
)
def test_depth_counts_levels_as_the_book_does(url: str, depth: int) -> None:
    assert directory_depth(url) == depth


def test_each_figure_has_its_direction() -> None:
    base = weight(2, 1.0, 1, 1)[0]
    assert weight(4, 1.0, 1, 1)[0] > base
    assert weight(2, 2.0, 1, 1)[0] > base
    assert weight(2, 1.0, 2, 1)[0] > base
    assert weight(2, 1.0, 1, 2)[0] < base


@given(st.integers(0, 10**6), st.floats(0, 20), st.integers(1, 50), st.integers(0, 40))
def test_parts_add_up_to_a_weight_below_one(indegree: int, parents: float, mirrors: int, depth: int) -> None:
    value, parts = weight(indegree, parents, mirrors, depth)
    assert 0 < value < 1
    assert sum(parts.values()) == pytest.approx(value)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.tuples(nodes, st.lists(nodes, max_size=6)), max_size=25))
def test_degrees_are_those_of_the_whole_graph(history: list[tuple[int, list[int]]]) -> None:
    degrees, graph = Degrees(), dict[int, set[int]]()
    before = {node: degrees.figures(node) for node in range(8)}
    for node, targets in history:
        changed = degrees.set_targets(node, targets)
        graph[node] = set(targets)
        indegree = {v: sum(v in graph[u] for u in graph) for v in range(8)}
        for v in range(8):
            parents = [max(0, indegree[u].bit_length() - 1) for u in graph if v in graph[u]]
            figures = (indegree[v], sum(parents) / len(parents) if parents else 0.0)
            assert degrees.figures(v) == pytest.approx(figures)
            assert v in changed or figures == pytest.approx(before[v])
            before[v] = figures


def test_before_the_graph_is_known_depth_alone_serves(context: OrderContext) -> None:
    seed = page(url_of(0), ["http://h.example/a/b/c/x", "http://h.example/x", "http://i.example/a/x"])
    WeightOrder(context).see(seed)
    deep, flat, middle = (link.priority for link in seed.links)
    assert flat == pytest.approx(1 / 3)
    assert middle == pytest.approx(1 / 4)
    assert deep == pytest.approx(1 / 6)


def test_named_sites_come_first(context: OrderContext) -> None:
    order = WeightOrder(replace(context, important=["good.example"]))
    seed = page(url_of(0), ["http://www.good.example/a/b/c/d/e", "http://plain.example/"])
    order.see(seed)
    assert seed.links[0].priority > 1.0 > seed.links[1].priority


def test_more_links_lift_what_waits(context: OrderContext) -> None:
    order, told = WeightOrder(context), 1 / 3
    order.see(page(url_of(0), [url_of(1), url_of(2)]))
    order.see(page(url_of(2), [url_of(1)]))
    (change,) = order.changes()
    assert change.key == key_of(url_of(1))
    assert change.priority > told


def test_pages_of_mirrored_hosts_weigh_more(context: OrderContext) -> None:
    order, copy = WeightOrder(context), page("http://b.example/d/x.html")
    copy.duplicate = Duplicate(1, "http://a.example/d/x.html", "exact", 1.0)
    order.see(copy)
    seen = page(url_of(0), ["http://a.example/y", "http://c.example/y"])
    order.see(seen)
    assert seen.links[0].priority > seen.links[1].priority
    assert seen.links[0].parts["mirrors"] > 0


def test_a_page_copied_under_another_path_makes_no_mirror(context: OrderContext) -> None:
    order, copy = WeightOrder(context), page("http://b.example/e/x.html")
    copy.duplicate = Duplicate(1, "http://a.example/d/x.html", "exact", 1.0)
    order.see(copy)
    seen = page(url_of(0), ["http://a.example/y"])
    order.see(seen)
    assert seen.links[0].parts["mirrors"] == 0
