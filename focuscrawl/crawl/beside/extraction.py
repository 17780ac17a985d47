"""Reads kept pages whole after their commit: in a process of its own, from the WARC."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from focuscrawl.items import Content, Names
from focuscrawl.politeness.reserved import reserved_by_robots
from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.reading.content import from_plain
from focuscrawl.reading.worker import Job, Limits, WorkerProcess
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.operator_changes import change
from focuscrawl.store.frontier.pacing import load_robots
from focuscrawl.store.pages.content import ArchivedPage, archived_pages, read_before, replace_content
from focuscrawl.store.pages.searchable import note_rewritten
from focuscrawl.store.workers.lifecycle import directory_id
from focuscrawl.url.normalize import split

logger = logging.getLogger(__name__)

BATCH = 20
"""Pages asked of the store at once."""
PAUSE_SECONDS = 2.0
"""Between two queries for unread pages when nothing was left to read: the pages of this time are asked for together."""
LIMITS = Limits(10.0, 1 << 30)
"""For one page."""
RECALLED = 20
"""Stored pages from which is learned what those of a site have in common, about 5 ms each: twice as many as are needed."""
LAST_SECONDS = 5.0
"""How long a stopping crawl reads on. What is left then waits in the store for the next run or `scrapy extract`."""


class ContentReader:
    """Reads archived responses whole, one after the other, in a process with limits.

    The process learns what the pages of each site have in common, and uses it for the site's next pages. Where it does not know
    a site (the crawl was resumed, or the process is a new one), it learns from pages that were read whole before.

    Args:
        agent: Our product token.
        others: (page, n) -> at most n pages of the site of `page` that were read whole before.
    """

    def __init__(
        self, agent: str, worker: WorkerProcess, others: Callable[[ArchivedPage, int], Awaitable[list[ArchivedPage]]]
    ) -> None:
        self._agent = agent
        self._worker = worker
        self._others = others

    async def read(self, page: ArchivedPage, directory: Path, robots: RobotsState | None) -> Content | None:
        """The content of a page of the crawl in `directory`; None when its response is missing or cannot be read.

        `robots`: what is known of the robots.txt of its origin."""
        folder = directory / "warc"
        arguments = {
            "file": str(folder / page.warc),
            "offset": page.offset,
            "url": page.url,
            "content_type": page.content_type,
            "language": page.language,
            "agent": self._agent,
            "reserved": _reserved(robots.body, self._agent) if robots else (),
        }
        job = Job("focuscrawl.crawl.beside.reading_apart:read_archived", b"", arguments, LIMITS)
        answer = await self._worker.read(job)
        if not answer.error and not answer.result:  # the process does not know the site
            others = await self._others(page, RECALLED)
            arguments["others"] = [(str(folder / each.warc), each.offset, each.url, each.content_type) for each in others]
            answer = await self._worker.read(job)
        return None if answer.error else from_plain(answer.result)


class ExtractionWorker:
    """A background task of the crawl. `close` lets it go on for LAST_SECONDS."""

    def __init__(self, store: CrawlStore, directory: Path, agent: str, worker: WorkerProcess) -> None:
        self._store = store
        self._directory = directory
        self._reader = ContentReader(agent, worker, self._others)
        self._closing = asyncio.Event()
        self._task = asyncio.ensure_future(self._run())
        self._task.add_done_callback(_ended)

    async def close(self) -> None:
        self._closing.set()
        await asyncio.wait({self._task}, timeout=LAST_SECONDS)
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _others(self, page: ArchivedPage, count: int) -> list[ArchivedPage]:
        where = directory_id(self._directory)
        return await self._store.call(read_before, page_id=page.page_id, where=where, count=count)

    async def _run(self) -> None:
        while True:
            pages = await self._store.unread(BATCH)
            origins = list(dict.fromkeys(split(page.url)[0] for page in pages))
            robots = await self._store.call(load_robots, origins=origins) if pages else {}
            for page in pages:
                content = await self._reader.read(page, self._directory, robots.get(split(page.url)[0]))
                self._store.keep_content(page, content)
            if self._closing.is_set():
                if not pages:
                    return
            elif len(pages) < BATCH:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._closing.wait(), PAUSE_SECONDS)


@dataclass(slots=True)
class Extracted:
    """How many pages `extract_again` has read, how many of these have another text now, and how many could not be read."""

    read: int = 0
    changed: int = 0
    unreadable: int = 0


async def extract_again(
    db: Database, directory: Path, agent: str, *, everything: bool = False, missing: bool = False
) -> Extracted:
    """Read pages of the crawl in `directory` whole once more, beside its workers.

    Args:
        db: The crawl's store, for writing.
        directory: Where its WARC files lie.
        agent: Our product token, for directives that are for us alone.
        everything: All pages with status 200, not only those that are kept.
        missing: Only those that were not read by this version of the program, or could not be.
    """
    worker = WorkerProcess(idle_seconds=0)
    where = directory_id(directory)

    async def others(page: ArchivedPage, count: int) -> list[ArchivedPage]:
        return read_before(db, page.page_id, where, count)

    reader = ContentReader(agent, worker, others)
    done = Extracted()
    change(db, note_rewritten)  # now for what a stop half-way leaves, and at the end for what is read in between
    try:
        for page in archived_pages(db, where, everything=everything, missing=missing):
            origin = split(page.url)[0]
            content = await reader.read(page, directory, load_robots(db, [origin]).get(origin))
            if content is None:
                done.unreadable += 1
                continue
            done.changed += change(db, replace_content, page=page, content=content)
            done.read += 1
    finally:
        await worker.close()
    change(db, note_rewritten)
    return done


@lru_cache(maxsize=100)
def _reserved(robots_txt: bytes, agent: str) -> Names:
    """`reserved_by_robots`, remembered because pages of one host often follow each other."""
    return reserved_by_robots(robots_txt, agent)


def _ended(task: asyncio.Task[None]) -> None:
    """Report a failure of the task: nothing is lost by it, but it should not go unnoticed."""
    if not task.cancelled() and (error := task.exception()):
        logger.error("no page is read whole any more in this run, the next one continues: %r", error)
