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
from functools import cache
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
    """The main loop: reads jobs from standard input until it is closed."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # so that a stray print in a library goes to standard error, not into an answer
    one_heap()
    jobs = 0
    while (message := _receive(sys.stdin.buffer)) is not None:
        task, body = message
        _limit(0.0, 0)
        reader = _function(task["function"])  # importing it is not the job's to pay
        _limit(*task["limits"])
        answer = packed(_answer(reader, task["arguments"], body))
        answers.write(HEADER.pack(len(answer), 0) + answer)
        answers.flush()
        jobs += 1
        tidy = jobs % _TIDIED == 0 or len(body) >= _LARGE
        del message, task, body, answer
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
    """The next job and its body; None at the end of the stream."""
    header = stream.read(HEADER.size)
    if len(header) < HEADER.size:
        return None
    size, body = HEADER.unpack(header)
    return unpacked(stream.read(size)), stream.read(body)


@cache
def _function(path: str) -> Reader:
    module, _, name = path.partition(":")
    reader: Reader = getattr(importlib.import_module(module), name)
    return reader


def _answer(reader: Reader, arguments: dict[str, Any], body: bytes) -> dict[str, Any]:
    try:
        return {"result": reader(body, **arguments), "error": ""}
    except (MemoryError, RecursionError, ValueError, RuntimeError):
        return {"result": {}, "error": "parse"}


def _limit(cpu_seconds: float, memory: int) -> None:
    """Let the process use this much more CPU time, and an address space of so many bytes; 0: as much as it was given when it
    began. The kernel's limit of CPU time is for the whole life of the process, in whole seconds, so each job moves it on."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    until = math.ceil(used.ru_utime + used.ru_stime + cpu_seconds) if cpu_seconds else 0
    for limit, most in ((resource.RLIMIT_CPU, until), (resource.RLIMIT_AS, memory)):
        hard = resource.getrlimit(limit)[1]
        bounded = most and (hard == resource.RLIM_INFINITY or most < hard)
        resource.setrlimit(limit, (most if bounded else hard, hard))
