"""Workers of one crawl in one process: each with a store connection and a topic of its own."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

import pytest
from scrapy.settings import Settings

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.job import job_of as whole_job
from focuscrawl.config.options import read_options
from focuscrawl.crawl.relevance.several_topics import CrawlTopic, topic_of
from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.items import EXAMPLE, LINK, Link, Page
from focuscrawl.reading.serving import packed, unpacked
from focuscrawl.reading.worker import Job, JobResult, WorkerProcess
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.duplicates import DuplicateFinder
from tests import factories
from tests.factories import limits

LIMITS = limits(99)
ON, OFF = "The telescope shows a comet near the planet", "Flour, butter and sugar for the cake"

sqlite_only = pytest.mark.parametrize("url", [""])
"""A test of stores that need not run on both engines."""


@contextmanager
def store_at(folder: Path, url: str) -> Iterator[CrawlStore]:
    """A worker's store. `url`: STORE_URL; workers of a PostgreSQL store need no folder in common."""
    store = CrawlStore(folder, "sky", LIMITS, "{}", url=url)
    try:
        yield store
    finally:
        store.close("finished", "{}")


def job_of(*files: Path, **arguments: str) -> CrawlJob:
    return whole_job(parse_arguments({"seeds": ",".join(map(str, files)), **arguments}))


def topic_for(job: CrawlJob, model: str = "calibrated") -> CrawlTopic:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    settings.set("RELEVANCE_MODEL", model)
    return topic_of(job, read_options(settings))


class WorkerHere:
    """Does in this process what a `WorkerProcess` has done apart; all values pass through JSON as they do there."""

    async def read(self, job: Job) -> JobResult:
        module, _, name = job.function.partition(":")
        function = getattr(importlib.import_module(module), name)
        return JobResult(unpacked(packed(function(job.body, **unpacked(packed(job.arguments))))))

    async def close(self) -> None:
        """There is nothing to end."""


async def prepare(topic: CrawlTopic, store: CrawlStore) -> None:
    await topic.prepare(store, cast(WorkerProcess, WorkerHere()))


def page(topic: CrawlTopic, text: str, url: str = "http://a.example/alpha/1", example: bool = False) -> Page:
    held = factories.lease(url, kind=EXAMPLE if example else LINK)
    return factories.page(held, title=text, text=text, words=topic.segmenter.terms(text))


def judge(topic: CrawlTopic, texts: Sequence[str], section: str = "alpha") -> None:
    for number, text in enumerate(texts):
        topic.judge(page(topic, text, f"http://a.example/{section}/{number}"))


def with_topic(folder: Path, use: Callable[[CrawlTopic, CrawlStore], Awaitable[None]], *files: Path) -> None:
    """One run of a crawl of these topics."""

    async def whole(store: CrawlStore) -> None:
        topic = topic_for(job_of(*files))
        await prepare(topic, store)
        if topic.kind_wanted:
            topic.finish_start()
        await topic.held_pages()
        await use(topic, store)

    with store_at(folder / "crawl", "") as store:
        asyncio.run(whole(store))


async def fetch(
    store: CrawlStore, topic: CrawlTopic, text: str, language: str, kind: int = LINK, links: Sequence[Link] = ()
) -> None:
    """Judge and store the page `http://a.example/LANGUAGE`."""
    await store.add_seeds([DiscoveredUrl(f"http://a.example/{language}", 2.0, kind=kind)])
    [lease] = (await store.lease(1))[0]
    found = factories.page(
        lease, title=text[:20], text=text, language=language, words=topic.segmenter.terms(text), links=list(links)
    )
    topic.judge(found)
    made = Commit(found, outcome_of(found, (60.0,), 1.0), store.clock(), store.run, store.worker, [])
    await store.commit(made, DuplicateFinder(method("simhash")))
