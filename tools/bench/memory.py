"""Is the memory of a crawl flat, and how large is it? `python tools/bench/memory.py [--web zh --pages 1000]`.

A crawl of a generated web, or of the recorded pages of tools/bench/pages.py, with everything on. Prints what the process and
its children take in megabytes (shared pages count once) as the crawl goes on, then the peak, and the slope of the second half
in MB per 10 000 pages. A crawl of 50 000 pages takes about 10 minutes.
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
from statistics import linear_regression

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from focuscrawl.errors import BadInput  # noqa: E402
from focuscrawl.store.engines.sqlite import connect  # noqa: E402
from synthweb.running import RunningWeb  # noqa: E402
from tools.bench.frontier_processes import memory_of, with_children  # noqa: E402
from tools.bench.pages import SOURCES, bench_web  # noqa: E402
from tools.bench.throughput import ENVIRONMENT, SETTINGS, serving  # noqa: E402

STEPS = 50
"""Samples of a crawl."""
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


def samples(process: subprocess.Popen[bytes], store: Path, step: int) -> Iterator[Sample]:
    """A sample each `step` pages until the crawl ends."""
    due = step
    while process.poll() is None:
        time.sleep(0.2)
        if (stored := pages_in(store)) >= due:
            own, *children = with_children(process.pid) or [process.pid]
            yield stored, memory_of([own]), memory_of(children)
            due = stored // step * step + step


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
    """Peak and slope."""
    found = [sample for sample in found if sample[1]]
    if len(found) < 4:
        print("too few pages to tell")
        return
    half = found[len(found) // 2 :]
    slope = linear_regression([pages for pages, *_ in half], [sum(sizes) for _, *sizes in half]).slope
    pages, own, children = max(found, key=lambda sample: sample[1] + sample[2])
    print(f"peak {own + children:.0f} MB at {pages} pages: process {own:.0f}, children {children:.0f}")
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
            for pages, own, children in samples(process, folder / "memory" / "store.sqlite", max(1, options.pages // STEPS)):
                found.append((pages, own, children))
                clock = time.monotonic() - start
                print(f"{pages:>7} pages {own:>7.0f} MB, children {children:>5.0f} MB {clock:>6.0f} s", flush=True)
            print(f"exit code {process.wait()}")
        report(found)


if __name__ == "__main__":
    main()
