"""Keeps the search index near the store while a crawl runs: in a process of its own, which reads the store as anyone may.

Nothing here is waited for. What a run leaves over, `scrapy search` does first.
"""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

from focuscrawl.reading.worker import Job, ReadingWorker

logger = logging.getLogger(__name__)

PAUSE_SECONDS = 30.0
"""Between two looks when nothing was left to do; a run that is shorter starts no process."""
CPU_SECONDS = 600.0
"""Of one look; merging the parts of a large index takes a minute."""


class IndexingWorker:
    """One task of the crawl. `close` ends it at once: the index is as of its last commit."""

    def __init__(self, directory: Path, store_url: str) -> None:
        """`store_url`: the setting STORE_URL, for the password that the directory does not remember."""
        self._job = Job(b"", {"directory": str(directory), "store_url": store_url})
        self._worker = ReadingWorker("focuscrawl.crawl.indexing_apart:follow_apart", cpu_seconds=CPU_SECONDS, memory=0)
        self.looks = 0
        """How often the index was brought nearer to the store, or that was tried."""
        self._task = asyncio.ensure_future(self._run())

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)
        await self._worker.close()

    async def _run(self) -> None:
        left, well = False, True
        while True:
            if not left:
                await asyncio.sleep(PAUSE_SECONDS)
            answer = await self._worker.read(self._job)
            self.looks += 1
            left = bool(answer.result.get("left"))
            if answer.error and well:
                logger.warning("the search index is not kept up just now; scrapy search will do it")
            well = not answer.error
            if not left:
                await self._worker.close()  # it takes 60 MB, to start it anew 0.3 s
