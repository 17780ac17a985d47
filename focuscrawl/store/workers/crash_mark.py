"""What a process was parsing when it died: a page that kills its readers is known by that."""

from __future__ import annotations

import mmap
import os
import struct
from pathlib import Path

_FORMAT = struct.Struct("<q")


def _path(directory: Path, worker: int) -> Path:
    return directory / "run" / f"worker-{worker}.parsing"


class CrashMark:
    """Notes in a file of eight bytes, without a transaction, which URL this process is parsing.

    The file survives a kill, because the page cache survives the process. So a page that kills its reader three times can be
    set aside, while URLs that were only in flight are fetched again. The file is mapped into memory, so that setting the mark
    needs no system call."""

    def __init__(self, directory: Path, worker: int) -> None:
        self._path = _path(directory, worker)
        self._path.parent.mkdir(exist_ok=True)
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.write(file, _FORMAT.pack(0))  # reserves its place on the disk: a full disk must not end in SIGBUS later
            self._memory = mmap.mmap(file, _FORMAT.size)
        finally:
            os.close(file)

    def begin(self, uid: int) -> None:
        """Note that this process begins to parse the URL with this number."""
        _FORMAT.pack_into(self._memory, 0, uid)

    def end(self) -> None:
        """Note that this process parses nothing now."""
        _FORMAT.pack_into(self._memory, 0, 0)

    def close(self) -> None:
        self._memory.close()
        self._path.unlink(missing_ok=True)


def parsing_of(directory: Path, worker: int) -> int:
    """The uid that a dead worker was parsing; 0 if none, or if it ran on another machine."""
    try:
        data = _path(directory, worker).read_bytes()
    except FileNotFoundError:
        return 0
    return int(_FORMAT.unpack(data)[0]) if len(data) == _FORMAT.size else 0


def forget_parsing(directory: Path, worker: int) -> None:
    """Remove the mark of a dead worker."""
    _path(directory, worker).unlink(missing_ok=True)
