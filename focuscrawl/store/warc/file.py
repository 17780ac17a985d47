"""A WARC/1.1 file that grows by whole pages: response (or revisit), request and metadata, each record a gzip member.

Invariant: the first `length` bytes of the file are whole records. A page is compressed in memory and written in one step. If
that fails, the file is cut back, so that a full disk leaves no broken record.

`RecordFiles` copies records from such files to others as they are: the answer with its request and metadata.
"""

from __future__ import annotations

import os
import time
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO

from deflate import gzip_compress
from fastwarc.warc import ArchiveIterator, WarcRecordType

from focuscrawl import __version__
from focuscrawl.items import Page
from focuscrawl.store.engines.page_record import WarcLocation
from focuscrawl.store.warc import records
from focuscrawl.store.warc.recovery import DamagedWarcError, members, right_fields

SOFTWARE = f"focuscrawl/{__version__}"
LEVEL = 6
"""gzip level of libdeflate. Of recorded pages of 33 KB, level 1 takes 0.45 of the time and 1.11 of the room."""
CHUNK = 1 << 16
"""Bytes read at once: most answers with all that belongs to them are shorter."""


@dataclass(slots=True, frozen=True)
class StoredResponse:
    """A response read from a WARC file."""

    url: str
    fetched_at: float
    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    truncated: str
    """The WARC-Truncated reason; empty when whole."""


class WarcWriter:
    """Writes one new file; for one thread at a time.

    `path` must not exist: a WARC file is written by one process, once (FileExistsError). The warcinfo record is written
    at once. An OSError of any write comes through unchanged, with the file
    as it was before.
    """

    def __init__(self, path: Path, *, level: int = LEVEL) -> None:
        self.path = path
        self.length = 0
        self._level = level
        self._info_id = records.record_id()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            self._append(*self._compressed([self._info(time.time())]))
        except OSError:
            os.close(self._file)
            path.unlink(missing_ok=True)
            raise
        self._first = self.length
        self._named = False
        """Whether the folder was synced, so that the file keeps its name after a power failure."""

    def write(self, page: Page, facts: Mapping[str, str]) -> WarcLocation:
        """Append a page with an HTTP answer; `facts` go into its metadata record. Returns where the response is.

        An answer whose body was not read, for nothing has changed, is a revisit record: nothing is to be read back there.
        Raises ValueError for a page without an answer (status 0) and OSError when the disk does not take it.
        """
        if page.status <= 0:
            raise ValueError(f"no answer to archive from {page.url}")
        data, ends = self._compressed(self._page(page, facts))
        start = self.length
        self._append(data, ends)
        return WarcLocation(self.path.name, start, ends[0])

    def flush(self, durable: bool = False) -> int:
        """Hand everything to the operating system, with `durable` to the disk too; returns `length`.

        Every write already is with the operating system, so without `durable` a crash of the process loses nothing and
        only a power failure can.
        """
        if durable:
            os.fsync(self._file)
            if not self._named:
                _sync_folder(self.path.parent)
                self._named = True
        return self.length

    def rollback(self, length: int) -> None:
        """Forget what was written behind `length` bytes, a former value of `length`; the warcinfo record stays."""
        if length > self.length:
            raise ValueError(f"{self.path.name} has {self.length} bytes, cannot go back to {length}")
        self.length = max(length, self._first)
        os.ftruncate(self._file, self.length)

    def close(self) -> None:
        """Close the file; again does nothing."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def _append(self, data: bytes, ends: list[int]) -> None:
        view, done = memoryview(data), 0
        try:
            while done < len(view):
                # At an explicit place: leftovers of a failed write that could not be cut are written over.
                done += os.pwrite(self._file, view[done:], self.length + done)
        except OSError:
            os.ftruncate(self._file, self.length)
            raise
        self.length += ends[-1]

    def _compressed(self, parts: list[bytes]) -> tuple[bytes, list[int]]:
        """All records as gzip members, and where each ends."""
        members = [gzip_compress(part, self._level) for part in parts]
        return b"".join(members), list(accumulate(map(len, members)))

    def _info(self, now: float) -> bytes:
        fields = {
            "WARC-Type": "warcinfo",
            "WARC-Record-ID": self._info_id,
            "WARC-Date": records.warc_date(now),
            "WARC-Filename": self.path.name,
            "Content-Type": "application/warc-fields",
        }
        block = {
            "software": SOFTWARE,
            "format": "WARC File Format 1.1",
            "conformsTo": "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
            "robots": "obey",
        }
        return records.record(fields.items(), records.lines(block.items()))

    def _page(self, page: Page, facts: Mapping[str, str]) -> list[bytes]:
        common = {
            "WARC-Target-URI": page.url,
            "WARC-Date": records.warc_date(page.fetched_at),
            "WARC-Warcinfo-ID": self._info_id,
        }
        wire = {**common, "WARC-IP-Address": records.server_ip_address(page)}
        response_id = records.record_id()
        response = {
            **(records.revisit_fields(page) if page.unmodified else records.response_fields(page)),
            "WARC-Record-ID": response_id,
            **wire,
            "Content-Type": "application/http; msgtype=response",
        }
        request = {
            "WARC-Type": "request",
            "WARC-Record-ID": records.record_id(),
            "WARC-Concurrent-To": response_id,
            **wire,
            "Content-Type": "application/http; msgtype=request",
        }
        metadata = {
            "WARC-Type": "metadata",
            "WARC-Record-ID": records.record_id(),
            "WARC-Concurrent-To": response_id,
            "WARC-Refers-To": response_id,
            **common,
            "Content-Type": "application/warc-fields",
        }
        return [
            records.record(response.items(), records.response_block(page)),
            records.record(request.items(), records.request_block(page)),
            records.record(metadata.items(), records.metadata_block(page, facts)),
        ]


def read_record(path: Path, offset: int) -> StoredResponse:
    """The response that `WarcWriter.write` put at `offset`; ValueError when there is none."""
    with path.open("rb") as file:
        file.seek(offset)
        record = next(iter(ArchiveIterator(file, parse_http=True)), None)
        if record is None or record.record_type != WarcRecordType.response:
            raise ValueError(f"{path.name} has no response record at {offset}")
        headers = record.http_headers
        return StoredResponse(
            url=record.headers.get("WARC-Target-URI") or "",
            fetched_at=record.record_date.timestamp(),
            status=headers.status_code or 0,
            headers=tuple((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers.items_bytes()),
            body=record.reader.read(),
            truncated=record.headers.get("WARC-Truncated") or "",
        )


def _sync_folder(folder: Path) -> None:
    """Make the file's name durable too."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(slots=True, frozen=True)
class CopiedRecord:
    """One record. `fields`: its WARC header, by names in lower case; `data`: its gzip member."""

    fields: Mapping[str, str]
    data: bytes

    @property
    def kind(self) -> str:
        """Its WARC-Type."""
        return self.fields["warc-type"]


class RecordFiles:
    """Reads from the WARC files of a folder; keeps the one it read from last open."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = ""
        self._file: BinaryIO | None = None

    def info(self, name: str) -> CopiedRecord:
        """The warcinfo record that a file begins with. Raises as `answer` does."""
        return self._records(name, 0, 1)[0]

    def answer(self, name: str, offset: int) -> list[CopiedRecord]:
        """The response at this place, and behind it the records that belong to it.

        Raises:
            OSError: The file is not there or cannot be read.
            DamagedWarcError: It is cut or damaged there, or has no response there.
        """
        found = self._records(name, offset, 3)
        response = found[0]
        if response.kind != "response":
            raise DamagedWarcError(f"{name} has no response at {offset}")
        key = response.fields["warc-record-id"]
        return [response, *(each for each in found[1:] if each.fields.get("warc-concurrent-to") == key)]

    def close(self) -> None:
        if self._file:
            self._file.close()
        self._name, self._file = "", None

    def _records(self, name: str, offset: int, count: int) -> list[CopiedRecord]:
        file, start, found = self._opened(name), offset, []
        file.seek(offset)
        try:
            for data, end in members(file, CHUNK):
                found.append((right_fields(data), start, end))
                start = end
                if len(found) == count:
                    break
        except (DamagedWarcError, zlib.error) as error:
            if not found:
                raise DamagedWarcError(f"{name} at byte {start}: {error}") from error
        if not found:
            raise DamagedWarcError(f"{name} has no record at {offset}")
        return [CopiedRecord(fields, _between(file, start, end)) for fields, start, end in found]

    def _opened(self, name: str) -> BinaryIO:
        if self._file is None or self._name != name:
            self.close()
            self._name, self._file = name, (self._folder / name).open("rb")
        return self._file


def _between(file: BinaryIO, start: int, end: int) -> bytes:
    file.seek(start)
    return file.read(end - start)
