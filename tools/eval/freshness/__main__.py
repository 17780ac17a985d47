"""Freshness under every policy of revisiting, simulated. See README.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tools.eval.freshness.picture import picture
from tools.eval.freshness.running import NAMES, Row, run
from tools.eval.freshness.setting import Setting, settings
from tools.eval.freshness.settling import settle
from tools.eval.freshness.table import markdown, shortcomings

QUICK = (2_000, 120.0)
"""Pages and days."""
FULL = (100_000, 240.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table; 1 if a target is missed."""
    options = _options(arguments)
    if options.png:
        picture(settle(), options.png)
    rows: list[Row] = []
    for setting in _settings(options):
        for name in options.policies.split(";"):
            rows.append(run(name, setting))
            print(line(rows[-1]), file=sys.stderr, flush=True)
            if options.json:
                options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    print("\n".join(markdown(rows)))
    wrong = shortcomings(rows)
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


def line(row: Row) -> str:
    figures = f"F {row.freshness:.4f}  A {row.staleness_age:6.3f} d  hit {row.hit_rate:.3f}  {row.fetches} fetches"
    return f"{row.setting:20} {row.policy:18} {figures}  longest unvisited {row.oldest:.0f} d  {row.seconds:.1f} s"


def _settings(options: argparse.Namespace) -> list[Setting]:
    pages, days = QUICK if options.quick else FULL
    made = settings(options.pages or pages, days, options.seed)
    return [setting for setting in made if not options.settings or setting.name in options.settings.split(";")]


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.freshness", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="2 000 pages, 120 days: less than a minute")
    parser.add_argument("--pages", type=int, help="another number of pages")
    parser.add_argument("--settings", help="only these, separated by semicolons")
    parser.add_argument("--policies", default=";".join(NAMES), help="only these, separated by semicolons")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="write all figures here, after each run")
    parser.add_argument("--png", type=Path, help="draw how `similarity` settles, here")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
