"""The source of a page with its parts in their places, as a browser puts them there.

React streams what was not ready, often the whole article, in hidden elements behind the page, and a script moves each to the
place that was kept for it (https://react.dev/reference/react-dom/server/renderToReadableStream). A web component's own tree
stands in a template, its declarative shadow root (WHATWG HTML, "the template element"). That tree is put before what the page
has inside of the component, whether or not it has slots for it.
"""

from __future__ import annotations

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from focuscrawl.text.complexity import TAG, is_heavy

_SHADOW_ROOT = "shadow-root"
"""The element that stands for a shadow root. An element without a meaning ends no paragraph."""
_PLACES_AND_PARTS = "template[id^='B:'], template[id^='P:'], [id^='S:']"
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
    place."""
    tree = parsed(html)
    places: dict[str, LexborNode] = {}
    placed: list[tuple[LexborNode, LexborNode]] = []
    for node in tree.css(_PLACES_AND_PARTS):
        kind, _, number = (node.id or "").partition(":")
        if kind != "S":
            places.setdefault(number, node)
        elif number in places:
            placed.append((places.pop(number), node))
    for place, part in reversed(placed[:_MOST]):  # a part may have the place of a later one in it
        for node in part.iter(include_text=True):
            place.insert_before(node)  # a copy
        for node in (part, place, *_fallback(place)):
            node.remove()
    return tree.html or ""


def _fallback(place: LexborNode) -> list[LexborNode]:
    """What is shown until a part has come: all between its place and the comment that ends the boundary around it."""
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
