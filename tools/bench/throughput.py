"""Pages a second and processor time a page of our whole crawl beside stock Scrapy spiders, on a fast loopback web.

Run: `python tools/bench/throughput.py [--pages 400] [--rounds 3] [--language en]`; `make bench` does. Three clients take
turns on the same web: our crawl with everything on (best-first, robots, relevance, dedup, WARC, links, store), a Scrapy
spider that extracts and follows links, and one that only fetches a list. The first `SKIP` pages, start and end do not
count. "cpu ms" is user and system time of the client: the number that survives a busy machine.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.bench.pages import SOURCES, BenchWeb, bench_web  # noqa: E402
from tools.bench.rivals import CONCURRENT  # noqa: E402

SKIP = 60
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"}
SETTINGS = {
    "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    "POLITENESS_DELAY": 0,
    "POLITENESS_CONCURRENCY": CONCURRENT,
    "POLITENESS_ADDRESS_DELAY": 0,
    "POLITENESS_ADDRESS_CONCURRENCY": CONCURRENT,
    "POLITENESS_LATENCY_FACTOR": 0,
    "CONCURRENT_REQUESTS": CONCURRENT,
    "LINKSCORE_TUNNEL_DEPTH": 50,
    "FRONTIER_IDLE_STOP": 2,
    "METER_SKIP": SKIP,
}
"""A loopback web needs no patience. The rest is as in a real crawl."""

Figures = dict[str, float]


class Bench:
    """One web, its clients and what was measured of them."""

    def __init__(self, language: str, pages: int, options: list[str], profile: str = "") -> None:
        self.web: BenchWeb = bench_web(language)
        self.language, self.pages, self.options, self.profile = language, pages, options, profile
        self.found: dict[str, list[Figures]] = {"ours": [], "links": [], "list": []}
        self.stages: Figures = {}

    def round(self, port: int, rivals: tuple[str, ...]) -> None:
        """Each client once."""
        start = f"http://127.0.0.1:{port}"
        with tempfile.TemporaryDirectory() as folder:
            self.found["ours"].append(self.ours(Path(folder), start))
        for kind in rivals:
            urls = "\n".join(start + path for path in self.web.pages)
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "meter.json"
                command = [sys.executable, "-m", "tools.bench.rivals", kind, start + self.web.start, str(file)]
                self.found[kind].append(run([*command, str(SKIP), str(self.pages)], file, urls))

    def ours(self, folder: Path, start: str) -> Figures:
        """Our crawl, by its command."""
        topic, file = folder / "topic.toml", folder / "meter.json"
        topic.write_text(
            f'[topic]\nname = "bench"\nkeywords = {json.dumps(self.web.keywords)}\n'
            f'[seeds]\nurls = ["{start}{self.web.start}"]\n[scope]\nhosts = ["127.0.0.1"]\n',
            "utf-8",
        )
        profiler = ["-m", "cProfile", "-o", self.profile] if self.profile else []
        command = [sys.executable, *profiler, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=bench"]
        command += ["-a", f"max_pages={SKIP + self.pages + CONCURRENT}"]
        extensions = json.dumps({"tools.bench.meter.Meter": 10})
        settings = {**SETTINGS, "CRAWLS_DIR": folder, "METER_FILE": file, "METER_ITEMS": self.pages, "EXTENSIONS": extensions}
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        for option in self.options:
            command += ["-s", option]
        figures = run(command, file)
        self.stages = stages(folder / "bench" / "store.sqlite")
        if self.profile:
            shutil.copy(folder / "bench" / "store.sqlite", self.profile + ".sqlite")
        return figures

    def show(self) -> None:
        """Print the tables."""
        kind = "made" if self.web.made else "recorded"
        print(f"\n{self.language}: {len(self.web.pages)} {kind} pages, {self.pages} a round")
        middle = {name: medians(rounds) for name, rounds in self.found.items() if rounds}
        names = {"ours": "whole crawl", "links": "Scrapy, links followed", "list": "Scrapy, a list"}
        print(f"{'client':<24}{'pages/s':>9}{'cpu ms':>9}{'loop ms':>9}{'kB':>7}{'our speed':>11}{'our cpu':>9}")
        for name, each in middle.items():
            rate, ours = 1000 / each["wall_ms"], middle["ours"]
            against = f"{each['wall_ms'] / ours['wall_ms']:>10.2f}x{ours['cpu_ms'] / each['cpu_ms']:>8.2f}x"
            times = f"{rate:>9.0f}{each['cpu_ms']:>9.2f}{each['loop_ms']:>9.2f}{each['bytes'] / 1000:>7.0f}"
            print(f"{names[name]:<24}{times}{against}")
        rest = middle["ours"]["cpu_ms"] - sum(self.stages.values())
        print("stage (last round), ms a page")
        for stage, value in [*sorted(self.stages.items(), key=lambda item: -item[1]), ("everything else", rest)]:
            print(f"  {stage:<20}{value:>7.2f}")


def run(command: list[str], file: Path, text: str = "") -> Figures:
    """Run a client; RuntimeError with the end of its output if it measured nothing."""
    done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, input=text, capture_output=True, text=True, check=False)
    if not file.exists():
        raise RuntimeError(f"{' '.join(command[:6])} … measured nothing:\n{done.stderr[-3000:]}")
    figures: Figures = json.loads(file.read_text("utf-8"))
    return figures


def stages(store: Path) -> Figures:
    """Mean milliseconds by stage of the pages in a store."""
    database = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    rows = [json.loads(text) for (text,) in database.execute("select timings from page where page_id > ?", (SKIP,))]
    database.close()
    names = {name for row in rows for name in row}
    return {name: sum(row.get(name, 0.0) for row in rows) / len(rows) for name in names}


def medians(rounds: list[Figures]) -> Figures:
    return {name: statistics.median(each[name] for each in rounds) for name in rounds[0]}


@contextmanager
def serving(language: str) -> Iterator[int]:
    """The web, on a port."""
    command = [sys.executable, "-m", "tools.bench.loopback", language]
    server = subprocess.Popen(command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        yield int(server.stdout.readline())
    finally:
        server.terminate()
        server.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=400, help="pages measured in a round (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--language", choices=sorted(SOURCES), action="append")
    parser.add_argument("--alone", action="store_true", help="leave the stock spiders out")
    parser.add_argument("--profile", default="", help="file for cProfile's figures of our event loop (with --rounds 1)")
    parser.add_argument("-s", dest="settings", action="append", default=[], help="a further setting of our crawl")
    options = parser.parse_args()
    for language in options.language or list(SOURCES):
        bench = Bench(language, options.pages, options.settings, options.profile)
        with serving(language) as port:
            for _ in range(options.rounds):
                bench.round(port, () if options.alone else ("links", "list"))
        bench.show()


if __name__ == "__main__":
    main()
