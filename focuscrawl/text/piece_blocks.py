"""The chosen pieces of a page as blocks of text: cells become rows and tables, lines paragraphs or stanzas of poems."""

from __future__ import annotations

from collections import Counter

from focuscrawl.text import clean
from focuscrawl.text.blocks import CELL, Block
from focuscrawl.text.layout import BREAK, Layout, Piece, size_of

_VERSES = 4
"""Least lines of a poem."""
_VERSE = 100
"""Most bytes of one of its lines."""
_ROW = 2_000
"""Most bytes of a row in a table of data. Longer rows are the layout of a page."""


def blocks(page: Layout, chosen: list[int], limit: int) -> list[Block]:
    """The chosen pieces (indices, in order) as blocks of at most `limit` characters together. Cells are joined to rows and rows
    to tables, lines of paragraphs become separate blocks, or stanzas where they are those of a poem, and the numbers of code
    lines are left out."""
    rows = _rows(page)
    made: list[Block] = []
    table = row = cell = -1
    left = limit
    for at in chosen:
        piece = page.pieces[at]
        this_row, this_cell = rows.get(at, (-1, 0))
        this_table = _table_of(page, this_row) if this_row >= 0 else -1
        for block in _texts(piece, in_row=this_row >= 0):
            if this_row >= 0 and this_table == table and made:
                joint = CELL * (this_cell - cell) if this_row == row else "\n" + CELL * this_cell
                made[-1] = Block("table", made[-1].text + joint + block.text)
            elif block.kind == "code" and made and made[-1].kind == "code" and _are_numbers(made[-1].text):
                made[-1] = block
            else:
                made.append(Block("table", CELL * this_cell + block.text) if this_row >= 0 else block)
            left -= len(block.text) + 1
        table, row, cell = this_table, this_row, this_cell
        if left <= 0:
            made[-1] = Block(made[-1].kind, made[-1].text[: len(made[-1].text) + left + 1].rstrip(), made[-1].level)
            break
    return [block for block in made if block.text]


def _rows(page: Layout) -> dict[int, tuple[int, int]]:
    """The row of each piece in a row of data, and the number of its cell there, from 0 on, for cells may be empty. A row of
    data has at least two cells, at most one piece in each, no heading and no code."""
    rows: dict[int, tuple[int, int]] = {}
    cells: Counter[int] = Counter()
    numbers: dict[tuple[int, int], int] = {}
    """The number of a cell by its row and its piece."""
    divided: set[int] = set()
    for element in page.elements:
        if element.tag in {"td", "th"}:
            numbers[element.parent, element.first] = cells[element.parent]
            cells[element.parent] += 1
            if element.last - element.first > 1:
                divided.add(element.parent)
    for at, count in cells.items():
        element = page.elements[at]
        inside = page.inside(element)
        if (
            count >= 2
            and at not in divided
            and sum([piece.size for piece in inside]) <= _ROW
            and {"heading", "code"}.isdisjoint([piece.kind for piece in inside])
        ):
            rows |= {piece: (at, numbers.get((at, piece), 0)) for piece in range(element.first, element.last)}
    return rows


def _table_of(page: Layout, row: int) -> int:
    """Index of the table around a row; 0, the body, for a row outside of tables."""
    at = row
    while at > 0 and page.elements[at].tag != "table":
        at = page.elements[at].parent
    return at


def _texts(piece: Piece, in_row: bool) -> list[Block]:
    """The blocks of one piece; a cell of a row of data is one block of a table."""
    if in_row:
        return [Block("table", clean.line(piece.text))]
    if piece.kind == "code":
        return [Block("code", clean.code(piece.text.replace(BREAK, "\n")))]
    # A cell outside of rows of data belongs to a table that only lays out the page.
    kind = "paragraph" if piece.kind == "table" else piece.kind
    if kind in {"paragraph", "quote"} and BREAK in piece.text:
        return [Block(kind, text) for text in _stanzas([clean.line(line) for line in piece.text.split(BREAK)]) if text]
    return [Block(kind, clean.line(piece.text), piece.level)]


def _stanzas(lines: list[str]) -> list[str]:
    """The lines of a paragraph, those of a poem's stanza in one text: where all are short, an empty one ends a stanza."""
    written = [line for line in lines if line]
    if len(written) < _VERSES or any(size_of(line) > _VERSE for line in written):
        return written
    stanzas: list[list[str]] = [[]]
    for line in lines:
        if line:
            stanzas[-1].append(line)
        else:
            stanzas.append([])
    return ["\n".join(stanza) for stanza in stanzas]


def _are_numbers(text: str) -> bool:
    """Whether this block of code is the column of line numbers beside another."""
    return all(line.strip().isdigit() for line in text.split("\n"))
