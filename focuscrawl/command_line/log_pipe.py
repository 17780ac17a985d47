"""Writes log lines to a pipe that is read late or never, so that the crawl does not wait for the reader.

A full pipe blocks the writer, and if that is the event loop, everything stops: leases run out, and fetches in flight break off.
So output that finds no room is held back, up to a limit. Output beyond it is left out, and its amount is logged where the
output goes on.
"""

from __future__ import annotations

import atexit
import contextlib
import io
import os
import select
import stat
import sys
import time
from collections import deque

HELD_BYTES = 4 << 20
"""Most bytes that are held back, some 40 000 lines."""
LAST_SECONDS = 2.0
"""How long a process that ends waits for its reader. Together with the rest of a stop it is less than `docker stop` allows."""


class UnreadPipe(io.RawIOBase):
    """The writing end of a pipe, as a stream for io.TextIOWrapper. Only this process may close `descriptor`.

    Raises BrokenPipeError if nobody can read any more."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._held: deque[bytes] = deque()
        self._held_bytes = 0
        self._left_out = 0
        self._room = select.poll()
        self._room.register(descriptor, select.POLLOUT)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: bytes | bytearray | memoryview, /) -> int:  # type: ignore[override]
        """Take all of the data, and pass on as much as there is room for."""
        self._pass_on()
        if self._held_bytes + len(data) > HELD_BYTES:
            self._left_out += 1
        else:
            if self._left_out:
                self._hold(f"[{self._left_out} log lines were left out: nobody read the log]\n".encode())
                self._left_out = 0
            self._hold(bytes(data))
            self._pass_on()
        return len(data)

    def finish(self, seconds: float = LAST_SECONDS) -> None:
        """Wait up to this many seconds for the reader to take what is held."""
        end = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            while self._held and (left := end - time.monotonic()) > 0:
                self._pass_on(left)

    def _hold(self, data: bytes) -> None:
        self._held.append(data)
        self._held_bytes += len(data)

    def _pass_on(self, seconds: float = 0.0) -> None:
        """Write while there is room, and wait up to this many seconds for some."""
        while self._held and self._room.poll(1000 * seconds):
            piece = self._held[0]
            try:
                # A pipe with any room takes PIPE_BUF bytes without blocking.
                written = os.write(self._descriptor, piece[: select.PIPE_BUF])
            except BlockingIOError:  # another process has filled the room
                return
            except OSError:
                self._held.clear()
                self._held_bytes = 0
                raise
            self._held_bytes -= written
            if written < len(piece):
                self._held[0] = piece[written:]
            else:
                self._held.popleft()


def wait_for_no_reader() -> None:
    """Make this process never wait for the reader if its stderr is a pipe."""
    try:
        descriptor = sys.stderr.fileno()
        if not stat.S_ISFIFO(os.fstat(descriptor).st_mode):
            return
    except (AttributeError, OSError):  # no stream at all, or none of the system
        return
    sys.stderr.flush()
    pipe = UnreadPipe(descriptor)
    atexit.register(pipe.finish)
    sys.stderr = io.TextIOWrapper(
        pipe,
        encoding=sys.stderr.encoding,
        errors=sys.stderr.errors,
        write_through=True,
    )
