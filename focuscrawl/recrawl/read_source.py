"""Reads a sitemap or feed, whichever the file is: bytes in, entries out. It runs in the reading process.

A sitemap may be a feed (sitemaps.org, "Other Sitemap formats"), and what a page calls a feed may be a sitemap, so the root
element decides.
"""

from __future__ import annotations

import re
from typing import Any

from focuscrawl.items import FEED, SEED, SITEMAP, SourceEntry
from focuscrawl.recrawl import feed, opml, sitemap
from focuscrawl.recrawl.entries import SourceContent, may_announce
from focuscrawl.text.safe_xml import is_packed, name_of, read_text, root_of, unpacked

FEEDS = frozenset({"rss", "rdf", "feed", "channel"})
SITEMAPS = frozenset({"urlset", "sitemapindex"})
LISTS = frozenset({opml.ROOT})
"""What may be given as a seed, but announces no page: it names sites of others."""
_ROOT = re.compile(
    rb"(?:\xef\xbb\xbf)?(?>\s+|<\?[^>]*>|<!--.*?-->|<!doctype[^>]*>)*"
    rb"<(?:[a-z0-9_-]+:)?(?:" + "|".join(sorted(FEEDS | SITEMAPS | LISTS)).encode() + rb")[\s>]",
    re.IGNORECASE | re.DOTALL,
)
_URL = re.compile(rb"(?:\xef\xbb\xbf)?\s*https?://\S+\s", re.IGNORECASE)
"""The first line of a sitemap that is plain text."""
_START = 4096
"""Bytes in which the root element is looked for."""
_PACKED_START = 65_536
"""Bytes of a packed file from which these are unpacked."""


class NoSourceError(ValueError):
    """The file is neither a sitemap nor a feed. Often it is the page that a site shows in place of one that is gone."""


def is_source(body: bytes) -> bool:
    """Whether this looks like a sitemap, feed or OPML, by its root element, or like a JSON Feed; packed, also like a sitemap
    that is plain text, which by itself is a page whose links are followed anyway."""
    start = unpacked(body[:_PACKED_START], _START)
    return bool(_ROOT.match(start) or feed.JSON_FEED.match(start) or (is_packed(body) and _URL.match(start)))


def read_source(body: bytes, url: str, kind: int, now: float, content_type: str = "") -> SourceContent:
    """The entries of the file at the normal URL `url`, found as a sitemap or feed (`kind`), for URLs that it may announce.

    Raises NoSourceError, and nothing else, whatever the bytes are."""
    text = read_text(unpacked(body), content_type)
    root = root_of(text)
    if kind == SEED and root is not None and name_of(root) in LISTS:
        return opml.read_root(root, url)
    content = _read(root, text, url, kind, now, packed=is_packed(body))
    own = FEED if content.feed else SITEMAP
    content.entries = [entry for entry in content.entries if entry.url != url and may_announce(own, url, entry.url)]
    # A sitemap index may name sitemaps on other hosts of its domain, which announce the URLs of their own hosts.
    content.further = [entry for entry in content.further if entry.url != url and may_announce(FEED, url, entry.url)]
    return content


def read_apart(body: bytes, url: str, kind: str, now: str, content_type: str) -> dict[str, Any]:
    """`read_source` for the reading process: plain values, with one list for each field instead of up to 50 000 objects."""
    content = read_source(body, url, int(kind), float(now), content_type)
    return {
        "entries": _columns(content.entries),
        "further": _columns(content.further),
        "feed": content.feed,
        "sites": content.sites,
    }


def content_of(values: dict[str, Any]) -> SourceContent:
    """The inverse of `read_apart`, after its values have passed through JSON."""
    return SourceContent(_entries(values["entries"]), _entries(values["further"]), bool(values["feed"]), bool(values["sites"]))


def _read(root: Any, text: str, url: str, kind: int, now: float, *, packed: bool) -> SourceContent:
    name = "" if root is None else name_of(root)
    if name in FEEDS:
        return feed.read_root(root if len(text) <= feed.MAX_BYTES else root_of(text[: feed.MAX_BYTES]), url, now)
    if name in SITEMAPS:
        return sitemap.read_root(root, url, now)
    if root is None and (found := feed.read_json(text, url, now)):
        return found
    lines = root is None and (kind == SITEMAP or packed)
    content = sitemap.read_lines(text, url) if lines else SourceContent()
    if not content.entries:
        raise NoSourceError(f"{url} is neither a sitemap nor a feed")
    return content


def _columns(entries: list[SourceEntry]) -> list[list[Any]]:
    return [
        [entry.url for entry in entries],
        [entry.modified for entry in entries],
        [entry.title for entry in entries],
        [entry.summary for entry in entries],
    ]


def _entries(columns: list[list[Any]]) -> list[SourceEntry]:
    return list(map(SourceEntry, *columns))
