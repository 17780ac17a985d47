"""The main text of a page as blocks: headings, paragraphs, list items, code, tables, quotes.

The store keeps one plain text, which is the blocks joined by line breaks, and its outline with (kind, level, characters) for
each block. So readers of words have them at once, and readers of the structure cut the text by the outline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

BlockKind = Literal["heading", "paragraph", "item", "code", "table", "quote"]
Outline = tuple[tuple[BlockKind, int, int], ...]
"""(kind, level, length in characters) of each block, in order."""
CELL = "\t"
"""Stands between the cells of a table's row. Rows are separated by line breaks."""


class Block(NamedTuple):
    """One piece of text. Only blocks of code and tables contain line breaks, and paragraphs and quotes that are stanzas."""

    kind: BlockKind
    text: str
    level: int = 0
    """1 to 6 for a heading; the depth of a list item, from 0 on."""


def plain(blocks: Iterable[Block]) -> str:
    """The text of all blocks, each on lines of its own."""
    return "\n".join([block.text for block in blocks])


def table(rows: Iterable[Sequence[str]]) -> Block:
    """A table block of these rows of cells, one line for each row; empty rows are left out."""
    return Block("table", "\n".join(CELL.join(row) for row in rows if any(row)))


def outline(blocks: Iterable[Block]) -> Outline:
    """The outline of these blocks, by which `blocks_of` cuts their plain text."""
    return tuple((block.kind, block.level, len(block.text)) for block in blocks)


def blocks_of(text: str, cut: Outline) -> list[Block]:
    """The blocks with this plain text and outline. Without an outline every line is a paragraph."""
    if not cut:
        return [Block("paragraph", line) for line in text.split("\n") if line]
    found, start = [], 0
    for kind, level, length in cut:
        found.append(Block(kind, text[start : start + length], level))
        start += length + 1
    return found


def markdown(blocks: Sequence[Block]) -> str:
    """The blocks as CommonMark with GitHub's tables. Characters are escaped only where they would be markup."""
    parts: list[str] = []
    before = ""
    for block in blocks:
        parts.append("\n" if block.kind == before == "item" else "\n\n" if before else "")
        parts.append(_WRITERS[block.kind](block))
        before = block.kind
    return "".join(parts) + ("\n" if parts else "")


def _heading(block: Block) -> str:
    return f"{'#' * min(max(block.level, 1), 6)} {_escaped(block.text)}"


def _paragraph(block: Block) -> str:
    return "\\\n".join(map(_line, block.text.split("\n")))


def _line(line: str) -> str:
    text = _escaped(line)
    return "\\" + text if text.startswith(_LINE_STARTS) or _numbered(text) else text


def _item(block: Block) -> str:
    return f"{'  ' * block.level}- {_escaped(block.text)}"


def _code(block: Block) -> str:
    longest = max((len(run) for run in _runs_of_backticks(block.text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{block.text}\n{fence}"


def _quote(block: Block) -> str:
    return "\\\n".join(f"> {_escaped(line)}" for line in block.text.split("\n"))


def _table(block: Block) -> str:
    rows = [row.split(CELL) for row in block.text.split("\n")]
    width = max(map(len, rows))
    lines = [_row(row + [""] * (width - len(row))) for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_escaped(cell).replace("|", "\\|") for cell in cells) + " |"


_WRITERS = {
    "heading": _heading, "paragraph": _paragraph, "item": _item, "code": _code, "quote": _quote, "table": _table,
}  # fmt: skip
_LINE_STARTS = ("#", ">", "- ", "+ ", "~~~", "---", "===")
"""Beginnings of a line that would make it something other than a paragraph."""
_INLINE = str.maketrans({character: f"\\{character}" for character in "\\`*_[]<"})


def _escaped(text: str) -> str:
    return text.replace("\n", " ").translate(_INLINE)


def _numbered(text: str) -> bool:
    number = text[:10].partition(".")[0]
    return number.isdigit() and text[len(number) : len(number) + 1] == "."


def _runs_of_backticks(text: str) -> list[str]:
    return [run for run in "".join(c if c == "`" else " " for c in text).split(" ") if run]
