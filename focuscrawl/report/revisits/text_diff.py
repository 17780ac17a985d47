"""Prints a diff of two versions: in colors on a terminal, else with the marks of wdiff."""

from __future__ import annotations

import os
from typing import TextIO

from focuscrawl.recrawl.diff import DiffPiece
from focuscrawl.report.plain import one_line, printable
from focuscrawl.store.revisits.versions import VersionDiff

MARKS = {"removed": ("[-", "-]"), "added": ("{+", "+}"), "kept": ("", "")}
STYLES = {"removed": "red strike", "added": "green", "kept": ""}


def head_of(diff: VersionDiff) -> str:
    """A sentence on which versions are compared, with their titles if these differ."""
    following = f"version {diff.following}" if diff.following else "the stored version"
    text = f"From version {diff.number} to {following}"
    if diff.old_title != diff.new_title:
        text += f"; its title was “{one_line(diff.old_title, 80)}”, then “{one_line(diff.new_title, 80)}”"
    return text + (":" if diff.pieces else ". The main text is the same.")


def show_diff(diff: VersionDiff, out: TextIO) -> None:
    """Print a diff, in color if `out` is a terminal and NO_COLOR is not set."""
    colored = out.isatty() and not os.environ.get("NO_COLOR")
    if not colored:
        out.write(f"{head_of(diff)}\n\n{''.join(map(_marked, diff.pieces))}".rstrip() + "\n")
        out.flush()
        return
    from rich.console import Console
    from rich.text import Text

    text = Text.assemble(*((printable(piece.text), STYLES[piece.kind]) for piece in diff.pieces))
    console = Console(file=out, highlight=False)
    console.print(Text(head_of(diff) + "\n"))
    console.print(text, end="")


def _marked(piece: DiffPiece) -> str:
    """The text of a piece between its marks, with the line ends at its end after the closing mark."""
    start, end = MARKS[piece.kind]
    text = printable(piece.text)
    bare = text.rstrip("\n")
    return start + bare + end + text[len(bare) :]
