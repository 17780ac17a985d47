"""What it costs to start each command, against `scrapy version` outside of any project: user and system CPU of whole processes.

    python -m tools.bench.start_up [--rounds N] [COMMAND ...]

Each round runs the bare `scrapy version` and then the command, so that a busy machine slows both down alike; printed is the
median over the rounds of their ratio. The commands read a small crawl that is made for the purpose. `scrapy runs` is meant to
stay below 1.3.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.report.sample import PAGES, sample_crawl

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "version": [],
    "runs": [],
    "workers": [],
    "changes": ["bench"],
    "export": ["bench"],
    "why": [PAGES[0][0]],
    "frontier": ["ls"],
    "pause": ["bench"],
    "resume": ["bench"],
    "topic": ["show"],
    "trace": [PAGES[0][0]],
    "doctor": [],
    "crawl": ["--help"],
    "recrawl": ["--help"],
    "demo": ["--help"],
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", nargs="*", default=[], help=f"of {', '.join(COMMANDS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=7, help="times that each is started (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        sample_crawl(Path(folder) / "crawls" / "bench")
        print("command     ratio   CPU ms  bare ms")
        for name in options.command or COMMANDS:
            bare, own = [], []
            for _ in range(options.rounds):
                bare.append(cpu_seconds(["version"], Path(folder), {}))
                own.append(cpu_seconds([name, *COMMANDS[name]], ROOT, {"FOCUSCRAWL_CRAWLS_DIR": f"{folder}/crawls"}))
            ratio = median(mine / theirs for mine, theirs in zip(own, bare, strict=True))
            print(f"{name:10}  {ratio:5.2f}  {1000 * median(own):7.0f}  {1000 * median(bare):7.0f}", flush=True)
    return 0


def cpu_seconds(command: Sequence[str], folder: Path, environment: dict[str, str]) -> float:
    """User and system time of `scrapy COMMAND`, run in `folder`."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-m", "scrapy", *command],
        cwd=folder, env=os.environ | environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
