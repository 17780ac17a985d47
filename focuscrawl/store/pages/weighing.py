"""Makes the table `standing`: the weights of all pages, which are computed over the whole graph.

A commit does not touch it, because one page changes the in-degrees of hundreds. It is made again at the end of a run and by
`scrapy weights`. In between, pages that were stored since have no row, and the others have the weights of that time.

Apart from `store.pages.standing`, which reads the table: making it needs numpy and scipy.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

import numpy as np
import numpy.typing as npt

from focuscrawl.graph.page_weight import Standing, directory_depth, weight
from focuscrawl.graph.web import Numbers, WebGraph
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.pages.link_graph import LIVE, web_graph
from focuscrawl.store.pages.standing import AT, STANDINGS

BLOCK = 1000
"""Rows in one transaction, so that a running crawl waits for 10 ms at most."""
PAGES = f"select p.page_id, p.original, p.url from page p where p.page_id>? and {LIVE} order by p.page_id limit ?"
FORGET = "delete from standing where page_id>? and page_id<=?"
FORGET_LATER = "delete from standing where page_id>?"


def keep_standings(db: Database, now: float, patience: float | None = None) -> int:
    """Compute the standings of all pages and store them; returns the number of pages. Pages stored meanwhile get none.

    `db`: must take writes. `patience`: seconds to wait for locks of others."""
    graph = web_graph(db)
    rows, last = standings(graph, *_copies_and_depths(db, graph)), 0
    while block := list(islice(rows, BLOCK)):
        with transaction(db, patience):
            set_meta(db, AT, str(now))
            db.execute(FORGET, (last, block[-1].page_id))
            db.executemany(STANDINGS.upsert, map(STANDINGS.to_row, block))
        last = block[-1].page_id
    with transaction(db, patience):
        set_meta(db, AT, str(now))
        db.execute(FORGET_LATER, (last,))
    return graph.size


def standings(graph: WebGraph, copies: npt.NDArray[np.int64], depths: npt.NDArray[np.int64]) -> Iterator[Standing]:
    """The standings of all pages, in their order. `copies` and `depths` by page, as in `Standing`. O(pages + links)."""
    degrees = graph.in_degrees
    levels = np.floor(np.log2(np.maximum(degrees, 1)))
    parents = (graph.reverse @ levels) / np.maximum(degrees, 1)
    columns = (column.tolist() for column in (graph.page_ids, degrees, parents, copies, depths))
    for page_id, degree, level, mirrors, depth in zip(*columns, strict=True):
        yield Standing(page_id, weight(degree, level, mirrors, depth)[0], degree, level, mirrors, depth)


def _copies_and_depths(db: Database, graph: WebGraph) -> tuple[Numbers, Numbers]:
    """For each page of the graph, how many stored pages have its text, and how deep its path is."""
    groups, depths = graph.page_ids.copy(), np.zeros(graph.size, np.int64)
    last = 0
    while rows := db.execute(PAGES, (last, BLOCK)).fetchall():
        last = rows[-1][0]
        for index, (original, url) in zip(_indexes(graph, [row[0] for row in rows]), (row[1:] for row in rows), strict=True):
            if index >= 0:
                groups[index] = original or groups[index]
                depths[index] = directory_depth(url)
    _, group, sizes = np.unique(groups, return_inverse=True, return_counts=True)
    return sizes[group], depths


def _indexes(graph: WebGraph, page_ids: Sequence[int]) -> list[int]:
    """The indexes of these pages in the graph; -1 for pages that were stored since it was read."""
    at = np.searchsorted(graph.page_ids, page_ids)
    there = np.append(graph.page_ids, -1)[at] == page_ids
    found: list[int] = np.where(there, at, -1).tolist()
    return found
