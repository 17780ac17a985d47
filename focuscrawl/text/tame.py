"""A hostile page rewritten so that a parser reads it in linear time and nothing of its text and links is lost.

Used in the worker process only. Element nesting beyond `DEPTH` is flattened (tags dropped, contents kept), overlong
tags are cut, formatting elements and options go when the page misuses them: the words and the `a href` stay.
"""

from __future__ import annotations

from focuscrawl.text.weight import FORMATTING, MAX_TAG_LENGTH, MAX_UNCLOSED, walk

DEPTH = 200
MAX_HTML = 4_000_000
"""Characters; what is beyond is cut."""
_PLAIN = frozenset({"br", "option", "optgroup"})
"""Dropped for a space: nothing is read from them, and parsers are slow in 10^5 of them."""


def tame(html: str) -> str:
    """The same words and links, at most `DEPTH` deep; identical for a page without excesses but for lost line breaks."""
    html = html[:MAX_HTML]
    formatting = _unclosed_formatting(html) > MAX_UNCLOSED
    kept: list[str] = []
    at = 0
    for name, depth, start, end in walk(html):
        bare = name.lstrip("/")
        excess = bare in _PLAIN or (formatting and bare in FORMATTING and bare != "a")
        if excess or ((depth > DEPTH or depth < 0) and bare != "a"):
            kept += (html[at:start], " ")
        elif end - start > MAX_TAG_LENGTH:
            kept += (html[at:start], _shortened(html[start:end]))
        else:
            continue
        at = end
    kept.append(html[at:])
    return "".join(kept)


def _unclosed_formatting(html: str) -> int:
    return sum(-1 if name[0] == "/" else 1 for name, _, _, _ in walk(html) if name.lstrip("/") in FORMATTING)


def _shortened(tag: str) -> str:
    """The first attributes of an overlong tag, up to the last space outside quotes as far as can be told."""
    head = tag[:2048].rpartition(" ")[0]
    for quote in "\"'":
        if head.count(quote) % 2:
            head = head[: head.rindex(quote)].rpartition(" ")[0]
    return head + ">"
