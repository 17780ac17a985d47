"""The shape of the crawled web, as `scrapy graph` computes it, and the categories and the tree of index pages of each site."""

from __future__ import annotations

from collections.abc import Mapping

from focuscrawl.errors import BadInput
from focuscrawl.report.charts.site_tree import site_tree
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.overview import row_counts
from focuscrawl.store.pages.link_graph import nodes_and_edges, shape_of_store, site_structures

QUERY = frozenset({"site"})
MOST_PAGES = 20_000
"""The largest crawl whose shape is computed here, in about a second of CPU time; for larger ones there is `scrapy graph`."""
KEPT_SECONDS = 600.0


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The number of pages, and the largest number for which the shape is computed."""
    return {"pages": row_counts(db, ["page"])["page"], "most": MOST_PAGES}


def shape(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The shape of the crawl; None if it has no pages or too many."""
    if not _is_shown(db):
        return {"shape": None, "structure": []}
    return {"shape": shape_of_store(db), "structure": site_structures(db)}


def site(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The tree of one site. Raises BadInput if the site has no pages or the crawl has too many."""
    name = query["site"]
    if not _is_shown(db):
        raise BadInput(f"trees of sites are drawn of {MOST_PAGES:,} pages at most; `scrapy graph NAME --structure` writes them")
    nodes, edges = nodes_and_edges(db, structure=True)
    own = [node for node in nodes if node[1]["site"] == name]
    if not own:
        raise BadInput(f"the crawl has no page of a site {name[:100]!r}")
    return {"site": name, "tree": site_tree(own, edges)}


def _is_shown(db: Database) -> bool:
    return 0 < row_counts(db, ["page"])["page"] <= MOST_PAGES
