"""The words around a link, by which it is scored before its target was read: anchor, context, and position in the page.

The context of a link is all text under its aggregation node: the parent of the link's element, as in the adaptive crawler. As
long as that node has no more text than the anchor and is inline, a heading or a table cell, its parent is taken instead, so
that the texts of teasers and table rows count. Long contexts are cut to the neighborhood of the anchor.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import islice

from selectolax.lexbor import LexborNode

from focuscrawl.text import clean
from focuscrawl.text.words import JOINT, set_apart, words_of

MAX_ANCHOR = 300
MAX_CONTEXT = 200
"""Characters of context besides the anchor: half before it, half after it."""
MAX_LEVELS = 6
"""Innermost levels of the tree in a position. They tell list items from menus; outer ones are the same all over a page."""
_MOST_NEAR = 20
"""Elements in which the images of one without text are looked for, if such elements may lie in each other."""
_MAX_NODE_TEXT = 100_000
_TEXT_BUDGET = 5_000_000
"""Characters of node texts that are made for one page. After these, the anchor of a link is its context. Only nested containers
of a huge page, each with links of its own, reach this limit."""
_TOO_NARROW = frozenset({
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "em", "font", "i", "ins", "kbd", "label", "mark", "nobr",
    "q", "s", "small", "span", "strike", "strong", "sub", "sup", "tt", "u", "h1", "h2", "h3", "h4", "h5", "h6", "td",
    "th",
})  # fmt: skip
"""Elements that are not the aggregation node if they have no more text than the anchor."""
_DIGITS = re.compile(r"\d+")
_PATH_CLASS = 24
"""Most characters of a class in a position."""
_ROOTS = ("html", "-document")
Attributes = Mapping[str, str | None]


class Surroundings:
    """Contexts and positions of the links of one page. The text of each node is made once, however many links it holds."""

    def __init__(self) -> None:
        # These are by `mem_id` of the node, which identifies it as long as the tree lives.
        self._texts: dict[int, str] = {}
        self._searched: dict[int, int] = {}
        """Where in a node's text the search for the next anchor begins."""
        self._paths: dict[int, tuple[str, ...]] = {}
        self._budget = _TEXT_BUDGET

    def context(self, node: LexborNode, anchor: str) -> str:
        """The text around the link element `node`, including its words, which are `anchor`."""
        around = node.parent
        text, size = self._text(around) if around is not None else "", len(anchor)
        while around is not None and around.tag in _TOO_NARROW and len(text) <= size:
            around = around.parent
            text = self._text(around) if around is not None else ""
        if around is None or not text:
            return anchor[:MAX_CONTEXT]
        return text if len(text) <= MAX_CONTEXT + size else self._window(around.mem_id, text, anchor)

    def words(self, node: LexborNode) -> str:
        """As `anchor_of`, for elements that may lie in each other, so that their texts are bounded together."""
        near = islice(node.traverse(), _MOST_NEAR)
        return clean.line(self._text(node), MAX_ANCHOR) or _other_words(node, [each for each in near if each.tag == "img"])

    def position(self, node: LexborNode, attributes: Attributes) -> str:
        """Tags with their first classes, outermost first, digits removed: `div.main/ul/li/a`. `attributes`: those of `node`,
        passed because it makes them again at each access."""
        return "/".join((*self._path(node.parent), _label(node.tag, attributes.get("class")))[-MAX_LEVELS:])

    def _text(self, node: LexborNode) -> str:
        key = node.mem_id
        text = self._texts.get(key)
        if text is None:
            if self._budget <= 0:
                return ""
            texts = node.text(separator=JOINT)
            self._budget -= len(texts)
            text = self._texts[key] = clean.line(set_apart(node, texts[:_MAX_NODE_TEXT]))
        return text

    def _window(self, key: int, text: str, anchor: str) -> str:
        """The neighborhood of the anchor. Links come in document order, so the search starts where the last one ended."""
        start = text.find(anchor, self._searched.get(key, 0)) if anchor else -1
        if start < 0:
            return text[: MAX_CONTEXT + len(anchor)]
        end = start + len(anchor)
        self._searched[key] = end
        return text[max(0, start - MAX_CONTEXT // 2) : end + MAX_CONTEXT // 2].strip()

    def _path(self, around: LexborNode | None) -> tuple[str, ...]:
        """The path of an element with links inside."""
        chain: list[LexborNode] = []
        at = around
        path: tuple[str, ...] = ()
        for _ in range(MAX_LEVELS - 1):
            if at is None:
                break
            if (key := at.mem_id) in self._paths:
                path = self._paths[key]
                break
            if at.tag in _ROOTS:
                break
            chain.append(at)
            at = at.parent
        for element in reversed(chain):
            path = (*path, _label(element.tag, element.attributes.get("class")))[-MAX_LEVELS:]
            self._paths[element.mem_id] = path
        return path


def anchor_of(node: LexborNode) -> str:
    """The words of a link: its text, else the alt texts of its images, else its title, label or name."""
    text = "" if node.tag in ("frame", "iframe") else words_of(node, MAX_ANCHOR)
    return text or _other_words(node, node.css("img[alt]")[:5] if node.first_child else [])


def _other_words(node: LexborNode, images: Iterable[LexborNode]) -> str:
    """The words of a link without text, which holds these images."""
    alts, named = [image.attributes.get("alt") or "" for image in images], node.attributes
    others = (named.get(name) or "" for name in ("title", "aria-label", "alt", "value" if node.tag == "input" else "name"))
    return clean.line(" ".join(alts), MAX_ANCHOR) or clean.line(next(filter(None, others), ""), MAX_ANCHOR)


@lru_cache(maxsize=1024)  # the elements of a template are on all of its pages
def _label(tag: str | None, classes: str | None) -> str:
    """The tag and the first of the classes, written as in the attribute."""
    if tag == "body" or not classes:
        return tag or ""  # the class of a body names the page, not a position
    first = _DIGITS.sub("", "".join(classes.split(None, 1)[:1]))[:_PATH_CLASS].rstrip("-_")
    return f"{tag or ''}.{first}" if first else tag or ""
