"""The tasks that run beside the path of a page. If one of them fails, the crawl stops, because without it the crawl might hang
or be taken for dead."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine

from focuscrawl.crawl.stopping import Stopping
from focuscrawl.store.engines.writer import StorageError

logger = logging.getLogger(__name__)


class BackgroundTasks:
    """All of them are cancelled when the crawl closes."""

    def __init__(self, stopping: Stopping) -> None:
        self._stopping = stopping
        self._tasks: list[asyncio.Task[None]] = []
        self._store_failed = False

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run this in a task of its own."""
        task = asyncio.ensure_future(work)
        self._tasks.append(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.remove(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StorageError):
            if not self._store_failed:  # most tasks write, and fail together
                logger.error("the frontier stops: %s", error)
            self._store_failed = True
            self._stopping.stop("failure", "the store cannot be written")
        elif error is not None:
            logger.error("the frontier failed: %r", error, exc_info=error)
            self._stopping.stop("failure", "see the error above")

    async def cancel(self) -> None:
        """Cancel what still runs, and wait for its end."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def every(seconds: float, step: Callable[[], Awaitable[None]]) -> None:
    """Take this step again and again, with so many seconds after each."""
    while True:
        await asyncio.sleep(seconds)
        await step()
