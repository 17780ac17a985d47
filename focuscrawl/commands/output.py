"""Where a command writes: standard output, or a file that takes its name only when it is complete."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

from focuscrawl.commands.arguments import silence_standard_output
from focuscrawl.errors import BadInput


@contextmanager
def printing() -> Iterator[None]:
    """Around what is printed for a person or a program that may have had enough: `| head` is no error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        silence_standard_output()


def check_target(name: str) -> None:
    """`-`, or a file of a directory that exists. Raises BadInput."""
    if name == "-":
        return
    if not Path(name).absolute().parent.is_dir():
        raise BadInput(f"the directory of {name!r} does not exist")
    if Path(name).is_dir():
        raise BadInput(f"{name!r} is a directory; name a file")


def target(name: str) -> AbstractContextManager[BinaryIO]:
    """To be written in a `with` statement."""
    if name == "-":
        return nullcontext(sys.stdout.buffer)
    path = Path(name)
    return path.open("wb") if path.exists() and not path.is_file() else _Replacing(path)


class _Replacing:
    """Writing that stops half-way leaves the old file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._part = path.with_name(path.name + ".part")

    def __enter__(self) -> BinaryIO:
        self._file = self._part.open("wb")
        return self._file

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._file.close()
        if kind is None:
            os.replace(self._part, self._path)
        else:
            self._part.unlink()
