"""Is the category of a page right? On recorded pages: `python -m tools.eval.categories [PAGES_OF_A_HOST]`.

The truth is what the site itself shows, read by a selector that was written for this site alone: the last step of its
breadcrumbs before the page, the chapter in the head of a manual's page, the category under an article's title. The start of a
site is no category. Right is the same name; F1 over the pages of a host, of which some have no category.

The second figure is the index tree alone (`focuscrawl.graph.site_tree`), where the category of a page is the index page that it
hangs on, against the page to which the site's own last step leads; all pages of the host are read for it.
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urljoin

import numpy as np
from selectolax.lexbor import LexborHTMLParser

from focuscrawl.graph.site_tree import above, site_links
from focuscrawl.graph.web import WebGraph, link_matrix
from focuscrawl.reading.category import JOIN, NUMBERED
from focuscrawl.reading.metadata import metadata_of
from focuscrawl.reading.page import read_page
from focuscrawl.text.decode import decode
from focuscrawl.text.document import parse
from focuscrawl.text.head import meta
from focuscrawl.url.normalize import normalize
from tools.eval.webs.recorded import WEBS, body_of, opened, urls_of

SPHINX = "div.related li.nav-item:not(.right) a"
READ_THE_DOCS = "ul.wy-breadcrumbs > li.breadcrumb-item:not(.active) a"
DOCBOOK = "div.navheader tr:nth-child(2) th"
BUTTERFLY = "#post-info a.post-meta-categories, #post-meta a.post-meta-categories"
SITES: Mapping[str, tuple[str, str]] = {
    "www.php.net": ("dev", "ul.breadcrumbs-container a"),
    "q96b.cn": ("dev", BUTTERFLY),
    "www.sujx.net": ("dev", BUTTERFLY),
    "dunwu.github.io": ("dev", "article:only-of-type .post-meta [itemprop=about] a"),
    "debian-handbook.info": ("dev", "link[rel=up]"),
    "docs.python.org": ("dev-en", SPHINX),
    "docs.celeryq.dev": ("dev-en", SPHINX),
    "www.sphinx-doc.org": ("dev-en", SPHINX),
    "pymongo.readthedocs.io": ("dev-en", SPHINX),
    "docs.scrapy.org": ("dev-en", READ_THE_DOCS),
    "ipython.readthedocs.io": ("dev-en", READ_THE_DOCS),
    "www.tornadoweb.org": ("dev-en", READ_THE_DOCS),
    "www.postgresql.org": ("dev-en", DOCBOOK),
    "www.wireshark.org": ("dev-en", DOCBOOK),
    "www.gnupg.org": ("dev-en", "a[rel=up]"),
}
"""Recorded web and selector of each host."""
TEXINFO = "div.header a[rel=up], div.nav-panel a[rel=up], div.header a[accesskey=u], div.nav-panel a[accesskey=u]"
OLDER_READ_THE_DOCS = "ul.wy-breadcrumbs > li:not(.wy-breadcrumbs-aside) > a"
UNSEEN: Mapping[str, tuple[str, str]] = {
    "buildbot-doc.example": ("docs-a", READ_THE_DOCS),
    "python-ezdxf-doc.example": ("docs-a", OLDER_READ_THE_DOCS),
    "octave-html.octave-doc.example": ("docs-a", TEXINFO),
    "mailutils-doc.example": ("docs-a", TEXINFO),
    "mit-scheme-ref.mit-scheme-doc.example": ("docs-a", TEXINFO),
    "maxima-doc.example": ("docs-a", TEXINFO),
}
"""No rule was made or mended with these; the web is one of `tools.eval.webs`."""
EVERY = {**SITES, **UNSEEN}
STARTS = frozenset({
    "PHP Manual", "Python", "Home", "Debian 管理员手册", "The Debian Administrator's Handbook", "The Libgcrypt Library",
    "PostgreSQL 15.2 Documentation",
})  # fmt: skip
"""Names of whole sites."""
_START = re.compile(r".* documentation|[\d.]+ Documentation|")
TREES = ("docs.celeryq.dev", "pymongo.readthedocs.io", "docs.scrapy.org", "docs.python.org", "www.sphinx-doc.org")
"""Whose steps are links to pages that were recorded."""


@dataclass(slots=True)
class Score:
    right: int = 0
    wrong: int = 0
    missed: int = 0
    none: int = 0

    def add(self, found: str, truth: str) -> None:
        if found == truth:
            self.right += bool(truth)
            self.none += not truth
        else:
            self.wrong += bool(found)
            self.missed += bool(truth)

    def __str__(self) -> str:
        known = 2 * self.right + self.wrong + self.missed
        f1 = f"{2 * self.right / known:.3f}" if known else "–"
        return f"F1 {f1}  right {self.right}  wrong {self.wrong}  missed {self.missed}  rightly none {self.none}"


def pages_of(host: str, web: str) -> Iterable[tuple[str, bytes]]:
    with opened(web) as db:
        yield from ((url, body_of(db, url)) for url in urls_of(db) if url.split("/")[2] == host)


def steps_of(tree: LexborHTMLParser, host: str, url: str) -> list[tuple[str, str]]:
    """(name, URL) of the site's own steps, without the site itself and the page."""
    found = []
    for node in tree.css(EVERY[host][1]):
        name = " ".join(((node.attributes.get("title") or "") if node.tag == "link" else node.text()).split()).strip(" »/")
        target = urljoin(url, node.attributes.get("href") or "").partition("#")[0]
        if name not in STARTS and not _START.fullmatch(name) and (node.tag == "th" or target != url):
            found.append((NUMBERED.sub("", name), target))
    return found


def labels(host: str, count: int) -> Score:
    """What the reading of single pages finds."""
    pages, score = list(pages_of(host, EVERY[host][0])), Score()
    random.Random(3).shuffle(pages)
    for url, body in pages[:count]:
        document = parse(decode(body, "text/html").text)
        steps = steps_of(document.tree, host, url)
        found = metadata_of(document, meta(document), url, 0.0).category
        score.add(found.rpartition(JOIN)[2], steps[-1][0] if steps else "")
    return score


def tree_of(host: str) -> Score:
    """What the index tree of all pages of a host finds."""
    bodies = dict(pages_of(host, EVERY[host][0]))
    numbers, score = {url: number for number, url in enumerate(bodies)}, Score()
    pairs, index, truth = [], np.zeros(len(bodies), bool), [""] * len(bodies)
    for url, body in bodies.items():
        read = read_page(body, "text/html", url)
        index[numbers[url]] = read.kind == "index"
        pairs += [(numbers[url], numbers[link.url]) for link in read.links if link.url in numbers]
        steps = steps_of(LexborHTMLParser(body), host, url)
        truth[numbers[url]] = (normalize(steps[-1][1]) or "") if steps else ""
    links = np.array(pairs, np.int32).reshape(-1, 2)
    one = np.zeros(len(bodies), np.int32)
    graph = WebGraph(link_matrix(len(bodies), links[:, 0], links[:, 1]), np.arange(len(bodies)), one, one, one)
    urls = [*bodies, ""]
    start = min(bodies, key=lambda url: (url.count("/"), len(url)))
    for number, place in enumerate(above(site_links(graph, index)).tolist()):
        found, wanted = urls[place], truth[number] if truth[number] in numbers else ""
        score.add("" if found == start else found, "" if wanted == start else wanted)
    return score


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", nargs="?", type=int, default=100, metavar="PAGES_OF_A_HOST", help="default: %(default)s")
    count = parser.parse_args().pages
    if not WEBS.is_dir():
        print(f"no recorded webs in {WEBS}: set FOCUSCRAWL_WEBS")
        return
    for host in SITES:
        print(f"{host:24} {labels(host, count)}", flush=True)
    for host in UNSEEN if (WEBS / "docs-a.sqlite").exists() else ():
        print(f"{host:24} {labels(host, count)}  (unseen)", flush=True)
    print("\nthe index tree alone")
    for host in TREES:
        print(f"{host:24} {tree_of(host)}", flush=True)


if __name__ == "__main__":
    main()
