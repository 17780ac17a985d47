"""The side of `focuscrawl.crawl.indexing` that runs in a process of its own: a fork of the one that reads kept pages, so that
both have one dictionary of Chinese words and one copy of most modules (40 MB). Only the fork loads tantivy.
"""

from __future__ import annotations

import gc
import os
import resource
from contextlib import closing
from pathlib import Path
from typing import NoReturn

LOOK_SECONDS = 600
"""Of processor time for a look of the index; merging the parts of a large one takes a minute."""
DONE, LEFT, FAILED = 0, 1, 2
"""How the process of a look ends: nothing is left to do, something is, or the index cannot be written."""
FILES = 1024
"""More than a process of ours has open."""
PAGES = 2_000
"""Pages of one look: some seconds."""
_look = 0
"""Number of the process that looks; 0: none."""


def look_beside(*, directory: str, store_url: str) -> dict[str, bool]:
    """Begin a look of the search index at the store unless one goes on. `working`, or how it has ended: is something `left`?
    ValueError where the index cannot be written."""
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
    """What the fork does. It holds no pipe of the process that it comes from, whose end would not be seen."""
    code = FAILED
    try:
        gc.freeze()  # what both have is not looked at, for then each would have its own
        os.closerange(3, FILES)
        os.dup2(os.open(os.devnull, os.O_RDWR), 0)
        for limit, most in ((resource.RLIMIT_AS, None), (resource.RLIMIT_CPU, LOOK_SECONDS)):
            hard = resource.getrlimit(limit)[1]
            resource.setrlimit(limit, (hard if most is None else most, hard))
        code = LEFT if follow_apart(directory, store_url) else DONE
    finally:
        os._exit(code)


def follow_apart(directory: str, store_url: str) -> bool:
    """Bring the index of the crawl in `directory` nearer to its store; whether something is left to do."""
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
