"""Tells content pages from index pages, which are lists of links, after T-spider's algorithm 1.

In the algorithm, a page whose path names no file is an index page. Any other page is content if its file name is a meaningless
serial number, if its longest block of text exceeds a threshold, or if a heading stands before the main text; else it is an
index page. A number in the query counts as such a file name.

Rules are added, because manuals are full of tables of contents, of introductions at `index.html`, and of pages that are one
block of code, and because blogs have short posts at `/slug/`:

- A line of the main text that is a link (`3.2. Installation`, `strlen — length of a string`, `2024-03-05 Notice`) counts for
  the list, not for the text.
- A `pre` is one block.
- A page whose path names no file is content if it has as much text as a chapter's introduction, or a short text below its
  heading and no link in it.
- Titles that are links, each with a teaser below it, are a list whatever its URL, such as an author's or a column's.

Measured by tools/eval/pagekind.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args
from urllib.parse import unquote

from focuscrawl.text import clean
from focuscrawl.url.groups import lies_below_title

if TYPE_CHECKING:
    from focuscrawl.text.document import Document

Kind = Literal["index", "content"]
KINDS: tuple[Kind, ...] = get_args(Kind)

LONGEST_BLOCK = 120
"""L of the algorithm, in units of a Latin letter; a Han character says as much as three."""
LEAST_MAIN_TEXT = 50
"""In the same units: with a heading, a longest block of at least this length counts as main text."""
_LEAST_WITHOUT_HEADING = 100
"""In the same units: least main text of a content page without a long block and heading. Stubs of manuals have as much."""
_MOST_LINK_TEXT = 0.8
"""If the ratio of text in links to other text is at least this, a short text is a list of links."""
_MOST_ANCHORS = 10
"""If the words of all links are longer than the main text by more than this factor, the text is the rest of an alphabetical
index."""
_LEAST_OF_DIRECTORY = 1_000
"""In the same units: least text of a chapter's introduction that is worth reading. Teasers and welcomes are shorter."""
_LEAST_OF_NOTE = 300
"""In the same units: least text of a post whose URL ends in a slash, and that has no link in its text."""
_MOST_LINKS_OF_DIRECTORY = 0.25
"""If the ratio of text in links to other text is above this, a directory's page is a table of contents with an introduction."""
_MOST_LINES_OF_DIRECTORY = 0.4
"""If the share of lines that are links is above this, a directory's page is a list with descriptions or teasers."""
_LEAST_TEASERS = 4
_LEAST_TITLE = 15
"""In the same units: least length of the title of a teaser. Most names of people are shorter."""
_LONGEST_TEASER = 600
"""In the same units: the most text below such a title, with what stands around it."""
_WHOLE = re.compile(r"(?<!\.\.)[.!?:。！？：\d][\"'”’»)）」』]*\Z")
"""The end of a text that does not break off: of a sentence, or the pages of a reference."""
_LONGEST_END = 20
"""Characters of the end of a line that `_WHOLE` is looked for in. A whole line takes ten times as long."""
_SENTENCE = re.compile(r"\w\w[.!?][\"'”’»)]* |[。！？]")
"""The end of a sentence within a text. Phrases, as in a list of changes, have none."""
_LEAST_PART = 40
"""In the same units: least length of a line that is a link as part of a longer one, such as a card."""
_LEAST_ROW = 100
"""In the same units: least length of a row of links, such as the tiles of a shop."""
_ROW = 40
"""Links of a row that are looked at. So many before a paragraph of prose are no part of it; a few tags may be."""
_MAX_CODE = 50
_MAX_LINES = 200
"""Lines of main text that are examined."""

_MOST_UNITS = 3
"""Units that one character may have."""
_HAN = re.compile("[\u3400-\u9fff\u3040-\u30ff\uac00-\ud7a3]")
_INDEX_FILE = re.compile(r"(?:index|default|home|main|welcome)(?:\.\w{2,5})*\Z", re.IGNORECASE)
_LIST_FILE = re.compile(r"(?:(?:list|tag|category|categories|archive)s?[-_\d]*|page[-_]?\d+)(?:\.\w{2,5})?\Z", re.IGNORECASE)
_PAGE_FILE = re.compile(r"(?:[a-z]+[-_]?)?(?:(?:19|20)\d\d(?:[-_]\d\d?)?|\d\d?)(?:\.\w{2,5})?\Z")
"""A year, a month or the number of a page: `2024`, `2024-03`, `index_2.html`, `page-12`."""
_LISTS = re.compile(r"/(?:tags?|categor(?:y|ies)|archives?|authors?|labels?|page)/", re.IGNORECASE)
"""Directories of lists. A path in them that names no file is a list, too."""
_NUMBER = re.compile(r"(?:[\dA-Z]{1,3}\.)+\s*|\W+|(?:Appendix|Chapter|Example|Figure|Part|Table|第)\s*[\w.]+\s*[章节]?[.:]?\s*")
"""The number before the title of a chapter, figure or item, which is not always part of its link."""
_DASHES = ",:—–-"
_DAY = r"[\[(（【]?(?:(?:19|20)\d\d ?[-/.年] ?)?\d\d? ?[-/.月] ?\d\d?(?: ?日)?(?: \d\d?:\d\d(?::\d\d)?)?[\])）】]?"
_DATES = re.compile(rf"^\W{{0,3}}{_DAY}\s*|\s*{_DAY}$")
"""The date before or after a title, as in most lists of Chinese sites: `2024-03-05 Title`, `Title[03-05]`."""
_may_begin_with_date = re.compile(r"\W{0,4}\d{1,4} ?[-/.年月] ?\d").match
"""Whether a line may begin with such a date, which takes ten times as long to look for."""
_AFTER_DAY = frozenset("日])）】")
"""The last letter of a line that ends with a date, if it is no digit."""
_LEAST_ANCHOR = 3
_MOST_ANCHOR_WORDS = 8
_LONGEST_LINE = 400
"""Most characters of a line that may be a link, because anchors are cut at 300."""
_DESCRIPTION = 100
"""If more units than this follow a link on its line, the line is text that begins with a link."""
_EXTENSION = re.compile(r"\.(?:[sx]?html?|php\d?|aspx?|jsp|do|cgi)\Z", re.IGNORECASE)
_SERIAL = re.compile(
    r"(?:[a-z]{0,8}[-_]?\d{3,}(?:[-_]?[a-z]?\d+)*|[0-9a-f]{7,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?:19|20)\d\d\Z")
_DATED = re.compile(r"/(?:19|20)\d\d/\d\d?/(?:\d\d?/)?[^/]*[^\d/][^/]*\Z")
_LIST_ID = "(?:c|cat|category|class|column|channel|type|sort|tag|item|menu|f|u|user)id"
"""The number of a list, as in `/index.php?a=lists&catid=123`."""
_ID_QUERY = re.compile(rf"[?&](?!{_LIST_ID}=)(?:[a-z]{{0,8}}id|p|t|no)=(?:\d{{3,}}|[0-9a-f-]{{8,40}})(?:&|\Z)", re.IGNORECASE)


def page_kind(
    url: str,
    text: str,
    headings: Sequence[str] = (),
    anchors: Collection[str] = (),
    code: int = 0,
    places: Collection[str] = (),
) -> Kind:
    """The kind of the page at the normal URL `url`.

    Args:
        url: of the page.
        text: its main text, one block per line.
        headings: its main headings.
        anchors: the words of each link of the page, including links to places on the page itself.
        code: `block_length` of its longest `pre`, whose lines are neither blocks of their own nor teasers.
        places: those of `anchors` that lead to no other page.
    """
    name = file_name(url)
    main = _MainText(text.split("\n")[:_MAX_LINES], anchors)
    if code <= LONGEST_BLOCK and main.has_teasers(frozenset(anchors).difference(places)):
        return "index"
    has_prose = max(block_length(main.longest), code) > LONGEST_BLOCK
    if is_serial(name) or _ID_QUERY.search(url):
        is_content = has_prose or main.words >= main.link_words
    elif not name:
        is_content = has_prose and not _is_list(url) and (main.is_chapter() or main.is_note(headings))
    else:
        is_content = not main.is_mostly_links(anchors) and (has_prose or main.is_text(headings))
    return "content" if is_content else "index"


class _MainText:
    """A main text, with its lines that are links told from the others. Lengths are by `block_length`."""

    def __init__(self, lines: Sequence[str], anchors: Collection[str]) -> None:
        links = _Links(anchors)
        self.lines = lines
        self.marked: list[tuple[str, int, bool]] = []
        """Each line with its length, and whether it is a link."""
        self.links = 0
        """Number of lines that are links."""
        self.link_words = self.words = 0
        """Total lengths of the lines that are links, and of the others."""
        self.longest = ""
        """The longest line that is not a link."""
        longest = 0
        for line in lines:
            length = block_length(line)
            is_link = links.has(line, length)
            self.marked.append((line, length, is_link))
            if is_link:
                self.links += 1
                self.link_words += length
            else:
                self.words += length
                if length > longest:
                    longest, self.longest = length, line

    def has_teasers(self, anchors: Collection[str]) -> bool:
        """Whether it is made of the titles of other pages, most of them with the beginning of that page's text below it: one
        line breaks off, while several items of a list of changes may end in phrases, and nowhere is there a run of text that is
        longer than a teaser. Descriptions are whole sentences or phrases, and names of people who have written what is below
        them are shorter than titles. `anchors`: the words of links to other pages; a line that only begins with them is no
        title."""
        if self.links < _LEAST_TEASERS:
            return False
        broken: dict[str, int] = {}
        """By title, how many lines below it break off."""
        run, above = 0, ""
        for at, (line, length, is_link) in enumerate(self.marked):
            if not is_link:
                run += length
                if run > _LONGEST_TEASER:
                    return False
                if above and length >= _LEAST_PART:
                    broken[above] += _breaks_off(line)
            elif at + 1 < len(self.marked) and not self.marked[at + 1][2] and (title := _title_in(line, anchors)):
                broken[title] = run = 0
                above = title
        return len(broken) >= _LEAST_TEASERS and 2 * list(broken.values()).count(1) >= len(broken)

    def is_mostly_links(self, anchors: Collection[str]) -> bool:
        """Whether there is more to follow than to read, here or on the whole page."""
        return 0 < self.link_words >= self.words or _MOST_ANCHORS * self.words < sum(map(len, anchors))

    def is_text(self, headings: Sequence[str]) -> bool:
        """Whether the text is enough for a page without a long block."""
        if self.link_words >= _MOST_LINK_TEXT * self.words:
            return False
        below_heading = block_length(self.longest) >= LEAST_MAIN_TEXT and self.has_before_longest(headings)
        return below_heading or self.words >= _LEAST_WITHOUT_HEADING

    def is_chapter(self) -> bool:
        """Whether there is more to read than the introduction of a list."""
        prose = self.words >= _LEAST_OF_DIRECTORY and self.link_words <= _MOST_LINKS_OF_DIRECTORY * self.words
        return prose and self.links <= _MOST_LINES_OF_DIRECTORY * len(self.lines)

    def is_note(self, headings: Sequence[str]) -> bool:
        """Whether it is a short text below its heading, without anything that leads on."""
        return self.words >= _LEAST_OF_NOTE and not self.links and self.has_before_longest(headings)

    def has_before_longest(self, headings: Sequence[str]) -> bool:
        before = self.lines[: self.lines.index(self.longest)]
        return any(heading in block for block in before for heading in headings)


def _title_in(line: str, anchors: Collection[str]) -> str:
    """The title of another page that a line is, perhaps with a date; empty if it is none."""
    title = line if line in anchors else _DATES.sub("", line)
    return title if title in anchors and block_length(title) >= _LEAST_TITLE else ""


def _breaks_off(line: str) -> bool:
    """Whether a line is the beginning of a text: it says so, or it ends within a sentence after another one."""
    return clean.is_cut(line) or (not _WHOLE.search(line[-_LONGEST_END:]) and _SENTENCE.search(line) is not None)


class _Links:
    """The links of a page by their words: tells which lines of its text are links."""

    def __init__(self, anchors: Collection[str]) -> None:
        self._words = frozenset(anchors)
        self._cards = "\n".join(
            [anchor for anchor in self._words if _MOST_UNITS * len(anchor) > _LEAST_PART < block_length(anchor)]
        )
        self._beginnings = {anchor[:_LEAST_ANCHOR] for anchor in self._words}

    def has(self, line: str, length: int) -> bool:
        """Whether a line of this length is one of the links, perhaps with a number before it or a description after it, or a
        row of them."""
        if line in self._words or (length >= _LEAST_PART and line in self._cards):
            return True
        if length >= _LEAST_ROW and line[:_LEAST_ANCHOR] in self._beginnings and self._is_row(line):
            return True
        if length > _LONGEST_LINE < len(line):
            return False
        return self._is_dated_or_numbered(line) or self._begins_with_link(line, length)

    def _is_row(self, line: str) -> bool:
        at = 0
        for _ in range(_ROW):
            if at >= len(line):
                break
            sizes = self._sizes.get(line[at : at + _LEAST_ANCHOR], ())
            size = next((size for size in sizes if line[at : at + size] in self._words), 0)
            if not size:
                return False
            at += size
            while at < len(line) and not line[at].isalnum():
                at += 1  # what stands between the links
        return True

    @cached_property
    def _sizes(self) -> dict[str, list[int]]:
        """By beginning: the lengths in characters of the links that begin so, the longest first."""
        sizes: defaultdict[str, set[int]] = defaultdict(set)
        for anchor in self._words:
            if (size := len(anchor)) >= _LEAST_ANCHOR:
                sizes[anchor[:_LEAST_ANCHOR]].add(size)
        return {beginning: sorted(those, reverse=True) for beginning, those in sizes.items()}

    def _is_dated_or_numbered(self, line: str) -> bool:
        """Whether the line is a link but for its date, or for the number before it."""
        last = line[-1:]
        dated = last.isdecimal() or last in _AFTER_DAY or _may_begin_with_date(line)
        if dated and _DATES.sub("", line) in self._words:
            return True
        numbered = _NUMBER.match(line)
        return numbered is not None and line[numbered.end() :] in self._words

    def _begins_with_link(self, line: str, length: int) -> bool:
        """Whether a line of this length is a link and its description."""
        beginning = line[:_LEAST_ANCHOR]
        if beginning not in self._beginnings and beginning.rstrip(_DASHES) not in self._beginnings:
            return False
        start = ""
        for part in line.split(" ", _MOST_ANCHOR_WORDS)[:_MOST_ANCHOR_WORDS]:
            start = f"{start} {part}" if start else part
            if len(start) >= _LEAST_ANCHOR and (start in self._words or start.rstrip(_DASHES) in self._words):
                return length - block_length(start) <= _DESCRIPTION
        return False


def _is_list(url: str) -> bool:
    path = "/" + url.partition("?")[0].partition("://")[2].partition("/")[2]
    return path == "/" or bool(_LISTS.search(path) or _LIST_FILE.match(path.rsplit("/", 1)[-1]))


def file_name(url: str) -> str:
    """The last part of the path in lower case without its extension; empty for a directory or its index file.

    Sites that hide extensions end the paths of pages with a slash, so a directory counts as a file if its name is a serial
    number or follows a date (`/pages/20427d78/`, `/2019/06/14/intranet-kms/`).
    """
    path = url.partition("?")[0].partition("://")[2].partition("/")[2]
    name = unquote(path.rsplit("/", 1)[-1])
    directory = path[:-1].rsplit("/", 1)[-1] if path.endswith("/") else ""
    if len(directory) > 3 and (is_serial(directory) or _DATED.search("/" + path[:-1])):
        name = directory
    return "" if not name or _INDEX_FILE.match(name) or _LIST_FILE.match(name) else _EXTENSION.sub("", name).lower()


def is_index_file(name: str) -> bool:
    """Whether a file of this name may stand in each directory: `index.html`."""
    return _INDEX_FILE.match(name) is not None


def names_one(url: str) -> bool:
    """Whether the URL is that of one thing, which has a number: `/browse/KEY-5`, `/title.12/`, `/viewtopic.php?t=123`; or
    lies below the title of one: `/p/how-to-cook-good-rice/comments`. The number of a page, a year or a month names a list, and
    so does that of a category."""
    path = url.partition("?")[0].partition("://")[2].partition("/")[2]
    name = path.rstrip("/").rpartition("/")[2]
    is_list = _PAGE_FILE.match(name) or _LIST_FILE.match(name)
    return (any(map(str.isdigit, name)) and not is_list) or _ID_QUERY.search(url) is not None or lies_below_title(url)


def is_serial(name: str) -> bool:
    """Whether the file name is a number without meaning (`t20240105_12345`, `617807d7`, `12345`); not if it is a year."""
    return bool(_SERIAL.match(name)) and any(map(str.isdigit, name)) and not _YEAR.match(name)


def longest_code(document: Document) -> int:
    """`block_length` of the first `pre` that is long, else of the longest one."""
    longest = 0
    for node in document.elements("code")[:_MAX_CODE]:
        longest = max(longest, block_length(" ".join(node.text().split())))
        if longest > LONGEST_BLOCK:
            break
    return longest


def block_length(block: str) -> int:
    return len(block) + (_MOST_UNITS - 1) * len(_HAN.findall(block)) if not block.isascii() else len(block)
