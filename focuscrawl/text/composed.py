"""The source of a page with its parts in their places, as a browser puts them there.

React streams what was not ready, often the whole article, in hidden elements behind the page, and a script moves each to the
place that was kept for it (https://react.dev/reference/react-dom/server/renderToReadableStream). A web component's own tree
stands in a template, its declarative shadow root (WHATWG HTML, "the template element"). That tree is put before what the page
has inside of the component, whether or not it has slots for it.
"""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from focuscrawl.text.complexity import TAG, is_heavy

_SHADOW_ROOT = "shadow-root"
"""The element that stands for a shadow root. An element without a meaning ends no paragraph."""
_PLACES_AND_PARTS = "template[id^='B:'], template[id^='P:'], [id^='S:']"
_PLACE = "\x0b"
"""Stands around the number of a part where it belongs. Decoding removes this character from pages."""
_MOST = 200
"""Parts of a page that are moved, and elements that are shown in the place of one."""


def composed(html: str) -> str:
    """The source of a page in one piece: the same on nearly all pages, and where the result could stall a parser."""
    whole = html
    if "shadowrootmode" in whole:
        whole = _with_shadow_roots(whole)
    if 'id="S:' in whole and not is_heavy(whole):
        whole = _with_parts_placed(whole)
    return html if whole is not html and is_heavy(whole) else whole


def parsed(html: str) -> LexborHTMLParser:
    return LexborHTMLParser(html, options=LexborDocumentOptions.WO_EVENTS)


def _with_parts_placed(html: str) -> str:
    """The source with what was streamed in its place, instead of what was shown there meanwhile. A part has the number of its
    place. What is taken out of the tree is not freed: another part's place may be in it."""
    tree = parsed(html)
    places: dict[str, LexborNode] = {}
    parts: dict[str, LexborNode] = {}
    for node in tree.css(_PLACES_AND_PARTS):
        kind, _, number = (node.id or "").partition(":")
        if kind != "S":
            places.setdefault(number, node)
        elif number in places and len(parts) < _MOST:
            parts.setdefault(number, node)
    for number, part in parts.items():
        place = places[number]
        for node in (part, *_fallback(place)):
            node.replace_with("")
        place.replace_with(f"{_PLACE}{number}{_PLACE}")
    return "".join(_pieces(tree.html or "", {number: part.inner_html or "" for number, part in parts.items()}))


def _pieces(html: str, parts: dict[str, str]) -> Iterator[str]:
    """The source with the parts in their places, piece by piece; each part once, also if a page has made up places."""
    for at, piece in enumerate(html.split(_PLACE)):
        if at % 2 == 0:
            yield piece
        else:
            yield from _pieces(parts.pop(piece, ""), parts)


def _fallback(place: LexborNode) -> list[LexborNode]:
    """What is shown until a part has come: all between its place and the comment that ends the boundary around it. Nothing is
    for a place within a part (`P:`)."""
    if not (place.id or "").startswith("B"):
        return []
    found: list[LexborNode] = []
    opened, node = 1, place.next
    while node is not None and len(found) < _MOST:
        if node.is_comment_node:
            comment = node.comment_content or ""
            opened += -1 if comment == "/$" else comment.startswith("$")
            if not opened:
                return found
        found.append(node)
        node = node.next
    return []


def _with_shadow_roots(html: str) -> str:
    """The source with elements for its declarative shadow roots. A parser of pages keeps no tree of a template."""
    kept: list[str] = []
    opened: list[str] = []
    at = 0
    for tag in TAG.finditer(html):
        if (tag["name"] or "").lower() != "template":
            continue
        if tag["end"]:
            name = opened.pop() if opened else "template"
        else:
            name = _SHADOW_ROOT if "shadowrootmode" in tag[0] else "template"
            opened.append(name)
        if name == _SHADOW_ROOT:
            kept += (html[at : tag.start()], f"<{tag['end']}{name}>")
            at = tag.end()
    return "".join((*kept, html[at:]))
