"""What is done before a crawl starts: its job is read, its place is looked at, and its lock is taken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.engine.crawl_lock import CrawlLock
from focuscrawl.engine.options import Options
from focuscrawl.engine.place import check_place
from focuscrawl.engine.scrapydjob import check_files
from focuscrawl.engine.stored_job import job_for
from focuscrawl.errors import AlreadyRunning, BadInput, Unreachable
from focuscrawl.params import CrawlArguments
from focuscrawl.roots import Roots
from focuscrawl.store.connecting import has_store
from focuscrawl.topicfile import Job

EX_TEMPFAIL = 75
"""Of sysexits.h: try again later."""


@dataclass(slots=True, frozen=True)
class Start:
    """What may run now. `lock` is held; whoever runs it lets it go."""

    job: Job
    lock: CrawlLock


def prepare(arguments: CrawlArguments, options: Options, roots: Roots, clock: Callable[[], float]) -> Start:
    """Raises BadInput, one sentence, for what cannot be run, AlreadyRunning where somebody is in the way."""
    alone = arguments.mode == "recrawl"
    lock = _early_lock(Path(options.crawls_dir) / arguments.name, roots, clock()) if alone else None
    try:
        job = job_for(arguments, options, roots)
        _check(job, options, roots)
        return Start(job, lock or _locked(Path(options.crawls_dir) / job.name, alone, clock()))
    except BadInput:
        if lock:
            lock.release()
        raise


def exit_code_of(error: BadInput) -> int:
    """Of a command that is refused so."""
    if isinstance(error, AlreadyRunning):
        return EX_TEMPFAIL
    return 1 if isinstance(error, Unreachable) else 2


def _check(job: Job, options: Options, roots: Roots) -> None:
    check_files(job, options.crawls_dir, roots)
    arguments = job.arguments
    partition = options.partition(arguments.partition)
    directory = Path(options.crawls_dir) / job.name
    check_place(directory, bool(job.parts), options.store_url, partition, alone=arguments.mode == "recrawl")


def _early_lock(directory: Path, roots: Roots, now: float) -> CrawlLock | None:
    """Of a recrawl, before its job is read: a crawl that has just begun has none yet. None where there is no store here; it may
    be on a server that this machine has not worked for yet."""
    roots.check_crawl(directory)
    return _locked(directory, True, now) if has_store(directory) else None


def _locked(directory: Path, alone: bool, now: float) -> CrawlLock:
    lock = CrawlLock(directory)
    lock.take(alone, now)
    return lock
