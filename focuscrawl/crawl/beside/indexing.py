"""Keeps the search index up to date while a crawl runs, in a process of its own: a fork of the reading process
(`focuscrawl.crawl.beside.indexing_apart`), with a read-only connection to the store.

Nothing waits for it. What a run leaves undone, the next `scrapy search` does before it searches.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from focuscrawl.reading.worker import Job, JobResult, WorkerProcess

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 30.0
"""Between two updates when nothing was left to do. A run shorter than this starts no update."""
ASK_SECONDS = 1.0
"""Between two questions to the process whether an update has ended."""


class IndexingWorker:
    """A background task of the crawl. An update that is still running at the end is killed with the process that it was forked
    from; the index is then as of its last commit."""

    def __init__(self, worker: WorkerProcess, directory: Path, store_url: str) -> None:
        """Args:
        worker: the process that reads kept pages, too.
        store_url: The setting STORE_URL, for the password that the directory does not remember.
        """
        arguments = {"directory": str(directory), "store_url": store_url}
        self._job = Job("focuscrawl.crawl.beside.indexing_apart:update_apart", arguments=arguments)
        self._worker = worker
        self.updates = 0
        """How often an update was tried."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        left, healthy = False, True
        while True:
            if not left:
                await asyncio.sleep(PAUSE_SECONDS)
            answer = await self._update()
            self.updates += 1
            left = bool(answer.result.get("left"))
            if answer.error and healthy:
                logger.warning("the search index is not kept up just now; scrapy search will do it")
            healthy = not answer.error

    async def _update(self) -> JobResult:
        """Update the index once, and return how that ended."""
        while True:
            # shielded: a cancelled job ends the process, and with it what it has learned for reading kept pages
            answer = await asyncio.shield(self._worker.read(self._job))
            if not answer.result.get("working"):
                return answer
            await asyncio.sleep(ASK_SECONDS)
