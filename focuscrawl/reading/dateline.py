"""The date beside a page's title, where most pages show their readers when they were published: *3. August 2015*, *Posted on
May 4, 2020 by Ada*.

It stands in one of the short lines just before or behind the heading. What is farther away are the dates of comments, of other
articles, or the day of the visit. A page without prose behind its title is a list, whose dates are those of its entries.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import islice

from selectolax.lexbor import LexborNode

from focuscrawl.reading.written_dates import dates_in, may_have_date
from focuscrawl.text import clean
from focuscrawl.text.document import Document
from focuscrawl.text.head import Meta
from focuscrawl.text.layout import size_of
from focuscrawl.text.walk import INLINE
from focuscrawl.text.words import words_of

UPDATE = re.compile(
    r"updat|modif|(?<![^\W_])revis(?!t)|edited|changed|aktuali[sz]|ge[äa]nd|[äa]nderung|\bstand\b|bearbeit"
    r"|mis à jour|màj|actuali[sz]|atualiz|aggiorn|gewijzigd|bijgewerkt|обновл|измен|更新|修改|修[订訂]"
    r"|(?:最[后後]|最近|上次)[编編][辑輯]|[编編][辑輯](?:[于於]|[时時][间間]|日期)",
    re.IGNORECASE,
)
"""In the label of a date that is that of a change. Neither 编辑：李四, who is an editor, nor *Revista*."""
_OTHER = re.compile(
    r"version|(?<!press )(?<!news )(?<!immediate )release|\bdied\b|death|\bfound(?!ation)|gegr|opened|establish"
    r"|\bv?\d+\.\d|\bborn\b|birth|geboren|deadline|until|\bbis\b|valid|gültig|expir|since|\bseit\b|joined|regist"
    r"|©|copyright|access|abgerufen|retrieved|viewed|termin|\bwhen\b|\bwann\b|beginn|event|veranstalt|received|accepted|[\"'=]\Z",
    re.IGNORECASE,
)
"""In the label of a date that is of something else, or a value in code."""
_MAIN_HEADINGS = frozenset({"h1", "h2"})
_MOST_TITLES, _LONGEST_TITLE = 20, 300
"""Headings of a kind that are compared with the head's title, and characters of one."""
_BEFORE, _BEHIND = 3, 8
"""Lines before and behind the title in which its date may stand."""
_TO_PROSE = 24
"""Lines behind the title, of which the last must be prose."""
_LINE = 120
"""Most bytes of a line. A longer one is prose."""
_NEAR = 250
"""Characters on each side of the title among which its date is."""
_LABEL = 30
"""Most characters of a line that may say what the date in the next one is."""
_WORDS = 50
"""Most characters before a date in its line. More are a sentence."""
_NODES = 120
"""Nodes of the tree that are walked on each side of the title."""
_UNREAD = frozenset({
    "-comment", "aside", "button", "figure", "head", "iframe", "noscript", "script", "select", "style", "svg", "table",
    "template", "textarea",
})  # fmt: skip
"""What has no words, or has them about something else: pictures, and an encyclopedia's facts in a table or beside the text."""


def days_beside_title(document: Document, head: Meta, text: str) -> set[date]:
    """The days that stand beside the title of an article and are not called those of a change or of something else.

    `text`: that of the whole page, its parts in one line."""
    title = _title(document, head)
    if title is None or not _may_be_dated(title, text):
        return set()
    behind = [*islice(_lines(title, backwards=False), _TO_PROSE)]
    if not behind or size_of(behind[-1]) <= _LINE:
        return set()
    before = [*islice(_lines(title, backwards=True), _BEFORE)][::-1]
    return {found for lines in (before, behind[:_BEHIND]) for found in _days(lines, head.language)}


def _may_be_dated(title: LexborNode, text: str) -> bool:
    """Whether the text has a date near the words of the title, which takes a tenth of the time of a walk around it."""
    words = title.text(separator=" ", strip=True)
    at = text.find(words) if words else -1
    for _ in range(_MOST_TITLES):
        if at < 0:
            break
        end = at + len(words)
        if may_have_date(text[max(0, at - _NEAR) : at]) or may_have_date(text[end : end + _NEAR]):
            return True
        at = text.find(words, end)
    return False


def _days(lines: list[str], language: str) -> Iterator[date]:
    """The dates in these lines, each of which may have its label before it or in the two lines before."""
    for at, line in enumerate(lines):
        if size_of(line) > _LINE:
            continue
        label = " ".join(each for each in lines[max(0, at - 2) : at] if len(each) <= _LABEL and not may_have_date(each))
        end = 0
        for written in sorted(dates_in(line, language), key=lambda each: each.start):
            words = line[end : written.start]
            if len(words) <= _WORDS and not (UPDATE.search(f"{label} {words}") or _OTHER.search(f"{label} {words}")):
                yield written.day
            label, end = "", written.end


def _title(document: Document, head: Meta) -> LexborNode | None:
    """The heading that the head gives as the title, the longest of several; or else the only main heading."""
    titles = [clean.bare(title) for title in (head.title, head.named.get("og:title", "")) if title]
    headings = document.elements("heading")[:_MOST_TITLES]
    size, title = _longest_of(titles, headings)
    main = [heading for heading in headings if heading.tag == "h1"]
    if title is None and len(main) == 1:
        return main[0]
    if 2 * size >= max(map(len, titles), default=0):
        return title
    lower, other = _longest_of(titles, document.tree.css("h3, h4, h5")[:_MOST_TITLES])  # the others are of the site
    return other if lower > size else title


def _longest_of(titles: list[str], headings: Iterable[LexborNode]) -> tuple[int, LexborNode | None]:
    """The longest of the headings that stand in one of these titles, and its length."""
    size, longest = 3, None
    for heading in headings:
        words = clean.bare(heading.text()[:_LONGEST_TITLE])
        if len(words) > size and any(words in title for title in titles):
            size, longest = len(words), heading
    return size, longest


def _lines(title: LexborNode, *, backwards: bool) -> Iterator[str]:
    """The lines on one side of the title, the nearest first, as far as the first that is prose, or another heading."""
    for texts in _blocks(title, backwards):
        line = clean.line("".join(reversed(texts) if backwards else texts), 2 * _LINE)
        yield line
        if size_of(line) > _LINE:
            return


def _blocks(title: LexborNode, backwards: bool) -> Iterator[list[str]]:
    """The texts of each line, in the order in which they were met."""
    texts: list[str] = []
    block = -1
    """The element around the texts; -1: none yet, or a new line has begun in it."""
    headings = _MAIN_HEADINGS | {title.tag}
    for node in islice(_nodes(title, backwards), _NODES):
        tag = node.tag
        if tag in headings:
            if texts:
                yield texts
            if backwards:
                yield [words_of(node, _LINE)]  # Blogger shows the date of a post in a heading of its own
            return
        if tag == "-text":
            text = node.text_content or ""
            if not text or text.isspace():
                continue
            around = _block_of(node)
            if around != block and texts:
                yield texts
                texts = []
            block = around
            texts.append(f"{text} ")
        elif tag == "br":
            block = -1
    if texts:
        yield texts


def _block_of(text: LexborNode) -> int:
    """The element that is one line with this text around it."""
    around = text.parent
    while around is not None and around.tag in INLINE:
        around = around.parent
    return around.mem_id if around is not None else -1


def _nodes(title: LexborNode, backwards: bool) -> Iterator[LexborNode]:
    """What stands before or behind the title in the body, the nearest first, without the words of what nobody reads."""
    node: LexborNode | None = title
    while node is not None:
        is_closed = node.mem_id == title.mem_id or node.tag in _UNREAD
        following = None if is_closed else node.last_child if backwards else node.first_child
        while following is None and node is not None and node.tag != "body":
            following = node.prev if backwards else node.next
            node = node.parent
        if following is not None:
            yield following
        node = following
