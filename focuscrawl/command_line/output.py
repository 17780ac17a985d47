"""The output of commands: text, tables and JSON on standard output, notes on standard error, and files that replace old ones
only once they are complete."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from focuscrawl.errors import BadInput, without_passwords
from focuscrawl.whole_files import replacing

if TYPE_CHECKING:
    from focuscrawl.report.table import Table
    from focuscrawl.report.translation import Language

PROGRESS_SECONDS = 0.5


def print_json(value: Any) -> None:
    """Print an indented JSON value to standard output. Dataclasses are objects with their fields."""
    import orjson

    print(orjson.dumps(value, option=orjson.OPT_INDENT_2).decode())


def print_json_line(value: Any) -> None:
    """Print a JSON value as one line to standard output. Dataclasses are objects with their fields."""
    import orjson

    print(orjson.dumps(value).decode())


def print_parts(parts: Sequence[str | Table], language: Language | None = None) -> None:
    """Print paragraphs and tables to standard output, in this language or else in English."""
    from focuscrawl.report.table import said, show

    show([said(part, language) for part in parts] if language and language.code != "en" else parts, sys.stdout)


def note(text: str) -> None:
    """Print a line to standard error, without the passwords of URLs that a user may have typed."""
    print(without_passwords(text), file=sys.stderr, flush=True)


class ProgressLine:
    """A line on standard error that overwrites itself every PROGRESS_SECONDS. Nothing is printed unless it is a terminal."""

    def __init__(self) -> None:
        self._printed_at = time.monotonic()

    def show(self, text: str) -> None:
        if sys.stderr.isatty() and time.monotonic() - self._printed_at > PROGRESS_SECONDS:
            self._printed_at = time.monotonic()
            print(f"\r{text} ", end="\x1b[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def make_output_writable() -> None:
    """Escape what the encoding of standard output lacks, and discard output if standard output is closed."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (open until the process ends)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        with suppress(OSError):  # if a pipe has replaced a file, asking for the position fails after the change was made
            sys.stdout.reconfigure(errors="backslashreplace")


def silence_standard_output() -> None:
    """Discard further output after its reader has gone away, so that what Python has buffered does not raise at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def check_target(name: str) -> None:
    """Raises BadInput unless `name` is `-` or a file in a directory that exists."""
    if name == "-":
        return
    if not Path(name).absolute().parent.is_dir():
        raise BadInput(f"the directory of {name!r} does not exist")
    if Path(name).is_dir():
        raise BadInput(f"{name!r} is a directory; name a file")


def target(name: str) -> AbstractContextManager[BinaryIO]:
    """A context manager for a file to be written, or for standard output if `name` is `-`."""
    if name == "-":
        return nullcontext(sys.stdout.buffer)
    path = Path(name)
    return path.open("wb") if path.exists() and not path.is_file() else replacing(path)
