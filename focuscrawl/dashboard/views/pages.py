"""The stored pages: listed by their properties, or searched by their text."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import asdict, replace
from math import isfinite

from focuscrawl.errors import BadInput, in_shell
from focuscrawl.search.index import DIRECTORY
from focuscrawl.search.query import parse
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.browsing import BANDS, Cursor, PageFilter, PageGroup, facets, listed_pages

ROWS = 50
UNKNOWN = "-"
"""Query value for pages whose language is unknown."""
QUERY = frozenset({"what", "host", "language", "kind", "category", "band", "changed", "order", "after", "words"})


def wanted_of(query: Mapping[str, str]) -> PageFilter:
    """The filter that the query asks for. Raises BadInput for an invalid value."""
    try:
        what = PageGroup(query.get("what", ""))
    except ValueError:
        raise BadInput("what must be relevant, off-topic, duplicate or gone") from None
    if (kind := query.get("kind", "")) not in ("", "content", "index"):
        raise BadInput("kind must be content or index")
    if (order := query.get("order", "")) not in ("", "best"):
        raise BadInput("order must be best, or empty for the newest first")
    if (band := query.get("band", "")) not in ("", *BANDS):
        raise BadInput(f"band must be one of {', '.join(BANDS)}: the lower ends of the fifths of the relevance")
    if (changed := query.get("changed", "")) not in ("", "yes"):
        raise BadInput("changed must be yes, or empty for all pages")
    language = query.get("language") or None
    return PageFilter(
        what, query.get("host", ""), "" if language == UNKNOWN else language, kind, query.get("category", ""), band,
        bool(changed), order == "best",
    )  # fmt: skip


def cursor_of(text: str) -> Cursor | None:
    """The cursor that is written as relevance and number, such as `0.25~17`. Raises BadInput."""
    if not text:
        return None
    relevance, _, number = text.partition("~")
    with suppress(ValueError):
        place = float(relevance), int(number)
        if isfinite(place[0]) and 0 <= place[1] < 1 << 63:
            return place
    raise BadInput("after is not a place in a list of pages; follow the links")


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """`ROWS` pages, or the results of a search if the query has words."""
    if words := query.get("words", "").strip():
        return _search(crawl, words, query)
    found = listed_pages(db, wanted_of(query), cursor_of(query.get("after", "")), ROWS)
    following = f"{found.following[0]!r}~{found.following[1]}" if found.following else ""
    return {"pages": [asdict(page) for page in found.pages], "following": following, "words": "", "index": has_index(crawl)}


def counts(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The number of pages of each kind. It depends on the query's host only, so that most other choices find it in the
    cache."""
    return {"facets": asdict(facets(db, query.get("host", ""))), "bands": BANDS}


def has_index(crawl: Crawl) -> bool:
    return (crawl.directory / DIRECTORY).is_dir()


def _search(crawl: Crawl, words: str, query: Mapping[str, str]) -> dict[str, object]:
    if not has_index(crawl):
        refresh = f"scrapy search {in_shell(crawl.name)} --refresh"
        raise BadInput(f"crawl {crawl.name!r} has no search index yet; `{refresh}` makes one")
    what = query.get("what", "")
    parsed = replace(parse(words), relevant=what == PageGroup.RELEVANT)
    if host := query.get("host"):
        parsed = replace(parsed, sites=(*parsed.sites, host))
    if (language := query.get("language")) and language != UNKNOWN:
        parsed = replace(parsed, languages=(*parsed.languages, language))
    with closing(CrawlSearch(crawl, as_it_is=True)) as search:
        found = search.search(parsed, ROWS)
    pages = [
        {
            "url": each.url, "title": each.title, "language": each.language, "relevance": each.relevance,
            "fetched_at": each.fetched_at, "duplicates": each.duplicates, "score": each.score,
            "snippet": [asdict(piece) for piece in each.snippet.pieces],
        }
        for each in found
    ]  # fmt: skip
    return {"pages": pages, "following": "", "words": words, "index": True}
