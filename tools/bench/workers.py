"""Pages a second of one crawl with 1, 2 and 4 worker processes, on both stores: does another process help?

    python -m tools.bench.workers [--store sqlite] [--workers 1 --workers 2] [--pages 2000] [--rounds 1] [--results FILE]

Breadth-first on the generated web, politeness off, everything else on but the best text, which has processes of its own.
What counts lies between two moments: all workers have fetched, and `--pages` later. Web server, workers and database share
the machine's cores: the CPU milliseconds a page say what more cores would give. Results are written after each round.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import ERRORS
from synthweb.running import RunningWeb
from tests.postgres import PostgresServer
from tools.bench.frontier_processes import cpu_of, memory_of, with_children
from tools.bench.throughput import ENVIRONMENT, ROOT, SETTINGS

NAME = "workers"
LEAST = 30
"""Pages that each worker has fetched before the measurement begins."""
START_SECONDS, END_SECONDS = 120.0, 30.0
FETCHED = "select worker, count(*) from fetches where page_id>0 group by worker"
TWICE = "select count(*) from (select 1 from fetches where page_id>0 group by hid, uid having count(*)>1) as twice"
CLOSING = "select stats from run where ended_at is not null"
OURS = {
    "POLITENESS_ADDRESS_CONCURRENCY": 1000,
    "RELEVANCE_BEST_TEXT": False,
    "LIVE_ENABLED": False,
    "LOG_LEVEL": "WARNING",
    "FRONTIER_IDLE_STOP": 20,
}
Figures = dict[str, float]


@dataclass(slots=True)
class Crowd:
    """Worker processes on one crawl directory of their own, below `folder`."""

    web: RunningWeb
    folder: Path
    url: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, count: int) -> None:
        topic = self.folder / "topic.toml"
        topic.write_text(self.web.topic_file(), "utf-8")
        command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", f"name={NAME}"]
        command += ["-a", "strategy=breadth-first"]
        settings = {**SETTINGS, **OURS, "CRAWLS_DIR": self.folder, "DNS_SERVERS": self.web.dns, "STORE_URL": self.url}
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        with (self.folder / "log").open("ab") as log:
            for _ in range(count):
                self.processes.append(subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdout=log, stderr=log))

    def pids(self) -> list[int]:
        """Workers with the processes that they have started."""
        return [pid for process in self.processes for pid in with_children(process.pid)]

    def rows(self, query: str) -> list[Any]:
        """Of the store; nothing while it is being made."""
        try:
            db = open_store(self.folder / NAME, self.url, name=NAME, read_only=True)
        except (BadInput, *ERRORS):
            return []
        try:
            return db.execute(query).fetchall()
        finally:
            db.close()

    def fetched(self) -> dict[int, int]:
        """Pages by worker."""
        return {int(worker): int(count) for worker, count in self.rows(FETCHED)}

    def stop(self) -> None:
        """A clean stop, then by force."""
        for process in self.processes:
            process.send_signal(signal.SIGTERM)
        end = time.monotonic() + END_SECONDS
        for process in self.processes:
            try:
                process.wait(max(0.1, end - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def hit_rates(self) -> list[float]:
        """Of the seen-caches of the workers: links of pages that never reached the store."""
        stats = [json.loads(text) for (text,) in self.rows(CLOSING)]
        return [each["frontier/cache_hit_rate"] for each in stats if "frontier/cache_hit_rate" in each]


@dataclass(slots=True, frozen=True)
class Moment:
    """Clocks at one time."""

    at: float
    pages: int
    crawlers: float
    database: float
    web: float


def measure(crowd: Crowd, count: int, pages: int, seconds: float, database: int) -> Figures:
    """Figures of `count` workers over so many pages. RuntimeError when they do not get under way."""
    crowd.start(count)
    try:
        first = _wait(crowd, START_SECONDS, lambda found: len(found) == count and min(found.values()) >= LEAST, database)
        wanted = first.pages + pages
        last = _wait(crowd, seconds, lambda found: sum(found.values()) >= wanted, database)
        memory = memory_of(crowd.pids()), memory_of(with_children(database)) if database else 0.0
    finally:
        crowd.stop()
    done, wall = last.pages - first.pages, last.at - first.at
    rates = crowd.hit_rates()
    return {
        "rate": done / wall,
        "crawler_ms": 1000 * (last.crawlers - first.crawlers) / done,
        "database_ms": 1000 * (last.database - first.database) / done,
        "web_ms": 1000 * (last.web - first.web) / done,
        "crawlers_mb": memory[0],
        "database_mb": memory[1],
        "twice": float(crowd.rows(TWICE)[0][0]),
        "cache_hit_rate": statistics.mean(rates) if rates else 0.0,
    }


def _wait(crowd: Crowd, seconds: float, reached: Any, database: int) -> Moment:
    end = time.monotonic() + seconds
    while True:
        time.sleep(0.1)
        found = crowd.fetched()
        if found and reached(found):
            break
        if time.monotonic() > end or any(process.poll() is not None for process in crowd.processes):
            log = (crowd.folder / "log").read_text("utf-8", "replace")
            raise RuntimeError(f"{found} fetched, codes {[each.poll() for each in crowd.processes]}:\n{log[-2000:]}")
    server = with_children(database) if database else []
    cpu = cpu_of(crowd.pids()), cpu_of(server), cpu_of([crowd.web.process.pid])
    return Moment(time.monotonic(), sum(found.values()), *cpu)


@contextmanager
def database_of(store: str) -> Iterator[tuple[str, int]]:
    """(STORE_URL, process of the server), both empty for SQLite."""
    if store == "sqlite":
        yield "", 0
        return
    with PostgresServer(durable=True, shared_buffers="256MB", max_wal_size="2GB") as server:
        yield server.new_database(), int((server.folder / "data" / "postmaster.pid").read_text().split()[0])


def one(store: str, count: int, pages: int, seconds: float) -> Figures:
    """One round, on a new web and a new crawl."""
    with ExitStack() as stack:
        url, database = stack.enter_context(database_of(store))
        web = stack.enter_context(RunningWeb("large", pages=20 * pages))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        return measure(Crowd(web, folder, url), count, pages, seconds, database)


def table(results: dict[str, list[Figures]]) -> str:
    """Markdown; medians of the rounds."""
    lines = ["| store | workers | pages/s | against one | CPU ms a page: workers, database, web | MB: workers, database |"]
    lines.append("|---|---|---|---|---|---|")
    middle = {
        name: {key: statistics.median(each[key] for each in rounds) for key in rounds[0]} for name, rounds in results.items()
    }
    for name, each in middle.items():
        store, _, count = name.partition(" ")
        alone = middle.get(f"{store} 1")
        ratio = f"{each['rate'] / alone['rate']:.2f}" if alone else "-"
        cpu = f"{each['crawler_ms']:.1f}, {each['database_ms']:.1f}, {each['web_ms']:.1f}"
        memory = f"{each['crawlers_mb']:.0f}, {each['database_mb']:.0f}"
        lines.append(f"| {store} | {count} | {each['rate']:.0f} | {ratio} | {cpu} | {memory} |")
    rates = [each["cache_hit_rate"] for each in middle.values() if each["cache_hit_rate"]]
    twice = sum(each["twice"] for rounds in results.values() for each in rounds)
    lines += ["", f"{os.cpu_count()} cores. Pages stored twice: {twice:.0f}."]
    if rates:
        lines.append(f"Links that the workers' seen-caches kept from the store: {min(rates):.2f} to {max(rates):.2f}.")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=("sqlite", "postgresql"), action="append", help="default: both")
    parser.add_argument("--workers", type=int, action="append", help="default: 1, 2 and 4")
    parser.add_argument("--pages", type=int, default=2_000, help="measured in a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="of a round at most (default: %(default)s)")
    parser.add_argument("--results", type=Path, help="JSON; what is there is not measured again")
    options = parser.parse_args()
    there = options.results is not None and options.results.exists()
    results: dict[str, list[Figures]] = json.loads(options.results.read_text("utf-8")) if there else {}
    failed = 0
    for turn in range(options.rounds):
        for store in options.store or ["sqlite", "postgresql"]:
            for count in options.workers or [1, 2, 4]:
                rounds = results.setdefault(f"{store} {count}", [])
                if len(rounds) > turn:
                    continue
                try:
                    rounds.append(one(store, count, options.pages, options.seconds))
                except RuntimeError as error:
                    failed = 1
                    print(f"{store}, {count} workers: {error}", flush=True)
                    continue
                print(f"{store}, {count} workers: " + ", ".join(f"{k} {v:.4g}" for k, v in rounds[-1].items()), flush=True)
                if options.results:
                    options.results.write_text(json.dumps(results, indent=1), "utf-8")
    print(table({name: rounds for name, rounds in results.items() if rounds}))
    return failed


if __name__ == "__main__":
    sys.exit(main())
