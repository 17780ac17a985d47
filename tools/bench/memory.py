"""Is the memory of a crawl flat? Resident size each 1 000 pages of a generated web: `python tools/bench/memory.py`.

Breadth-first with everything on. Prints megabytes as the crawl goes on, then first, last and the slope of the second half
in MB per 10 000 pages. A crawl of 50 000 pages takes about 10 minutes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import linear_regression

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from focuscrawl.store.engines.sqlite import connect  # noqa: E402
from synthweb.running import RunningWeb  # noqa: E402
from tools.bench.throughput import ENVIRONMENT, SETTINGS  # noqa: E402

STEP = 1000
Sample = tuple[int, float]
"""Pages stored, resident megabytes."""


def crawl_command(topic: Path, folder: Path, dns: str, pages: int, strategy: str) -> list[str]:
    """Our crawl without waiting for hosts."""
    command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=memory"]
    command += ["-a", f"max_pages={pages}", "-a", f"strategy={strategy}"]
    settings = {**SETTINGS, "CRAWLS_DIR": folder, "DNS_SERVERS": dns, "LOG_LEVEL": "WARNING", "FRONTIER_IDLE_STOP": 20}
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    return command


def samples(process: subprocess.Popen[bytes], store: Path) -> Iterator[Sample]:
    """A sample each `STEP` pages until the crawl ends."""
    due = STEP
    while process.poll() is None:
        time.sleep(0.5)
        if (stored := pages_in(store)) >= due:
            yield stored, resident(process.pid)
            due = stored // STEP * STEP + STEP


def pages_in(store: Path) -> int:
    """Pages stored so far."""
    if not store.exists():
        return 0
    database = connect(store, read_only=True, cache_kib=1024)
    try:
        return int(database.execute("select coalesce(max(page_id), 0) from page").fetchone()[0])
    finally:
        database.close()


def resident(pid: int) -> float:
    """Megabytes; 0 when the process is gone."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("ascii", "replace")
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmRSS")), 0.0)


def report(found: list[Sample]) -> None:
    """First, last and slope."""
    found = [sample for sample in found if sample[1]]
    if len(found) < 4:
        print("too few pages to tell")
        return
    half = found[len(found) // 2 :]
    slope = linear_regression([pages for pages, _ in half], [size for _, size in half]).slope
    (first_pages, first), (last_pages, last) = found[0], found[-1]
    print(f"first {first:.0f} MB at {first_pages} pages, last {last:.0f} MB at {last_pages}")
    print(f"slope of the second half: {slope * 10_000:+.1f} MB per 10 000 pages")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--strategy", default="breadth-first")
    options = parser.parse_args()
    with RunningWeb("large", pages=options.pages * 6 // 5) as web, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        topic = folder / "topic.toml"
        topic.write_text(web.topic_file(), "utf-8")
        command = crawl_command(topic, folder, web.dns, options.pages, options.strategy)
        start, found = time.monotonic(), list[Sample]()
        process = subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT)
        for pages, size in samples(process, folder / "memory" / "store.sqlite"):
            found.append((pages, size))
            print(f"{pages:>7} pages {size:>7.0f} MB {time.monotonic() - start:>6.0f} s", flush=True)
        print(f"exit code {process.wait()}")
        report(found)


if __name__ == "__main__":
    main()
