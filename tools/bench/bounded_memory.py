"""Memory of the bounded queues against an unbounded best-first, on the same stream of pages, in the same run.

    python -m tools.bench.bounded_memory [--pages N] [--links N]

Both crawl an endless made-up web from memory: each page has so many links that were never seen. Printed is what the frontier
itself holds (tracemalloc), at equal numbers of fetches.
"""

from __future__ import annotations

import argparse
import gc
import heapq
import random
import sys
import tracemalloc
from collections.abc import Sequence
from typing import Protocol

from models.order.bounded import BoundedQueues, Downloaded, Sizes

Key = tuple[int, int]
MEBI = 2**20


class Memory(Protocol):
    """A frontier in memory."""

    def fetch(self) -> None: ...

    def add(self, key: Key, score: float) -> None: ...

    def __len__(self) -> int: ...


class Unbounded:
    """A heap and the set of what was seen."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, Key]] = []
        self._seen: set[Key] = set()

    def fetch(self) -> None:
        if self._heap:
            heapq.heappop(self._heap)

    def add(self, key: Key, score: float) -> None:
        if key not in self._seen:
            self._seen.add(key)
            heapq.heappush(self._heap, (-score, key))

    def __len__(self) -> int:
        return len(self._heap)


class Bounded:
    """P, A, R and D; the table that stands for the disk holds nothing but the head, which is all that is chosen from."""

    def __init__(self, sizes: Sizes) -> None:
        self._queues, self._downloaded = BoundedQueues(sizes, random.Random(0)), Downloaded()
        self._head: dict[Key, float] = {}

    def fetch(self) -> None:
        self._head.update((key, priority) for key, priority in self._queues.changes() if priority >= 0.5)
        if self._head:
            key = max(self._head, key=lambda one: self._head[one])
            del self._head[key]
            self._downloaded.add(key[1])
            self._queues.fetched(key)

    def add(self, key: Key, score: float) -> None:
        if key[1] not in self._downloaded:
            self._queues.offer(key, score)

    def __len__(self) -> int:
        return len(self._queues)


def held(frontier: Memory, pages: int, links: int) -> list[tuple[int, int, int]]:
    """Rows of (pages fetched, bytes held, URLs waiting), at eight points."""
    rng, rows = random.Random(1), []
    gc.collect()
    start = tracemalloc.get_traced_memory()[0]
    for number in range(1, pages + 1):
        frontier.fetch()
        for _ in range(links):
            frontier.add((rng.getrandbits(62), rng.getrandbits(62)), rng.random())
        if number % (pages // 8) == 0:
            rows.append((number, tracemalloc.get_traced_memory()[0] - start, len(frontier)))
    return rows


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if the bounded frontier grew after its queues were full, other than by what was downloaded."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.bounded_memory", description=__doc__)
    parser.add_argument("--pages", type=int, default=16_000, help="fetches")
    parser.add_argument("--links", type=int, default=20, help="new links on each page")
    options = parser.parse_args(arguments)
    tracemalloc.start()
    bounded = held(Bounded(Sizes()), options.pages, options.links)
    unbounded = held(Unbounded(), options.pages, options.links)
    tracemalloc.stop()
    print(f"{'pages':>9}{'bounded MiB':>14}{'URLs':>10}{'unbounded MiB':>16}{'URLs':>10}{'ratio':>8}")
    for (pages, small, few), (_, large, many) in zip(bounded, unbounded, strict=True):
        print(f"{pages:9}{small / MEBI:14.2f}{few:10}{large / MEBI:16.2f}{many:10}{large / small:8.1f}")
    middle, last = bounded[3], bounded[-1]
    return int(last[1] > middle[1] + 16 * (last[0] - middle[0]) + MEBI)


if __name__ == "__main__":
    sys.exit(main())
