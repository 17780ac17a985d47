"""What does the dashboard cost a crawl, and how long does a page of a large store take?

    python -m tools.bench.dashboard readers [--web en] [--pages 500] [--pairs 4] [--readers 10]
    python -m tools.bench.dashboard large [--urls 1000000] [--pages 100000] [--store FOLDER]

`readers`: crawls of a fast loopback web, in turns alone and with an open dashboard. Each reader asks every three seconds for
what an open page asks for by itself, and for the next of all pages. Printed are pages a second of each crawl, the ratio of each
pair, and their median; a crawl is to keep 0.95. On a machine that others use, too, the processor time tells more: of the crawl,
which grows with what the readers make it wait for or read again, and of the dashboard, which the crawl would lack on one
processor.

`large`: a store with so many URLs, hosts, pages, links and visits is made once (`--store` keeps it); then every page is asked
for by its first reader, and by one who comes while the answer is kept.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from urllib.parse import quote

from focuscrawl.dashboard.crawl_pages import CRAWL_PAGES, LIVE, REST
from focuscrawl.dashboard.rendering import LIVE_SECONDS
from focuscrawl.store.crawls import open_store
from tools.bench.dashboard_store import NAME, fill
from tools.bench.frontier_processes import cpu_of
from tools.bench.pages import NAMES
from tools.bench.throughput import ENVIRONMENT, ROOT, Bench, Figures, serving

TOKEN = "benchtoken"
CRAWL = "bench"
"""What tools/bench/throughput.py calls its crawl."""
KEPT = 0.95
LONGEST = 1.0
"""Seconds for a page."""


# --- the dashboard as a process, and who reads it ----------------------------------------------------------------------------


@contextmanager
def dashboard(crawls: Path) -> Iterator[tuple[str, int]]:
    """A running one: its address and its process."""
    command = [sys.executable, "-m", "scrapy", "dashboard", "--port", "0", "--token", TOKEN, "-s", f"CRAWLS_DIR={crawls}"]
    with subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout
            yield process.stdout.readline().removeprefix("dashboard: ").partition("/?")[0], process.pid
        finally:
            process.terminate()


def ask(address: str, path: str) -> int:
    """Bytes of the answer. Raises OSError for one that is no page."""
    request = urllib.request.Request(address + path, headers={"Authorization": f"Bearer {TOKEN}"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return len(answer.read())


@dataclass
class Readers:
    """Threads, each with an open page of the crawl that asks for what changes, and that is left for the next page."""

    address: str
    number: int
    answers: int = 0
    slowest: float = 0.0
    refused: int = 0
    _over: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def reading(self) -> Iterator[None]:
        threads = [threading.Thread(target=self._read, args=(number,), daemon=True) for number in range(self.number)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self._over.set()
            for thread in threads:
                thread.join(60)

    def _read(self, number: int) -> None:
        pages = [f"/c/{CRAWL}/{name}" for name in CRAWL_PAGES if name != "page"] + ["/", f"/c/{CRAWL}/?part={REST}"]
        following = cycle(pages[number % len(pages) :] + pages[: number % len(pages)])
        while not self._over.wait(LIVE_SECONDS * (0.5 + random.random())):
            for path in (f"/c/{CRAWL}/?part={LIVE}", next(following)):
                began = time.perf_counter()
                try:
                    ask(self.address, path)
                except OSError:  # the crawl has no store yet
                    self.refused += 1
                    continue
                self.answers += 1
                self.slowest = max(self.slowest, time.perf_counter() - began)


# --- a crawl with readers, and without ---------------------------------------------------------------------------------------


class WatchedBench(Bench):
    """Whose crawls are watched by readers, if it is so."""

    readers = 0

    def ours(self, folder: Path, start: str, checkout: Path) -> Figures:
        if not self.readers:
            return super().ours(folder, start, checkout)
        with dashboard(folder) as (address, process):
            readers, before = Readers(address, self.readers), cpu_of([process])
            began = time.perf_counter()
            with readers.reading():
                found = super().ours(folder, start, checkout)
            used = (cpu_of([process]) - before) / (time.perf_counter() - began)
        return found | {"answers": readers.answers, "slowest": readers.slowest, "refused": readers.refused, "share": used}


def compare(web: str, pages: int, pairs: int, readers: int) -> float:
    """The median share of its pages a second that a crawl keeps."""
    bench = WatchedBench(web, pages, [])
    ratios, processor = [], []
    with serving(web) as port:
        for pair in range(pairs):
            found: dict[bool, Figures] = {}
            for watched in (bool(pair % 2), not pair % 2):
                bench.readers = readers if watched else 0
                with tempfile.TemporaryDirectory() as folder:
                    found[watched] = bench.ours(Path(folder), f"http://127.0.0.1:{port}", ROOT)
            alone, beside = found[False], found[True]
            ratios.append(alone["wall_ms"] / beside["wall_ms"])
            processor.append(alone["cpu_ms"] / beside["cpu_ms"])
            print(
                f"pair {pair + 1}: {1000 / alone['wall_ms']:.1f} pages/s alone, {1000 / beside['wall_ms']:.1f} with {readers}"
                f" readers: {ratios[-1]:.3f} (by processor time {processor[-1]:.3f}); {beside['answers']:.0f} answers, the"
                f" slowest {beside['slowest']:.2f} s, {beside['refused']:.0f} before there was a store; the dashboard took"
                f" {beside['share']:.1%} of a processor",
                flush=True,
            )
    kept = statistics.median(ratios)
    print(f"a crawl keeps {kept:.3f} of its pages a second ({statistics.median(processor):.3f} by its processor time)")
    return kept


# --- pages of a large store --------------------------------------------------------------------------------------------------


def paths_of(crawls: Path) -> list[str]:
    """Every page, the parts that come after it, and the choices that reach far into the store."""
    with closing(open_store(crawls / NAME, read_only=True)) as db:  # not by the dashboard, which would keep its answer
        (first,) = db.execute("select url from page order by page_id desc limit 1").fetchone()
    host = quote(first.split("/")[2])
    base = f"/c/{NAME}/"
    return [
        "/", *(base + name for name in CRAWL_PAGES if name != "page"), f"{base}page?url={quote(first, safe='')}",
        f"{base}?part={REST}", f"{base}graph?part={REST}", f"{base}pages?what=off-topic&order=best", f"{base}pages?language=fr",
        f"{base}pages?host={host}", f"{base}pages?after=0~5000", f"{base}hosts?name={host}", f"{base}hosts?order=errors",
        f"{base}hosts?text=zz", f"{base}frontier?state=retry", f"{base}frontier?state=removed", f"{base}frontier?host={host}",
        f"{base}changes?since=30d", f"/start?like={NAME}",
    ]  # fmt: skip


def time_pages(crawls: Path) -> float:
    """Print a line for each page; the longest time for one, in seconds."""
    longest = 0.0
    with dashboard(crawls) as (address, process):
        print(f"{'page':<48}{'first':>9}{'processor':>11}{'again':>9}{'kB':>8}")
        for path in paths_of(crawls):
            before, began = cpu_of([process]), time.perf_counter()
            size = ask(address, path)
            first, used = time.perf_counter() - began, cpu_of([process]) - before
            began = time.perf_counter()
            ask(address, path)
            again = time.perf_counter() - began
            longest = max(longest, first)
            print(f"{path[:47]:<48}{first:>7.2f} s{used:>9.2f} s{again:>7.2f} s{size / 1000:>8.0f}", flush=True)
    return longest


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code 1: a bound was not kept."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    kinds = parser.add_subparsers(dest="kind", required=True)
    readers = kinds.add_parser("readers")
    readers.add_argument("--web", choices=NAMES, default="en")
    readers.add_argument("--pages", type=int, default=500, help="measured in a crawl (default: %(default)s)")
    readers.add_argument("--pairs", type=int, default=4)
    readers.add_argument("--readers", type=int, default=10)
    large = kinds.add_parser("large")
    large.add_argument("--urls", type=int, default=1_000_000)
    large.add_argument("--pages", type=int, default=100_000, help="of them that are stored (default: %(default)s)")
    large.add_argument("--store", type=Path, help="a folder of crawls that is kept, and filled if it is empty")
    options = parser.parse_args(arguments)
    if options.kind == "readers":
        return 0 if compare(options.web, options.pages, options.pairs, options.readers) >= KEPT else 1
    with tempfile.TemporaryDirectory() as folder:
        crawls = options.store or Path(folder)
        began = time.perf_counter()
        if fill(crawls, options.urls, options.pages):
            print(f"{options.urls:,} URLs, {options.pages:,} pages: made in {time.perf_counter() - began:.0f} s")
        longest = time_pages(crawls)
    print(f"the longest took {math.ceil(longest * 100) / 100:.2f} s")
    return 0 if longest < LONGEST else 1


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    sys.exit(main())
