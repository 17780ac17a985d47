"""What it costs to start each command, against `scrapy version` outside of any project: user and system CPU of whole processes.

    python -m tools.bench.start_up [--rounds N] [COMMAND ...]

Each round runs the bare `scrapy version` and then the command, so that a busy machine slows both down alike; printed is the
median over the rounds of their ratio. `scrapy runs` is meant to stay below 1.3. What each command imports is held by
tests/commands/test_start_up.py; the same commands for several checkouts beside each other: `python -m tools.house`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.report.sample import PAGES, sample_crawl
from tools.house.startup import COMMANDS, SCRAPY, cpu

ROOT = Path(__file__).parents[2]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("command", nargs="*", help=f"of {', '.join(COMMANDS)} (default: all)")
    parser.add_argument("--rounds", type=int, default=7, help="times that each is started (default: %(default)s)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        crawls = Path(folder) / "crawls"
        sample_crawl(crawls / "house")
        print("command               ratio   CPU ms  bare ms")
        for name in options.command or COMMANDS:
            asked = [PAGES[0][0] if part == "URL" else part for part in COMMANDS[name]]
            command = [*SCRAPY, *asked, "-s", f"CRAWLS_DIR={crawls}"]
            pairs = [(cpu([*SCRAPY, "version"], Path(folder)), cpu(command, ROOT)) for _ in range(options.rounds)]
            ratio = median(own / bare for bare, own in pairs)
            bare_ms, own_ms = (1000 * median(column) for column in zip(*pairs, strict=True))
            print(f"{name:20}  {ratio:5.2f}  {own_ms:7.0f}  {bare_ms:7.0f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
