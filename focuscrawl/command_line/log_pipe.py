"""Log lines for a pipe that is read late or never: the crawl does not wait for its reader.

A pipe that is full stops whoever writes on it, and with the event loop that is everything: leases run out, and what is on the
way breaks off. What finds no room is held back, up to a limit; what is beyond that is left out, and counted where it goes on.
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
"""Some 40 000 lines."""
LAST_SECONDS = 2.0
"""How long a process that ends waits for its reader. With all else that a stop takes it is less than `docker stop` grants."""


class UnreadPipe(io.RawIOBase):
    """The writing end of a pipe, as a stream for io.TextIOWrapper. Only this process may close `descriptor`.

    Raises BrokenPipeError where nobody can read any more."""

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
        """Take all of it, and pass on as much as there is room for."""
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
        """Wait a little for a reader."""
        end = time.monotonic() + seconds
        with contextlib.suppress(OSError):
            while self._held and (left := end - time.monotonic()) > 0:
                self._pass_on(left)

    def _hold(self, data: bytes) -> None:
        self._held.append(data)
        self._held_bytes += len(data)

    def _pass_on(self, seconds: float = 0.0) -> None:
        """Write while there is room; wait so long for some."""
        while self._held and self._room.poll(1000 * seconds):
            piece = self._held[0]
            try:
                # a pipe that has room takes so many bytes without waiting
                written = os.write(self._descriptor, piece[: select.PIPE_BUF])
            except BlockingIOError:  # another process was quicker
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
    """From now on nothing that this process writes to a pipe as its stderr waits for a reader."""
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
