"""The pages of a recorded web as our reading code sees them, kept in a file: reading 27 000 pages takes minutes."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.items import Link, whole_text
from focuscrawl.reading.page import read_page
from focuscrawl.store.pages.links import decode, encode
from tools.eval.webs.recorded import opened

ROOT = Path(__file__).resolve().parents[3]
READING_ROOMS = ("links", "reading", "text", "url")


@dataclass
class ReadPage:
    """What the topic side needs of a page."""

    url: str
    title: str
    text: str
    links: list[Link]
    kind: str = "content"

    @property
    def whole(self) -> str:
        """Title and main text."""
        return whole_text(self.title, self.text)


def reading_version() -> str:
    """Digest of the code that reads pages: other code, another cache."""
    digest = hashlib.blake2b(digest_size=6)
    for room in READING_ROOMS:
        for file in sorted((ROOT / "focuscrawl" / room).rglob("*.py")):
            digest.update(file.read_bytes())
    return digest.hexdigest()


def read_web(web: Path, cache: Path) -> ReadWeb:
    """All pages of the web with status 200, read now or from the cache. `FOCUSCRAWL_READING` names a cache to reuse."""
    version = os.environ.get("FOCUSCRAWL_READING") or reading_version()
    file = cache / f"{web.stem}-read-{version}.sqlite"
    if not file.exists():
        part = file.with_suffix(".part")
        part.unlink(missing_ok=True)
        _read_all(web, part)
        part.replace(file)
    return ReadWeb(file)


def _read_all(web: Path, target: Path) -> None:
    with opened(web) as source, sqlite3.connect(target) as cache:
        cache.execute("create table page(url text primary key, content blob, links blob)")
        rows = source.execute("select url, headers, body from page where status = 200")
        cache.executemany("insert into page values(?, ?, ?)", _read_rows(rows))
    cache.close()


def _read_rows(rows: Iterable[tuple[str, str, bytes]]) -> Iterable[tuple[str, bytes, bytes]]:
    for number, (url, headers, body) in enumerate(rows):
        if number % 2000 == 0:
            print(f"  reading: {number} pages", flush=True)
        kind = {name.lower(): value for name, value in json.loads(headers or "{}").items()}.get("content-type", "")
        page = read_page(zlib.decompress(body) if body else b"", kind, url)
        yield url, zlib.compress(json.dumps([page.title, page.text, page.kind]).encode(), 1), encode(page.links)


class ReadWeb:
    """Read pages by URL; each call reads from the file, so that a web of a million links fits."""

    def __init__(self, file: Path) -> None:
        self._db = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)

    def page(self, url: str) -> ReadPage:
        """The page of this URL, which the recorded web must have. Its links are fresh objects."""
        content, links = self._db.execute("select content, links from page where url = ?", (url,)).fetchone()
        title, text, kind = json.loads(zlib.decompress(content))
        return ReadPage(url, title, text, decode(links), kind)
