"""What the frontier costs at a million and more waiting URLs, on both stores.

    python -m tools.bench.frontier --store sqlite --store postgresql --urls 1e6 --urls 5e6 [--results FILE]
    python -m tools.bench.frontier --table FILE

The URLs lie on hosts of Zipf sizes. Measured are the store's own functions: seen-test and insertion of a page's links
beside a bare insert of such links, leases, commits, and all of it as a crawl does it. Each store and size is a process of
its own. Results are written after each stage; the same command goes on where it was stopped and leaves out what is there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from focuscrawl.store.engines.database import Database
from tools.bench.frontier_stages import Stages
from tools.bench.frontier_stores import Place, TimeOver, open_place, ticker
from tools.bench.frontier_table import tables
from tools.bench.frontier_web import Mix, Web

STORES = ("sqlite", "postgresql")
SPARE_SECONDS = 1_800
"""For what has no limit of its own: opening, counting, sizes."""


def main() -> int:
    options = parsed()
    if options.table:
        print(tables(options.table))
        return 0
    sizes = [int(each) for each in options.urls or [1e5]]
    stores = options.store or list(STORES)
    if options.only:
        store, _, urls = options.only.partition(",")
        return one(options, store, int(urls))
    failed = 0
    for urls in sizes:
        for store in stores:
            failed += in_process(options, store, urls)
    print(tables(json.loads(options.results.read_text("utf-8"))) if options.results.exists() else "nothing was measured")
    return 1 if failed else 0


def stored_results(name: str) -> dict[str, Any]:
    """The results in this file. Raises ArgumentTypeError, of which argparse makes one sentence."""
    try:
        results = json.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise argparse.ArgumentTypeError(f"{name} cannot be read: {error.strerror}") from None
    except ValueError:
        results = None
    if not isinstance(results, dict) or not {"machine", "runs"} <= results.keys():
        raise argparse.ArgumentTypeError(f"{name} holds no results: give the results.json that a measurement has written")
    return results


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--store", choices=STORES, action="append", help="default: both")
    parser.add_argument("--urls", type=float, action="append", help="waiting URLs (default: 1e5)")
    parser.add_argument("--hosts", type=int, default=50_000)
    parser.add_argument(
        "--cooling", type=int, default=5_000, help="best hosts that leases must pass over (default: %(default)s)"
    )
    parser.add_argument("--batch", type=int, default=16, help="leases at once (default: %(default)s)")
    parser.add_argument("--count", type=int, default=2_000, help="rounds of a stage at most (default: %(default)s)")
    parser.add_argument("--seconds", type=float, default=120, help="of a stage at most (default: %(default)s)")
    parser.add_argument("--fill-seconds", type=float, default=3_600, help="of filling a store at most (default: %(default)s)")
    parser.add_argument("--shared-buffers", default="2GB", help="of PostgreSQL (default: %(default)s)")
    parser.add_argument("--directory", type=Path, default=Path("/tmp/focuscrawl-bench"), help="stores stay there")
    parser.add_argument("--results", type=Path, help="JSON (default: results.json in the directory)")
    parser.add_argument("--again", action="store_true", help="measure what is in the results once more")
    parser.add_argument("--table", type=stored_results, metavar="FILE", help="print the Markdown tables of results")
    parser.add_argument("--only", default="", help=argparse.SUPPRESS)
    options = parser.parse_args()
    options.results = options.results or options.directory / "results.json"
    return options


def in_process(options: argparse.Namespace, store: str, urls: int) -> int:
    """One store and size in a process of its own, whose memory is its own; 1 if it failed."""
    print(f"{store}, {urls} URLs", flush=True)
    command = [sys.executable, "-m", "tools.bench.frontier", *sys.argv[1:], f"--only={store},{urls}"]
    most = options.fill_seconds + 3 * options.seconds + SPARE_SECONDS
    try:
        code = subprocess.run(command, timeout=most, check=False).returncode
    except subprocess.TimeoutExpired:
        code = 1
        print(f"  stopped after {most:g} s", flush=True)
    return int(code != 0)


class Results:
    """The figures of one run in the file of all; written after each stage."""

    def __init__(self, file: Path, name: str, config: dict[str, Any], again: bool) -> None:
        self._file = file
        self._all: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {"runs": {}}
        self._all["machine"] = f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
        self._run: dict[str, Any] = {} if again else self._all["runs"].get(name, {})
        self._all["runs"][name] = self._run
        self._run["config"] = config

    def __contains__(self, stage: str) -> bool:
        return stage in self._run

    def add(self, figures: dict[str, Any]) -> None:
        """Keep and print them."""
        self._run.update(figures)
        self._file.parent.mkdir(parents=True, exist_ok=True)
        half = self._file.with_suffix(".part")
        half.write_text(json.dumps(self._all, indent=1), "utf-8")
        half.replace(self._file)
        for stage, values in figures.items():
            print(f"  {stage}: " + ", ".join(f"{name} {value:.4g}" for name, value in values.items()), flush=True)


def one(options: argparse.Namespace, store: str, urls: int) -> int:
    """All stages on one store."""
    web = Web(urls, options.hosts, f"{int(time.time()):x}", Mix())
    with open_place(store, options.directory / f"{store}-{urls}", options.shared_buffers) as place:
        config = {"store": store, "urls": urls, "known": web.urls, "hosts": options.hosts, "cooling": options.cooling}
        config |= {"batch": options.batch, "settings": place.settings}
        results = Results(options.results, f"{store} {urls}", config, options.again)
        began = time.monotonic()
        try:
            place.fill(web, ticker(options.fill_seconds))
        except TimeOver as over:
            print(f"  {over}", flush=True)
            return 1
        if "fill" not in results:
            results.add({"fill": {"seconds": time.monotonic() - began}, "sizes": place.sizes()})
        asyncio.run(measured(options, place, web, results))
        if "sizes end" not in results:
            results.add({"sizes end": place.sizes()})
    return 0


async def measured(options: argparse.Namespace, place: Place, web: Web, results: Results) -> None:
    """The stages that are not in the results yet."""
    store = place.open()
    try:
        if "counts" not in results:
            results.add({"counts": await store.call(counts)})
        stages = Stages(store, web, place.server, options.count, options.seconds)
        await stages.cool(options.cooling)
        for name, stage in _stages(stages, options.batch).items():
            if name not in results:
                results.add(await stage())
        results.add({"counts end": await store.call(counts)})
    finally:
        store.close("finished", "{}")


def _stages(stages: Stages, batch: int) -> dict[str, Callable[[], Awaitable[dict[str, Any]]]]:
    return {
        "discover": stages.discover,
        "lease": lambda: stages.leases(batch),
        "cycle": lambda: stages.cycle(batch),
    }


def counts(db: Database) -> dict[str, int]:
    """Rows of what the stages have added to."""
    return {table: int(db.execute(f"select count(*) from {table}").fetchone()[0]) for table in ("page", "inlink")}


if __name__ == "__main__":
    sys.exit(main())
