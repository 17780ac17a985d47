"""Opens the store of a crawl for one process, with the limits that all of its leases keep to, and notes there under which
conditions the process crawls."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import orjson

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.start.crawl_lock import already_running, crawled_otherwise
from focuscrawl.crawl.start.stored_job import job_facts
from focuscrawl.errors import BadInput, without_passwords
from focuscrawl.frontier.partition import Partition
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.crawl_store import CrawlStore, LockedError
from focuscrawl.store.crawls import use_password_of
from focuscrawl.store.engines.meta import change_meta
from focuscrawl.store.engines.sqlite import BUSY_SECONDS
from focuscrawl.store.frontier.leasing import LeaseLimits
from focuscrawl.store.workers.agreement import DisagreementError
from focuscrawl.store.workers.runs import keep_conditions
from focuscrawl.store.workers.status import OccupiedError

logger = logging.getLogger(__name__)

LOCK_SECONDS = 0.5
"""How long one try to open the store waits for the lock of another process. A signal is heeded in between."""
DEDUP_KEY = "dedup_method"
"""Key in `meta`: how the last run found near-duplicates."""


async def open_store(
    job: CrawlJob,
    options: Options,
    *,
    says: Mapping[str, str],
    focused: bool,
    own: Partition | None,
    ended: Callable[[], bool],
) -> CrawlStore:
    """The store of this job's crawl, made if there is none, with a new run and worker in it.

    Args:
        says: What this worker and all others of the crawl must agree on.
        focused: Whether the order strategy chooses by score.
        own: This worker's part of the hosts; None: all.
        ended: Whether a signal has ended this process. It then stops waiting for the lock of another one.

    Raises:
        BadInput: The store cannot be used.
        AlreadyRunning: Another worker is in the way.
    """
    use_password_of(options.store_url)
    given = {name: _shown(value) for name, value in job.arguments.model_dump(exclude_none=True).items()}
    if own:
        # Other workers read from a run's arguments which URLs its worker leases (`store.frontier.partitions`).
        given |= {"partition_grain": own.grain, "partition_foreign": own.foreign}
    opened = partial(
        CrawlStore,
        Path(options.crawls_dir) / job.name,
        job.name,
        limits_of(options, job.arguments, focused, own),
        orjson.dumps(given).decode(),
        warc_max_bytes=options.archive_max_bytes,
        url=options.store_url,
        alone=job.arguments.is_recrawl,
        recrawl=options.recrawl,
        patience=LOCK_SECONDS,
        says=says,
    )
    try:
        return await _once_unlocked(opened, ended)
    except DisagreementError as error:
        raise crawled_otherwise(job.name, error.worker, error.on) from None
    except OccupiedError as error:
        raise already_running(job.name, error.worker) from None


async def _once_unlocked(opened: Callable[[], CrawlStore], ended: Callable[[], bool]) -> CrawlStore:
    """Open the store, in tries as long as another process holds its lock. Raises BadInput when that takes too long, or when
    this process is ended."""
    end, waits = time.monotonic() + BUSY_SECONDS, False
    while True:
        try:
            return await asyncio.to_thread(opened)
        except LockedError as error:
            if ended() or time.monotonic() > end:
                raise BadInput(str(error)) from error
            if not waits:
                logger.warning("%s; it is waited for, %g s at most", error, BUSY_SECONDS)
            waits = True


def limits_of(options: Options, arguments: CrawlArguments, focused: bool, own: Partition | None) -> LeaseLimits:
    """The limits that every lease of this worker keeps to.

    Args:
        arguments: they say how many pages a host and a site may have.
        focused: whether the strategy chooses by score. Only then a host with a large share of the fetches gives way to others.
        own: this worker's part of the hosts; None: all.
    """
    return LeaseLimits(
        PaceSettings(options.politeness_delay, options.politeness_concurrency, options.politeness_latency_factor),
        # no back-off by status: one broken host must not slow the others on its IP address
        PaceSettings(options.politeness_address_delay, options.politeness_address_concurrency, 0.0, statuses=False),
        options.concurrent_requests,
        arguments.max_pages_per_host or 0,
        arguments.max_pages_per_site or 0,
        obey_robots=options.robotstxt_obey,
        host_share=options.frontier_host_share if focused else 1.0,
        partition=own,
    )


async def note_run(store: CrawlStore, job: CrawlJob, settings: Mapping[str, str], dedup: str) -> None:
    """Note in the store under which conditions this run crawls. `settings`: those that differ from the defaults; `dedup`: how
    near-duplicates are found."""
    facts = {"settings": settings, "job": job_facts(job)}
    await store.call(keep_conditions, run=store.run, conditions=facts)
    if former := await store.call(change_meta, key=DEDUP_KEY, value=dedup):
        logger.warning(
            "near-duplicates are found by %s from now on, until now by %s: of what is stored only equal texts count as"
            " copies, until it is read again", dedup, former,
        )  # fmt: skip


def _shown(argument: object) -> object:
    """An argument as it is stored with the run and shown in reports: without the passwords of URLs."""
    if isinstance(argument, tuple):
        return [_shown(each) for each in argument]
    return without_passwords(argument) if isinstance(argument, str) else argument
