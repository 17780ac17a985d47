"""Pages a second and processor time a page of our whole crawl beside stock Scrapy spiders, on a fast loopback web.

Run: `python tools/bench/throughput.py [--pages 400] [--rounds 3] [--web en] [--before CHECKOUT]`; `make bench` does. On each
of three webs (tools/bench/pages.py) the clients take turns: our crawl with everything on (robots, relevance, dedup, WARC, link
scores and order, store), that of another checkout if one is given, a Scrapy spider that follows links, and one that only
fetches a list. The first `SKIP` pages, start and end do not count. "cpu ms" is user and system time of the client, which
survives a busy machine; pages a second do not. "our cpu" is what ours takes for each millisecond of the client's; "all" is the
same with child processes, which read kept pages whole, and may start while it is measured. Ours has `max_pages`, and so
few requests in flight.

Milliseconds differ by the machine and by the hour. `--calls` counts the calls a page instead, of the event loop and of the
store's writer, in a crawl of its own that takes three times as long: cost that creeps in over many small changes shows there.
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
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from tools.bench.pages import NAMES, SMALL, BenchWeb, bench_web  # noqa: E402
from tools.bench.rivals import CONCURRENT  # noqa: E402

SKIP = 60
MOST_ROOMS = 25
METER = "bench_meter"
"""Module name of the copy of `meter.py` that a crawl is measured with."""
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
CLIENTS = {
    "ours": "whole crawl",
    "before": "whole crawl, before",
    "links": "Scrapy, links followed",
    "css": "Scrapy, CSS query",
}
CLIENTS["list"] = "Scrapy, a list"


class Bench:
    """One web, its clients and what was measured of them."""

    def __init__(self, name: str, pages: int, options: list[str], profile: str = "", before: Path | None = None) -> None:
        self.web: BenchWeb = bench_web(name)
        self.name, self.pages, self.options, self.profile, self.before = name, pages, options, profile, before
        self.found: dict[str, list[Figures]] = {}
        self.stages: dict[str, list[Figures]] = {}
        self.checkouts = [("ours", ROOT), *([("before", before)] if before else [])]

    def round(self, port: int, rivals: bool) -> None:
        """Each client once."""
        start = f"http://127.0.0.1:{port}"
        turn = -1 if len(self.found.get("ours", ())) % 2 else 1  # whoever is first seemed dearer by a tenth on small pages
        for client, checkout in self.checkouts[::turn]:
            with tempfile.TemporaryDirectory() as folder:
                self._note(client, self.ours(Path(folder), start, checkout))
                self.stages.setdefault(client, []).append(stages(Path(folder) / "bench" / "store.sqlite"))
        for kind in ("css" if self.name == SMALL else "links", "list") if rivals else ():
            urls = "\n".join(start + path for path in self.web.paths)
            with tempfile.TemporaryDirectory() as folder:
                file = Path(folder) / "meter.json"
                command = [sys.executable, "-m", "tools.bench.rivals", kind, start + self.web.start, str(file)]
                self._note(kind, run([*command, str(SKIP), str(self.pages)], file, urls))

    def _note(self, client: str, figures: Figures) -> None:
        self.found.setdefault(client, []).append(figures)

    def show_calls(self, port: int) -> None:
        """Crawl once with each checkout, and print the calls a page by the room that makes them."""
        found = {}
        for client, checkout in self.checkouts:
            with tempfile.TemporaryDirectory() as folder:
                self.ours(Path(folder), f"http://127.0.0.1:{port}", checkout)
                found[client] = calls(Path(folder) / "meter.json", checkout)
        for thread in next(iter(found.values())):
            columns = [counts[thread] for counts in found.values()]
            heads = zip(found, columns, strict=True)
            sums = "".join(f"{f'{client} {counts.total():.0f}':>16}" for client, counts in heads)
            print(f"{f'{self.name}: calls a page, {thread}':<40}{sums}")
            for room, _ in columns[0].most_common(MOST_ROOMS):
                print(f"  {room:<38}" + "".join(f"{counts[room]:>16.0f}" for counts in columns))

    def ours(self, folder: Path, start: str, checkout: Path) -> Figures:
        """The crawl of a checkout, by its command."""
        topic, file = folder / "topic.toml", folder / "meter.json"
        topic.write_text(
            f'[topic]\nname = "bench"\nkeywords = {json.dumps(self.web.keywords)}\n'
            f'[seeds]\nurls = ["{start}{self.web.start}"]\n[scope]\nhosts = ["127.0.0.1"]\n',
            "utf-8",
        )
        shutil.copy(ROOT / "tools" / "bench" / "meter.py", folder / f"{METER}.py")
        profiler = ["-m", "cProfile", "-o", self.profile] if self.profile else []
        command = [sys.executable, *profiler, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=bench"]
        command += ["-a", f"max_pages={SKIP + self.pages + CONCURRENT}"]
        extensions = json.dumps({f"{METER}.Meter": 10})
        settings = {**SETTINGS, "CRAWLS_DIR": folder, "METER_FILE": file, "METER_ITEMS": self.pages, "EXTENSIONS": extensions}
        for name, value in settings.items():
            command += ["-s", f"{name}={value}"]
        for option in self.options:
            command += ["-s", option]
        return run(command, file, checkout=checkout, further=folder)

    def show(self) -> None:
        """Print the tables."""
        kind = "made" if self.web.made else "recorded"
        print(f"\n{self.name}: {len(self.web.paths)} {kind} pages, {self.pages} a round")
        middle = {client: medians(self.found[client]) for client in CLIENTS if client in self.found}
        heads = ("pages/s", "cpu ms", "loop ms", "children", "kB", "our speed", "our cpu", "all")
        print(f"{'client':<24}" + "".join(f"{head:>10}" for head in heads))
        for client, each in middle.items():
            ours = middle["ours"]
            times = (
                f"{1000 / each['wall_ms']:>10.0f}{each['cpu_ms']:>10.2f}{each['loop_ms']:>10.2f}{each['children_ms']:>10.2f}"
            )
            whole = with_children(ours) / with_children(each)
            against = f"{each['wall_ms'] / ours['wall_ms']:>9.2f}x{ours['cpu_ms'] / each['cpu_ms']:>9.2f}x{whole:>9.2f}x"
            print(f"{CLIENTS[client]:<24}{times}{each['bytes'] / 1000:>10.0f}{against}")
        columns = {client: medians(rounds) | rest(middle[client], medians(rounds)) for client, rounds in self.stages.items()}
        print(f"{'CPU ms a page by stage':<24}" + "".join(f"{client:>10}" for client in columns))
        for stage in sorted(columns["ours"], key=lambda name: -columns["ours"][name]):
            print(f"  {stage:<22}" + "".join(f"{column.get(stage, 0.0):>10.2f}" for column in columns.values()))


def with_children(figures: Figures) -> float:
    """CPU milliseconds of the whole tree of processes."""
    return figures["cpu_ms"] + figures["children_ms"]


def rest(figures: Figures, by_stage: Figures) -> Figures:
    """What the stages of the event loop leave of the processes' time."""
    return {
        "event loop: the rest": figures["loop_ms"] - sum(by_stage.values()),
        "store's writer": figures["writer_ms"],
        "other threads": figures["cpu_ms"] - figures["loop_ms"] - figures["writer_ms"],
        "child processes": figures["children_ms"],
    }


def run(command: list[str], file: Path, text: str = "", *, checkout: Path = ROOT, further: Path = ROOT) -> Figures:
    """Run a client; RuntimeError with the end of its output if it measured nothing.

    Args:
        command: what to run.
        file: where it writes its figures.
        text: its standard input.
        checkout: where its code is.
        further: a folder with modules besides.
    """
    environment = {**ENVIRONMENT, "PYTHONPATH": f"{checkout}{os.pathsep}{further}"}
    done = subprocess.run(command, cwd=checkout, env=environment, input=text, capture_output=True, text=True, check=False)
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
    return {name: sum(row.get(name, 0.0) for row in rows) / len(rows) for name in names if name != "worker"}


def calls(file: Path, checkout: Path) -> dict[str, Counter[str]]:
    """The calls a page by thread and room, from what `Meter` wrote. A room is a package with its directory, or a library."""
    written = json.loads(file.read_text("utf-8"))
    by_thread = {}
    for thread in ("loop", "writer"):
        counts = Counter[str]()
        for name, count in written[f"{thread}_calls"]:
            counts[room_of(Path(name), checkout)] += count / written["pages"]
        by_thread[thread] = counts
    return by_thread


def room_of(file: Path, checkout: Path) -> str:
    """`focuscrawl/text` for a module of ours, `scrapy` for one of a library, `Python` for all others."""
    if "site-packages" in file.parts:
        return file.parts[file.parts.index("site-packages") + 1].removesuffix(".py")
    if file.is_relative_to(checkout):
        return "/".join(file.relative_to(checkout).parts[:2])
    return "Python"


def medians(rounds: list[Figures]) -> Figures:
    return {name: statistics.median(each.get(name, 0.0) for each in rounds) for name in rounds[0]}


@contextmanager
def serving(name: str) -> Iterator[int]:
    """The web, on a port."""
    command = [sys.executable, "-m", "tools.bench.loopback", name]
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
    parser.add_argument("--web", choices=NAMES, action="append", help="default: all")
    parser.add_argument("--alone", action="store_true", help="leave the stock spiders out")
    parser.add_argument("--before", type=Path, help="another checkout of the project, whose crawl is measured as well")
    parser.add_argument("--calls", action="store_true", help="count calls, not time")
    parser.add_argument("--profile", default="", help="file for cProfile's figures of our event loop (with --rounds 1)")
    parser.add_argument("-s", dest="settings", action="append", default=[], help="a further setting of our crawl")
    options = parser.parse_args()
    if options.calls:
        options.settings.append("METER_CALLS=True")
    for name in options.web or NAMES:
        bench = Bench(name, options.pages, options.settings, options.profile, options.before and options.before.resolve())
        with serving(name) as port:
            if options.calls:
                bench.show_calls(port)
                continue
            for _ in range(options.rounds):
                bench.round(port, rivals=not options.alone)
        bench.show()


if __name__ == "__main__":
    main()
