"""The side of `focuscrawl.crawl.extraction` that runs in a process of its own.

It takes each answer from the WARC file itself, so that no body goes through the crawl's process a second time. The search index
is written by a fork of it (`focuscrawl.crawl.indexing_apart`). A module by itself, because that process imports no more than it
needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from focuscrawl.crawl.indexing_apart import look_beside
from focuscrawl.reading.content import read_apart
from focuscrawl.store.warc.file import read_record


def do_job(_: bytes, **arguments: Any) -> dict[str, Any]:
    """One of the two jobs, told by their arguments."""
    return look_beside(**arguments) if "store_url" in arguments else read_archived(**arguments)


def read_archived(*, file: str, offset: int, **answer: Any) -> dict[str, Any]:
    """The content of the answer at `offset` of a WARC file, in plain values; ValueError where there is none. `answer`: what the
    record does not tell, as `focuscrawl.reading.content.Answer` takes it."""
    try:
        response = read_record(Path(file), offset)
    except OSError as error:
        raise ValueError(f"{file} cannot be read") from error
    return read_apart(response.body, headers=response.headers, fetched_at=response.fetched_at, **answer)
