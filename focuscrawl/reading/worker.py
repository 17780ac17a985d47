"""Hostile pages are read in a process of their own, with a limit of CPU time and memory.

One process is started when it is first needed and kept; it answers one job at a time over its pipes. A job that exceeds
its limits ends the process (SIGXCPU, failed allocation, or our SIGKILL after the wall-clock limit), is answered with the
error `parse`, and the next job gets a new process. Messages are JSON and raw bytes: nothing a page can do to the process
makes this side run or build anything but plain values.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import math
import os
import resource
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import orjson

from focuscrawl.process_memory import give_back, one_heap

_HEADER = struct.Struct(">II")
"""Lengths of the JSON part and of the raw part of a message, bytes."""
_MAX_ANSWER = 64 << 20
_TIDIED = 20
"""Jobs after which the worker process gives freed memory back."""
_WALL_FACTOR = 3.0
"""Wall-clock limit over CPU limit: on a busy machine CPU time passes slowly."""
_START = "import sys; sys.path[:] = {path!r}; from focuscrawl.reading.worker import serve; serve()"

Reader = Callable[..., dict[str, Any]]


@dataclass(slots=True, frozen=True)
class Job:
    """`body` and `arguments` are given to the reading function as `function(body, **arguments)`."""

    body: bytes
    arguments: dict[str, Any]
    """What JSON can hold."""


@dataclass(slots=True, frozen=True)
class Answer:
    result: dict[str, Any] = field(default_factory=dict)
    error: str = ""
    """`parse` when the job failed or overran a limit."""


class ReadingWorker:
    """Runs `function` (`package.module:name`, takes bytes and strings, returns what JSON can hold) in its own process."""

    def __init__(self, function: str, cpu_seconds: float = 5.0, memory: int = 512 << 20) -> None:
        """`memory`: bytes of address space; 0: no limit, for what maps large files."""
        self._function = function
        self._cpu_seconds = cpu_seconds
        self._memory = memory
        self._process: asyncio.subprocess.Process | None = None
        self._busy = asyncio.Lock()
        self.restarts = 0
        """Processes that a job has cost."""

    async def read(self, job: Job) -> Answer:
        """The function's result, or the error `parse`. Jobs wait for each other; none waits for a dead process."""
        async with self._busy:
            process = self._process or await self._start()
            try:
                async with asyncio.timeout(_WALL_FACTOR * self._cpu_seconds):
                    return await self._ask(process, job)
            except (TimeoutError, OSError, EOFError, ValueError):
                self.restarts += 1
                await self._stop()
                return Answer(error="parse")
            except asyncio.CancelledError:
                await self._stop()  # a half-read answer must not meet the next question
                raise

    async def close(self) -> None:
        async with self._busy:
            await self._stop()

    async def _start(self) -> asyncio.subprocess.Process:
        start = _START.format(path=[os.path.abspath(entry) for entry in sys.path])
        limits = (self._function, str(self._cpu_seconds), str(self._memory))
        self._process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-c", start, *limits),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is the crawler's to handle
        )
        return self._process

    async def _ask(self, process: asyncio.subprocess.Process, job: Job) -> Answer:
        stdin, stdout = process.stdin, process.stdout
        if stdin is None or stdout is None:
            raise OSError("the worker has no pipes")
        arguments = _packed(job.arguments)
        stdin.write(_HEADER.pack(len(arguments), len(job.body)) + arguments)
        stdin.write(job.body)
        await stdin.drain()
        size, _ = _HEADER.unpack(await stdout.readexactly(_HEADER.size))
        if size > _MAX_ANSWER:
            raise ValueError("answer too large")
        values = _unpacked(await stdout.readexactly(size))
        return Answer(values["result"], values["error"])

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        if process.stdin is not None:
            process.stdin.close()
        await process.communicate()


def serve() -> None:
    """The worker process's main loop: reads jobs from standard input until it is closed."""
    function, cpu_seconds, memory = sys.argv[1:4]
    module, _, name = function.partition(":")
    reader: Reader = getattr(importlib.import_module(module), name)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # a stray print must not spoil an answer
    if int(memory):
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    one_heap()
    jobs = 0
    while (message := _receive(sys.stdin.buffer)) is not None:
        _limit_cpu(float(cpu_seconds))
        answer = _packed(_answer(reader, *message))
        answers.write(_HEADER.pack(len(answer), 0) + answer)
        answers.flush()
        jobs += 1
        if jobs % _TIDIED == 0:
            give_back()


def _packed(values: dict[str, Any]) -> bytes:
    """As JSON; lone surrogates, which UTF-8 cannot hold, as escapes, which only Python's own module writes and reads."""
    try:
        return orjson.dumps(values)
    except orjson.JSONEncodeError:
        return json.dumps(values).encode()


def _unpacked(data: bytes) -> dict[str, Any]:
    try:
        values: dict[str, Any] = orjson.loads(data)
    except orjson.JSONDecodeError:
        values = json.loads(data)
    return values


def _receive(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    header = stream.read(_HEADER.size)
    if len(header) < _HEADER.size:
        return None
    size, body = _HEADER.unpack(header)
    return _unpacked(stream.read(size)), stream.read(body)


def _answer(reader: Reader, arguments: dict[str, Any], body: bytes) -> dict[str, Any]:
    try:
        return {"result": reader(body, **arguments), "error": ""}
    except (MemoryError, RecursionError, ValueError, RuntimeError):
        return {"result": {}, "error": "parse"}


def _limit_cpu(seconds: float) -> None:
    """The kernel counts whole seconds of the whole process: each job moves the limit on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
