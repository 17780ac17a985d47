"""The parts of a web by what links to what: the bow tie.

Source: Broder, Kumar, Maghoul and others 2000, Graph structure in the Web. O(pages + links).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from focuscrawl.graph.web import Mask, Small, WebGraph, reached

PARTS = ("core", "in", "out", "tubes", "tendrils", "disconnected")
"""The largest set of pages that all reach each other; those that reach it; those that it reaches; those on a way from `in` to
`out` past it; what else hangs on any of these; and what is not connected with it, whatever the direction of links."""


def parts(graph: WebGraph) -> Small:
    """The number of each page's part in `PARTS`."""
    found = np.full(graph.size, PARTS.index("disconnected"), np.int32)
    if not graph.size:
        return found
    core = _largest_strong_component(graph)
    after, before = reached(graph.links, core), reached(graph.reverse, core)
    upstream, downstream = before & ~core, after & ~core
    passing = reached(graph.links, upstream) & reached(graph.reverse, downstream)
    _, labels = connected_components(graph.links, connection="weak")
    found[labels == labels[np.argmax(core)]] = PARTS.index("tendrils")
    found[passing & ~core] = PARTS.index("tubes")
    found[downstream], found[upstream], found[core] = PARTS.index("out"), PARTS.index("in"), PARTS.index("core")
    return found


def sizes(numbers: Small) -> dict[str, int]:
    """Pages of each part, all parts named."""
    return dict(zip(PARTS, np.bincount(numbers, minlength=len(PARTS)).tolist(), strict=True))


def _largest_strong_component(graph: WebGraph) -> Mask:
    """Of several that are equally large the one with the first page."""
    _, labels = connected_components(graph.links, connection="strong")
    mask: Mask = labels == labels[np.bincount(labels)[labels].argmax()]
    return mask
