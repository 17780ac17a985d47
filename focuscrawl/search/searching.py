"""Searches a crawl: the pages that a query finds, best first, from index and store together."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from focuscrawl.errors import NO_ROOM, BadInput
from focuscrawl.search.following import follow
from focuscrawl.search.index import DIRECTORY, FORMER, Hit, IndexLockedError, SearchIndex
from focuscrawl.search.query import Query
from focuscrawl.search.snippets import Snippet, marked_tokens, snippet
from focuscrawl.search.terms import Analyzer
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.searchable import FoundPage, found_pages, main_texts

DEEPEST = 10_000
"""Most pages of the index that are examined for one query."""
NEAR_BITS = 3
"""Pages whose SimHashes differ in at most this many of 64 bits are near-duplicates (Manku, Jain and Das Sarma, "Detecting
Near-Duplicates for Web Crawling", 2007)."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """A page that was found. The first four fields are those that every program needs."""

    url: str
    title: str
    score: float
    """BM25 times prior. Larger is better; scores are comparable within one search."""
    snippet: Snippet
    language: str
    relevance: float
    published: str
    """ISO 8601, as exact as the page gives it; empty if it gives none."""
    fetched_at: float
    duplicates: int
    """Number of near-duplicates that are not listed."""


class CrawlSearch:
    """Searches one crawl, which may be running. Not safe for use from two threads at once."""

    def __init__(
        self, crawl: Crawl, progress: Callable[[int], None] | None = None, *, as_it_is: bool = False, lasting: bool = False
    ) -> None:
        """Brings the index up to the store, unless another process is doing so.

        Args:
            as_it_is: Nothing is written, and the index is searched as it is.
            lasting: The index must be written. Else one that cannot be is searched as it is, or made in memory.
            progress: Called from time to time with the number of pages indexed so far.

        Raises:
            BadInput: The store cannot be read, or with `as_it_is` the index is missing or damaged.
            OSError: With `lasting`, the index cannot be written.
        """
        self._analyzer = Analyzer()
        self._db: Database = crawl.open()
        try:
            self._index, added = (
                _read_only(crawl.directory, self._analyzer)
                if as_it_is
                else _opened(crawl.directory, self._analyzer, partial(follow, db=self._db, progress=progress), lasting)
            )
        except BaseException:
            self._db.close()
            raise
        self.added = added or 0
        """Number of pages that were new to the index, or had changed."""
        self.may_lag = added is None
        """Whether the index is as another process left it, which may still be writing."""

    def close(self) -> None:
        self._db.close()

    @property
    def pages(self) -> int:
        """Number of pages in the index."""
        return self._index.pages

    def best(self, query: Query, limit: int) -> list[Hit]:
        """The best pages, each once, without those that have gone in the meantime."""
        hits = self._index.find(query, limit)
        there = found_pages(self._db, [hit.page_id for hit in hits])
        return [hit for hit in hits if hit.page_id in there]

    def search(self, query: Query, limit: int) -> list[SearchResult]:
        """The best pages. Near-duplicates are folded into the best one of them."""
        # How many pages of the index give enough groups is known only afterwards: the search is repeated ten times as deep.
        groups, depth = list[_Group](), 0
        while len(groups) < limit and depth < DEEPEST:
            depth = min(max(2 * limit, 10 * depth), DEEPEST)
            hits = self._index.find(query, depth)
            groups = self._grouped(hits, query, limit)
            if len(hits) < depth:
                break
        texts = main_texts(self._db, [group.page.page_id for group in groups])
        wanted = marked_tokens(query, self._analyzer)
        return [_result(group, snippet(texts.get(group.page.page_id, ""), wanted, self._analyzer)) for group in groups]

    def _grouped(self, hits: Sequence[Hit], query: Query, limit: int) -> list[_Group]:
        """At most `limit` pages in the order of the hits, each with its near-duplicates among all hits. The store is asked
        again for what the index may not know yet: pages that are gone, and verdicts that were changed."""
        groups: list[_Group] = []
        there = found_pages(self._db, [hit.page_id for hit in hits])
        for hit in hits:
            page = there.get(hit.page_id)
            if page is None or (query.relevant and not page.relevant):
                continue
            same = next((group for group in groups if group.repeats(page)), None)
            if same:
                same.others += 1 + page.copies
            elif len(groups) < limit:
                groups.append(_Group(page, hit.score, page.copies))
        return groups


@dataclass(slots=True)
class _Group:
    """A page and its near-duplicates."""

    page: FoundPage
    score: float
    others: int
    """Number of near-duplicates."""

    def repeats(self, page: FoundPage) -> bool:
        return bool(page.simhash) and (page.simhash ^ self.page.simhash).bit_count() <= NEAR_BITS


def _result(group: _Group, piece: Snippet) -> SearchResult:
    page = group.page
    return SearchResult(
        url=page.url,
        title=page.title,
        score=group.score,
        snippet=piece,
        language=page.language,
        relevance=page.relevance,
        published=page.published,
        fetched_at=page.fetched_at,
        duplicates=group.others,
    )


NICE = 10
"""Niceness of a process that only brings an index up to its store, so that crawls and readers come first."""


def lower_priority() -> None:
    """Give all other processes of the machine precedence over this one, permanently."""
    os.nice(max(NICE - os.nice(0), 0))


# --- the index on disk ---------------------------------------------------------------------------------------------------


def follow_once(directory: Path, db: Database, most: int) -> int:
    """Bring the index of the crawl in `directory` nearer to its store. Returns the number of pages done, about `most` at most.

    Raises OSError if no index can be written."""
    return _opened(directory, Analyzer(), partial(follow, db=db, most=most), lasting=True)[1] or 0


def merge_parts(directory: Path) -> None:
    """Merge parts of the index of the crawl in `directory` where there are many, which may take a minute. Nothing is done where
    another process writes.

    Raises OSError or ValueError if the index cannot be read or written."""
    index = SearchIndex(directory / DIRECTORY, Analyzer())
    with suppress(IndexLockedError):
        index.begin()
        index.merge()


MOST_PARTS = 30
"""An index of more parts is merged before a search, too. While a crawl runs, a process of its own does that, but not in runs of
less than half a minute. A search in 365 parts of 10 pages takes 76 ms, in one part 3 ms."""
Followed = tuple[SearchIndex, int | None]
"""An index, and the number of pages done to bring it up to the store; None: the index is as another process left it."""


def _read_only(directory: Path, analyzer: Analyzer) -> Followed:
    """The index as it is on disk. Raises BadInput if it cannot be read."""
    try:
        return SearchIndex(directory / DIRECTORY, analyzer), None
    except (OSError, ValueError) as error:
        raise BadInput(f"the search index of {directory.name!r} cannot be read now ({error})") from error


def _opened(directory: Path, analyzer: Analyzer, followed: Callable[[SearchIndex], int], lasting: bool = False) -> Followed:
    """The index on disk, made again if it is damaged. If it cannot be written, it is as it was, or else in memory; with
    `lasting` OSError is raised."""
    path = directory / DIRECTORY
    with suppress(OSError):
        (directory / FORMER).unlink(missing_ok=True)
    problem: Exception | None = None
    for _ in range(2):
        try:
            if path.is_dir() and not os.access(path, os.W_OK):
                return SearchIndex(path, analyzer), None
            return _written(SearchIndex(path, analyzer), followed)
        except (OSError, ValueError) as error:
            problem = error
            if _says_full(error):  # what was there before is whole
                break
            shutil.rmtree(path, ignore_errors=True)
    if lasting:
        why = "the disk is full" if problem and _says_full(problem) else problem
        raise OSError(f"the search index {path} cannot be written: {why}") from problem
    with suppress(OSError, ValueError):
        if (index := SearchIndex(path, analyzer)).pages:
            return index, None
    return _written(SearchIndex(None, analyzer), followed)


def _says_full(error: Exception) -> bool:
    """Whether there is no room on the disk, by the error of Python or the words of tantivy."""
    return any(f"(os error {number})" in str(error) or getattr(error, "errno", 0) == number for number in NO_ROOM)


def _written(index: SearchIndex, followed: Callable[[SearchIndex], int]) -> Followed:
    """The index, brought up to the store by `followed` unless another process writes to it."""
    try:
        index.begin()
    except IndexLockedError:
        return index, None
    try:
        done = followed(index)
        if index.parts > MOST_PARTS:
            index.merge()
        return index, done
    finally:
        index.end()
