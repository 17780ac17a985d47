"""Gives the pages that are kept their best text, behind the crawl's back: in a process of its own, from the WARC."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from focuscrawl.reading.worker import Job, ReadingWorker
from focuscrawl.store.crawl_store import CrawlStore

logger = logging.getLogger(__name__)

BATCH = 20
PAUSE_SECONDS = 2.0
"""Between two looks when nothing was left to do."""
LAST_SECONDS = 5.0
"""What a stopping crawl gives to the rest; what is left then waits in the store for the next run or an export."""


class ExtractionWorker:
    """One task of the crawl; `close` lets it finish for a while."""

    def __init__(self, store: CrawlStore, directory: Path) -> None:
        self._store = store
        self._directory = directory
        self._worker = ReadingWorker("focuscrawl.text.extract:best_of", cpu_seconds=10.0, memory=1 << 30)
        self._closing = asyncio.Event()
        self._task = asyncio.ensure_future(self._run())
        self._task.add_done_callback(_ended)

    async def close(self) -> None:
        self._closing.set()
        await asyncio.wait({self._task}, timeout=LAST_SECONDS)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._worker.close()

    async def _run(self) -> None:
        while True:
            pages = await self._store.unrefined(BATCH)
            for page in pages:
                body = await asyncio.to_thread(page.body, self._directory)
                text = ""
                if body is not None:
                    facts = {"content_type": page.content_type, "url": page.url, "language": page.language}
                    text = str((await self._worker.read(Job(body, facts))).result.get("text", ""))
                self._store.refine(page.page_id, text)
            if pages:
                continue
            if self._closing.is_set():
                return
            try:
                await asyncio.wait_for(self._closing.wait(), PAUSE_SECONDS)
            except TimeoutError:
                continue


def _ended(task: asyncio.Task[None]) -> None:
    """Nothing is lost without it, but it must not be missed in silence."""
    if not task.cancelled() and (error := task.exception()):
        logger.error("no best text any more in this run, the next one continues: %r", error)
