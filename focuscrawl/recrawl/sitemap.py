"""Reads sitemaps (sitemaps.org, protocol 0.9): XML sitemaps and indexes, and plain text; with titles of the news extension.

The reader tolerates any namespace, unescaped ampersands and cut files. At most 50 000 URLs of a file count, as in the protocol.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from focuscrawl.items import SourceEntry
from focuscrawl.recrawl.entries import MAX_TITLE, MAX_URL, SourceContent, merged, plausible
from focuscrawl.recrawl.entry_times import epoch_of
from focuscrawl.text import clean
from focuscrawl.text.safe_xml import name_of, text_of
from focuscrawl.url.normalize import normalize

MAX_ENTRIES = 50_000
"""Entries of one file that are read, the limit of the protocol of sitemaps.org."""
_MOST_SEEN = 4 * MAX_ENTRIES
"""Elements that are examined, so that reading a file without URLs ends, too."""
_TIMES = ("lastmod", "publication_date")


def read_root(root: Any, url: str, now: float) -> SourceContent:
    """The entries of a parsed sitemap or index at the normal URL `url`, given by its root element, without those that have no
    http(s) URL."""
    index = name_of(root) == "sitemapindex"
    entries = merged(_entries(root, "sitemap" if index else "url", url, now))
    return SourceContent(further=entries) if index else SourceContent(entries)


def read_lines(text: str, url: str) -> SourceContent:
    """The entries of a plain-text sitemap with one URL per line."""
    found: dict[str, SourceEntry] = {}
    for line in text[: MAX_ENTRIES * 512].splitlines()[:_MOST_SEEN]:
        written = line.strip()
        if written.startswith(("http://", "https://")) and len(written) <= MAX_URL:
            normal = normalize(written, url)
            if normal:
                found[normal] = SourceEntry(normal)
                if len(found) >= MAX_ENTRIES:
                    break
    return SourceContent(list(found.values()))


def _entries(root: Any, wanted: str, url: str, now: float) -> Iterator[SourceEntry]:
    count = 0
    for seen, element in enumerate(root.iter(f"{{*}}{wanted}")):
        entry = _entry(element, url, now)
        if entry is not None:
            yield entry
            count += 1
        if count >= MAX_ENTRIES or seen >= _MOST_SEEN:
            break


def _entry(element: Any, url: str, now: float) -> SourceEntry | None:
    written, title, modified = "", "", 0.0
    for child in _leaves(element):
        name = name_of(child)
        if name == "loc" and not written:
            written = text_of(child)
        elif name in _TIMES:
            modified = max(modified, plausible(epoch_of(text_of(child)), now))
        elif name == "title" and not title:
            title = clean.line(text_of(child), MAX_TITLE)
    if not written or len(written) > MAX_URL:
        return None
    normal = normalize(written.replace("&amp;", "&"), url)  # in CDATA, or escaped twice
    return SourceEntry(normal, modified, title) if normal else None


def _leaves(element: Any) -> Iterator[Any]:
    """The children of an element, and the children of its `news` element in place of that. Other extensions are not entered,
    because titles of images and videos are not titles of the page."""
    for child in element:
        if name_of(child) == "news":
            yield from child
        else:
            yield child
