"""Clocks of `tools.bench.frontier`: times of operations, and what processor and memory a stage took."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from tools.bench.frontier_processes import cpu_of, memory_of

Figures = dict[str, float]
Result = TypeVar("Result")


@dataclass(slots=True)
class Clocks:
    """Times in seconds of one kind of operation, and the number of things (links, URLs) that it was for."""

    times: list[float] = field(default_factory=list)
    things: int = 0

    async def time(self, operation: Awaitable[Result], things: int = 1) -> Result:
        """Wait for the operation and note how long it took."""
        began = time.perf_counter()
        result = await operation
        self.times.append(time.perf_counter() - began)
        self.things += things
        return result

    @property
    def rate(self) -> float:
        """Things a second of the operation's own time."""
        return self.things / sum(self.times) if self.times else 0.0

    def figures(self) -> Figures:
        """Rate; median and 99th percentile in ms."""
        if len(self.times) < 2:
            return {"count": len(self.times)}
        cuts = statistics.quantiles(self.times, n=100, method="inclusive")
        return {"count": len(self.times), "rate": self.rate, "p50": 1000 * cuts[49], "p99": 1000 * cuts[98]}


class Load:
    """Wall time and processor time of client and server over those parts of a stage that are between `start` and `stop`."""

    def __init__(self, server: Callable[[], list[int]]) -> None:
        self._server = server
        self._began = (0.0, 0.0, 0.0)
        self.seconds = self.client = self.server = 0.0

    def start(self) -> None:
        server = cpu_of(self._server())
        self._began = time.perf_counter(), time.process_time(), server

    def stop(self) -> None:
        seconds, client = time.perf_counter(), time.process_time()
        self.seconds += seconds - self._began[0]
        self.client += client - self._began[1]
        self.server += cpu_of(self._server()) - self._began[2]

    def figures(self, times: int) -> Figures:
        """Milliseconds of processor each time, and megabytes at the end."""
        each = 1000 / max(1, times)
        return {
            "seconds": self.seconds,
            "client_ms": self.client * each,
            "server_ms": self.server * each,
            "client_mb": memory_of([os.getpid()]),
            "server_mb": memory_of(self._server()),
        }


def turns(count: int, seconds: float) -> Iterator[int]:
    """`count` times or `seconds` long, whichever is over first."""
    end = time.monotonic() + seconds
    for turn in range(count):
        if time.monotonic() >= end:
            return
        yield turn
