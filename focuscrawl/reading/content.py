"""What is known of a page that is kept: its main text and the facts about it, read by a second tier behind the commit.

Reading a page whole takes 20-100 ms, so it is done for kept pages alone, from the archived answer, in a process of its own.
`scrapy extract` does it again for a stored crawl.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from focuscrawl.items import Content
from focuscrawl.text.blocks import Block, blocks_of, outline
from focuscrawl.text.complexity import is_heavy
from focuscrawl.text.decode import decode
from focuscrawl.text.extract import best_text, fast_text

VERSION = 1
"""Raised when `read_content` gives other values: the rows of an older one are made again by `scrapy extract`."""


@dataclass(slots=True, frozen=True)
class Answer:
    """An archived answer, as `read_content` takes it."""

    url: str
    content_type: str
    headers: Sequence[tuple[str, str]] = ()
    language: str = ""
    """As the first tier detected it."""


def read_content(body: bytes, answer: Answer) -> Content:
    """Read a page whole. Never raises for its contents."""
    html = decode(body, answer.content_type).text
    content = Content()
    _set_text(content, html, answer)
    return content


def read_apart(body: bytes, **answer: Any) -> dict[str, Any]:
    """The worker process's side: `read_content` with plain values."""
    return asdict(read_content(body, Answer(**answer)))


def from_plain(values: dict[str, Any]) -> Content:
    """The inverse of `dataclasses.asdict` after a journey through JSON."""
    lists = {name: tuple(values[name]) for name in ("languages", "reserved")}
    return Content(**{**values, **lists, "outline": tuple((kind, level, size) for kind, level, size in values["outline"])})


def _set_text(content: Content, html: str, answer: Answer) -> None:
    if is_heavy(html):
        return
    fast = fast_text(html)
    text = best_text(html, answer.language, answer.url, fast)
    content.extractor = "fast" if text == fast else "readability" if answer.language == "zh" else "trafilatura"
    blocks: list[Block] = blocks_of(text, ())
    content.text, content.outline = text, outline(blocks)
    content.characters = len(text)
