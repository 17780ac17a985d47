"""The figures of the house, for one checkout or for several beside each other: docs/measured.md shows them.

    python -m tools.house [--names before,after] [--given "make test, seconds=1230,560"] [--parts files,page] CHECKOUT ...

Parts: `files` is what can be parsed; `page` crawls a synthetic web by each checkout's code, for what one page passes through;
`startup` starts each command on a small crawl. The last two take some minutes. What this program cannot measure is given.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from scrapy.settings import default_settings

from tools.house.one_page import NotCrawled, one_page
from tools.house.source import SMALL, Tree, lines, percentile
from tools.house.startup import BARE, startup
from tools.house.words import WORDS, meanings, repeated_classes, repeated_modules

Row = tuple[str, list[str]]
PARTS = ("files", "page", "startup")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.house", description="The figures of the house, as Markdown tables.")
    parser.add_argument("checkout", nargs="+", type=Path)
    parser.add_argument("--names", default="", help="heads of the columns, with commas between (default: the folders' names)")
    parser.add_argument("--given", action="append", default=[], metavar="LABEL=A,B", help="a row that was measured elsewhere")
    parser.add_argument("--parts", default=",".join(PARTS), help="what to print, with commas between (default: %(default)s)")
    options = parser.parse_args(arguments)
    checkouts = [path.resolve() for path in options.checkout]
    names = options.names.split(",") if options.names else [path.name for path in checkouts]
    if len(names) != len(checkouts):
        parser.error(f"--names has {len(names)} names for {len(checkouts)} checkouts")
    for path in checkouts:
        if not (path / "focuscrawl").is_dir():
            parser.error(f"{path} is not a checkout of focuscrawl")
    parts = options.parts.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"there is no part {sorted(unknown)[0]!r}; there are {', '.join(PARTS)}")
    trees = [Tree(path) for path in checkouts]
    try:
        rows = list(parsed(trees)) if "files" in parts else []
        rows += list(traced(checkouts)) if "page" in parts else []
        rows += [given(text, len(checkouts)) for text in options.given]
        if rows:
            print(table(("", *names), rows), flush=True)
        if "files" in parts:
            print(table(("things called", *names), words(trees)), flush=True)
        if "startup" in parts:
            print(table(("CPU of a command, ms", *names), started(checkouts)))
    except (NotCrawled, ValueError) as error:
        print(f"tools.house: {error}", file=sys.stderr)
        return 1
    return 0


def table(head: Sequence[str], rows: Sequence[Row]) -> str:
    """A table in Markdown, with an empty line after it."""
    ruled = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join([*ruled, *(f"| {label} | {' | '.join(cells)} |" for label, cells in rows), ""])


def given(text: str, columns: int) -> Row:
    """A row from LABEL=A,B. Raises ValueError when the cells are too many or too few."""
    label, _, cells = text.rpartition("=")
    if not label or len(cells.split(",")) != columns:
        raise ValueError(f"--given {text!r} is not LABEL= and {columns} figures")
    return label, cells.split(",")


def parsed(trees: Sequence[Tree]) -> Iterator[Row]:
    """What the files say."""

    def row(label: str, *cells: str) -> Row:
        return label, list(cells)

    foreign = set(dir(default_settings))
    functions = [[length for module in tree.product for length in module.functions] for tree in trees]
    files = [[module.lines for module in tree.product] for tree in trees]
    yield row("product: files", *(_n(len(tree.product)) for tree in trees))
    yield row("product: lines", *(_n(lines(tree.product)) for tree in trees))
    yield row("of these code (neither blank, comment nor docstring)", *(_n(tree.text.code) for tree in trees))
    yield row("synthetic web: files, lines", *(f"{len(tree.synthetic)}, {_n(lines(tree.synthetic))}" for tree in trees))
    yield row(
        "tests and tools: lines", *(_n(sum(lines(tree.beside(folder)) for folder in ("tests", "tools"))) for tree in trees)
    )
    yield row("lines of a file: median, 90th percentile", *(_spread(of) for of in files))
    yield row(
        "lines of a function: median, 90th percentile, most", *(f"{_spread(of)}, {max(of, default=0)}" for of in functions)
    )
    yield row(f"modules under {SMALL} lines", *(_n(len(tree.small)) for tree in trees))
    yield row("of these with one importer", *(_n(len(tree.small_with_one_importer)) for tree in trees))
    yield row("fullest folder: modules", *(f"{tree.fullest_folder[1]} ({tree.fullest_folder[0]})" for tree in trees))
    yield row("comments in 1 000 lines", *(_share(tree.text.comments, lines(tree.product)) for tree in trees))
    yield row("lines of docstrings in 1 000", *(_share(tree.text.docstrings, lines(tree.product)) for tree in trees))
    yield row("settings of ours", *(_n(len(tree.settings(foreign))) for tree in trees))
    yield row("class names with several classes", *(_n(len(repeated_classes(tree.product))) for tree in trees))
    yield row("file names in several folders", *(_n(len(repeated_modules(tree.product))) for tree in trees))


def words(trees: Sequence[Tree]) -> list[Row]:
    """The meanings of the ten names, and their sum."""
    counted = [(word, [len(meanings(word, tree.product)) for tree in trees]) for word in WORDS]
    rows = [(f"`{word}`", [str(number) for number in numbers]) for word, numbers in counted]
    return [*rows, ("all ten", [str(sum(numbers[i] for _, numbers in counted)) for i in range(len(trees))])]


def traced(checkouts: Sequence[Path]) -> Iterator[Row]:
    """What one page passes through. Raises NotCrawled."""
    pages = [one_page(checkout) for checkout in checkouts]
    yield "one page passes through: modules", [_n(page.modules) for page in pages]
    yield "one page passes through: functions", [_n(page.functions) for page in pages]
    yield "one page passes through: changes of module", [_n(page.changes) for page in pages]
    yield "of these between different pairs of modules", [_n(page.pairs) for page in pages]


def started(checkouts: Sequence[Path]) -> list[Row]:
    """CPU of the commands, and how many times that of bare Scrapy. Raises NotCrawled."""
    measured = startup(checkouts)
    bare = measured.pop(BARE)

    def cell(seconds: float, own: float) -> str:
        return f"{1000 * seconds:.0f} ({seconds / own:.2f})" if seconds else "–"

    rows = [
        (f"`{label}`", [cell(seconds, own) for seconds, own in zip(of_all, bare, strict=True)])
        for label, of_all in measured.items()
    ]
    return [(f"{BARE} (1)", [f"{1000 * seconds:.0f}" for seconds in bare]), *rows]


def _n(number: int) -> str:
    """With a space between thousands."""
    return f"{number:,}".replace(",", " ")


def _share(part: int, whole: int) -> str:
    return f"{1000 * part / whole:.1f}" if whole else "–"


def _spread(values: Sequence[int]) -> str:
    return f"{percentile(values, 0.5)}, {percentile(values, 0.9)}"


if __name__ == "__main__":
    sys.exit(main())
