"""Webs of one host for the throughput bench: real documentation pages where webs were recorded, else made ones.

English pages are about 45 KB with 110 links, Chinese ones 20 KB with 25 links.
"""

from __future__ import annotations

import os
import random
import re
import sqlite3
import zlib
from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from synthweb.prose import Writer

WEBS = Path(os.environ.get("FOCUSCRAWL_WEBS", Path(__file__).resolve().parents[2] / "../shared/webs"))
MADE_PAGES = 900


@dataclass(frozen=True, slots=True)
class Source:
    """Where pages of a language come from, and what they are about."""

    file: str
    host: str
    start: str
    keywords: tuple[str, ...]
    sizes: tuple[int, int]
    """Smallest and largest page in bytes."""
    links: int
    words: int


DASK, DUNWU = ("dask", "dataframe", "array", "scheduler"), ("数据库", "分布式", "缓存", "索引")
SOURCES = {
    "en": Source("dev-en.sqlite", "docs.dask.org", "/en/stable/api.html", DASK, (28_000, 120_000), 110, 1100),
    "zh": Source("dev.sqlite", "dunwu.github.io", "/blog/", DUNWU, (10_000, 45_000), 25, 1300),
}
SAFE = "/?&=%"
HREF = re.compile(rb"""(<a\b[^>]*?\shref=["'])([^"'#]+)""")


@dataclass(frozen=True, slots=True)
class BenchWeb:
    """Pages by path; `made` tells that they were not recorded."""

    pages: dict[str, bytes]
    start: str
    keywords: tuple[str, ...]
    made: bool


def bench_web(language: str) -> BenchWeb:
    """The pages of a language, `en` or `zh`."""
    source = SOURCES[language]
    file = WEBS / source.file
    if file.is_file():
        return BenchWeb(recorded(file, source), source.start, source.keywords, False)
    return BenchWeb(made(language, source), "/0.html", source.keywords, True)


def key_of(target: str) -> str:
    """One spelling of a path and query."""
    return unquote(target)


def recorded(file: Path, source: Source) -> dict[str, bytes]:
    """The pages of a host of the right size, their own addresses made relative, no link leading to a missing page."""
    own = re.compile(rb"https?://" + re.escape(source.host.encode()) + rb"(?=/)")
    smallest, largest = source.sizes
    database = sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)
    rows = database.execute("select url, body from page where status=200 and url like ?", (f"http://{source.host}/%",))
    pages = {target_of(url): own.sub(b"", zlib.decompress(packed)) for url, packed in rows}
    database.close()
    pages = {path: body for path, body in pages.items() if path == source.start or smallest <= len(body) <= largest}
    targets = sorted(pages)
    return {path: closed(path, body, pages, targets) for path, body in pages.items()}


def target_of(url: str) -> str:
    """Path and query of an address, in one spelling."""
    parts = urlsplit(url)
    return key_of(parts.path + (f"?{parts.query}" if parts.query else ""))


def closed(path: str, body: bytes, pages: Container[str], targets: Sequence[str]) -> bytes:
    """The page with its links to missing pages of its host leading to other pages."""

    def kept(found: re.Match[bytes]) -> bytes:
        url = urljoin("http://own" + quote(path, safe=SAFE), found[2].decode("utf-8", "replace"))
        if not url.startswith("http://own/") or target_of(url) in pages:
            return found[0]
        return found[1] + quote(targets[zlib.crc32(found[2]) % len(targets)], safe=SAFE).encode()

    return HREF.sub(kept, body)


def made(language: str, source: Source) -> dict[str, bytes]:
    """Pages of running text with a list of links to each other."""
    draw = random.Random(1)
    return {f"/{number}.html": made_page(language, source, number, draw) for number in range(MADE_PAGES)}


def made_page(language: str, source: Source, number: int, draw: random.Random) -> bytes:
    """One page, about as large as the recorded ones."""
    writer = Writer(language, "astronomy", number)
    paragraphs = writer.text(source.words)
    title = quote(source.keywords[number % len(source.keywords)]) if language == "en" else source.keywords[0]
    targets = [draw.randrange(MADE_PAGES) for _ in range(source.links)]
    links = "".join(f'<li class="item"><a href="/{at}.html">{source.keywords[at % 4]} {at}</a></li>\n' for at in targets)
    text = "".join(f'<p class="text">{paragraph}</p>\n' for paragraph in paragraphs)
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{title} {number}</title></head>'
        f"<body><nav><ul>{links}</ul></nav><main><h1>{title}</h1>{text}</main></body></html>"
    ).encode()
