"""Reads PDF by PDFium: the text of the pages as paragraphs, the outline as headings, links and metadata.

A PDF has lines, not paragraphs. A paragraph ends with a line that is clearly shorter than most lines of the page, or before a
line that begins a list item or is a heading of the outline. Tables of contents are left out, and so are running titles, which
are lines that recur at the edges of pages.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import pypdfium2
import pypdfium2.raw as pdfium

from focuscrawl.links.extract import MAX_LINKS
from focuscrawl.reading.documents.document import (
    BROKEN,
    ENCRYPTED,
    ReadDocument,
    Reference,
    Unreadable,
    day,
    within_limit,
    written_urls,
)  # fmt: skip
from focuscrawl.text import clean
from focuscrawl.text.blocks import Block
from focuscrawl.text.extract import MAX_TEXT

MAX_PAGES = 1_000
_MAX_OUTLINE = 1_000
_MAX_LINKS_OF_PAGE = 500
_MAX_URL = 2_000
"""Bytes."""
_HYPHENS = "\x02\ufffe"
"""PDFium's marks for a hyphen at the end of a line that divides a word."""
_FULL_LINE = 0.75
"""A line that is shorter than this share of the page's usual line ends its paragraph."""
_USUAL_LINE = 0.8
"""Quantile of the lengths of a page's lines that is its usual line."""
_ITEM = re.compile(r"(?:[•▪◦‣●○■–*-]|\(?\d{1,3}[.)]|\([a-z]\))\s+(?=\S)")
_LEADERS = re.compile(r"(?:\s*[.·…]){5,}\s*[\divxlc]*\Z")
"""Dots that lead to a page number, as in a table of contents."""
_DIGITS = re.compile(r"\d+")
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\uffef]")
_TITLE_CHARACTERS = 2_000
"""Characters of the first page among which the title is searched."""
_LARGER = 1.2
"""Least ratio of the size of a title's letters to the median size."""
_LEAST_TITLE = 4
"""Characters."""
_EDGE = 2
"""Lines at the top and the bottom of a page that may be running titles."""
_RUNNING_PAGES = 3
"""Least number of pages with a running title."""
_TOOL_TITLE = re.compile(
    r"(?:Microsoft (?:Word|PowerPoint|Excel) - |untitled\b|.*\.(?:docx?|dvi|tex|indd|qxd|pdf)\Z)", re.IGNORECASE
)


def read_pdf(body: bytes) -> ReadDocument:
    """Read a PDF, whatever its permissions are. Raises Unreadable if it is broken or needs a password."""
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
        references=links + written_urls(blocks),
    )


def _pages(document: pypdfium2.PdfDocument) -> tuple[list[list[str]], list[Reference], str]:
    """The lines of each page, as far as the limits go; the links; the title that is printed on the first page."""
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
    """The first words in the largest letters of a page, if these are clearly larger than most; else empty."""
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
    """The line without surrounding space and invisible characters; one mark of a divided word stays at its end."""
    divided = line.rstrip()[-1:] in _HYPHENS and bool(line.strip())
    text = clean.line(line.translate(dict.fromkeys(map(ord, _HYPHENS))))
    return text + _HYPHENS[0] if divided else text


def _links(document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, text_page: pypdfium2.PdfTextPage) -> list[Reference]:
    found: list[Reference] = []
    position, link = ctypes.c_int(0), pdfium.FPDF_LINK()
    for _ in range(_MAX_LINKS_OF_PAGE):
        if not pdfium.FPDFLink_Enumerate(page.raw, ctypes.byref(position), ctypes.byref(link)):
            break
        url = _link_target(document, link)
        if url:
            found.append(Reference(url, *_words_at(link, text_page)))
    return found


def _link_target(document: pypdfium2.PdfDocument, link: pdfium.FPDF_LINK) -> str:
    """The URL that a link leads to; empty if it leads to anything else."""
    action = pdfium.FPDFLink_GetAction(link)
    if not action or pdfium.FPDFAction_GetType(action) != pdfium.PDFACTION_URI:
        return ""
    size = pdfium.FPDFAction_GetURIPath(document.raw, action, None, 0)
    if not 1 < size <= _MAX_URL:  # with the NUL at its end
        return ""
    buffer = ctypes.create_string_buffer(size)
    pdfium.FPDFAction_GetURIPath(document.raw, action, buffer, size)
    return buffer.value.decode("utf-8", "replace")


def _words_at(link: pdfium.FPDF_LINK, text_page: pypdfium2.PdfTextPage) -> tuple[str, str]:
    """The words of a link, and those of its lines."""
    place = pdfium.FS_RECTF()
    if not pdfium.FPDFLink_GetAnnotRect(link, ctypes.byref(place)):
        return "", ""
    anchor = text_page.get_text_bounded(place.left, place.bottom, place.right, place.top)
    around = text_page.get_text_bounded(None, place.bottom, None, place.top)
    return clean.line(anchor, 300), clean.line(around, 300)


def _headings(document: pypdfium2.PdfDocument) -> dict[str, int]:
    """The titles of the outline, as by `_bare`, with their levels."""
    found: dict[str, int] = {}
    for number, entry in enumerate(document.get_toc(max_depth=6)):
        if number == _MAX_OUTLINE:
            break
        found.setdefault(_bare(entry.get_title()), min(entry.level + 1, 6))
    found.pop("", None)
    return found


_NUMBERING = re.compile(r"^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|第.{1,4}[章节])\s*")


def _bare(title: str) -> str:
    """A title in lower case without its number, which is not always part of the outline's title."""
    return _NUMBERING.sub("", clean.line(title)).lower()


def _without_running_titles(pages: Sequence[list[str]]) -> list[list[str]]:
    """The lines of the pages without page numbers and running titles: lines that, but for their digits, are at the edges of at
    least three pages and of a third of all pages."""
    edges = Counter(key for lines in pages for key in {_DIGITS.sub("#", line) for line in lines[:_EDGE] + lines[-_EDGE:]})
    least = max(_RUNNING_PAGES, len(pages) / 3)
    running = {key for key, count in edges.items() if count >= least}

    def stays(number: int, line: str, lines: list[str]) -> bool:
        edge = number < _EDGE or number >= len(lines) - _EDGE
        return not (edge and (_DIGITS.sub("#", line) in running or (line.isdigit() and len(line) < 5)))

    return [[line for number, line in enumerate(lines) if stays(number, line, lines)] for lines in pages]


def _blocks(pages: Sequence[list[str]], headings: dict[str, int]) -> Iterator[Block]:
    """The lines as headings, list items and paragraphs, which may continue on the next page."""
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
    """The lines joined, without the hyphens of divided words, and without spaces between East Asian characters."""
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
    """Columns; an East Asian character takes two."""
    return len(line) + len(_WIDE.findall(line))
