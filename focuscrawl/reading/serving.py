"""What runs in the worker process of `focuscrawl.reading.worker`: it reads jobs from standard input and writes answers.

It is a module of its own so that this process does not import what only the other side needs (asyncio, 10 MB).
"""

from __future__ import annotations

import importlib
import json
import math
import os
import resource
import struct
import sys
from collections.abc import Callable
from typing import Any, BinaryIO

import orjson

from focuscrawl.process_memory import give_back, one_heap

HEADER = struct.Struct(">II")
"""Lengths of the JSON part and of the raw part of a message, in bytes. An answer has no raw part."""
_TIDIED, _LARGE = 20, 100_000
"""Freed memory goes back to the system every 20 jobs, and after each job that brings a page of 100 000 bytes or more: reading
one takes 50 ms or more and leaves 5 to 15 MB, and giving these back takes less than 1 ms in such a process."""

Reader = Callable[..., dict[str, Any]]


def serve() -> None:
    """The main loop: reads jobs from standard input until it is closed. Arguments: the reading function as `module:name`, the
    CPU seconds of a job, and the bytes of address space (0: no limit)."""
    function, cpu_seconds, memory = sys.argv[1:4]
    module, _, name = function.partition(":")
    reader: Reader = getattr(importlib.import_module(module), name)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that a stray print in a library goes to standard error, not into an answer
    if int(memory):
        resource.setrlimit(resource.RLIMIT_AS, (int(memory), resource.getrlimit(resource.RLIMIT_AS)[1]))
    one_heap()
    jobs = 0
    while (message := _receive(sys.stdin.buffer)) is not None:
        _limit_cpu(float(cpu_seconds))
        answer = packed(_answer(reader, *message))
        answers.write(HEADER.pack(len(answer), 0) + answer)
        answers.flush()
        jobs += 1
        tidy = jobs % _TIDIED == 0 or len(message[1]) >= _LARGE
        del message, answer
        if tidy:
            give_back()


def packed(values: dict[str, Any]) -> bytes:
    """Values as JSON. Lone surrogates, which UTF-8 cannot hold, become escapes, which only Python's own module writes and
    reads."""
    try:
        return orjson.dumps(values)
    except orjson.JSONEncodeError:
        return json.dumps(values).encode()


def unpacked(data: bytes) -> dict[str, Any]:
    """The inverse of `packed`. Raises ValueError for what is not JSON."""
    try:
        values: dict[str, Any] = orjson.loads(data)
    except orjson.JSONDecodeError:
        values = json.loads(data)
    return values


def _receive(stream: BinaryIO) -> tuple[dict[str, Any], bytes] | None:
    """The next job as (arguments, body); None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    size, body = HEADER.unpack(header)
    return unpacked(stream.read(size)), stream.read(body)


def _answer(reader: Reader, arguments: dict[str, Any], body: bytes) -> dict[str, Any]:
    try:
        return {"result": reader(body, **arguments), "error": ""}
    except (MemoryError, RecursionError, ValueError, RuntimeError):
        return {"result": {}, "error": "parse"}


def _limit_cpu(seconds: float) -> None:
    """Let the process use this much more CPU time. The kernel's limit is for the whole life of the process, in whole seconds,
    so each job moves it on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    limit = math.ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))
