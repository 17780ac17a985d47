"""The crawled web as arrays: pages, the links between them, hosts and sites.

Memory: 12 bytes a link and as much again for the reverse direction, some 60 bytes a page: a million pages with ten million
links take 0.3 GB, their figures at most 1 GB (`tools.bench.graph`).
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
    """Invariant: pages have numbers from 0 to n - 1, and all arrays are by number; `links[u, v]` is 1 where page u links to
    page v, however often; no page links to itself."""

    links: Matrix
    page_ids: Numbers
    """Ascending."""
    outside: Small
    """Links of each page to URLs that were not stored: they wait, were refused an answer, or are no pages."""
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
        """By target: the pages that link to a page."""
        return self.links.T.tocsr()

    @property
    def in_degrees(self) -> Small:
        """Stored pages that link to each page."""
        degrees: Small = np.diff(self.reverse.indptr).astype(np.int32)
        return degrees

    @property
    def out_degrees(self) -> Small:
        """URLs that each page links to, stored or not."""
        degrees: Small = (np.diff(self.links.indptr) + self.outside).astype(np.int32)
        return degrees


def link_matrix(size: int, sources: npt.ArrayLike, targets: npt.ArrayLike) -> Matrix:
    """Links as `WebGraph.links` holds them: each once, none of a page to itself."""
    rows, columns = np.asarray(sources, np.int32), np.asarray(targets, np.int32)
    others = rows != columns
    matrix = sparse.csr_array((np.ones(int(others.sum())), (rows[others], columns[others])), shape=(size, size))
    matrix.data[:] = 1.0  # what was there twice was added up
    return matrix


def sources_and_targets(links: Matrix) -> tuple[Small, Small]:
    """Each link as two numbers, in the order of the sources."""
    return np.repeat(np.arange(links.shape[0], dtype=np.int32), np.diff(links.indptr)), links.indices


def neighbors(links: Matrix, nodes: npt.NDArray[Any]) -> Small:
    """What these pages link to, one after the other."""
    starts, counts = links.indptr[nodes], links.indptr[nodes + 1] - links.indptr[nodes]
    ends = np.cumsum(counts)
    if not len(ends):
        return np.empty(0, np.int32)
    places = np.arange(ends[-1]) + np.repeat(starts - ends + counts, counts)
    targets: Small = links.indices[places]
    return targets


def reached(links: Matrix, starts: Mask) -> Mask:
    """Which pages links lead to from any of `starts`, over any number of clicks; they themselves among them."""
    seen, front = starts.copy(), np.flatnonzero(starts)
    while len(front):
        found = neighbors(links, front)
        front = np.unique(found[~seen[found]])
        seen[front] = True
    return seen
