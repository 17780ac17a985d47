"""Where each stored page stands in the crawled web: its weight and what that is made of. O(pages + links).

Apart from `page_weight`, which the store's tables import at every start: this needs numpy and scipy.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from focuscrawl.graph.page_weight import Standing, weight
from focuscrawl.graph.web import WebGraph


def standings(graph: WebGraph, copies: npt.NDArray[np.int64], depths: npt.NDArray[np.int64]) -> Iterator[Standing]:
    """Of all pages in their order. `copies` and `depths` by page, as in `Standing`."""
    degrees = graph.in_degrees
    levels = np.floor(np.log2(np.maximum(degrees, 1)))
    parents = (graph.reverse @ levels) / np.maximum(degrees, 1)
    columns = (column.tolist() for column in (graph.page_ids, degrees, parents, copies, depths))
    for page_id, degree, level, mirrors, depth in zip(*columns, strict=True):
        yield Standing(page_id, weight(degree, level, mirrors, depth)[0], degree, level, mirrors, depth)
