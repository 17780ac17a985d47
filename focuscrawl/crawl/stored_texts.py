"""Reads the texts of pages that earlier runs and other workers have stored, so that what is copied from them is known as such,
and that their URLs were fetched."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from focuscrawl.dedup.text_reuse import SeenSentences
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.pages.page_texts import fetched_texts, first_and_last, stored_since

FIRST_READ = 500
"""First pages of a crawl whose texts a later run reads again, because seeds and examples, which tell what is copied from given
domains, are among them …"""
LAST_READ = 1500
"""… and last pages: to read all of them takes 0.8 s, in which the event loop is held for 13 ms at most."""
READ_AT_ONCE = 20
"""Texts that are read from the store at once."""
MOST_OF_OTHERS = 100
"""Last pages among which those of other workers are read at once, in 40 ms. Where the others are faster, some are skipped."""


class StoredTexts:
    """What one process reads of the texts that it has not fetched itself."""

    def __init__(
        self, store: CrawlStore, seen_sentences: SeenSentences, yields: YieldLimit, ending: Callable[[], object]
    ) -> None:
        """`ending`: whether the crawl ends, so that nothing more is read."""
        self._store, self._seen_sentences, self._yields, self._ending = store, seen_sentences, yields, ending
        self.read_to: int | None = None
        """Number of the last page whose text was read; None: not before `read_earlier`."""

    async def read_earlier(self) -> None:
        """Read the texts of the first and the last stored pages. Called once, before the first commit."""
        page_ids = await self._store.call(first_and_last, first=FIRST_READ, last=LAST_READ)
        await self._read(page_ids)
        self.read_to = max(page_ids, default=0)

    async def read_others(self) -> None:
        """Read the texts of pages that other workers have stored since the last call, so that a farm is found out as soon as if
        one worker had fetched all of its pages."""
        if self.read_to is None:
            return
        stored = await self._store.call(stored_since, after=self.read_to, most=MOST_OF_OTHERS)
        if stored:
            self.read_to = stored[-1][0]
        await self._read([page_id for page_id, worker in stored if worker != self._store.worker])

    async def _read(self, page_ids: list[int]) -> None:
        """Learn what these stored pages say, and that their URLs were fetched: others that differ in a value that makes no
        difference need not be."""
        for start in range(0, len(page_ids), READ_AT_ONCE):
            if self._ending():
                return
            batch = page_ids[start : start + READ_AT_ONCE]
            for page in await self._store.call(fetched_texts, page_ids=batch):
                self._seen_sentences.read(page.text, page.url, page.given, page.is_index, language=page.language)
                self._yields.was_fetched(page.url)
                await asyncio.sleep(0)
