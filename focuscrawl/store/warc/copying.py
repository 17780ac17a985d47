"""Records copied from one WARC file to another as they are: the answer with its request and metadata."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from focuscrawl.store.warc.recovery import DamagedWarcError, members, right_fields

CHUNK = 1 << 16
"""Bytes read at once: most answers with all that belongs to them are shorter."""


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
