"""The record of headline figures, and every place in the docs that quotes one.

docs/figures.json holds what was measured last, each figure with commit, date and machine; only `python -m tools.figures` writes
it. The docs quote a figure between marks that no reader sees:

    <!--=demo.on_topic-->87 %<!--/-->

`fill` writes the present figures there; tests/tools/test_figures.py fails where a quote is another figure than the record has.
`table` stands for the whole table.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "docs/figures.json"
QUOTE = re.compile(r"(<!--=([\w.-]+)-->)(.*?)(<!--/-->)", re.DOTALL)
TABLE = "table"
HEADS = ("what", "figure", "measured by", "commit", "date", "machine")
DIRTY = "+"
"""Behind a commit: what was measured had changes that are not in it."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the table."""

    key: str
    """`PART.NAME`."""
    what: str
    """In words; empty for a text that is quoted and no row of the table."""
    value: str
    command: str = ""
    """Prints or computes it."""
    commit: str = ""
    date: str = ""
    machine: str = ""

    @property
    def part(self) -> str:
        return self.key.partition(".")[0]


Record = Mapping[str, Figure]
"""By key, in the order of the table."""


def load(path: Path = RECORD) -> dict[str, Figure]:
    """The record; empty where there is none."""
    if not path.exists():
        return {}
    return {key: Figure(key, **values) for key, values in json.loads(path.read_text("utf-8")).items()}


def save(record: Record, path: Path = RECORD) -> None:
    plain = {key: {name: value for name, value in asdict(figure).items() if name != "key"} for key, figure in record.items()}
    path.write_text(json.dumps(plain, ensure_ascii=False, indent=1) + "\n", "utf-8")


def measured(record: Record, part: str, found: Iterable[Figure], order: Iterable[str]) -> dict[str, Figure]:
    """The record with what a part has measured in the place of what it had before. `order`: of the parts."""
    kept = [figure for figure in record.values() if figure.part != part]
    places = list(order)
    rows = sorted([*kept, *found], key=lambda figure: places.index(figure.part) if figure.part in places else len(places))
    return {figure.key: figure for figure in rows}


def quoted(key: str, record: Record) -> str:
    """What stands between the marks of a key. Raises KeyError for one that was not measured."""
    if key == TABLE:
        return f"\n\n{table(record)}\n\n"
    value = record[key].value
    return f"\n{value}\n" if "\n" in value else value


def table(record: Record) -> str:
    """In Markdown."""
    rows = [(row.what, row.value, f"`{row.command}`", row.commit, row.date, row.machine) for row in record.values() if row.what]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (HEADS, ("---",) * len(HEADS), *rows))


def filled(text: str, record: Record) -> str:
    """A document with the present figures between its marks."""
    return QUOTE.sub(lambda quote: f"{quote[1]}{quoted(quote[2], record)}{quote[4]}", text)


def documents(root: Path = ROOT) -> list[Path]:
    """That may quote figures."""
    return sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")])


def fill(record: Record, root: Path = ROOT) -> list[Path]:
    """Write the figures into all documents; those that changed."""
    changed = []
    for path in documents(root):
        before = path.read_text("utf-8")
        if (after := filled(before, record)) != before:
            path.write_text(after, "utf-8")
            changed.append(path)
    return changed


# Of which code, when, on which machine --------------------------------------------------------------------------------------


def commit() -> str:
    """Short name of the commit that is checked out, with DIRTY if files beside the docs differ from it."""
    name = _git("rev-parse", "--short=7", "HEAD")
    changed = [line[3:] for line in _git("status", "--porcelain").splitlines()]
    return name + (DIRTY if any(not path.endswith(".md") and path != "docs/figures.json" for path in changed) else "")


def today() -> str:
    return datetime.now(UTC).date().isoformat()


def machine() -> str:
    """Cores and model of the processor, as far as the system tells."""
    model = platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = re.findall(r"^model name\s*:\s*(.+)$", info.read_text("utf-8"), re.MULTILINE)
        model = names[0].strip() if names else model
    return f"{os.cpu_count()} cores, {model}"


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip("\n")


def spread(values: Iterable[float], form: str = "{:.3f}", unit: str = "") -> str:
    """Median and range of several runs: `0.636 (0.630 to 0.640)`; one number where they agree."""
    numbers = sorted(values)
    low, middle, high = (form.format(value) for value in (numbers[0], median(numbers), numbers[-1]))
    return f"{middle}{unit}" if low == high else f"{middle}{unit} ({low} to {high}{unit})"
