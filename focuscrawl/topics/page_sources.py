"""Finds the pages of a topic in crawls, by a SearXNG instance or in a list, and fetches those that no crawl has.

The caller gives the function that fetches pages (`Fetcher`), because fetching needs Scrapy, which this room does not know.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from focuscrawl.errors import BadInput
from focuscrawl.reading.page import read_page
from focuscrawl.report.plain import one_line, plural
from focuscrawl.search.searching import CrawlSearch
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.page_texts import PageText, found_in_crawls, latest_pages
from focuscrawl.topics.searxng import results, search_url, unanswered
from focuscrawl.topics.suggesting import search_crawl
from focuscrawl.topics.workspace import Workspace
from focuscrawl.url.readable import readable
from models.page.tags import tag_lines

AT_HAND = 500
"""Rounds are compared on this many pages of the crawl, those stored last."""
SLOW_TO_INDEX = 1000
"""Indexing this many pages takes long enough to tell the user."""


class FetchResult(Protocol):
    """The result of fetching one URL."""

    @property
    def url(self) -> str: ...

    @property
    def final(self) -> str:
        """The URL to which redirects led."""
        ...

    @property
    def status(self) -> int: ...

    @property
    def content_type(self) -> str: ...

    @property
    def body(self) -> bytes: ...

    @property
    def error(self) -> str:
        """The name of the failure, or a sentence about it; empty if an answer came."""
        ...


class Fetcher(Protocol):
    def __call__(
        self, urls: Sequence[str], *, robots: bool = True, on_answer: Callable[[FetchResult], None] | None = None
    ) -> Sequence[FetchResult]:
        """Fetch normal URLs under the guard. Returns a result for each, and calls `on_answer` as each comes. `robots=False`:
        robots.txt does not count, for an API that the user named. Raises BadInput if nothing can be fetched at all."""
        ...


@dataclass(frozen=True, slots=True)
class PageLoader:
    """Loads the texts of pages, from the crawls or by fetching."""

    crawls_dir: Path
    fetch: Fetcher
    note: Callable[[str], None]
    """Called with a sentence about what fails or takes long."""

    def at_hand(self, workspace: Workspace, urls: Sequence[str]) -> list[str]:
        """Take the texts that the topic does not have yet from the crawls. Returns the URLs that still have no text."""
        crawled = [found_in_crawls(self.crawls_dir, url) for url in urls if url not in workspace.texts]
        workspace.keep(page for page in crawled if page is not None)
        return [url for url in urls if url not in workspace.texts]

    def fetched(self, urls: Sequence[str], source: str) -> list[PageText]:
        """Fetch these pages now, under the guard and robots.txt. Pages without text are reported by `note` and left out."""
        if not urls:
            return []
        self.note(f"fetching {plural(len(urls), 'page')} …")
        began = time.monotonic()

        def note_answer(answer: FetchResult) -> None:
            what = answer.error or (f"status {answer.status}" if answer.status != 200 else "")
            if what:
                self.note(f"  {one_line(readable(answer.url), 90)}: {what}")

        answers = self.fetch(urls, on_answer=note_answer)
        pages = [_page(answer, source) for answer in answers if answer.status == 200 and not answer.error]
        kept = [page for page in pages if page.text]
        self.note(f"{len(kept)} of {plural(len(urls), 'page')} gave text, in {time.monotonic() - began:.0f} s")
        return kept

    def searched(self, instance: str, queries: Sequence[str], most: int) -> list[str]:
        """The URLs that a SearXNG instance finds. Raises BadInput if it gives no valid answer."""
        answer = self.fetch([search_url(instance, queries)], robots=False)[0]
        if answer.error:
            raise BadInput(f"--searx {unanswered(instance, answer.error)}")
        return [found.url for found in results(instance, answer.status, answer.body, most)]


def _page(answer: FetchResult, source: str) -> PageText:
    reading = read_page(answer.body, answer.content_type, answer.final)
    tags = tag_lines(reading.kind, reading.links)
    return PageText(answer.url, reading.title, reading.text, reading.language, source, tags)


class Sources:
    """The sources of a round's pages: any of a crawl, a SearXNG instance and a list of normal URLs. Raises BadInput for a crawl
    that cannot be read, or an instance without a valid URL."""

    def __init__(
        self, loader: PageLoader, most: int, *, crawl: Crawl | None = None, searx: str = "", listed: Sequence[str] = ()
    ) -> None:
        self._loader, self._most, self._searx, self._listed, self._crawl = loader, most, searx, listed, crawl
        if searx:
            search_url(searx, ["words"])  # raises BadInput before anything is searched
        self._index: CrawlSearch | None = None
        self._store: Database | None = crawl.open() if crawl else None
        self._found: dict[str, PageText] = {}
        """The pages that `find` returned last. Those of the crawl are kept with the topic only if they are picked (`hold`)."""

    def latest(self) -> list[PageText]:
        """The latest pages of the crawl, on which the effect of a round is seen."""
        if self._crawl is None or self._store is None:
            return []
        return [found.page for found in latest_pages(self._store, self._crawl.name, AT_HAND)]

    def find(self, workspace: Workspace, queries: Sequence[str]) -> list[PageText]:
        """Pages for these words, best first, each once. Fetched pages are kept with the topic."""
        pages = [*self._from_crawl(queries), *self._from_web(workspace, queries)]
        self._found = {page.url: page for page in reversed(pages)}  # of pages with the same URL the first one stays
        return list(reversed(self._found.values()))

    def hold(self, workspace: Workspace, urls: Sequence[str]) -> None:
        """Keep the texts of these pages with the topic. Raises BadInput if the text of one cannot be had."""
        workspace.keep(self._found[url] for url in urls if url in self._found and url not in workspace.texts)
        missing = self._loader.at_hand(workspace, urls)
        workspace.keep(self._loader.fetched(missing, "list"))
        lost = [url for url in missing if url not in workspace.texts]
        if lost:
            raise BadInput(f"{lost[0]} has no text, so it cannot be picked; nothing was changed.")

    def close(self) -> None:
        for each in (self._index, self._store):
            if each is not None:
                each.close()

    def _from_crawl(self, queries: Sequence[str]) -> list[PageText]:
        if self._crawl is None or self._store is None:
            return []
        if not queries:
            raise BadInput("There is nothing to search for yet; give keywords to the topic, or --query WORDS.")
        if self._index is None:
            self._index = CrawlSearch(self._crawl)
            if self._index.added >= SLOW_TO_INDEX:
                self._loader.note(f"indexed {plural(self._index.added, 'page')} of crawl {self._crawl.name}")
        return search_crawl(self._index, self._store, self._crawl.name, queries, self._most)

    def _from_web(self, workspace: Workspace, queries: Sequence[str]) -> list[PageText]:
        found = self._loader.searched(self._searx, queries, self._most) if self._searx else []
        urls = [*found, *self._listed]
        if not urls:
            return []
        missing = self._loader.at_hand(workspace, list(dict.fromkeys(urls)))
        workspace.keep(self._loader.fetched(missing, "searx" if self._searx else "list"))
        return [workspace.texts[url] for url in urls if url in workspace.texts]


def apply_answers(workspace: Workspace, picked: Sequence[str], rejected: Sequence[str]) -> None:
    """Apply a person's answers about found pages, whose texts must be held."""
    if rejected:
        workspace.reject(rejected)
    if picked:
        workspace.pick(picked)
