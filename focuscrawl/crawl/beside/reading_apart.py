"""The side of `focuscrawl.crawl.beside.extraction` that runs in a process of its own.

It reads each response from the WARC file itself, so that no body goes through the crawl's process a second time. This is a
module of its own because that process imports no more than it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from focuscrawl.reading.content import learn_from, read_apart, site_of
from focuscrawl.store.warc.file import StoredResponse, read_record

Archived = tuple[str, int, str, str]
"""(file, offset, URL, content type) of an archived response."""


def read_archived(
    _: bytes, *, file: str, offset: int, url: str, others: Sequence[Archived] | None = None, **more: Any
) -> dict[str, Any]:
    """The content of the response at `offset` of a WARC file, as plain values. Raises ValueError where there is none.

    If this process does not know the site of the page, the answer is empty: ask again with `others`, pages of it that were read
    whole before. `more`: what the record does not say, by the names of the fields of
    `focuscrawl.reading.content.ArchivedResponse`."""
    site = site_of(url)
    if others is None and not site.recalled:
        return {}
    site.recalled = True
    for other_file, other_offset, other_url, content_type in others or ():
        with suppress(ValueError):
            learn_from(site, _record(other_file, other_offset).body, other_url, content_type)
    response = _record(file, offset)
    return read_apart(response.body, url=url, headers=response.headers, fetched_at=response.fetched_at, **more)


def _record(file: str, offset: int) -> StoredResponse:
    try:
        return read_record(Path(file), offset)
    except OSError as error:
        raise ValueError(f"{file} cannot be read") from error
