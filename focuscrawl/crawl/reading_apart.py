"""The side of `focuscrawl.crawl.extraction` and `focuscrawl.crawl.indexing` that runs in a process of its own.

It takes each answer from the WARC file itself, so that no body goes through the crawl's process a second time. The search index
is written by a fork of it, so that both have one dictionary of Chinese words and one copy of most modules (40 MB). A module by
itself, because that process imports no more than it needs.
"""

from __future__ import annotations

import gc
import os
import resource
from pathlib import Path
from typing import Any, NoReturn

from focuscrawl.reading.content import read_apart
from focuscrawl.store.warc.file import read_record

LOOK_SECONDS = 600
"""Of processor time for a look of the index; merging the parts of a large one takes a minute."""
DONE, LEFT, FAILED = 0, 1, 2
"""How the process of a look ends: nothing is left to do, something is, or the index cannot be written."""
FILES = 1024
"""More than a process of ours has open."""
_look = 0
"""Number of the process that looks; 0: none."""


def do_job(_: bytes, **arguments: Any) -> dict[str, Any]:
    """One of the two jobs, told by their arguments."""
    return look_beside(**arguments) if "store_url" in arguments else read_archived(**arguments)


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
        from focuscrawl.crawl.indexing_apart import follow_apart

        code = LEFT if follow_apart(directory, store_url) else DONE
    finally:
        os._exit(code)


def read_archived(*, file: str, offset: int, **answer: Any) -> dict[str, Any]:
    """The content of the answer at `offset` of a WARC file, in plain values; ValueError where there is none. `answer`: what the
    record does not tell, as `focuscrawl.reading.content.Answer` takes it."""
    try:
        response = read_record(Path(file), offset)
    except OSError as error:
        raise ValueError(f"{file} cannot be read") from error
    return read_apart(response.body, headers=response.headers, fetched_at=response.fetched_at, **answer)
