"""Is the memory of a crawl flat, and how large is it? `python tools/bench/memory.py [--web zh --pages 1000]`.

A crawl of a generated web, or of the recorded pages of tools/bench/pages.py, with everything on. Asks each half-second what the
process and its children take in megabytes (shared pages count once), and prints some of these samples as the crawl goes on. At
the end: the peak, what 95 of 100 samples are below, their median, and the slope of the second half in MB per 10 000 pages. A
crawl of 50 000 pages takes 10 to 15 minutes.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import linear_regression, median, quantiles

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from focuscrawl.errors import BadInput  # noqa: E402
from focuscrawl.store.engines.sqlite import connect  # noqa: E402
from synthweb.running import RunningWeb  # noqa: E402
from tools.bench.frontier_processes import memory_of, with_children  # noqa: E402
from tools.bench.pages import SOURCES, bench_web  # noqa: E402
from tools.bench.throughput import ENVIRONMENT, SETTINGS, serving  # noqa: E402

LINES = 50
"""Most samples that are printed as the crawl goes on."""
INTERVAL = 0.5
"""Seconds between two samples. Children that merge parts of the search index live for a few seconds."""
Sample = tuple[int, float, float]
"""Pages stored, megabytes of the crawling process, and of its children."""


@contextmanager
def generated(folder: Path, pages: int) -> Iterator[tuple[Path, str]]:
    """The topic file of a generated web, and its name server."""
    with RunningWeb("large", pages=pages * 6 // 5) as web:
        topic = folder / "topic.toml"
        topic.write_text(web.topic_file(), "utf-8")
        yield topic, web.dns


@contextmanager
def recorded(folder: Path, name: str) -> Iterator[tuple[Path, str]]:
    """The topic file of the recorded pages, which need no name server."""
    web = bench_web(name)
    with serving(name) as port:
        topic = folder / "topic.toml"
        topic.write_text(
            f'[topic]\nname = "memory"\nkeywords = {json.dumps(web.keywords)}\n'
            f'[seeds]\nurls = ["http://127.0.0.1:{port}{web.start}"]\n[scope]\nhosts = ["127.0.0.1"]\n',
            "utf-8",
        )
        yield topic, ""


def crawl_command(topic: Path, folder: Path, dns: str, pages: int, strategy: str) -> list[str]:
    """Our crawl without waiting for hosts."""
    command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=memory"]
    command += ["-a", f"max_pages={pages}", "-a", f"strategy={strategy}"]
    settings = {**SETTINGS, "CRAWLS_DIR": folder, "DNS_SERVERS": dns, "LOG_LEVEL": "WARNING", "FRONTIER_IDLE_STOP": 20}
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    return command


def samples(process: subprocess.Popen[bytes], store: Path) -> Iterator[Sample]:
    """A sample each half-second from the first page until the crawl ends."""
    while process.poll() is None:
        time.sleep(INTERVAL)
        own, *children = with_children(process.pid) or [process.pid]
        if (stored := pages_in(store)) and (taken := memory_of([own])):
            yield stored, taken, memory_of(children)


def pages_in(store: Path) -> int:
    """Pages stored so far; 0 while the store is being made."""
    if not store.exists():
        return 0
    try:
        database = connect(store, read_only=True, cache_kib=1024)
    except BadInput:
        return 0
    try:
        return int(database.execute("select coalesce(max(page_id), 0) from page").fetchone()[0])
    finally:
        database.close()


def report(found: list[Sample]) -> None:
    """Peak, distribution and slope."""
    if len(found) < 4:
        print("too few pages to tell")
        return
    sizes = [own + children for _, own, children in found]
    pages, own, children = max(found, key=lambda sample: sample[1] + sample[2])
    print(f"peak {own + children:.0f} MB at {pages} pages: process {own:.0f}, children {children:.0f}")
    usual = f"95 of 100 are below {quantiles(sizes, n=20)[-1]:.0f} MB, the median is {median(sizes):.0f} MB"
    print(f"{len(found):,} samples: {usual}")
    half = len(found) // 2
    if found[half][0] < found[-1][0]:
        slope = linear_regression([pages for pages, *_ in found[half:]], sizes[half:]).slope
        print(f"slope of the second half: {slope * 10_000:+.1f} MB per 10 000 pages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--strategy", default="breadth-first")
    parser.add_argument("--web", choices=sorted(SOURCES), help="recorded pages instead of generated ones")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        serve = recorded(folder, options.web) if options.web else generated(folder, options.pages)
        with serve as (topic, dns):
            command = crawl_command(topic, folder, dns, options.pages, options.strategy)
            start, found = time.monotonic(), list[Sample]()
            process = subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT)
            step = due = max(1, options.pages // LINES)
            for pages, own, children in samples(process, folder / "memory" / "store.sqlite"):
                found.append((pages, own, children))
                if pages >= due:
                    clock = time.monotonic() - start
                    print(f"{pages:>7} pages {own:>7.0f} MB, children {children:>5.0f} MB {clock:>6.0f} s", flush=True)
                    due = pages // step * step + step
            print(f"exit code {process.wait()}")
        report(found)


if __name__ == "__main__":
    main()
