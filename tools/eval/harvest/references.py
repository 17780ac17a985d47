"""Areas and harvest curves of the reference strategies, made once and kept: some take minutes a topic.

    python -m tools.eval.harvest.references --cache DIR [--web dev dev-en] [--budget 3000]

goes on where it was stopped. Areas are kept beside the truths, curves (pages found after each `STEP` fetches) in a file of
their own.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.eval.harvest.recorded import ALL_REFERENCES, RecordedWeb, keep, missing, reference_module, truth_file

STEP = 10


def curve_file(cache: Path, web: str, topic: str, budget: int) -> Path:
    """Where the curves of a topic are kept."""
    return cache / f"{web}-{topic}-{budget}.curves.json"


def curves(cache: Path, web: str, topic: str, budget: int) -> dict[str, list[int]]:
    """Pages found after 10, 20, … fetches, by reference strategy; only what was made so far."""
    file = curve_file(cache, web, topic, budget)
    known: dict[str, list[int]] = json.loads(file.read_text("utf-8")) if file.exists() else {}
    return known


def complete(web: RecordedWeb, topic: str, names: Sequence[str]) -> None:
    """Make what is missing of a topic; each strategy is kept as soon as it is there."""
    web.truth(topic)
    known = curves(web.cache, web.name, topic, web.budget)
    wanted = [name for name in names if name not in known]
    if not wanted:
        return
    strategies, task = reference_module("strategies"), web.task(topic)
    budget = min(web.budget, int(task.reach.sum()))
    for name in wanted:
        began = time.monotonic()
        found = found_by(strategies, task, name, budget)
        area = strategies.summary(found, task.nrel, budget)["area"]
        known = curves(web.cache, web.name, topic, web.budget)
        known[name] = [int(number) for number in found[STEP - 1 :: STEP]]
        keep(curve_file(web.cache, web.name, topic, web.budget), known)
        file = truth_file(web.cache, web.name, topic, web.budget)
        plain = json.loads(file.read_text("utf-8"))
        plain["areas"].setdefault(name, area)
        keep(file, plain)
        print(f"{web.name} {topic} {name}: {area:.3f} in {time.monotonic() - began:.0f} s", flush=True)


def found_by(strategies: Any, task: Any, name: str, budget: int) -> Any:
    """Pages found after 1, 2, … fetches, as an array."""
    order = strategies.run(task, strategies.ALL[name], budget, zlib.crc32(f"{task.tid}{name}".encode()))
    return strategies.curve(task.rel, task.ex, order, budget)


def main(arguments: Sequence[str] | None = None) -> int:
    """Complete all topics of the webs."""
    parser = argparse.ArgumentParser(prog="python -m tools.eval.harvest.references", description=__doc__)
    parser.add_argument("--web", nargs="+", default=["dev-en", "dev"])
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--budget", type=int, default=3000)
    parser.add_argument("--references", default=",".join(ALL_REFERENCES))
    options = parser.parse_args(arguments)
    if reason := missing():
        print(reason)
        return 0
    for name in options.web:
        web = RecordedWeb(name, options.cache, options.budget)
        for topic in web.topics:
            complete(web, topic, options.references.split(","))
    return 0


if __name__ == "__main__":
    sys.exit(main())
