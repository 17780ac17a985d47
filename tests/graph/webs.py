"""Small webs to be measured by us and by networkx."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import networkx as nx
import numpy as np

from focuscrawl.graph.web import WebGraph, link_matrix


def web(size: int, links: Iterable[tuple[int, int]], hosts: Sequence[int] = (), outside: Sequence[int] = ()) -> WebGraph:
    """Pages 0 to size - 1; all on one host unless told; each host is a site."""
    pairs = np.array(list(links), np.int32).reshape(-1, 2)
    of_host = np.array(hosts or [0] * size, np.int32)
    names = [f"h{number}.test" for number in range(max(of_host, default=-1) + 1)]
    beyond = np.array(outside or [0] * size, np.int32)
    matrix = link_matrix(size, pairs[:, 0], pairs[:, 1])
    return WebGraph(matrix, np.arange(1, size + 1), beyond, of_host, of_host, names, names)


def random_webs() -> list[tuple[WebGraph, nx.DiGraph]]:
    """Sparse and dense ones, with pages that nothing links to."""
    found = []
    sizes = [(2, 3), (30, 20), (60, 70), (60, 90), (80, 300), (40, 400), (90, 900), (150, 150), (200, 260)]
    for seed, (size, links) in enumerate(sizes):
        random = np.random.default_rng(seed)
        pairs = [(u, v) for u, v in random.integers(0, size, (links, 2)).tolist() if u != v]
        graph = nx.DiGraph(pairs)
        graph.add_nodes_from(range(size))
        found.append((web(size, pairs), graph))
    return found
