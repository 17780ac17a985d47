"""The texts of a topic's pages, kept beside its file, so that terms and training need neither the crawl nor the network.

The file has JSON lines, one page each. Of pages that were only found the newest are kept; picked and judged ones all stay.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from dataclasses import asdict
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.topics.paths import replace_text

KEPT_FOUND = 300
"""How many pages that nobody picked or judged are kept, the newest ones."""
LONGEST = 100_000
"""Most characters of a text."""


def read_texts(path: Path) -> dict[str, PageText]:
    """The pages by URL, oldest first; empty if there is no file. Raises BadInput, which names the line, for an invalid file."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from None
    found: dict[str, PageText] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            page = _page(line, f"{path}, line {number}")
            found[page.url] = page
    return found


def write_texts(path: Path, pages: Iterable[PageText], kept: Collection[str]) -> None:
    """Replace the file by the pages whose URLs are in `kept`, and the newest KEPT_FOUND of the others."""
    pages = list(pages)
    others = [page.url for page in pages if page.url not in kept]
    wanted = {*kept, *others[-KEPT_FOUND:]}
    rows = (json.dumps(_row(page), ensure_ascii=False) for page in pages if page.url in wanted)
    replace_text(path, "".join(f"{row}\n" for row in rows))


def _row(page: PageText) -> dict[str, str]:
    row = asdict(page) | {"text": page.text[:LONGEST]}
    return {key: value.encode("utf-8", "replace").decode() for key, value in row.items()}


def _page(line: str, where: str) -> PageText:
    try:
        row = json.loads(line)
        needed = {key: str(row[key]) for key in ("url", "title", "text", "language", "source")}
        return PageText(**needed, tags=str(row.get("tags") or ""))  # files of earlier versions have none
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{where}: this is not a page as `scrapy topic` writes it; delete the line or the file.") from None
