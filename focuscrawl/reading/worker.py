"""Runs reading functions in a process of its own, with limits of CPU time and memory, because pages may be hostile.

The process is started when it is first needed, and may be ended after it was idle for a while. It answers one job at a time
over its pipes. A job that exceeds its time ends the process (by SIGXCPU, or by our SIGKILL after the wall-clock limit), and one
that exceeds its memory may; its result is the error `parse`, and the next job gets a new process. Messages are JSON and raw
bytes, so that even a page that takes over the process can make this side build only plain values.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections import defaultdict
from dataclasses import astuple, dataclass, field
from typing import Any

from focuscrawl.reading.serving import HEADER, packed, unpacked

_MAX_ANSWER = 64 << 20
"""Bytes."""
_WALL_FACTOR = 3.0
"""The wall-clock limit as a multiple of the CPU limit, because a process on a busy machine gets little CPU time."""
IDLE = 30.0
"""Seconds without a job after which a process is ended. It takes 30 MB or more; starting it again takes 0.2 s."""
_START = "import sys; sys.path[:] = {path!r}; from focuscrawl.reading.serving import serve; serve()"


@dataclass(slots=True, frozen=True)
class Limits:
    """What one job may take; 0: no limit but those of the user's own shell or service."""

    cpu_seconds: float = 5.0
    memory: int = 512 << 20
    """Address space of the process, in bytes."""


USUAL = Limits()


@dataclass(slots=True, frozen=True)
class Job:
    """What the process is to do: `function(body, **arguments)`."""

    function: str
    """`package.module:name`. It returns what JSON can hold."""
    body: bytes = b""
    arguments: dict[str, Any] = field(default_factory=dict)
    """What JSON can hold."""
    limits: Limits = USUAL


@dataclass(slots=True, frozen=True)
class JobResult:
    result: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    """`parse` if the job failed or exceeded a limit."""


class WorkerProcess:
    """Runs jobs in one process, which those who use it share.

    Jobs of one function wait for each other; among those that are first of their function the longest waiting is next. So
    each function has its turn, however many jobs of another one wait."""

    def __init__(self, idle_seconds: float = IDLE) -> None:
        """`idle_seconds`: time without a job after which the process is ended; 0: it stays."""
        self._idle_seconds = idle_seconds
        self._idle: asyncio.TimerHandle | None = None
        self._ending: asyncio.Task[None]
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By function."""

    async def read(self, job: Job) -> JobResult:
        """The result of the function, or the error `parse`. One job runs at a time."""
        async with self._turns[job.function], self._busy:
            self._end_when_idle(None)
            try:
                if self._process is not None and self._process.returncode is not None:
                    await self._stop()  # it was ended from outside, by the system where memory was short: not this job's fault
                process = self._process or await self._start()
                async with asyncio.timeout(_WALL_FACTOR * job.limits.cpu_seconds or None):
                    answer = await self._ask(process, job)
            except (TimeoutError, OSError, EOFError, ValueError):
                await self._stop()
                return JobResult(error="parse")
            except asyncio.CancelledError:
                await self._stop()  # the rest of this answer must not be taken for that of the next job
                raise
            self._end_when_idle(self._idle_seconds)
            return answer

    def _end_when_idle(self, seconds: float | None) -> None:
        """End the process after this many seconds, instead of when it was to end before; None or 0: not at all."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(seconds, self._end) if seconds else None

    def _end(self) -> None:
        self._ending = asyncio.ensure_future(self.close())

    async def close(self) -> None:
        """End the process, after the job that runs."""
        async with self._busy:
            self._end_when_idle(None)
            await self._stop()

    async def _start(self) -> asyncio.subprocess.Process:
        start = _START.format(path=[os.path.abspath(entry) for entry in sys.path])
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-c", start),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the crawler's to handle
        )
        return self._process

    async def _ask(self, process: asyncio.subprocess.Process, job: Job) -> JobResult:
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise OSError("the worker has no pipes")
        task = packed({"function": job.function, "arguments": job.arguments, "limits": astuple(job.limits)})
        stdin.write(HEADER.pack(len(task), len(job.body)) + task)
        stdin.write(job.body)
        await stdin.drain()
        size, _ = HEADER.unpack(await stdout.readexactly(HEADER.size))
        if size > _MAX_ANSWER:
            raise ValueError("answer too large")
        values = unpacked(await stdout.readexactly(size))
        return JobResult(values["result"], values["error"])

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)  # also when it has died itself: its child processes live on
        if process.stdin is not None:
            process.stdin.close()
        await process.communicate()
