from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.order.topical_rank import RankPush

Event = tuple[int, list[int], float]
"""(node that is fetched, its targets, relevance of the node)"""

nodes = st.integers(0, 9)
events = st.lists(st.tuples(nodes, st.lists(nodes, max_size=5, unique=True), st.floats(0, 1)), max_size=25)


def fixed_point(graph: dict[int, list[int]], source: dict[int, float], alpha: float, beta: float) -> list[float]:
    """By plain iteration over the whole graph."""
    values = [0.0] * 10
    for _ in range(200):
        new = [beta * source.get(node, 0.0) for node in range(10)]
        for node, targets in graph.items():
            for target in targets:
                new[target] += alpha * values[node] / len(targets)
        values = new
    return values


def played(history: list[Event], edges: int) -> tuple[RankPush, dict[int, list[int]], dict[int, float]]:
    rank, graph, source = RankPush(0.5, 0.5, 1e-12), dict[int, list[int]](), dict[int, float]()
    for node, targets, value in history:
        rank.set_source(node, value)
        rank.set_targets(node, targets)
        graph[node], source[node] = targets, value
        rank.settle(edges)
    return rank, graph, source


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(events, st.sampled_from([0, 1, 7, 1000]))
def test_it_is_the_fixed_point_however_the_graph_grew(history: list[Event], edges: int) -> None:
    rank, graph, source = played(history, edges)
    while rank.settle(100_000) or rank._queue:
        pass
    assert [rank.value(node) for node in range(10)] == pytest.approx(fixed_point(graph, source, 0.5, 0.5), abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(events, st.integers(0, 20))
def test_values_stay_between_nothing_and_all_relevance(history: list[Event], edges: int) -> None:
    rank, _, source = played(history, edges)
    while rank._queue:
        rank.settle(1000)
    assert all(-1e-9 <= rank.value(node) <= sum(source.values()) + 1e-9 for node in range(10))


def test_a_call_pushes_a_bounded_number_of_edges() -> None:
    rank = RankPush(0.5, 0.5, 1e-12)
    for node in range(100):
        rank.set_targets(node, [node + 1])
    rank.settle(10_000)
    rank.set_source(0, 1.0)
    rank.settle(3)
    assert rank.value(2) > 0
    assert rank.value(4) == 0
    rank.settle(10_000)
    assert rank.value(4) == pytest.approx(0.5**5)


def test_waiting_nodes_that_moved_are_named_once() -> None:
    rank = RankPush(0.5, 0.5, 1e-12)
    rank.set_source(0, 1.0)
    rank.set_targets(0, [1, 2])
    assert sorted(rank.settle(100)) == [1, 2]
    assert rank.settle(100) == []
    rank.set_source(0, 0.5)
    assert sorted(rank.settle(100)) == [1, 2]
    assert rank.value(1) == pytest.approx(0.5 * 0.25 / 2)
    assert rank.inherited(1) == pytest.approx(rank.value(1))


def test_a_source_is_only_raised() -> None:
    rank = RankPush(0.5, 0.5, 1e-12)
    rank.raise_source(3, 0.8)
    rank.raise_source(3, 0.2)
    assert rank.value(3) == pytest.approx(0.4)
    assert rank.inherited(3) == 0.0
