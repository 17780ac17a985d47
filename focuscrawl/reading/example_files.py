"""Example pages of a topic that are local files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from focuscrawl.reading.page import read_page


def read_example_files(paths: Iterable[Path]) -> list[tuple[str, str]]:
    """(name of the file, text) of each: read as a web page, title first, for its text only."""
    texts = []
    for path in paths:
        page = read_page(path.read_bytes(), "", path.absolute().as_uri())
        texts.append((path.name, f"{page.title}\n{page.text}"))
    return texts
