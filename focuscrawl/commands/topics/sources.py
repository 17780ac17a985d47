"""Where pages for a topic come from: one's own crawl, a SearXNG instance, a list."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.commands.topics.pages import at_hand, fetched, listed
from focuscrawl.commands.topics.subcommand import Context, note
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import plural
from focuscrawl.store.crawls import Crawl, choose
from focuscrawl.store.engines.database import Database
from focuscrawl.topics.fulltext import FullText
from focuscrawl.topics.pages import PageText, latest_pages
from focuscrawl.topics.sources import results, search_url
from focuscrawl.topics.suggesting import search_crawl
from focuscrawl.topics.workspace import Workspace

AT_HAND = 500
"""Pages of the crawl that the rounds are compared on: those stored last."""

TOLD = 1000
"""Pages whose indexing takes long enough to be told about."""


class Sources:
    """What the options of a call name; the latest crawl if they name nothing. Raises BadInput for what is not there."""

    def __init__(self, context: Context, crawl: str, searx: str, list_file: str, most: int) -> None:
        self._context = context
        self._most = most
        self._searx = searx
        self._listed = listed(list_file) if list_file else []
        self._index: FullText | None = None
        self._crawl: Crawl | None = None
        self._store: Database | None = None
        if searx:
            search_url(searx, ["words"])
        if crawl or not (searx or list_file):
            self._crawl = _chosen(context, crawl)
            self._store = self._crawl.open()
        self._unseen: dict[str, PageText] = {}

    def latest(self) -> list[PageText]:
        """Pages to see the effect of a round on."""
        if self._crawl is None or self._store is None:
            return []
        return [found.page for found in latest_pages(self._store, self._crawl.name, AT_HAND)]

    def find(self, workspace: Workspace, queries: Sequence[str]) -> list[PageText]:
        """Pages for these words, best first, each once. What was fetched is kept with the topic."""
        pages = [*self._from_crawl(queries), *self._from_web(workspace, queries)]
        found = {page.url: page for page in reversed(pages)}
        self._unseen = found
        return list(reversed(found.values()))

    def hold(self, workspace: Workspace, urls: Sequence[str]) -> None:
        """Keep the texts of these pages with the topic. Raises BadInput for one that has none and cannot be had."""
        workspace.keep(self._unseen[url] for url in urls if url in self._unseen and url not in workspace.texts)
        missing = at_hand(self._context, workspace, urls)
        workspace.keep(fetched(self._context, missing, "list"))
        lost = [url for url in missing if url not in workspace.texts]
        if lost:
            raise BadInput(f"{lost[0]} gives no text, so that it cannot be picked; nothing was changed.")

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
            self._index = FullText(self._crawl)
            if self._index.added >= TOLD:
                note(f"indexed {plural(self._index.added, 'page')} of crawl {self._crawl.name}")
        return search_crawl(self._index, self._store, self._crawl.name, queries, self._most)

    def _from_web(self, workspace: Workspace, queries: Sequence[str]) -> list[PageText]:
        urls = [*self._from_searx(queries), *self._listed]
        if not urls:
            return []
        missing = at_hand(self._context, workspace, list(dict.fromkeys(urls)))
        workspace.keep(fetched(self._context, missing, "searx" if self._searx else "list"))
        return [workspace.texts[url] for url in urls if url in workspace.texts]

    def _from_searx(self, queries: Sequence[str]) -> list[str]:
        if not self._searx:
            return []
        from focuscrawl.scrapy_side.fetch import fetch_batch

        answer = fetch_batch([search_url(self._searx, queries)], self._context.settings, robots=False)[0]
        if answer.error:
            allow = "; -s GUARD_ALLOW_NETWORKS=127.0.0.0/8 allows an instance of your own" if "127." in self._searx else ""
            raise BadInput(f"--searx {self._searx}: {answer.error}{allow}.")
        return [found.url for found in results(self._searx, answer.status, answer.body, self._most)]


def _chosen(context: Context, name: str) -> Crawl:
    try:
        return choose(context.crawls_dir, name)
    except BadInput as error:
        if name:
            raise
        raise BadInput(f"{error}. Without a crawl, --searx URL or --list FILE give pages") from None
