"""PDF, by PDFium: the text of its pages as paragraphs, its outline as headings, its links and metadata.

A PDF knows lines, not paragraphs. A line ends one where it is clearly shorter than the page's lines are, or where the next
begins a list or stands in the outline. Tables of contents are left out, and lines at the edges of pages that come again and
again: running titles.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pypdfium2
import pypdfium2.raw as pdfium

from focuscrawl.reading.documents.document import (
    BROKEN,
    ENCRYPTED,
    MAX_LINKS,
    MAX_TEXT,
    ReadDocument,
    Reference,
    Unreadable,
    day,
    within_limit,
    written_addresses,
)  # fmt: skip
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block

MAX_PAGES = 1_000
_MAX_OUTLINE = 1_000
_MAX_LINKS_OF_PAGE = 500
_MAX_ADDRESS = 2_000
_HYPHENS = "\x02\ufffe"
"""PDFium's marks for a hyphen at the end of a line that divides a word."""
_FULL_LINE = 0.75
"""Of the page's usual line: a shorter one ends its paragraph."""
_USUAL_LINE = 0.8
"""Quantile of the lengths of a page's lines."""
_ITEM = re.compile(r"(?:[•▪◦‣●○■–*-]|\(?\d{1,3}[.)]|\([a-z]\))\s+(?=\S)")
_LEADERS = re.compile(r"(?:\s*[.·…]){5,}\s*[\divxlc]*\Z")
"""Dots to a page number: a line of the table of contents."""
_DIGITS = re.compile(r"\d+")
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\uffef]")
_TITLE_CHARACTERS = 2_000
"""Of the first page, in which its title is looked for."""
_LARGER = 1.2
"""Times the usual size."""
_LEAST_TITLE = 4
_EDGE = 2
"""Lines at the top and the bottom of a page that may be running titles."""
_RUNNING_PAGES = 3
_TOOL_TITLE = re.compile(
    r"(?:Microsoft (?:Word|PowerPoint|Excel) - |untitled\b|.*\.(?:docx?|dvi|tex|indd|qxd|pdf)\Z)", re.IGNORECASE
)


def read_pdf(body: bytes) -> ReadDocument:
    """Raises Unreadable. One that opens without a password is read, whatever it allows."""
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise Unreadable(ENCRYPTED if error.err_code == pdfium.FPDF_ERR_PASSWORD else BROKEN) from error
    try:
        return _read(document)
    except (pypdfium2.PdfiumError, ValueError, ctypes.ArgumentError) as error:
        raise Unreadable(BROKEN) from error
    finally:
        document.close()


def _read(document: pypdfium2.PdfDocument) -> ReadDocument:
    pages, links, printed = _pages(document)
    facts = {name: clean.line(value, 1000) for name, value in document.get_metadata_dict(skip_empty=True).items()}
    blocks = within_limit(_blocks(_without_running_titles(pages), _headings(document)))
    titled = "" if _TOOL_TITLE.match(facts.get("Title", "")) else facts.get("Title", "")
    return ReadDocument(
        title=titled or printed,
        author=facts.get("Author", ""),
        description=facts.get("Subject", ""),
        keywords=facts.get("Keywords", ""),
        published=day(facts.get("CreationDate", "")),
        modified=day(facts.get("ModDate", "")),
        blocks=blocks,
        references=links + written_addresses(blocks),
    )


def _pages(document: pypdfium2.PdfDocument) -> tuple[list[list[str]], list[Reference], str]:
    """The lines of each page, as far as the limits go, the links, and the first page's largest words."""
    pages: list[list[str]] = []
    links: list[Reference] = []
    printed = ""
    length, broken = 0, 0
    for number in range(min(len(document), MAX_PAGES)):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            broken += 1  # one page of a damaged file, not the file
            continue
        text = text_page.get_text_range()
        printed = printed if pages else _largest_words(text_page)
        pages.append([line for raw in text.splitlines() if (line := _cleaned(raw)) and not _LEADERS.search(line)])
        if len(links) < MAX_LINKS:
            links += _links(document, page, text_page)
        text_page.close()
        page.close()
        length += len(text)
        if length > MAX_TEXT:
            break
    if broken and not pages:
        raise Unreadable(BROKEN)
    return pages, links, printed


def _largest_words(text_page: pypdfium2.PdfTextPage) -> str:
    """The first words in the largest letters of a page, where these are clearly larger than the others: its title."""
    count = min(text_page.count_chars(), _TITLE_CHARACTERS)
    letters = [(chr(pdfium.FPDFText_GetUnicode(text_page.raw, n)), n) for n in range(count)]
    sizes = [(letter, pdfium.FPDFText_GetFontSize(text_page.raw, n)) for letter, n in letters]
    shown = sorted(size for letter, size in sizes if not letter.isspace())
    if not shown or shown[-1] < _LARGER * shown[len(shown) // 2]:
        return ""
    words = ""
    for letter, size in sizes:
        if size >= 0.98 * shown[-1] or (words and letter.isspace()):
            words += letter
        elif words:
            break
    return clean.line(words, 300) if len(clean.line(words)) >= _LEAST_TITLE else ""


def _cleaned(line: str) -> str:
    """Without space and invisible characters; the mark of a divided word stays at the end."""
    divided = line.rstrip()[-1:] in _HYPHENS and bool(line.strip())
    text = clean.line(line.translate(dict.fromkeys(map(ord, _HYPHENS))))
    return text + _HYPHENS[0] if divided else text


def _links(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> list[Reference]:
    found: list[Reference] = []
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(_MAX_LINKS_OF_PAGE):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
            break
        address = _link_target(document, link)
        if address:
            found.append(Reference(address, *_words_at(link, text_page)))
    return found


def _link_target(document: pypdfium2.PdfDocument, link: pdfium.FPDF_LINK) -> str:
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(document.raw, action, None, 0)
    if not 1 < size <= _MAX_ADDRESS:
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, size)
    return buffer.value.decode("utf-8", "replace")


def _words_at(link: pdfium.FPDF_LINK, text_page: pypdfium2.PdfTextPage) -> tuple[str, str]:
    """The words under a link, and those of its lines."""
    place = pdfium.FS_RECTF()
    if not pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(place)):
        return "", ""
    anchor = text_page.get_text_bounded(place.left, place.bottom, place.right, place.top)
    around = text_page.get_text_bounded(None, place.bottom, None, place.top)
    return clean.line(anchor, 300), clean.line(around, 300)


def _headings(document: pypdfium2.PdfDocument) -> dict[str, int]:
    """Titles of the outline with their levels."""
    found: dict[str, int] = {}
    for number, entry in enumerate(document.get_toc(max_depth=6)):
        if number == _MAX_OUTLINE:
            break
        found.setdefault(_bare(entry.get_title()), min(entry.level + 1, 6))
    found.pop("", None)
    return found


_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|第.{1,4}[章节])\s*")


def _bare(title: str) -> str:
    """Without the number, which is not always part of the outline's title."""
    return _NUMBERING.sub("", clean.line(title)).lower()


def _without_running_titles(pages: Sequence[list[str]]) -> list[list[str]]:
    """Page numbers, and lines at the edges of at least three pages and of a third of them."""
    edges = Counter(key for lines in pages for key in {_DIGITS.sub("#", line) for line in lines[:_EDGE] + lines[-_EDGE:]})
    least = max(_RUNNING_PAGES, len(pages) / 3)
    running = {key for key, count in edges.items() if count >= least}

    def stays(number: int, line: str, lines: list[str]) -> bool:
        edge = number < _EDGE or number >= len(lines) - _EDGE
        return not (edge and (_DIGITS.sub("#", line) in running or (line.isdigit() and len(line) < 5)))

    return [[line for number, line in enumerate(lines) if stays(number, line, lines)] for lines in pages]


def _blocks(pages: Sequence[list[str]], headings: dict[str, int]) -> Iterator[Block]:
    """Paragraphs may go on over the end of a page."""
    paragraph: list[str] = []
    for lines in pages:
        widths = sorted(_width(line) for line in lines)
        full = _FULL_LINE * widths[int(_USUAL_LINE * (len(widths) - 1))] if widths else 0.0
        for line in lines:
            level = headings.get(_bare(line), 0)
            if paragraph and (level or _ITEM.match(line)):
                yield _block(paragraph)
                paragraph = []
            if level:
                yield Block("heading", line, level)
                continue
            paragraph.append(line)
            if _width(line) < full:
                yield _block(paragraph)
                paragraph = []
    if paragraph:
        yield _block(paragraph)


def _block(lines: Sequence[str]) -> Block:
    text = ""
    for line in lines:
        if text.endswith(_HYPHENS[0]):
            text = text[:-1].removesuffix("-") + line
        elif text and not (_WIDE.match(text[-1]) and _WIDE.match(line)):
            text += " " + line
        else:
            text += line
    text = text.rstrip(_HYPHENS[0])
    item = _ITEM.match(text)
    return Block("item", text[item.end() :]) if item else Block("paragraph", text)


def _width(line: str) -> int:
    return len(line) + len(_WIDE.findall(line))
