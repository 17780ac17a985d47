"""The sites that the user names as important: hosts or registered domains, or files with one of these a line."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from focuscrawl.config.allowed_paths import ANYWHERE, Roots
from focuscrawl.config.input_file import read_text
from focuscrawl.errors import BadInput, quoted
from focuscrawl.url.authority import normal_authority

WANTED = "a host name or a registered domain is wanted, such as docs.example.org or example.org"


def important_sites(entries: Iterable[str], folder: Path, where: str, roots: Roots = ANYWHERE) -> tuple[str, ...]:
    """Normal host names, each once, in order.

    Args:
        entries: names, and paths of files: an entry is a path if it has a slash, ends in `.txt`, or names a file that exists.
        In
            these files `#` begins a comment.
        folder: where relative paths begin.
        where: where the entries stand, for messages.
        roots: the folders that files may lie in.

    Raises:
        BadInput: an entry or a line is no host name, or a file cannot be read; a sentence with its line.
    """
    found: dict[str, None] = {}
    for entry in entries:
        if _is_path(entry, folder):
            found |= dict.fromkeys(_of_file(Path(os.path.normpath(folder / entry)), where, roots))
        else:
            found[_site(entry, where)] = None
    return tuple(found)


def _is_path(entry: str, folder: Path) -> bool:
    is_address = "://" in entry
    return not is_address and ("/" in entry or "\\" in entry or entry.endswith(".txt") or (folder / entry).is_file())


def _of_file(file: Path, where: str, roots: Roots) -> list[str]:
    roots.check(file, f"{where}: the file")
    lines = enumerate(read_text(file, f"{where}: the file").splitlines(), 1)
    names = ((number, line.partition("#")[0].strip()) for number, line in lines)
    return [_site(name, f"{where}: {quoted(file.name)}, line {number}") for number, name in names if name]


def _site(name: str, where: str) -> str:
    bare = name.removeprefix(".")
    host = None if set("/@?#: \t\\") & set(bare) or "." not in bare else normal_authority("http", bare)
    if host is None:
        raise BadInput(f"{where}: {quoted(name)} is no site; {WANTED}.")
    return host
