"""The bow tie: the parts of a web by which pages reach which.

Source: Broder, Kumar, Maghoul and others 2000, Graph structure in the Web. O(pages + links).
"""

from __future__ import annotations

import numpy as np
from scipy.sparse.csgraph import connected_components

from focuscrawl.graph.web import Mask, Small, WebGraph, reached

PARTS = ("core", "in", "out", "tubes", "tendrils", "disconnected")
"""`core`: the largest set of pages that all reach each other. `in`: pages that reach it. `out`: pages that it reaches. `tubes`:
pages on a way from `in` to `out` past the core. `tendrils`: other pages that are connected with any of these. `disconnected`:
pages without a connection to the core, whatever the direction of links."""


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
    """The number of pages of each part, 0 for an empty one."""
    return dict(zip(PARTS, np.bincount(numbers, minlength=len(PARTS)).tolist(), strict=True))


def _largest_strong_component(graph: WebGraph) -> Mask:
    """The pages of the largest strong component; of several equally large ones, that with the first page."""
    _, labels = connected_components(graph.links, connection="strong")
    mask: Mask = labels == labels[np.bincount(labels)[labels].argmax()]
    return mask
