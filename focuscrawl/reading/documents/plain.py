"""Reads plain text and Markdown (CommonMark with tables, and front matter as in Jekyll and Hugo)."""

from __future__ import annotations

import re

from focuscrawl.reading.documents.document import ReadDocument, day, within_limit, written_urls
from focuscrawl.reading.documents.markup import blocks_of_markup, document_of, references_of_markup
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block
from focuscrawl.text.decode import decode
from focuscrawl.text.extract import MAX_TEXT

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n(.{0,20000}?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_FACT = re.compile(r"^(\w+):[ \t]+(.+)$", re.MULTILINE)
_BLANK = re.compile(r"\n[ \t]*\n")
_MAX_SOURCE = 2 * MAX_TEXT
"""Characters of source that are read. White space and markup are not part of the text."""


def read_text(body: bytes, content_type: str) -> ReadDocument:
    """Read plain text, whose paragraphs are separated by blank lines."""
    text = decode(body, content_type).text.replace("\r\n", "\n").replace("\r", "\n")[:_MAX_SOURCE]
    blocks = within_limit(Block("paragraph", clean.lines(part)) for part in _BLANK.split(text))
    title = clean.line(blocks[0].text.partition("\n")[0], 120) if blocks else ""  # before its lines are joined
    return ReadDocument(title=title, blocks=[_one_line(block) for block in blocks], references=written_urls(blocks))


def _one_line(block: Block) -> Block:
    """A wrapped paragraph on one line. Lines of very different length are not wrapped prose but verse, code or a table, and
    are kept as a block of code."""
    lines = block.text.split("\n")
    wrapped = len(lines) == 1 or min(map(len, lines[:-1])) >= 0.6 * max(map(len, lines))
    return Block("paragraph", clean.line(block.text)) if wrapped else Block("code", block.text)


def read_markdown(body: bytes, content_type: str) -> ReadDocument:
    """Read Markdown as it is rendered, and the metadata in its front matter."""
    from markdown_it import MarkdownIt

    text = decode(body, content_type).text.replace("\r\n", "\n")[:_MAX_SOURCE]
    front = _FRONT_MATTER.match(text)
    facts = {name.lower(): value.strip().strip("\"'") for name, value in _FACT.findall(front[1])} if front else {}
    html = MarkdownIt("commonmark", {"maxNesting": 50}).enable("table").render(text[front.end() :] if front else text)
    document = document_of(f"<body>{html}")
    blocks = within_limit(blocks_of_markup(document))
    return ReadDocument(
        title=facts.get("title", ""),
        author=facts.get("author", ""),
        description=facts.get("description", ""),
        language=facts.get("lang", "") or facts.get("language", ""),
        published=day(facts.get("date", "")),
        blocks=blocks,
        references=references_of_markup(document),
    )
