"""What to do with a WARC file whose writer died, and whether a file is whole.

The check walks every gzip member with zlib, not with the library that wrote the file: it sees a cut last record, a
wrong CRC, a wrong length and a wrong digest (`warcio check` passes files whose last record is cut: webrecorder/warcio
#138).
"""

from __future__ import annotations

import os
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from focuscrawl.store.warc.records import digest

_CHUNK = 1 << 20
"""Bytes read, and bytes unpacked, at once."""
_MOST = 1 << 28
"""Bytes of one record, uncompressed; more is taken for damage."""


class DamagedWarcError(ValueError):
    """A WARC file is not what its index says. The message names the file and the place."""


@dataclass(slots=True)
class Verified:
    """What a walk through a file found."""

    kinds: Counter[str] = field(default_factory=Counter)
    """Records by WARC-Type."""
    length: int = 0
    """Bytes from the start that are whole, right records."""
    size: int = 0
    error: str = ""
    """The first thing wrong and where; empty when all is right."""

    @property
    def records(self) -> int:
        return self.kinds.total()

    @property
    def whole(self) -> bool:
        """Whether every byte belongs to a right record."""
        return not self.error and self.length == self.size


def cut_back(path: Path, committed_length: int) -> int:
    """Cut a dead worker's file back to its last commit; returns the bytes cut. Again does nothing.

    A file of which nothing was committed is removed. Raises DamagedWarcError when the file is shorter than that, as
    after a power failure: `verify` then finds how far it is whole, and the pages behind that must be fetched again.
    """
    size = path.stat().st_size if path.exists() else 0
    if size < committed_length:
        raise DamagedWarcError(f"{path.name} has {size} bytes, but {committed_length} were committed")
    if committed_length <= 0:
        path.unlink(missing_ok=True)
    elif size > committed_length:
        with path.open("r+b") as file:
            file.truncate(committed_length)
            os.fsync(file.fileno())
    return size - max(committed_length, 0)


def verify(path: Path) -> Verified:
    """Walk all records: CRC of every gzip member; header, length and digest of every block. Damage is no exception."""
    result = Verified(size=path.stat().st_size)
    with path.open("rb") as file:
        try:
            for data, end in members(file):
                result.kinds[right_fields(data)["warc-type"]] += 1
                result.length = end
        except (DamagedWarcError, zlib.error) as error:
            result.error = f"{path.name} at byte {result.length}: {error}"
    return result


def members(file: BinaryIO, chunk: int = _CHUNK) -> Iterator[tuple[bytes, int]]:
    """(content, end in the file) of every gzip member from here on, read in steps of `chunk` bytes. Raises DamagedWarcError or
    zlib.error where one is broken."""
    rest = b""
    while rest or (rest := file.read(chunk)):
        member = zlib.decompressobj(wbits=31)
        parts, size = [], 0
        while not member.eof:
            if not rest and not (rest := file.read(chunk)):
                raise DamagedWarcError("the last record is cut")
            part = member.decompress(rest, _CHUNK)
            rest = member.unused_data if member.eof else member.unconsumed_tail
            size += len(part)
            if size > _MOST:
                raise DamagedWarcError(f"a record of more than {_MOST} bytes")
            parts.append(part)
        yield b"".join(parts), file.tell() - len(rest)


def right_fields(data: bytes) -> dict[str, str]:
    """The header of a right record, by names in lower case; DamagedWarcError says what is wrong."""
    head, found, rest = data.partition(b"\r\n\r\n")
    version, *lines = head.decode("utf-8", "replace").split("\r\n")
    if not found or version not in ("WARC/1.0", "WARC/1.1"):
        raise DamagedWarcError("no WARC header")
    fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    length = fields.get("content-length", "")
    if not length.isdecimal() or rest[int(length) :] != b"\r\n\r\n":
        raise DamagedWarcError(f"Content-Length {length or 'missing'} does not fit a block of {len(rest) - 4} bytes")
    expected = fields.get("warc-block-digest", "")
    if expected.startswith("sha1:") and expected != digest(rest[:-4]):
        raise DamagedWarcError("the block does not have its digest")
    if not fields.get("warc-type") or not fields.get("warc-record-id"):
        raise DamagedWarcError("no record type or identifier")
    return fields
