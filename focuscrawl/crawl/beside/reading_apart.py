"""The side of `focuscrawl.crawl.beside.extraction` that runs in a process of its own.

It reads each response from the WARC file itself, so that no body goes through the crawl's process a second time. This is a
module of its own because that process imports no more than it needs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from focuscrawl.reading.content import read_apart
from focuscrawl.store.warc.file import read_record


def read_archived(_: bytes, *, file: str, offset: int, **more: Any) -> dict[str, Any]:
    """The content of the response at `offset` of a WARC file, as plain values. Raises ValueError where there is none. `more`:
    what the record does not say, by the names of the fields of `focuscrawl.reading.content.ArchivedResponse`."""
    try:
        response = read_record(Path(file), offset)
    except OSError as error:
        raise ValueError(f"{file} cannot be read") from error
    return read_apart(response.body, headers=response.headers, fetched_at=response.fetched_at, **more)
