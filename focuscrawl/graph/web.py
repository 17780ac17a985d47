"""The crawled web as arrays: pages, the links between them, hosts and sites.

Memory: 12 bytes per link, as much again for the reverse direction, and some 60 bytes per page. A million pages with ten million
links take 0.3 GB, and computing their figures at most 1 GB (`tools.bench.graph`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Numbers = npt.NDArray[np.int64]
Small = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
Matrix = Any
"""A `scipy.sparse.csr_array` of ones."""


@dataclass(frozen=True)
class WebGraph:
    """The link graph of a crawl. Invariant: pages have numbers from 0 to n - 1, by which all arrays are indexed; `links[u, v]`
    is 1 if page u links to page v, however often; no page links to itself."""

    links: Matrix
    page_ids: Numbers
    """Ascending."""
    outside: Small
    """Number of links of each page to URLs that were not stored, because they wait, failed, or are not pages."""
    hosts: Small
    """Number of each page's host name in `host_names`."""
    sites: Small
    """Number of each page's registered domain in `site_names`."""
    host_names: Sequence[str] = field(default=())
    site_names: Sequence[str] = field(default=())

    @property
    def size(self) -> int:
        return len(self.page_ids)

    @cached_property
    def reverse(self) -> Matrix:
        """The transposed links: for each page the pages that link to it."""
        return self.links.T.tocsr()

    @property
    def in_degrees(self) -> Small:
        """Number of stored pages that link to each page."""
        degrees: Small = np.diff(self.reverse.indptr).astype(np.int32)
        return degrees

    @property
    def out_degrees(self) -> Small:
        """Number of URLs that each page links to, stored or not."""
        degrees: Small = (np.diff(self.links.indptr) + self.outside).astype(np.int32)
        return degrees


def link_matrix(size: int, sources: npt.ArrayLike, targets: npt.ArrayLike) -> Matrix:
    """Links in the form of `WebGraph.links`: each once, and none from a page to itself."""
    rows, columns = np.asarray(sources, np.int32), np.asarray(targets, np.int32)
    others = rows != columns
    matrix = sparse.csr_array((np.ones(int(others.sum())), (rows[others], columns[others])), shape=(size, size))
    matrix.data[:] = 1.0  # repeated links were added up
    return matrix


def sources_and_targets(links: Matrix) -> tuple[Small, Small]:
    """The sources and the targets of all links, in the order of the sources."""
    return np.repeat(np.arange(links.shape[0], dtype=np.int32), np.diff(links.indptr)), links.indices


def neighbors(links: Matrix, nodes: npt.NDArray[Any]) -> Small:
    """The pages that these pages link to, those of one after those of the other."""
    starts, counts = links.indptr[nodes], links.indptr[nodes + 1] - links.indptr[nodes]
    ends = np.cumsum(counts)
    if not len(ends):
        return np.empty(0, np.int32)
    places = np.arange(ends[-1]) + np.repeat(starts - ends + counts, counts)
    targets: Small = links.indices[places]
    return targets


def reached(links: Matrix, starts: Mask) -> Mask:
    """The pages that can be reached from `starts` by any number of clicks, including `starts`."""
    seen, front = starts.copy(), np.flatnonzero(starts)
    while len(front):
        found = neighbors(links, front)
        front = np.unique(found[~seen[found]])
        seen[front] = True
    return seen
