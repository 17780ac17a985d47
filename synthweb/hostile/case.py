"""One thing that can go wrong, and what a good crawler makes of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from synthweb.wire import Reply, head

OUTCOMES = {
    "page": "stored with status 200, whole",
    "truncated": "stored with status 200, marked as cut (length, disconnect, gzip or time)",
    "failed": "no page: an error by name (timeout, connect, redirect, bomb, headers, parse, protocol)",
    "filtered": "not wanted: type, address or scheme",
    "status": "the answer's own status decides (not 200)",
    "wait": "the host is left alone for a while",
}


@dataclass(frozen=True, slots=True)
class Case:
    """An address of the hostile host."""

    reply: Callable[[], Reply]
    accepts: tuple[str, ...]
    """Outcomes (keys of OUTCOMES) that are right."""
    what: str
    """What is wrong, for the reader of a failed test."""
    contains: str = ""
    """Text that a stored page must contain."""
    slow: bool = False
    """Takes until the client's time limit."""


def html_reply(body: bytes, content_type: str = "text/html; charset=utf-8", headers: tuple[tuple[str, str], ...] = ()) -> Reply:
    """A well-formed answer with any body."""
    fields = (("Content-Type", content_type), *headers) if content_type else headers
    return Reply(head(200, fields, len(body)) + body)


def wrap(body: str, title: str = "Hostile page") -> bytes:
    """A page around a body."""
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>".encode()
