"""Main text by a few sentences of each page: `python -m tools.eval.extraction.segments PAGES.json FOLDER`.

PAGES.json tells of each page, by its URL, its `file` in FOLDER, some texts that its main text must have (`with`) and some that
it must not (`without`). So do the evaluation data of trafilatura (https://github.com/adbar/trafilatura, `tests/evaldata.py`)
and of its port to Go, whose 983 pages of news sites, blogs, shops and offices, most of them German, are not part of this
project. `trafilatura` was made with these pages, so it is at an advantage. Each page stands alone, without others of its site.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.text.decode import decode
from tools.eval.extraction.expected import READERS

HALVES = ("left out", "looked at")
"""Of the pages, drawn by file name."""


@dataclass(frozen=True, slots=True)
class Marked:
    file: str
    html: str
    wanted: list[str]
    unwanted: list[str]

    @property
    def half(self) -> str:
        return HALVES[hashlib.md5(self.file.encode()).digest()[0] % 2]


def pages(told: Path, folder: Path) -> Iterator[Marked]:
    """The pages that are in the folder or one of its folders, in the order in which they are told of."""
    files = {path.name: path for path in folder.rglob("*.htm*")}
    for page in json.loads(told.read_text(encoding="utf-8")).values():
        if path := files.get(page["file"]):
            yield Marked(path.name, decode(path.read_bytes(), "text/html").text, page["with"] or [], page["without"] or [])


def score(text: str, page: Marked) -> Counter[str]:
    """How many of the texts are found `right`, found `wrong`, or `missed`. Spaces do not count."""
    words = _squeezed(text)
    found = Counter(right=sum(_squeezed(part) in words for part in page.wanted))
    found["missed"] = len(page.wanted) - found["right"]
    found["wrong"] = sum(_squeezed(part) in words for part in page.unwanted)
    return found


def _squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def line(name: str, found: Counter[str]) -> str:
    """A line of a Markdown table: precision, recall and F1 of one reader."""
    right, wrong, missed = found["right"], found["wrong"], found["missed"]
    precision, recall = right / max(1, right + wrong), right / max(1, right + missed)
    return f"| {name} | {precision:.3f} | {recall:.3f} | {2 * right / max(1, 2 * right + wrong + missed):.3f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pages", type=Path)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    found: dict[tuple[str, str], Counter[str]] = {(half, name): Counter() for half in HALVES for name in READERS}
    counts: Counter[str] = Counter()
    for page in pages(options.pages, options.folder):
        counts[page.half] += 1
        for name, read in READERS.items():
            found[page.half, name] += score(read(page.html), page)
    if not counts:
        parser.error(f"no page of {options.pages} is in {options.folder}")
    for half, number in sorted(counts.items()):
        print(f"\n| {number} pages {half} | precision | recall | F1 |\n|---|---|---|---|")
        print("\n".join(line(name, found[half, name]) for name in READERS))


if __name__ == "__main__":
    main()
