"""The side of `focuscrawl.crawl.beside.indexing` that runs in processes of its own: forks of the reading process, so that they
share the dictionary of Chinese words and most modules with it (40 MB). Only the forks load tantivy.
"""

from __future__ import annotations

import gc
import os
import resource
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from focuscrawl.process_memory import large_blocks_apart

CPU_SECONDS = 600
"""Limit of processor time for a fork. Merging the parts of a large index takes a minute."""
DONE, LEFT, FAILED = 0, 1, 2
"""Exit codes of a fork: nothing is left to do, something is left, or the index cannot be written."""
FILES = 1024
"""More file descriptors than a process of ours has open."""
PAGES = 2_000
"""Pages of one update, which takes some seconds."""
_update: Generator[None, None, bool] | None = None
"""The update that runs."""


def update_apart(_: bytes, *, directory: str, store_url: str) -> dict[str, bool]:
    """Start an update of the search index unless one is running, and report on it without waiting.

    Returns `{"working": True}` while it runs, then `{"left": …}`: whether something is left to do. Raises ValueError where the
    index cannot be written."""
    global _update
    running, _update = _update or _updating(directory, store_url), None
    try:
        next(running)
    except StopIteration as end:
        return {"left": bool(end.value)}
    _update = running
    return {"working": True}


def _updating(directory: str, store_url: str) -> Generator[None, None, bool]:
    """Update the index, then merge its parts, in a fork of its own, without the memory that cutting texts into words took."""
    code = yield from _in_fork(lambda: LEFT if follow_apart(directory, store_url) else DONE)
    yield from _in_fork(lambda: merge_apart(directory))
    return code == LEFT


def _in_fork(work: Callable[[], int]) -> Generator[None, None, int]:
    """Do this in a fork, and yield while it runs. Returns its exit code, one of DONE and LEFT."""
    process = os.fork() or _run(work)
    while True:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            break
        yield
    code = os.waitstatus_to_exitcode(status)
    if code not in (DONE, LEFT):
        raise ValueError("the search index cannot be written")
    return code


def _run(work: Callable[[], int]) -> NoReturn:
    """What a fork does. It first closes the pipes that it inherited: while it held them open, nobody would notice the end of
    the process it was forked from."""
    code = FAILED
    try:
        gc.freeze()  # a garbage collection would write to shared memory, and so copy it
        large_blocks_apart()  # tantivy works with many; 20 MB less while parts of the index are merged
        os.closerange(3, FILES)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        for limit, most in ((resource.RLIMIT_AS, None), (resource.RLIMIT_CPU, CPU_SECONDS)):
            hard = resource.getrlimit(limit)[1]
            resource.setrlimit(limit, (hard if most is None else most, hard))
        code = work()
    finally:
        os._exit(code)


def follow_apart(directory: str, store_url: str) -> bool:
    """Update the index of the crawl in `directory` from its store; returns whether something is left to do."""
    # Imported only here: the process that this one was forked from would keep tantivy in memory.
    from focuscrawl.search.searching import follow_once, lower_priority
    from focuscrawl.store.crawls import Crawl, use_password_of

    lower_priority()
    use_password_of(store_url)
    path = Path(directory)
    with closing(Crawl(path.name, path).open()) as db:
        db.dialect.keep_little(db)  # page after page is read, each once
        return follow_once(path, db, PAGES) >= PAGES


def merge_apart(directory: str) -> int:
    """Merge parts of the index of the crawl in `directory`. Returns DONE."""
    from focuscrawl.search.searching import lower_priority, merge_parts

    lower_priority()
    merge_parts(Path(directory))
    return DONE
