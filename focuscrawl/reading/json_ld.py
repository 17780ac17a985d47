"""JSON-LD, in which a page describes itself to machines in the words of schema.org: by whom, of when, under which licence.

`nodes_of` gives the objects of a page, those that describe an article first. The other functions read single values of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeAlias

import orjson
from selectolax.lexbor import LexborHTMLParser

Node: TypeAlias = dict[str, Any]

_AROUND = " \t\r\n/*;"
"""Space, marks of comments in scripts and ends of statements around JSON."""
_LAST_COMMA = re.compile(r",(?= ?[}\]])")
"""Behind the last of several values, where JSON forbids it."""

MAX_JSON = 500_000
"""Characters of a JSON-LD element; longer ones are not read."""
MAX_NODES = 500
"""Nodes of JSON-LD that are examined."""
_ARTICLES = re.compile(r"(?:Article|Posting|Report|Review|Question|Recipe|Book|Course|Dataset|Documentation|CreativeWork)$")
_PAGES = re.compile(r"Page$")
"""Types of schema.org that describe the page: an article on it, and the page as such."""
_BAIDU = "ziyuan.baidu.com/contexts/cambrian.jsonld"
"""The context of what Chinese sites say of an article to Baidu, without a type: `title`, `pubDate`, `upDate`."""


def nodes_of(tree: LexborHTMLParser) -> list[Node]:
    """The nodes of the page's JSON-LD, those of articles first, then those of pages, then others. References by `@id` are
    replaced by the nodes that they refer to."""
    found: list[Node] = []
    for script in tree.css('script[type="application/ld+json"]')[:20]:
        text = script.text(deep=True)
        if len(text) <= MAX_JSON:
            found += islice(_nodes(_parsed(text)), MAX_NODES - len(found))
    known = {node["@id"]: node for node in found if isinstance(node.get("@id"), str) and len(node) > 1}
    resolved = [{name: _resolved(value, known) for name, value in node.items()} for node in found]
    return sorted(resolved, key=rank_of)


def _parsed(text: str) -> Any:
    text = text.strip(_AROUND).removeprefix("<!--").removesuffix("-->").strip(_AROUND)
    text = text.removeprefix("<![CDATA[").removesuffix("]]>").strip(_AROUND)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError:
        try:
            return orjson.loads(_LAST_COMMA.sub("", " ".join(text.split())))  # without line ends within strings, too
        except orjson.JSONDecodeError:
            return None


def _nodes(value: Any) -> Iterator[Node]:
    """The objects at the top level of a JSON-LD document, in its top-level lists, in a `@graph`, and what a page
    is mainly about."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += reversed(item)
        elif isinstance(item, dict):
            if "@graph" in item:
                waiting.append(item["@graph"])
            else:
                yield item
                if isinstance(main := item.get("mainEntity"), dict):
                    waiting.append(main)


def _resolved(value: Any, known: dict[str, Node]) -> Any:
    """A value, or a list of values, with references replaced by the nodes that they refer to."""
    found = [_referred(each, known) for each in (value if isinstance(value, list) else [value])]
    return found if isinstance(value, list) else found[0]


def _referred(value: Any, known: dict[str, Node]) -> Any:
    is_reference = isinstance(value, dict) and len(value) <= 2 and isinstance(value.get("@id"), str)
    return known.get(value["@id"], value) if is_reference else value


def rank_of(node: Node) -> int:
    """How well a node describes the page: 0 for an article, 1 for a page, 2 for anything else."""
    kind = type_of(node)
    if _BAIDU in str(node.get("@context")):
        return 0
    return 0 if _ARTICLES.search(kind) else 1 if _PAGES.search(kind) else 2


def type_of(node: Node) -> str:
    kind = node.get("@type")
    return str(kind[0] if isinstance(kind, list) and kind else kind or "")


def described(nodes: Iterable[Node]) -> Iterator[Node]:
    """The nodes that describe the page itself, not its site, authors, pictures or breadcrumbs."""
    return (node for node in nodes if rank_of(node) < 2)


def strings(value: Any) -> Iterator[str]:
    """Names in a value of JSON-LD: a text, an object with a name or several, or a list of these."""
    for item in value if isinstance(value, list) else [value]:
        name = item.get("name") if isinstance(item, dict) else item
        yield from (each for each in (name if isinstance(name, list) else [name]) if isinstance(each, str) and each.strip())
