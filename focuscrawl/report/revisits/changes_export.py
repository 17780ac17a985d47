"""Writes what is new for programs: as JSON, one object with a list for each kind of change, as a stream; and as an Atom feed
(RFC 4287), with one entry for each change."""

from __future__ import annotations

import tempfile
import uuid
import xml.etree.ElementTree as Xml
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from itertools import islice
from typing import Any, BinaryIO

import orjson

from focuscrawl.errors import in_shell
from focuscrawl.report.plain import iso_time, one_line
from focuscrawl.report.revisits.changes import TITLES, what
from focuscrawl.store.revisits.change_log import NetChange, PageChange

IN_MEMORY = 4 << 20
"""Bytes of a list that are held in memory; a longer one goes to a temporary file."""
ATOM = "http://www.w3.org/2005/Atom"
NAMES = uuid.uuid5(uuid.NAMESPACE_DNS, "focuscrawl")
"""Namespace of our identifiers. They depend on the change alone, so that it has the same one in every feed."""
ENTRIES = 500
"""Most entries by default."""
LONGEST_TITLE = 300


def as_json(change: PageChange, crawl: str) -> dict[str, Any]:
    """A change as plain values. `diff` is the command that shows the difference; empty if the former version was not kept."""
    return {
        "url": change.url,
        "kind": change.reason,
        "title": change.title,
        "at": iso_time(change.at),
        "relevance": change.relevance,
        "status": change.status,
        "moved_to": change.moved_to,
        "suspect": change.suspect,
        "changes": change.changes,
        "distance": change.distance,
        "words_added": change.words_added,
        "words_gone": change.words_gone,
        "links_added": list(change.links_added),
        "links_gone": list(change.links_gone),
        "diff": diff_command(change, crawl),
    }


def diff_command(change: PageChange, crawl: str) -> str:
    """The command that shows the difference; empty if the former version was not kept."""
    return f"scrapy why {in_shell(change.url)} --diff --crawl {in_shell(crawl)}" if change.version else ""


def write_json(changes: Iterable[PageChange], head: Mapping[str, Any], crawl: str, out: BinaryIO, limit: int = 0) -> int:
    """Write the object, in bounded memory.

    Args:
        changes: the latest first.
        head: what comes before the lists in the object.
        crawl: name of the crawl.
        out: the file.
        limit: how many changes of each kind are written; 0: all.

    Returns:
        The number of changes that were written.
    """
    counts = dict.fromkeys(NetChange, 0)
    with ExitStack() as stack:
        lists = {net: stack.enter_context(tempfile.SpooledTemporaryFile(IN_MEMORY)) for net in NetChange}
        for change in changes:
            if limit and counts[change.net] >= limit:
                continue
            lists[change.net].write(b",\n" if counts[change.net] else b"\n")
            lists[change.net].write(orjson.dumps(as_json(change, crawl)))
            counts[change.net] += 1
        out.write(orjson.dumps(dict(head)).removesuffix(b"}"))
        for net, spool in lists.items():
            out.write(b',\n"%s": [' % net.value.encode())
            spool.seek(0)
            while piece := spool.read(1 << 16):
                out.write(piece)
            out.write(b"]")
    out.write(b"}\n")
    return sum(counts.values())


def feed(changes: Iterable[PageChange], crawl: str, until: float, limit: int = ENTRIES) -> bytes:
    """The feed as an XML document in UTF-8, with at most `limit` changes, the latest first. Text from the web is escaped and
    stripped of control characters, which XML cannot hold.

    Args:
        changes: the latest first.
        crawl: name of the crawl.
        until: when the changes were read, in epoch seconds.
        limit: most entries.
    """
    Xml.register_namespace("", ATOM)
    root = Xml.Element(f"{{{ATOM}}}feed")
    entries = list(islice(changes, limit))
    _add(root, "id", _identifier(crawl))
    _add(root, "title", one_line(f"{crawl}: what is new"))
    _add(root, "updated", iso_time(max((entry.at for entry in entries), default=until)))
    _add(_add(root, "author"), "name", "focuscrawl")
    _add(root, "generator", "focuscrawl")
    for change in entries:
        _entry(root, change, crawl)
    Xml.indent(root)
    document: bytes = Xml.tostring(root, encoding="utf-8", xml_declaration=True)
    return document + b"\n"


def _entry(root: Xml.Element, change: PageChange, crawl: str) -> None:
    entry = _add(root, "entry")
    title = one_line(change.title, LONGEST_TITLE) or one_line(change.url, LONGEST_TITLE)
    _add(entry, "id", _identifier(f"{crawl}\n{change.url}\n{change.reason}\n{change.at!r}"))
    _add(entry, "title", f"{TITLES[change.net].partition(' ')[0]}: {title}")
    _add(entry, "updated", iso_time(change.at))
    _add(entry, "link", rel="alternate", href=one_line(change.url))
    if change.moved_to.startswith(("http://", "https://")):
        _add(entry, "link", rel="related", href=one_line(change.moved_to))
    _add(entry, "category", term=change.net.value)
    words = [what(change), f"Diff: {diff_command(change, crawl)}" if change.version else ""]
    _add(entry, "summary", one_line(". ".join(filter(None, words)) or TITLES[change.net]))


def _add(parent: Xml.Element, name: str, text: str = "", **attributes: str) -> Xml.Element:
    element = Xml.SubElement(parent, f"{{{ATOM}}}{name}", attributes)
    element.text = text or None
    return element


def _identifier(text: str) -> str:
    return uuid.uuid5(NAMES, text.encode("utf-8", "replace").decode()).urn
