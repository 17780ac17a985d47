"""What is written is what networkx reads, whatever a page's title holds."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

from focuscrawl.graph.files import Value, write_graph

FIELDS: dict[str, type] = {"url": str, "title": str, "relevant": bool, "relevance": float, "in_degree": int}
HOSTILE = "</node><x a='1'>\"&\x00\x1b\ufffe\ud800 中文 \u202e\n"
READ: dict[str, Callable[[io.BytesIO], Any]] = {
    "graphml": lambda file: nx.read_graphml(file, node_type=int),
    "gexf": lambda file: nx.read_gexf(file, node_type=int),
    "json": lambda file: nx.node_link_graph(json.load(file), edges="edges"),
}


def written(kind: str, nodes: list[tuple[int, dict[str, Value]]], edges: list[tuple[int, int]]) -> Any:
    file = io.BytesIO()
    write_graph(file, kind, FIELDS, nodes, edges)
    return READ[kind](io.BytesIO(file.getvalue()))


def node(number: int, title: str = "t") -> tuple[int, dict[str, Value]]:
    url = f"http://x.test/?a=1&b={number}"
    return number, {"url": url, "title": title, "relevant": number == 7, "relevance": 0.25, "in_degree": number}


@pytest.mark.parametrize("kind", READ)
def test_a_graph_is_read_by_networkx(kind: str) -> None:
    graph = written(kind, [node(1), node(7, HOSTILE), node(9)], [(1, 7), (7, 1), (1, 9)])
    assert graph.is_directed()
    assert sorted(graph.edges()) == [(1, 7), (1, 9), (7, 1)]
    assert graph.nodes[7]["relevant"] is True
    assert (graph.nodes[9]["url"], graph.nodes[9]["relevance"], graph.nodes[9]["in_degree"]) == (
        "http://x.test/?a=1&b=9",
        0.25,
        9,
    )
    assert "</node><x a='1'>\"&" in graph.nodes[7]["title"]
    assert "中文" in graph.nodes[7]["title"]


@pytest.mark.parametrize("kind", READ)
def test_an_empty_graph(kind: str) -> None:
    assert len(written(kind, [], [])) == 0
