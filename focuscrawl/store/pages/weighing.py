"""Making the table `standing`: the weights of all pages are worked out over the whole graph.

A commit does not touch it: one page changes the in-degrees of hundreds. It is made anew at the end of a run and by
`scrapy weights`; in between, a page that was stored since has no row, and the others have the weights of that time.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import numpy as np

from focuscrawl.graph.page_weight import directory_depth
from focuscrawl.graph.standing import standings
from focuscrawl.graph.web import Numbers, WebGraph
from focuscrawl.store.engines.database import Database, transaction
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.pages.link_graph import LIVE, web_graph
from focuscrawl.store.pages.standing import AT, STANDINGS

BLOCK = 1000
"""Rows of a transaction: a crawl that runs waits for no more than 10 ms."""
PAGES = f"select p.page_id, p.original, p.url from page p where p.page_id>? and {LIVE} order by p.page_id limit ?"
FORGET = "delete from standing where page_id>? and page_id<=?"
FORGET_LATER = "delete from standing where page_id>?"


def keep_standings(db: Database, now: float, graph: WebGraph | None = None, patience: float | None = None) -> int:
    """Work out the standings of all pages and keep them; the number of pages. `db` must take writes; `graph`: the stored web,
    if it was read already; `patience`: seconds to wait for others' locks. Pages stored meanwhile have none."""
    graph = graph or web_graph(db)
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


def _copies_and_depths(db: Database, graph: WebGraph) -> tuple[Numbers, Numbers]:
    """By page: how many stored pages have its text, and how deep its path is."""
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
