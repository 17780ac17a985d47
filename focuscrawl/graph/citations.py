"""Finds hosts that link to each other. O(links)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focuscrawl.graph.web import WebGraph, sources_and_targets


@dataclass(slots=True, frozen=True)
class Citation:
    """Two hosts whose pages link to each other's."""

    host: str
    other: str
    links: int
    """Links from pages of the first host to pages of the second."""
    back: int
    """Links the other way, which are not more."""


@dataclass(slots=True, frozen=True)
class Citations:
    links: int
    """Links from a page of one host to a page of another."""
    mutual: int
    """Pairs of hosts that cite each other."""
    strongest: list[Citation]
    """Those of the mutual pairs with the most links in their weaker direction."""


def citations(graph: WebGraph, most: int) -> Citations:
    """The citations between hosts. `most`: how many of the strongest pairs are listed."""
    sources, targets = sources_and_targets(graph.links)
    from_host, to_host = graph.hosts[sources].astype(np.int64), graph.hosts[targets]
    crossing = from_host != to_host
    size = max(1, len(graph.host_names))
    keys, counts = np.unique(from_host[crossing] * size + to_host[crossing], return_counts=True)
    links = dict(zip(keys.tolist(), counts.tolist(), strict=True))
    found = []
    for key, number in links.items():
        host, other = divmod(key, size)
        back = links.get(other * size + host, 0)
        if back and (number, other) > (back, host):
            found.append(Citation(graph.host_names[host], graph.host_names[other], number, back))
    found.sort(key=lambda pair: (-pair.back, -pair.links, pair.host, pair.other))
    return Citations(int(crossing.sum()), len(found), found[:most])
