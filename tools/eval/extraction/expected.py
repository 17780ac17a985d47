"""Main text on real pages whose text was marked by others: `python -m tools.eval.extraction.expected FOLDER`.

FOLDER holds a folder for each page, with its source in `source.html` and its main text, as HTML, in `expected.html`. So are the
test pages of Mozilla's Readability (https://github.com/mozilla/readability, `test/test-pages`), which are not part of this
project. Their texts are what Readability finds, looked through by its authors: a port of it, as `readability` here, is at an
advantage. Each page stands alone, without others of its site.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from resiliparse.extract.html2text import extract_plain_text

from focuscrawl.text.blocks import plain
from focuscrawl.text.document import parse
from focuscrawl.text.extract import fast_text, main_text
from focuscrawl.text.extractors import EXTRACTORS
from tools.eval.extraction.measure import grams, overlap

LEAST = 120
"""Least words of a text that is compared; shorter ones test single rules of Readability."""
READERS = {
    "kept": lambda html: plain(main_text(parse(html)).blocks),
    "fast": lambda html: fast_text(parse(html)),
} | {name: (lambda html, extract=extract: extract(html, "")) for name, extract in EXTRACTORS.items()}


@dataclass(frozen=True, slots=True)
class Expected:
    name: str
    html: str
    truth: str


def pages(folder: Path) -> Iterator[Expected]:
    """The pages in a folder whose text is long enough, by name."""
    for file in sorted(folder.glob("*/expected.html")):
        truth = str(extract_plain_text(file.read_text(encoding="utf-8"), alt_texts=False, list_bullets=False))
        if grams(truth).total() >= LEAST:
            yield Expected(file.parent.name, file.with_name("source.html").read_text(encoding="utf-8"), truth)


def score(text: str, truth: str) -> tuple[float, float, float]:
    """Precision, recall and F1."""
    precision, recall = overlap(grams(text), grams(truth))
    return precision, recall, 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def table(found: dict[str, dict[str, tuple[float, float, float]]], each: bool) -> list[str]:
    """Markdown: the means over all pages by reader, and `each` page, the worst first. `found`: scores by page and reader."""
    lines = [f"| page | {' | '.join(READERS)} |", f"|---|{'---|' * len(READERS)}"]
    for name in sorted(found, key=lambda name: found[name]["kept"][2]) if each else ():
        lines.append(f"| {name} | {' | '.join(_cell(found[name][reader]) for reader in READERS)} |")
    means = (tuple(map(mean, zip(*(scores[reader] for scores in found.values()), strict=True))) for reader in READERS)
    lines.append(f"| mean of {len(found)} pages: precision, recall, F1 | {' | '.join(map(_cell, means))} |")
    lost = (sum(scores[reader][1] < 0.5 for scores in found.values()) for reader in READERS)
    return [*lines, f"| pages that lose half of their text | {' | '.join(map(str, lost))} |"]


def _cell(scores: tuple[float, ...]) -> str:
    return " ".join(f"{value:.3f}" for value in scores)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--each", action="store_true", help="with a line for each page")
    options = parser.parse_args()
    found = {
        page.name: {name: score(read(page.html), page.truth) for name, read in READERS.items()}
        for page in pages(options.folder)
    }
    if not found:
        parser.error(f"no pages with expected.html in {options.folder}")
    print("\n".join(table(found, options.each)))


if __name__ == "__main__":
    main()
