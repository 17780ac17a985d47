"""Pages of a recorded web for making topics: words, links, and what the page's lists and headings say of its neighbours."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

import rjieba
from lxml import html as lxml_html

from tools.eval.webs.manuals import SAFE
from tools.eval.webs.recorded import pages, redirects

WORD = re.compile(r"[a-z][a-z-]{2,20}|[㐀-䶿一-鿿]{2,}")
HEADINGS = frozenset({"h1", "h2", "h3", "h4", "dt", "caption"})
UP = frozenset({"up", "parent"})
SKIPPED = ("script", "style", "noscript", "template")


@dataclass
class Glance:
    """A page as the makers of topics see it."""

    url: str
    title: str = ""
    words: list[str] = field(default_factory=list)
    links: list[int] = field(default_factory=list)
    """Numbers of the pages that it links to, each once."""
    up: int | None = None
    """The page above it in its manual (`rel=up`)."""
    listed: list[tuple[str, list[int]]] = field(default_factory=list)
    """Heading, and the pages linked below it."""


def glances(db: sqlite3.Connection) -> list[Glance]:
    """All pages of a web, by URL. Uses lxml and not the project's reading code: topics do not change with that."""
    numbers = {url: number for number, (url,) in enumerate(db.execute("select url from page where status = 200 order by url"))}
    elsewhere = redirects(db)

    def number(url: str) -> int | None:
        for _ in range(5):
            if url in numbers:
                return numbers[url]
            url = elsewhere.get(url) or url.partition("?")[0]
        return None

    return [_glance(url, body, number) for url, body in pages(db)]


def _glance(url: str, body: bytes, number: Callable[[str], int | None]) -> Glance:
    page = Glance(url)
    try:
        tree = lxml_html.document_fromstring(body or b"<html></html>", parser=_parser(body))
    except (ValueError, lxml_html.etree.ParserError):
        return page
    for element in tree.xpath("|".join(f"//{name}" for name in SKIPPED)):
        element.drop_tree()
    page.title = " ".join((tree.findtext(".//title") or "").split())
    page.words = list(words(" ".join(tree.itertext())))
    heading, below = "", list[int]()
    seen = dict[int, None]()
    for element in tree.iter():
        if element.tag in HEADINGS:
            page.listed.append((heading, below))
            heading, below = " ".join(element.text_content().split())[:80], []
        href = element.get("href") or (element.get("src") if element.tag in ("frame", "iframe") else None)
        if not href or element.tag not in ("a", "area", "link", "frame", "iframe"):
            continue
        target = number(canonical(urljoin(url, href.strip())))
        if target is None:
            continue
        if element.get("rel") in UP or element.get("accesskey") == "u":
            page.up = target
        if element.tag != "link":
            seen[target] = None
            below.append(target)
    page.listed.append((heading, below))
    page.listed = [(heading, below) for heading, below in page.listed if len(below) > 1]
    page.links = [target for target in seen if target != number(url)]
    return page


def _parser(body: bytes) -> lxml_html.HTMLParser:
    declared = re.search(rb"""(?i)charset\s*=\s*["']?([\w-]+)""", body[:2048])
    return lxml_html.HTMLParser(encoding=declared[1].decode() if declared and declared[1].lower() != b"utf-8" else "utf-8")


def words(text: str) -> Iterator[str]:
    """Lower-case words of Latin letters; of Chinese text those of two characters and more."""
    for match in WORD.findall(text.lower()):
        if match[0] < "\u3000":
            yield match
        else:
            yield from (word for word in rjieba.cut(match) if len(word) > 1)


def canonical(url: str) -> str:
    """As recorded webs keep URLs."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return ""
    host = (parts.hostname or "").rstrip(".") + (f":{port}" if port and port not in (80, 443) else "")
    path = quote(unquote_to_bytes(parts.path or "/"), safe=SAFE)
    return f"http://{host}{path}" + (f"?{parts.query}" if parts.query else "")
