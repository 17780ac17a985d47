"""Tables that are printed in three ways: by rich on a terminal (as a list where that is too narrow), as aligned text otherwise,
and as plain values for JSON."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TextIO

from rich.cells import cell_len

from focuscrawl.report.plain import both_ends, one_line

if TYPE_CHECKING:
    from rich.console import Console

    from focuscrawl.report.translation import Language


@dataclass(slots=True, frozen=True)
class Column:
    title: str
    right: bool = False
    """Whether it has numbers, which are aligned to the right and never wrapped."""
    width: int = 0
    """Most terminal columns that it may take; 0: no limit."""
    names: bool = False
    """Whether it has names, of which a long one is cut in the middle."""
    bar: bool = False
    """Whether it is drawn with characters of ours: leading spaces stay, it is never wrapped, and it is `spare`."""
    whole: bool = False
    """Whether it is never wrapped, although it is not a number."""
    ours: bool = False
    """Whether its cells are words of ours, which are said in the reader's language, and not text from elsewhere."""
    spare: bool = False
    """Whether it is left out on a terminal without room for it; of several such columns the last one first."""


@dataclass(slots=True, frozen=True)
class Table:
    """A table. Its cells may be text from the web, so they are made safe when they are printed."""

    columns: Sequence[Column]
    rows: Sequence[Sequence[str]] = ()
    title: str = ""
    tight: bool = False
    """Whether it has many short columns, with less space between them on a terminal."""

    def cells(self) -> list[list[str]]:
        """The rows, safe to print and cut to their columns' widths."""
        return [list(map(_cell, row, self.columns)) for row in self.rows]

    def text(self) -> str:
        """The table as aligned columns with two spaces between them. Wide characters count as two."""
        titles = [column.title for column in self.columns]
        lines = ([titles] if any(titles) else []) + self.cells()
        widths = [max((cell_len(line[place]) for line in lines), default=0) for place in range(len(titles))]
        shown = ["  ".join(map(_pad, line, widths, self.columns)) for line in lines]
        return "\n".join(([self.title] if self.title else []) + [line.rstrip() for line in shown])


def _cell(cell: str, column: Column) -> str:
    if column.names:
        return both_ends(cell, column.width)
    return cell if column.bar else one_line(cell, column.width)


def _pad(cell: str, width: int, column: Column) -> str:
    space = " " * (width - cell_len(cell))
    return space + cell if column.right else cell + space


def said(part: str | Table, _: Language) -> str | Table:
    """A paragraph, or a table's titles and those of its cells that are words of ours, in this language."""
    if isinstance(part, str):
        return _(part)
    columns = [replace(column, title=_(column.title)) for column in part.columns]
    rows = [[_(cell) if column.ours else cell for cell, column in zip(row, columns, strict=True)] for row in part.rows]
    return replace(part, columns=columns, rows=rows, title=_(part.title))


def show(parts: Sequence[str | Table], out: TextIO) -> None:
    """Print paragraphs and tables, by rich if `out` is a terminal (rich honors NO_COLOR), else as plain text."""
    if not out.isatty():
        for before, part in zip(("", *parts), parts, strict=False):
            gap = "\n" if isinstance(part, Table) and part.title and isinstance(before, str) and before else ""
            out.write(gap + (part.text() + "\n" if isinstance(part, Table) else part) + "\n")
        out.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False)
    for part in parts:
        if not isinstance(part, Table):
            console.print(Text(part))
        elif _width(shown := _fitting(part, console.width)) <= console.width:
            console.print(_rich(shown))
        else:
            _print_stacked(part, console)


FOLDED = 10
"""Least width at which a wrapped column is readable …"""
FOLDED_WORD = 24
"""… and one of words that are longer, such as URLs, which are cut wherever a line ends."""
_word = re.compile("[!-~]+")
"""Chinese may be cut anywhere, also that of a URL."""


def _fitting(table: Table, width: int) -> Table:
    """The table without the spare columns for which a terminal of this width has no room."""
    shown = list(range(len(table.columns)))
    spare = [place for place in shown if table.columns[place].spare or table.columns[place].bar]
    fitting = table
    while spare and _width(fitting) > width:
        shown.remove(spare.pop())
        columns = [table.columns[place] for place in shown]
        fitting = replace(table, columns=columns, rows=[[row[place] for place in shown] for row in table.rows])
    return fitting


def _width(table: Table) -> int:
    """The least number of terminal columns in which the table is readable."""
    return sum(_least(table)) + (2 if table.tight else 3) * len(table.columns)


def _least(table: Table) -> list[int]:
    """The least width at which each column is readable."""
    lines = [[column.title for column in table.columns], *table.cells()]
    return [_least_of(column, [line[place] for line in lines]) for place, column in enumerate(table.columns)]


def _least_of(column: Column, cells: Sequence[str]) -> int:
    longest = max(map(cell_len, cells))
    if _is_whole(column):
        return longest
    word = max(map(len, _word.findall(" ".join(cells))), default=0)
    return min(longest, max(FOLDED, min(word, FOLDED_WORD)))


def _is_whole(column: Column) -> bool:
    return column.right or column.whole or column.bar


def _print_stacked(table: Table, console: Console) -> None:
    """Print each row as its first column of words and, below it, the other columns by name. Bars are left out."""
    from rich.padding import Padding
    from rich.text import Text

    columns = table.columns
    head = next((place for place, column in enumerate(columns) if not column.right and not column.bar), 0)
    if table.title:
        console.print(Text(f"{table.title}\n"))
    for row in table.cells():
        cells = [
            f"{column.title} {cell}".strip()
            for place, (column, cell) in enumerate(zip(columns, row, strict=True))
            if cell and not column.bar and place != head
        ]
        console.print(Text(row[head]))
        console.print(Padding(Text("; ".join(cells)), (0, 0, 0, 2)))
    console.print()


def _rich(table: Table) -> object:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    shown = RichTable(
        title=Text(table.title) if table.title else None, title_justify="left", box=box.SIMPLE_HEAD,
        padding=(0, 1, 0, 0) if table.tight else (0, 1), pad_edge=not table.tight,
    )  # fmt: skip
    shown.show_header = any(column.title for column in table.columns)
    for column, least in zip(table.columns, _least(table), strict=True):
        side: Literal["left", "right"] = "right" if column.right else "left"
        whole = _is_whole(column)
        shown.add_column(Text(column.title), justify=side, no_wrap=whole, overflow="fold", min_width=least)
    for row in table.cells():
        shown.add_row(*(Text(cell) for cell in row))
    return shown
