"""The processes that do a crawl's jobs (`focuscrawl.reading.worker`), forked before a forked crawl begins. To start two of
them, which import much of what the crawl does, was half of the work of a small crawl.

They are forked while there is one thread: another one might hold a lock of a library, such as SQLite's, which nobody would
open in the fork. A crawl that needs more than there are starts them as usual."""

from __future__ import annotations

import asyncio
import contextlib
import os
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

COUNT = 2
"""One makes the topic, one reads."""


class ReadyWorker:
    """Of `asyncio.subprocess.Process` what is used of a worker process."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader

    def __init__(self) -> None:
        (jobs, self._jobs), (self._answers, answers) = os.pipe(), os.pipe()
        self._code: int | None = None
        self.pid = os.fork() or _serve(jobs, answers)
        os.close(jobs)
        os.close(answers)

    async def begin(self) -> None:
        loop = asyncio.get_running_loop()
        self.stdout = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(self.stdout), os.fdopen(self._answers, "rb", 0))
        to_it = asyncio.StreamReaderProtocol(asyncio.StreamReader())  # which reads nothing
        transport, _ = await loop.connect_write_pipe(lambda: to_it, os.fdopen(self._jobs, "wb", 0))
        self.stdin = asyncio.StreamWriter(transport, to_it, None, loop)

    @property
    def returncode(self) -> int | None:
        if self._code is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if ended else None
        return self._code

    async def communicate(self) -> None:
        """Wait for its end."""
        await self.stdout.read()
        while self.returncode is None:
            await asyncio.sleep(0.001)

    def end(self) -> None:
        """Nobody needs it."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


@contextlib.contextmanager
def offered() -> Iterator[None]:
    """The next processes for jobs are these. To be entered before the program begins."""
    ready = [ReadyWorker() for _ in range(COUNT)]
    execute = asyncio.create_subprocess_exec

    async def start(program: str, *arguments: str, **options: Any) -> Any:
        if not ready or arguments[0] != "-I":  # no other process of ours is started so
            return await execute(program, *arguments, **options)
        worker = ready.pop()
        await worker.begin()
        return worker

    vars(asyncio)["create_subprocess_exec"] = start
    try:
        yield
    finally:
        for worker in ready:
            worker.end()


def _serve(jobs: int, answers: int) -> NoReturn:
    """In the fork. What it has inherited does not count towards its limit of memory."""
    from focuscrawl.reading import serving

    try:
        os.setsid()
        for mine, theirs in ((0, jobs), (1, answers), (2, os.open(os.devnull, os.O_WRONLY))):
            os.dup2(theirs, mine)
        os.closerange(3, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
        inherited = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limit = serving._limit
        vars(serving)["_limit"] = lambda cpu_seconds, memory: limit(cpu_seconds, memory and memory + inherited)
        serving.serve()
    finally:
        os._exit(0)
