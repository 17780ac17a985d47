"""Accuracy and calibration of the page models on recorded webs. See README.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

from models.page.page_model import PAGE_MODELS
from tools.eval.harvest.recorded import missing
from tools.eval.pages.fitting import Fitting
from tools.eval.pages.measure import COLUMNS, SETS, Row, possible, row
from tools.eval.pages.stream import streams


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each web, set and model: means over topics."""
    options = _options(arguments)
    if reason := missing():
        print(reason)
        return 0
    options.cache.mkdir(parents=True, exist_ok=True)
    rows: list[Row] = []
    fitting = Fitting()
    sets = options.sets.split(",")
    for web in options.web:
        for stream in streams(web, options.cache, options.budget, options.topics.split(",") if options.topics else ()):
            names = possible(stream, sets)
            if options.fit:
                fitting.take(stream, names)
            else:
                rows += [row(stream, name, model) for name in names for model in options.models.split(",")]
            print(f"  {web} {stream.topic}", file=sys.stderr, flush=True)
    for line in fitting.lines() if options.fit else table(rows):
        print(line)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1), "utf-8")
    return 0


def table(rows: Sequence[Row]) -> list[str]:
    """Means over the topics of each web."""
    lines = [f"{'web':8s}{'made of':15s}{'model':13s}" + "".join(f"{column:>11s}" for column in COLUMNS)]
    groups: dict[tuple[str, str, str], list[Row]] = {}
    for one in rows:
        groups.setdefault((one["web"], one["set"], one["model"]), []).append(one)
    for (web, name, model), group in groups.items():
        means = "".join(f"{fmean(one[column] for one in group):11.3f}" for column in COLUMNS)
        lines.append(f"{web:8s}{name:15s}{model:13s}{means}")
    return lines


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tools.eval.pages", description=__doc__)
    parser.add_argument("--web", nargs="+", default=["dev", "dev-en"], help="names of recorded webs")
    parser.add_argument("--topics", help="only these, comma-separated")
    parser.add_argument("--budget", type=int, default=1000, help="fetches")
    parser.add_argument("--sets", default=",".join(SETS), help="what topics are made of, comma-separated")
    parser.add_argument("--models", default=",".join(PAGE_MODELS), help="comma-separated")
    parser.add_argument("--fit", action="store_true", help="fit the calibrated model's weights and print them")
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "focuscrawl-harvest")
    parser.add_argument("--json", type=Path, help="write the rows there")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
