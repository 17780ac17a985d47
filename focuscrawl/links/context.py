"""In which words, and from which place of the page, is a link offered?

The context of a link is all text under its aggregation node: the parent of the link's element, as in the adaptive
crawler, or the next ancestor as long as that one says no more than the anchor itself and is inline, a heading or a table cell
(so that teasers and table rows count). Long contexts are cut to the neighborhood of the anchor.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean

MAX_ANCHOR = 300
MAX_CONTEXT = 200
"""Characters of context besides the anchor: half before, half behind it."""
MAX_LEVELS = 6
"""Of the position path: the innermost ones tell list items from menus, the outer ones are the same all over a page."""
_MAX_NODE_TEXT = 100_000
_TEXT_BUDGET = 5_000_000
"""Characters of node texts that are made for one page; links beyond have their anchor as context. Only nested containers
of a huge page, each with links of its own, come near it."""
_PASSED = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "label", "mark", "nobr",
    "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "h1", "h2", "h3", "h4", "h5", "h6", "td",
    "th",
})  # fmt: skip
_DIGITS = re.compile(r"\d+")
_PATH_CLASS = 24
_ROOTS = ("html", "-document")


class Surroundings:
    """Texts and paths around the links of one page; each node's text is made once, however many links it holds."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._searched: dict[int, int] = {}
        self._paths: dict[int, tuple[str, ...]] = {}
        self._budget = _TEXT_BUDGET

    def context(self, node: LexborNode, anchor: str) -> str:
        """Text around the link element `node` whose words are `anchor`, anchor included."""
        around = node.parent
        text = self._text(around) if around is not None else ""
        while around is not None and len(text) <= len(anchor) and around.tag in _PASSED:
            around = around.parent
            text = self._text(around) if around is not None else ""
        if around is None or not text:
            return anchor[:MAX_CONTEXT]
        return text if len(text) <= MAX_CONTEXT + len(anchor) else self._window(around.mem_id, text, anchor)

    def position(self, node: LexborNode) -> str:
        """Tags with their first classes, outermost first, digits removed: `div.main/ul/li/a`."""
        return "/".join(self._path(node))

    def _text(self, node: LexborNode) -> str:
        key = node.mem_id
        text = self._texts.get(key)
        if text is None:
            if self._budget <= 0:
                return ""
            whole = node.text(separator=" ")
            self._budget -= len(whole)
            text = self._texts[key] = clean.line(whole[:_MAX_NODE_TEXT])
        return text

    def _window(self, key: int, text: str, anchor: str) -> str:
        """The neighborhood of the anchor; links come in document order, so the search goes on where the last one ended."""
        start = text.find(anchor, self._searched.get(key, 0)) if anchor else -1
        if start < 0:
            return text[: MAX_CONTEXT + len(anchor)]
        end = start + len(anchor)
        self._searched[key] = end
        return text[max(0, start - MAX_CONTEXT // 2) : end + MAX_CONTEXT // 2].strip()

    def _path(self, node: LexborNode) -> tuple[str, ...]:
        chain: list[LexborNode] = []
        at: LexborNode | None = node
        path: tuple[str, ...] = ()
        while at is not None and len(chain) < MAX_LEVELS and at.tag not in _ROOTS:
            known = self._paths.get(at.mem_id)
            if known is not None:
                path = known
                break
            chain.append(at)
            at = at.parent
        for element in reversed(chain):
            path = (*path, _label(element))[-MAX_LEVELS:]
            if element is not node:
                self._paths[element.mem_id] = path
        return path


def anchor_of(node: LexborNode) -> str:
    """The words of a link: its text, else the alt texts of its images, else its title, label or name."""
    text = "" if node.tag in ("frame", "iframe") else clean.line(node.text(separator=" "), MAX_ANCHOR)
    if text:
        return text
    images = [image.attributes.get("alt") or "" for image in node.css("img[alt]")[:5]] if node.first_child else []
    named = node.attributes
    others = (named.get(name) or "" for name in ("title", "aria-label", "alt", "name"))
    return clean.line(" ".join(images), MAX_ANCHOR) or clean.line(next(filter(None, others), ""), MAX_ANCHOR)


def _label(element: LexborNode) -> str:
    tag = element.tag or ""
    if tag == "body":
        return tag  # its class names the page, not the place
    classes = (element.attributes.get("class") or "").split(None, 1)
    if not classes:
        return tag
    first = _DIGITS.sub("", classes[0])[:_PATH_CLASS].rstrip("-_")
    return f"{tag}.{first}" if first else tag
