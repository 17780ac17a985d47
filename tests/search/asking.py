"""The search of a crawl: what it finds, and its index in parts."""

from __future__ import annotations

from contextlib import closing

from focuscrawl.search.index import DIRECTORY, SearchIndex
from focuscrawl.search.query import Query, parse
from focuscrawl.search.searching import CrawlSearch, SearchResult, follow_once
from focuscrawl.search.terms import Analyzer
from focuscrawl.store.crawls import Crawl
from tests.topics.crawled import HOST, add_sky_page


def results(crawl: Crawl, query: Query, limit: int = 10) -> list[SearchResult]:
    with closing(CrawlSearch(crawl)) as search:
        return search.search(query, limit)


def found(crawl: Crawl, text: str, limit: int = 10) -> list[str]:
    """Their paths, the best first."""
    return [each.url.removeprefix(HOST) for each in results(crawl, parse(text), limit)]


def in_parts(web: Crawl, parts: int) -> SearchIndex:
    """The index after updates of a page each, until it has so many parts: some may be merged by chance, where that is quicker
    than the end of the update."""
    index, page_id = SearchIndex(web.directory / DIRECTORY, Analyzer()), 10
    with closing(web.open(write=True)) as db:
        while index.parts < parts:
            page_id += 1
            add_sky_page(db, page_id, f"/sky/{page_id}.html", "Zodiac", "zodiac", "en")
            follow_once(web.directory, db, 0)
            index = SearchIndex(web.directory / DIRECTORY, Analyzer())
    return index
