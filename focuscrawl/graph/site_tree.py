"""The index tree of each site, which gives each page the index page above it.

After T-spider's structure graph: nodes are pages, edges are links within a site, and links from content pages are pruned,
because they are cross links. Of the index pages that list a page, the one that lists the fewest pages is the nearest category.
The page above must list more pages than the page itself, so that no page is above itself. If a site's navigation lists
everything, or its lists are taken for content pages, the tree is flat or broken (docs/measured.md). O(links).
"""

from __future__ import annotations

import numpy as np

from focuscrawl.graph.web import Mask, Matrix, Small, WebGraph, link_matrix, sources_and_targets


def site_links(graph: WebGraph, is_index: Mask) -> Matrix:
    """The links of index pages to pages of their own site."""
    sources, targets = sources_and_targets(graph.links)
    kept = is_index[sources] & (graph.sites[sources] == graph.sites[targets])
    return link_matrix(graph.size, sources[kept], targets[kept])


def above(tree: Matrix) -> Small:
    """The number of the page above each page; -1 if there is none. `tree`: the result of `site_links`."""
    listed = np.diff(tree.indptr)
    sources, targets = sources_and_targets(tree)
    larger = listed[sources] > listed[targets]
    sources, targets = sources[larger], targets[larger]
    order = np.lexsort((sources, listed[sources], targets))
    first, places = np.unique(targets[order], return_index=True)
    found = np.full(tree.shape[0], -1, np.int32)
    found[first] = sources[order][places]
    return found
