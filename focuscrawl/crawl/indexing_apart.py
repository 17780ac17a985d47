"""The side of `focuscrawl.crawl.indexing` that runs in a process of its own: a fork of the reading process, so that
the two share the dictionary of Chinese words and most modules (40 MB). Only the fork loads tantivy.
"""

from __future__ import annotations

import gc
import os
import resource
from contextlib import closing
from pathlib import Path
from typing import NoReturn

from focuscrawl.process_memory import large_blocks_apart

CPU_SECONDS = 600
"""Limit of processor time for an update. Merging the segments of a large index takes a minute."""
DONE, LEFT, FAILED = 0, 1, 2
"""Exit codes of an update: nothing is left to do, something is left, or the index cannot be written."""
FILES = 1024
"""More file descriptors than a process of ours has open."""
PAGES = 2_000
"""Pages of one update, which takes some seconds."""
_update_pid = 0
"""Process id of the update that runs; 0: none."""


def update_apart(_: bytes, *, directory: str, store_url: str) -> dict[str, bool]:
    """Start an update of the search index unless one is running, and report on it without waiting.

    Returns `{"working": True}` while it runs, then `{"left": …}`: whether something is left to do. Raises ValueError where the
    index cannot be written."""
    global _update_pid
    if not _update_pid:
        _update_pid = os.fork() or _run_update(directory, store_url)
    ended, status = os.waitpid(_update_pid, os.WNOHANG)
    if not ended:
        return {"working": True}
    _update_pid = 0
    code = os.waitstatus_to_exitcode(status)
    if code not in (DONE, LEFT):
        raise ValueError("the search index cannot be written")
    return {"left": code == LEFT}


def _run_update(directory: str, store_url: str) -> NoReturn:
    """What the fork does. It first closes the pipes that it inherited: while it held them open, nobody would notice the end of
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
        code = LEFT if follow_apart(directory, store_url) else DONE
    finally:
        os._exit(code)


def follow_apart(directory: str, store_url: str) -> bool:
    """Update the index of the crawl in `directory` from its store; returns whether something is left to do."""
    # Imported only here: the process that this one was forked from would keep tantivy in memory.
    from focuscrawl.search.searching import follow_once, lower_priority
    from focuscrawl.store.crawls import Crawl
    from focuscrawl.store.location import use_password_of

    lower_priority()
    use_password_of(store_url)
    path = Path(directory)
    with closing(Crawl(path.name, path).open()) as db:
        db.dialect.keep_little(db)  # page after page is read, each once
        return follow_once(path, db, PAGES) >= PAGES
