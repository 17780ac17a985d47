"""Webs of one host for the throughput bench: real documentation pages where webs were recorded, else made ones; and a web of
small pages without end, each of which links to pages that no other links to.

English pages are about 45 KB with 110 links, Chinese ones 20 KB with 25 links, small ones 3 KB with 22 links.
"""

from __future__ import annotations

import random
import re
import zlib
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, unquote, urljoin, urlsplit

from synthweb.prose import Writer
from tools.eval.webs.recorded import WEBS, opened

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
    """Pages of one host; `made` tells that they were not recorded."""

    page: Callable[[str], bytes | None]
    """By path and query, as `key_of` spells them; None where there is none."""
    paths: Sequence[str]
    """Some of them, or all."""
    start: str
    keywords: tuple[str, ...]
    made: bool


SMALL = "small"
NAMES = (*SOURCES, SMALL)


def bench_web(name: str) -> BenchWeb:
    """The pages of a language, `en` or `zh`, or the small ones."""
    if name == SMALL:
        return BenchWeb(small_page, [small_path(number) for number in range(LISTED)], small_path(0), SMALL_KEYWORDS, True)
    source = SOURCES[name]
    file = WEBS / source.file
    if file.is_file():
        pages = recorded(file, source)
        return BenchWeb(pages.get, list(pages), source.start, source.keywords, False)
    pages = made(name, source)
    return BenchWeb(pages.get, list(pages), "/0.html", source.keywords, True)


def key_of(target: str) -> str:
    """One spelling of a path and query."""
    return unquote(target)


def recorded(file: Path, source: Source) -> dict[str, bytes]:
    """The pages of a host of the right size, their own URLs made relative, no link leading to a missing page."""
    own = re.compile(rb"https?://" + re.escape(source.host.encode()) + rb"(?=/)")
    smallest, largest = source.sizes
    with opened(file) as web:
        rows = web.execute("select url, body from page where status=200 and url like ?", (f"http://{source.host}/%",))
        pages = {target_of(url): own.sub(b"", zlib.decompress(packed)) for url, packed in rows}
    pages = {path: body for path, body in pages.items() if path == source.start or smallest <= len(body) <= largest}
    targets = sorted(pages)
    return {path: closed(path, body, pages, targets) for path, body in pages.items()}


def target_of(url: str) -> str:
    """Path and query of a URL, in one spelling."""
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


# --- small pages, each with links that were never seen --------------------------------------------------------------------

SMALL_LINKS, SMALL_WORDS = 22, 120
SMALL_KEYWORDS = ("telescope", "galaxy", "orbit", "planet")
LISTED = 1000
_SECTIONS = ("notes", "reports", "people", "projects", "archive", "news", "guides")
_NAMES = ("summer", "river", "market", "engine", "garden", "signal", "planet", "letter", "orbit", "harbor", "winter")
_small = re.compile(r"/[a-z]+/[a-z]+-[a-z]+-(\d+)\.html")


def small_name(number: int) -> tuple[str, str]:
    """Two words that a page is called by."""
    return _NAMES[number % 11], _NAMES[number // 11 % 11]


def small_path(number: int) -> str:
    return f"/{_SECTIONS[number % 7]}/{'-'.join(small_name(number))}-{number}.html"


@lru_cache(maxsize=4096)
def small_page(path: str) -> bytes | None:
    """Page n links to the pages 22n + 1 to 22n + 22."""
    found = _small.fullmatch(path)
    if found is None:
        return None
    number = int(found[1])
    topic = "astronomy" if number % 3 else "railways"
    text = "".join(f"<p>{paragraph}</p>\n" for paragraph in Writer("en", topic, number).text(SMALL_WORDS))
    title = " ".join(small_name(number))
    links = "".join(
        f'<li><a href="{small_path(at)}">{" ".join(small_name(at))} {at}</a></li>\n'
        for at in range(SMALL_LINKS * number + 1, SMALL_LINKS * (number + 1) + 1)
    )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} {number}</title></head>'
        f"<body><main><h1>{title}</h1>{text}</main><nav><ul>{links}</ul></nav></body></html>"
    ).encode()
