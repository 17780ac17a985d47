"""Accuracy of the page kind (T-spider's algorithm 1) on recorded webs: `python -m tools.eval.pagekind.webs`.

Labels come from the sites' own URLs: what stands under `/tags/` or is called `genindex` is an index page, what
stands under `/posts/` or is called `function.` is content. Pages whose URL does not tell are left out, `index.html` of
manuals among them: half of those are introductions (see `labelled`, whose pages were looked at).
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from focuscrawl.reading.page import read_page
from tools.eval.webs.recorded import WEBS, body_of, opened, urls_of

PER_LABEL = 60
"""Pages of one label that are taken from one host."""

_BLOG_INDEX = r"/(?:archives|tags|categories|page)(?:/|$)|^/(?:blog/)?$|/page/\d+/"
RULES: tuple[tuple[str, str, str], ...] = (
    (r"dunwu\.github\.io", r"/pages/\w+/$", _BLOG_INDEX),
    (r"leileiluoluo\.github\.io", r"/posts/[^/]+\.html$", _BLOG_INDEX),
    (r"q96b\.cn", r"/posts/\w+\.html$", _BLOG_INDEX),
    (r"www\.sujx\.net", r"/\d{4}/\d\d/\d\d/[^/]+/$", _BLOG_INDEX),
    (r"help\.libreoffice\.org", r"/text/.+/[^/]*\d[^/]*\.html$", r"^$"),
    (r"www\.php\.net", r"/function\.[^/]+\.html$", r"/(?:book|refs|ref)\.[^/]+\.html$"),
    (r"debian-handbook\.info", r"/sect\.[^/]+\.html$", r"/index\.html$"),
    (r"git-scm\.com", r"/docs/git[^/]+\.html$", r"/docs/?$"),
    (
        r".*(?:readthedocs\.io|palletsprojects\.com|scrapy\.org|sqlalchemy\.org|python\.org|djangoproject\.com|dask\.org)",
        r"^(?!.*/_modules/)(?!.*/(?:index|contents|search)\.html$).*/[^/]+\.html$",
        r"/(?:genindex[^/]*|py-modindex)\.html$",
    ),
)


def label(url: str) -> str:
    """`index`, `content` or, where the URL does not tell, nothing."""
    host, _, path = url.partition("://")[2].partition("/")
    for pattern, content, index in RULES:
        if re.fullmatch(pattern, host):
            if re.search(index, "/" + path):
                return "index"
            return "content" if re.search(content, "/" + path) else ""
    return ""


def sample(web: Path) -> Iterator[tuple[str, str, bytes]]:
    """(url, label, body), the same for every run."""
    taken: Counter[tuple[str, str]] = Counter()
    with opened(web) as database:
        urls = urls_of(database)
        random.Random(1).shuffle(urls)
        for url in urls:
            kind, host = label(url), url.split("/")[2]
            if kind and taken[host, kind] < PER_LABEL:
                taken[host, kind] += 1
                yield url, kind, body_of(database, url)


def judged(url: str, body: bytes) -> str:
    return read_page(body, "text/html", url).kind


def main() -> None:
    webs = sorted(WEBS.glob("*.sqlite"))
    if not webs:
        print(f"no recorded webs in {WEBS}: set FOCUSCRAWL_WEBS")
    for web in webs:
        right: Counter[tuple[str, str]] = Counter()
        pages: Counter[tuple[str, str]] = Counter()
        for url, kind, body in sample(web):
            key = (url.split("/")[2], kind)
            pages[key] += 1
            right[key] += judged(url, body) == kind
        for host, kind in sorted(pages):
            print(f"{web.stem:8} {host:32} {kind:8} {right[host, kind]:3} of {pages[host, kind]:3}")
        print(f"{web.stem:8} all: {sum(right.values()) / sum(pages.values()):.3f} of {sum(pages.values())} pages")


if __name__ == "__main__":
    argparse.ArgumentParser(description=__doc__).parse_args()
    main()
