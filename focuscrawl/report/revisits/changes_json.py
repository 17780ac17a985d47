"""Writes what is new for programs: one JSON object with a list for each kind of change, as a stream."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from typing import Any, BinaryIO

import orjson

from focuscrawl.report.plain import iso_time
from focuscrawl.store.revisits.change_log import NetChange, PageChange

IN_MEMORY = 4 << 20
"""Bytes of a list that are held in memory; a longer one goes to a temporary file."""


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
    return f"scrapy why {shlex.quote(change.url)} --diff --crawl {shlex.quote(crawl)}" if change.version else ""


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
