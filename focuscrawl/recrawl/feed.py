"""Reads RSS 0.9x, 1.0, 2.0 and Atom by feedparser, from a reduced copy of the feed; and JSON Feed.

The copy is well-formed bytes with only the elements that are used here. So feedparser opens no file or URL and never guesses
at broken XML, and extensions, some of which make it fail, do not reach it. The entries have short plain text.
"""

from __future__ import annotations

import html
import io
import re
from itertools import islice
from typing import Any

import orjson
from lxml import etree

from focuscrawl.items import SourceEntry
from focuscrawl.recrawl.entries import MAX_TITLE, SourceContent, merged, plausible
from focuscrawl.recrawl.entry_times import epoch_of
from focuscrawl.text import clean
from focuscrawl.text.safe_xml import name_of
from focuscrawl.url.normalize import normalize

MAX_BYTES = 2 << 20
"""Of an unpacked feed, only this many bytes are read. This, the next two and MAX_TITLE bound what a stranger's feed may
cost."""
MAX_ENTRIES = 500
MAX_SUMMARY = 300
_START = 4096
"""Characters in which a JSON Feed says what it is."""
_LONGEST = 20_000
"""Characters of one element that are read."""
_ITEMS = ("item", "entry")
# Elements of an item that are read, by their names in any vocabulary below.
_READ = frozenset({
    "title", "link", "guid", "id", "description", "summary", "content", "encoded", "pubdate", "date", "updated", "modified",
    "published", "issued", "created",
})  # fmt: skip
_MOST_READ = 50
"""Elements of one item that are read."""
_ATOM = "http://www.w3.org/2005/Atom"
# The namespaces of RSS, Atom, RDF and Dublin Core; RSS itself has none.
_VOCABULARIES = re.compile(
    r"|http://(?:www\.w3\.org/2005/Atom|purl\.org/(?:atom/ns#|rss/1\.0/(?:modules/content/)?|dc/(?:elements/1\.1|terms)/)"
    r"|my\.netscape\.com/rdf/simple/0\.9/|backend\.userland\.com/rss.*|blogs\.law\.harvard\.edu/tech/rss)"
)
_BASE = "{http://www.w3.org/XML/1998/namespace}base"
_ATTRIBUTES = (_BASE, "href", "rel", "type", "isPermaLink", "mode")
_TAG = re.compile(r"<(?:!--(?>.*?(?:-->|\Z))|[/a-zA-Z!?][^<>]*+>?)", re.DOTALL)
"""Matches a comment or a tag, complete or cut; atomic, so that matching is linear."""
_TIMES = ("updated", "published", "created")

JSON_FEED = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\{.*?"version"\s*:\s*"https?:(?:\\?/){2}(?:www\.)?jsonfeed\.org\\?/version',
    re.DOTALL,
)
"""The beginning of a JSON Feed (jsonfeed.org/version/1.1); some writers escape slashes."""


def read_json(text: str, url: str, now: float) -> SourceContent | None:
    """The entries of a JSON Feed; None if it is none, broken, or so long that it was cut."""
    if len(text) > MAX_BYTES or not JSON_FEED.match(text[:_START].encode("utf-8", "replace")):
        return None
    try:
        items = orjson.loads(text)["items"]
    except (ValueError, KeyError, TypeError):
        return None
    if not isinstance(items, list):
        return None
    entries = [entry for item in items[:MAX_ENTRIES] if isinstance(item, dict) and (entry := _json_entry(item, url, now))]
    return SourceContent(merged(entries), feed=True)


def _json_entry(item: dict[str, Any], url: str, now: float) -> SourceEntry | None:
    said = {name: value for name, value in item.items() if isinstance(value, str)}
    written = said.get("url") or said.get("external_url") or said.get("id", "")
    normal = normalize(written, url) if written.startswith(("http://", "https://", "/")) else None
    if not normal:
        return None
    modified = max(plausible(epoch_of(said.get(name, "")), now) for name in ("date_modified", "date_published"))
    summary = said.get("summary") or said.get("content_text") or said.get("content_html") or ""
    return SourceEntry(normal, modified, plain(said.get("title", ""), MAX_TITLE), plain(summary, MAX_SUMMARY))


def read_root(root: Any, url: str, now: float) -> SourceContent:
    """The entries of a parsed feed at the normal URL `url`, given by its root element, without those that have no http(s)
    URL."""
    import feedparser  # late: it takes 3 MB, and few crawls meet a feed

    parsed = feedparser.parse(io.BytesIO(_reduced(root)), resolve_relative_uris=False, sanitize_html=False)
    entries = [entry for item in parsed.entries[:MAX_ENTRIES] if (entry := _entry(item, url, now))]
    return SourceContent(merged(entries), feed=True)


def _reduced(root: Any) -> bytes:
    """An XML document with the feed's items and only the elements of them that are read."""
    vocabulary = f"{{{_ATOM}}}" if name_of(root) == "feed" else ""
    whole = etree.Element(f"{vocabulary}feed" if vocabulary else "rss", _attributes(root))
    parent = whole if vocabulary else etree.SubElement(whole, "channel")
    own = _namespace(root)
    items = (element for element in root.iter() if name_of(element) in _ITEMS)
    for item in islice(items, MAX_ENTRIES):
        shown = etree.SubElement(parent, f"{vocabulary}{'entry' if vocabulary else 'item'}", _attributes(item))
        for child in islice((child for child in item if _is_read(child, own)), _MOST_READ):
            text, attributes = "".join(child.itertext())[:_LONGEST], _attributes(child)
            if not text.strip() and not attributes.get("href", "").strip():
                continue  # an empty `link` would hide the `guid` or `id` that is one
            tag = child.tag if _VOCABULARIES.fullmatch(_namespace(child)) else vocabulary + name_of(child)
            etree.SubElement(shown, tag, attributes).text = text
    document: bytes = etree.tostring(whole, encoding="utf-8", xml_declaration=True)
    return document


def _is_read(element: Any, own: str) -> bool:
    """Whether an element of an item is read: one of the vocabularies, or in the namespace of the feed's root, `own`, which some
    writers make up."""
    namespace = _namespace(element)
    return (
        name_of(element) in _READ
        and ":" not in element.tag.rpartition("}")[2]
        and (namespace == own or bool(_VOCABULARIES.fullmatch(namespace)))
    )


def _namespace(element: Any) -> str:
    """The namespace of an element; empty if it has none, and for a comment."""
    tag = element.tag
    return tag[1:].partition("}")[0] if isinstance(tag, str) and tag.startswith("{") else ""


def _attributes(element: Any) -> dict[str, str]:
    return {name: value for name in _ATTRIBUTES if (value := element.get(name)) is not None}


def plain(markup: str, most: int) -> str:
    """The words of a piece of HTML, in one line of at most `most` characters."""
    text = html.unescape(html.unescape(_TAG.sub(" ", markup[:_LONGEST])))  # escaped twice, as many feeds have it
    return clean.line(_TAG.sub(" ", text), most)


def _entry(item: Any, url: str, now: float) -> SourceEntry | None:
    written = item.get("link") or ""
    normal = normalize(written.replace("&amp;", "&"), url) if written else None
    if not normal:
        return None
    # `dict.get`, because feedparser's own gives `published` where there is no `updated`, with a warning.
    modified = max(plausible(epoch_of(dict.get(item, name) or ""), now) for name in _TIMES)
    summary = item.get("summary") or ""
    return SourceEntry(normal, modified, plain(item.get("title") or "", MAX_TITLE), plain(summary, MAX_SUMMARY))
