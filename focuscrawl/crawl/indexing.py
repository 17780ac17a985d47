"""Keeps the search index near the store while a crawl runs: in a process of its own, a fork of the one that reads
kept pages (`focuscrawl.crawl.indexing_apart`). It reads the store as anyone may.

Nothing here is waited for. What a run leaves over, `scrapy search` does first.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from focuscrawl.reading.worker import Job, JobResult, ReadingWorker

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 30.0
"""Between two looks when nothing was left to do; a run that is shorter starts no process."""
ASK_SECONDS = 1.0
"""Between questions whether a look has ended."""


class IndexingWorker:
    """One task of the crawl. A look that still goes on ends with the process that it comes from: the index is as of its last
    commit."""

    def __init__(self, worker: ReadingWorker, directory: Path, store_url: str) -> None:
        """Args:
        worker: `focuscrawl.crawl.extraction.process_apart`, which others may use, too.
        store_url: The setting STORE_URL, for the password that the directory does not remember.
        """
        self._job = Job(b"", {"directory": str(directory), "store_url": store_url})
        self._worker = worker
        self.looks = 0
        """How often the index was brought nearer to the store, or that was tried."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        left, well = False, True
        while True:
            if not left:
                await asyncio.sleep(PAUSE_SECONDS)
            answer = await self._look()
            self.looks += 1
            left = bool(answer.result.get("left"))
            if answer.error and well:
                logger.warning("the search index is not kept up just now; scrapy search will do it")
            well = not answer.error

    async def _look(self) -> JobResult:
        """How a look has ended."""
        while True:
            # shielded: a question that is cancelled ends the process, and what it has learned for kept pages would be gone
            answer = await asyncio.shield(self._worker.read(self._job))
            if not answer.result.get("working"):
                return answer
            await asyncio.sleep(ASK_SECONDS)
