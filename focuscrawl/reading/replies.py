"""Readers' replies within a page: what is said in a comment, an answer or a review describes that reply and not the page, so
that its author and date are not those of the page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from selectolax.lexbor import LexborNode

from focuscrawl.text.boilerplate import MOST_NAMED, is_comments

_REPLY_TYPE = re.compile(r"/(?:(?:User)?Comments?|Answer)$")
_REPLY_PROPERTIES = frozenset({"comment", "review", "answer", "suggestedanswer", "acceptedanswer"})


def not_of_replies(nodes: Iterable[LexborNode]) -> Iterator[LexborNode]:
    """Without those that describe a comment, an answer or a review that is part of what the page describes."""
    return (node for node in nodes if not _is_reply(node) and not any(map(_is_reply, ancestors(node))))


def ancestors(node: LexborNode) -> Iterator[LexborNode]:
    """The elements around a node, the innermost first."""
    around = node.parent
    while around is not None:
        yield around
        around = around.parent


def _is_reply(node: LexborNode) -> bool:
    attributes = node.attributes
    described = (attributes.get("itemprop") or "").lower().split()
    return (
        not _REPLY_PROPERTIES.isdisjoint(described)
        or _REPLY_TYPE.search(attributes.get("itemtype") or "") is not None
        or is_comments((attributes.get("class") or "")[:MOST_NAMED])
    )
