"""The side of `focuscrawl.crawl.indexing` that runs in a process of its own: a fork of the one that reads kept pages, so that
the two share the dictionary of Chinese words and most modules (40 MB). Only the fork loads tantivy.
"""

from __future__ import annotations

import gc
import os
import resource
from contextlib import closing
from pathlib import Path
from typing import NoReturn

LOOK_SECONDS = 600
"""Limit of processor time for an update. Merging the segments of a large index takes a minute."""
DONE, LEFT, FAILED = 0, 1, 2
"""Exit codes of an update: nothing is left to do, something is left, or the index cannot be written."""
FILES = 1024
"""More file descriptors than a process of ours has open."""
PAGES = 2_000
"""Pages of one update, which takes some seconds."""
_look = 0
"""Process id of the update that runs; 0: none."""


def look_beside(*, directory: str, store_url: str) -> dict[str, bool]:
    """Start an update of the search index unless one is running, and say how it is: `working`, or ended with something `left`.

    Raises ValueError where the index cannot be written."""
    global _look
    if not _look:
        _look = os.fork() or _looking(directory, store_url)
    ended, status = os.waitpid(_look, os.WNOHANG)
    if not ended:
        return {"working": True}
    _look = 0
    code = os.waitstatus_to_exitcode(status)
    if code not in (DONE, LEFT):
        raise ValueError("the search index cannot be written")
    return {"left": code == LEFT}


def _looking(directory: str, store_url: str) -> NoReturn:
    """What the fork does. First it closes the pipes of the process it was forked from, whose end
    nobody would notice otherwise."""
    code = FAILED
    try:
        gc.freeze()  # a garbage collection would write to shared memory, and so copy it
        os.closerange(3, FILES)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        for limit, most in ((resource.RLIMIT_AS, None), (resource.RLIMIT_CPU, LOOK_SECONDS)):
            hard = resource.getrlimit(limit)[1]
            resource.setrlimit(limit, (hard if most is None else most, hard))
        code = LEFT if follow_apart(directory, store_url) else DONE
    finally:
        os._exit(code)


def follow_apart(directory: str, store_url: str) -> bool:
    """Update the index of the crawl in `directory` from its store; returns whether something is left to do."""
    # Imported only here: the process that this one comes from would keep tantivy.
    from focuscrawl.search.searching import follow_once, lower_priority
    from focuscrawl.store.crawls import Crawl
    from focuscrawl.store.location import lend

    lower_priority()
    lend(store_url)
    path = Path(directory)
    with closing(Crawl(path.name, path).open()) as db:
        db.dialect.keep_little(db)  # page after page is read, each once
        return follow_once(path, db, PAGES) >= PAGES
