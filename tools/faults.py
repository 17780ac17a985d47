"""Run the fault plan and write docs/faults.md: `make faults`, or `python -m tools.faults [--only 6,35] [--processes 2]`.

Each fault of `tests/faults/plan.py` gets a verdict from the tests that show it, and the figures that they noted: URLs lost,
pages stored twice, requests repeated, the longest gap of the event loop, and the peak memory of a crawl.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

from tests.faults.plan import GROUPS, PLAN, ROOT, nodes_of
from tests.faults.watch import RECORD

PAGE = ROOT / "docs/faults.md"
HEAD = """# Faults

What goes wrong with crawlers, and how this one copes: {passed} of {all} faults pass. Written by `make faults` on {day}.

- **Figures** come from the crawl in which a fault was shown. If several crawls show it, the worst figure counts. If one crawl
  met many faults, they all have its figures. `-`: the fault was shown without a crawl.
- **Repeated requests** are requests for what killed processes had in flight, and retries after an answer that failed.
- **The longest gap** is a pause of the event loop, on a machine that ran other tests at the same time. For a process that was
  stopped on purpose (20) it is as long as the stop.

See also [when something breaks](crash.md), on processes, stores and disks, and [security](security.md), on guards. The parsers
of what strangers write are also fuzzed: a little in every run of the tests (`tests/faults/test_fuzz.py`), longer and guided by
coverage with `make fuzz`.
"""
ONE_CRAWL = ("tests/faults/test_web.py", "tests/crawl/")
"""Where a crawl serves all tests of a file."""
COLUMNS = ("fault", "verdict", "lost", "stored twice", "repeated requests", "longest gap, s", "peak memory, MB", "remark")


@dataclass(slots=True)
class Shown:
    """What the tests of one fault said."""

    passed: int = 0
    failed: int = 0
    skipped: list[str] = field(default_factory=list)
    figures: dict[str, float] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        if self.failed:
            return "FAIL"
        return "pass" if self.passed else "not shown"

    def cells(self) -> list[str]:
        def figure(name: str, divisor: float = 1.0, digits: int = 0) -> str:
            return f"{self.figures[name] / divisor:.{digits}f}" if name in self.figures else "-"

        return [figure("lost"), figure("twice"), figure("refetched"), figure("gap", digits=2), figure("memory", 1e6)]


def run(numbers: Iterable[int], processes: int, folder: Path) -> tuple[dict[str, str], dict[str, dict[str, float]]]:
    """Outcome by test, and the largest figures noted by test: names are `tests/file.py::function`, without parameters."""
    nodes = sorted({node for number in numbers for node in nodes_of(number)})
    report, record = folder / "report.xml", folder / "record"
    command = [sys.executable, "-m", "pytest", "-q", "-n", str(processes), f"--junitxml={report}", "-o", "junit_family=xunit1"]
    subprocess.run([*command, *nodes], cwd=ROOT, env={**os.environ, RECORD: str(record)}, check=False)
    outcomes: dict[str, str] = {}
    for case in ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('file')}::{str(case.get('name')).partition('[')[0]}"
        kinds = {child.tag for child in case}
        outcome = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        outcomes[name] = min(outcomes.get(name, outcome), outcome)  # of several parameters the worst: f < p < s
    figures: dict[str, dict[str, float]] = {}
    for line in record.read_text("utf-8").splitlines() if record.exists() else ():
        values = json.loads(line)
        kept = figures.setdefault(values.pop("test").partition("[")[0], {})
        for name, value in values.items():
            kept[name] = max(kept.get(name, 0.0), value)
    return outcomes, figures


def shown(number: int, outcomes: dict[str, str], figures: dict[str, dict[str, float]]) -> Shown:
    """The verdict on one fault."""
    found = Shown()
    wanted = nodes_of(number)
    for name, outcome in outcomes.items():
        file = name.partition("::")[0]
        if name in wanted or file in wanted:
            found.passed += outcome == "passed"
            found.failed += outcome == "failed"
            if outcome == "skipped":
                found.skipped.append(name.partition("::")[2])
            noted = [figures.get(name, {})]
            if file.startswith(ONE_CRAWL):  # noted under the name of the test that came first
                noted = [kept for test, kept in figures.items() if test.partition("::")[0] == file]
            for figure, value in (pair for kept in noted for pair in kept.items()):
                found.figures[figure] = max(found.figures.get(figure, 0.0), value)
    return found


def table(results: dict[int, Shown]) -> str:
    """The page."""
    passed = sum(each.verdict == "pass" for each in results.values())
    parts = [HEAD.format(passed=passed, all=len(results), day=date.today().isoformat())]
    for group, faults in GROUPS.items():
        rows = [fault for fault in faults if fault.number in results]
        if not rows:
            continue
        parts.append(f"\n## {group}\n\n| | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 1)}\n")
        for fault in rows:
            result = results[fault.number]
            left_out = f"left out on this machine: {', '.join(result.skipped)}" if result.skipped else ""
            remark = "; ".join(filter(None, (fault.remark, left_out)))
            parts.append(f"| {fault.number} | {fault.what} | {result.verdict} | {' | '.join(result.cells())} | {remark} |\n")
    return "".join(parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", help="numbers with commas; nothing is written then, the table is printed")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    numbers = [int(number) for number in options.only.split(",")] if options.only else list(PLAN)
    with tempfile.TemporaryDirectory() as folder:
        outcomes, figures = run(numbers, options.processes, Path(folder))
    results = {number: shown(number, outcomes, figures) for number in numbers}
    text = table(results)
    print(text)
    if not options.only:
        PAGE.write_text(text, encoding="utf-8")
    return 0 if all(each.verdict == "pass" for each in results.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
