"""The stored pages and the links between them as arrays, and the facts that stand at a node when a graph is written;
and how the pages of each site are divided: index and content pages, and the site's own categories.

Read in blocks by key, so that no transaction stays open: pages that are stored meanwhile may be there or not, links from or
to pages that are not there count as links to the outside. A link to a URL that redirects leads to the page where it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from focuscrawl.graph.bow_tie import PARTS, parts
from focuscrawl.graph.files import Node
from focuscrawl.graph.shape import Shape, shape_of
from focuscrawl.graph.site_tree import above, site_links
from focuscrawl.graph.web import Mask, Matrix, Small, WebGraph, link_matrix
from focuscrawl.store.engines.database import THERE, Database, rows_among
from focuscrawl.store.pages.fetch_log import redirect_targets
from focuscrawl.url.key import LEAST_NUMBER, UrlId

BLOCK = 100_000
"""Rows in memory at once, some 200 bytes each."""
LIVE = f"p.status=200 and p.{THERE}"
"""Pages that are nodes: also those off topic, and duplicates."""
NODES = f"select p.page_id, p.hid, p.uid from page p where p.page_id>? and {LIVE} order by p.page_id limit ?"
HOSTS = "select hid, name, site from host"
LINKS = """select hid, uid, page_id from inlink where (hid, uid, page_id)>(?, ?, ?)
    order by hid, uid, page_id limit ?"""
FIRST = (LEAST_NUMBER, LEAST_NUMBER, -1)
FACTS = """select p.page_id, p.url, p.title, p.kind, p.relevant, p.relevance, coalesce(c.category, '') from page p
    left join content c on c.page_id=p.page_id where p.page_id between ? and ?"""
INDEX_PAGES = f"select p.page_id from page p where p.kind='index' and {LIVE}"
NODE_BLOCK = 1000
"""Pages whose facts are read at once when a graph is written."""

Numbers = npt.NDArray[np.int64]
STRUCTURE_BLOCK = 10_000
"""Rows in memory at once."""
PAGES = f"""select p.page_id, coalesce(h.site, ''), p.kind, p.url, coalesce(c.category, '') from page p
    left join host h on h.hid=p.hid left join content c on c.page_id=p.page_id
    where p.page_id>? and {LIVE} order by p.page_id limit ?"""


def web_graph(db: Database) -> WebGraph:
    """All stored pages that are not gone. O(pages + links), 0.3 GB for a million pages with ten million links."""
    pages = _table(db, NODES, (0,), 1)
    page_ids = pages[:, 0]
    index = _UrlIndex.of(pages[:, 1:], redirect_targets(db))
    size, sources, targets = len(page_ids), list[Small](), list[Small]()
    outside = np.zeros(size, np.int32)
    for rows in _blocks(db, LINKS, FIRST, 3):
        source = np.searchsorted(page_ids, rows[:, 2])
        known = (source < size) & (page_ids[np.minimum(source, size - 1)] == rows[:, 2]) if size else np.zeros(len(rows), bool)
        source, target = source[known].astype(np.int32), index.places(rows[known, :2])
        inside = target >= 0
        outside += np.bincount(source[~inside], minlength=size).astype(np.int32)
        sources.append(source[inside])
        targets.append(target[inside])
    links = link_matrix(size, _joined(sources), _joined(targets))
    hosts, host_names, sites, site_names = _places_of_hosts(db, pages[:, 1])
    return WebGraph(links, page_ids, outside, hosts, sites, host_names, site_names)


def urls_of(db: Database, page_ids: Sequence[int]) -> dict[int, str]:
    """URLs by `page_id`, of few pages."""
    return dict(rows_among(db, "select page_id, url from page where page_id in ({marks})", page_ids))


def shape_of_store(db: Database) -> Shape:
    """The figures of the stored web."""
    return shape_of(web_graph(db), lambda page_ids: urls_of(db, page_ids))


FIELDS: dict[str, type] = {
    "url": str, "title": str, "kind": str, "relevant": bool, "relevance": float, "category": str, "site": str, "part": str,
    "in_degree": int, "out_degree": int, "above": int,
}  # fmt: skip
"""Attributes of nodes in a file. `above`: `page_id` of the index page that a page hangs on in the tree of its site; 0: none."""


def nodes_and_edges(db: Database, *, structure: bool = False) -> tuple[Iterator[Node], Iterator[tuple[int, int]]]:
    """The stored web to be written: nodes by `page_id`, with `FIELDS`; edges in the order of their sources. `structure`: only
    links of index pages to pages of their own site."""
    graph = web_graph(db)
    tree = site_links(graph, _is_index(db, graph))
    return _nodes(db, graph, tree), _edges(tree if structure else graph.links, graph)


def _is_index(db: Database, graph: WebGraph) -> Mask:
    found = np.fromiter((page_id for (page_id,) in db.execute(INDEX_PAGES)), np.int64)
    return np.isin(graph.page_ids, found)


def _nodes(db: Database, graph: WebGraph, tree: Matrix) -> Iterator[Node]:
    places, on = parts(graph), above(tree)
    inward, outward = graph.in_degrees, graph.out_degrees
    for place, page_id in enumerate(graph.page_ids.tolist()):
        if place % NODE_BLOCK == 0:
            facts = _facts(db, graph.page_ids[place : place + NODE_BLOCK].tolist())
        url, title, kind, relevant, relevance, category = facts.get(page_id, ("", "", "", 0, 0.0, ""))
        yield page_id, {
            "url": url, "title": title, "kind": kind, "relevant": bool(relevant), "relevance": relevance, "category": category,
            "site": graph.site_names[graph.sites[place]], "part": PARTS[places[place]],
            "in_degree": int(inward[place]), "out_degree": int(outward[place]),
            "above": int(graph.page_ids[on[place]]) if on[place] >= 0 else 0,
        }  # fmt: skip


def _facts(db: Database, page_ids: Sequence[int]) -> dict[int, tuple[str, str, str, int, float, str]]:
    rows = db.execute(FACTS, (page_ids[0], page_ids[-1])).fetchall()
    return {row[0]: row[1:] for row in rows}


def _edges(links: Matrix, graph: WebGraph) -> Iterator[tuple[int, int]]:
    page_ids = graph.page_ids
    for source, page_id in enumerate(page_ids.tolist()):
        for target in page_ids[links.indices[links.indptr[source] : links.indptr[source + 1]]].tolist():
            yield page_id, target


class _UrlIndex:
    """Which page is at a URL? Exact: both halves of a key become their places among all that occur, which are joined."""

    def __init__(self, keys: Numbers, pages: Numbers) -> None:
        """`keys`: rows of (hid, uid); `pages`: the page at each."""
        self._hids, self._uids = np.unique(keys[:, 0]), np.unique(keys[:, 1])
        joined = self._joined(keys)
        order = np.argsort(joined, kind="stable")
        self._sorted, self._pages = joined[order], pages[order]

    @classmethod
    def of(cls, keys: Numbers, redirects: Mapping[UrlId, UrlId]) -> _UrlIndex:
        """Of the pages at `keys`, in this order, and of redirects that end at one of them."""
        pages = np.arange(len(keys))
        starts, ends = (np.array(list(half), np.int64).reshape(-1, 2) for half in (redirects.keys(), redirects.values()))
        places = cls(keys, pages).places(ends)
        found = places >= 0
        return cls(np.concatenate([keys, starts[found]]), np.concatenate([pages, places[found]]))

    def places(self, keys: Numbers) -> Small:
        """Place of the page at each of these URLs; -1: none."""
        if not len(self._sorted):
            return np.full(len(keys), -1, np.int32)
        wanted = self._joined(keys)
        at = np.minimum(np.searchsorted(self._sorted, wanted), len(self._sorted) - 1)
        found: Small = np.where((wanted >= 0) & (self._sorted[at] == wanted), self._pages[at], -1).astype(np.int32)
        return found

    def _joined(self, keys: Numbers) -> Numbers:
        """-1 for a key of which a half is unknown."""
        if not len(self._hids):
            return np.full(len(keys), -1)
        hid = np.minimum(np.searchsorted(self._hids, keys[:, 0]), len(self._hids) - 1)
        uid = np.minimum(np.searchsorted(self._uids, keys[:, 1]), len(self._uids) - 1)
        known = (self._hids[hid] == keys[:, 0]) & (self._uids[uid] == keys[:, 1])
        joined: Numbers = np.where(known, hid * len(self._uids) + uid, -1)
        return joined


def _places_of_hosts(db: Database, hids: Numbers) -> tuple[Small, list[str], Small, list[str]]:
    """Numbers of each page's host name and site, and their names."""
    known = {hid: (name, site) for hid, name, site in db.execute(HOSTS)}
    different, inverse = np.unique(hids, return_inverse=True)
    pairs = [known.get(hid, ("", "")) for hid in different.tolist()]
    host_names, site_names = sorted({name for name, _ in pairs}), sorted({site for _, site in pairs})
    of_host, of_site = ({name: place for place, name in enumerate(names)} for names in (host_names, site_names))
    hosts = np.array([of_host[name] for name, _ in pairs], np.int32)
    sites = np.array([of_site[site] for _, site in pairs], np.int32)
    return hosts[inverse], host_names, sites[inverse], site_names


def _table(db: Database, statement: str, first: Sequence[int], keys: int) -> Numbers:
    return np.concatenate([np.empty((0, 3), np.int64), *_blocks(db, statement, first, keys)])


def _blocks(db: Database, statement: str, first: Sequence[int], keys: int) -> Iterator[Numbers]:
    """The rows of three whole numbers that a statement gives, which continues behind the first `keys` of the last one."""
    last: Sequence[Any] = first
    while rows := db.execute(statement, (*last, BLOCK)).fetchall():
        last = rows[-1][:keys]
        yield np.fromiter(chain.from_iterable(rows), np.int64, 3 * len(rows)).reshape(-1, 3)


def _joined(parts: list[Small]) -> Small:
    return np.concatenate([np.empty(0, np.int32), *parts])


@dataclass(slots=True)
class SiteStructure:
    """The stored pages of a registered domain that are not gone."""

    name: str
    index_pages: int = 0
    content_pages: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    """Pages by the first level of the category that they name."""
    directories: Counter[str] = field(default_factory=Counter)
    """Those that name none, by the first directory of their URL: `/`, `/posts/`."""

    @property
    def pages(self) -> int:
        return self.index_pages + self.content_pages


def site_structures(db: Database) -> list[SiteStructure]:
    """The largest first. One pass over the pages, 5 µs each; in memory the different categories and directories."""
    found: dict[str, SiteStructure] = {}
    last = 0
    while rows := db.execute(PAGES, (last, STRUCTURE_BLOCK)).fetchall():
        last = rows[-1][0]
        for _, site, kind, url, category in rows:
            structure = found.setdefault(site, SiteStructure(site))
            if kind == "index":
                structure.index_pages += 1
            else:
                structure.content_pages += 1
            if category:
                structure.categories[category.partition(" / ")[0]] += 1
            else:
                structure.directories[_directory(url)] += 1
    return sorted(found.values(), key=lambda each: (-each.pages, each.name))


def _directory(url: str) -> str:
    first, slash, _ = urlsplit(url).path.removeprefix("/").partition("/")
    return f"/{first}/" if slash and first else "/"
