"""Files that are whole or not there: they get their names, and the places of former ones, when all is written. And names that
file systems take."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import get_native_id
from typing import BinaryIO

NAME_BYTES = 200
"""Of a user's name within that of a file, of which file systems take 255 bytes; the rest is for what stands around it."""


def fitting(name: str, most: int = NAME_BYTES) -> str:
    """The beginning of a name, as far as it takes at most so many bytes. Lone surrogates are left out."""
    return name.encode("utf-8", "surrogatepass")[:most].decode("utf-8", "ignore")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file that takes the place of the one at `path` when the block has ended, with its permissions. If it raises, the former
    one stays.

    Raises:
        OSError: The file cannot be written; the error names `path`.
    """
    part = path.with_name(f".{fitting(path.name)}.{get_native_id()}.part")  # no other thread has this number, of any process
    try:
        with naming(path), part.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # else a power cut could leave the new name with nothing behind it
        if path.is_file() and not path.is_symlink():
            shutil.copymode(path, part)
        part.replace(path)
    except OSError as error:
        if error.filename == str(part):
            error.filename = str(path)
        raise
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_whole(path: Path, text: str, errors: str = "strict") -> None:
    """Replace a file of text, see `replacing`. `errors`: as for `str.encode`, for what cannot be written as UTF-8.

    Raises:
        OSError: The file cannot be written; the error names `path`.
    """
    with replacing(path) as file:
        file.write(text.encode("utf-8", errors))


@contextmanager
def naming(file: str | Path) -> Iterator[None]:
    """Let an error of writing to `file`, as that of a full disk, say so: the system names no file that is open."""
    try:
        yield
    except OSError as error:
        if error.errno and error.filename is None:
            error.filename = str(file)
        raise
