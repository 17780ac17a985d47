"""Makes flat records of pages for other programs, by the same function for the store and for Scrapy's feeds.

Times are ISO 8601 in UTC, hashes hexadecimal.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, get_type_hints

from focuscrawl.errors import BadInput, nearest
from focuscrawl.items import Names, Page, Terms, counted
from focuscrawl.report.plain import iso_time
from focuscrawl.store.pages.stored import StoredPage, fetched_page
from focuscrawl.text.blocks import blocks_of, markdown

Row = dict[str, Any]
"""Values are str, int, float, bool, a list of names, or a mapping of name to number (`terms`, `topics`, `signals`)."""

TIMES, DAYS = ("fetched_at", "checked_at", "changed_at"), ("published", "modified")
"""Columns with a time in UTC, and columns with a day; empty if there is none."""
Form = tuple[type, Callable[[Any], Any]]
"""The type of a column's values, and the function that makes one of a field of `StoredPage`."""
_KINDS = get_type_hints(StoredPage)
_BY_KIND: dict[Any, Form] = {Names: (list, list), Terms: (dict, dict), dict[str, float]: (dict, dict)}
RENDERED: dict[str, Form] = {
    **{name: _BY_KIND[kind] for name, kind in _KINDS.items() if kind in _BY_KIND},
    "terms": (dict, lambda terms: dict(counted(terms))),
    "simhash": (str, "{:016x}".format),
    "digest": (str, bytes.hex),
    **{name: (str, lambda seconds: iso_time(seconds) if seconds else "") for name in TIMES},
    "fetched_at": (str, iso_time),
}
"""Fields of `StoredPage` that are exported in another form."""
INTERNAL = ("page_id", "run", "outline")
"""Fields of `StoredPage` that mean nothing outside of the store."""
FIELDS: dict[str, type] = {
    name: RENDERED[name][0] if name in RENDERED else kind for name, kind in _KINDS.items() if name not in INTERNAL
}
"""The columns of a row in order, with their types."""


def row_id(url: str) -> str:
    """The key of a page in a search engine: 32 hexadecimal digits, because URLs may be longer than engines allow."""
    return hashlib.blake2b(url.encode("utf-8", "replace"), digest_size=16).hexdigest()


def markdown_of(page: StoredPage) -> str:
    """The text with its headings, lists, tables and code."""
    return markdown(blocks_of(page.text, page.outline))


def headings_of(page: StoredPage) -> str:
    """The headings of its text, one per line."""
    return "\n".join(block.text for block in blocks_of(page.text, page.outline) if block.kind == "heading")


def headline_of(page: StoredPage) -> str:
    """The title without the names of the site and its sections: the main heading of the text, if the title begins or ends with
    it. At the end, one that is shorter than the rest may be the site's name itself, unless the rest is that name."""
    headings = [block for block in blocks_of(page.text, page.outline) if block.kind == "heading"]
    found = ""
    for heading in (block.text for block in headings if block is headings[0] or block.level == 1):
        rest = len(page.title) - len(heading)
        begins = page.title.startswith(heading) and _AFTER.match(page.title, len(heading))
        before = _BEFORE.search(page.title, 0, rest) if rest > 0 and page.title.endswith(heading) else None
        ends = before and (rest < len(heading) or page.title[: before.start()].strip() == page.site_name)
        if len(heading) > len(found) and heading != page.site_name and (begins or ends):
            found = heading
    return found or page.title


_AFTER = re.compile(r"\s+[-–—|_·•»«/\\<>~]|\s?[|_·»—]|--|(?<=[\u3400-\u9fff？！”》）])-")
_BEFORE = re.compile(r"[-–—|_·•»:/\\>]\s+$|[|_·»—：]$")
"""What stands between a headline and names after or before it. No hyphen within a word."""
MADE: dict[str, Callable[[StoredPage], str]] = {
    "id": lambda page: row_id(page.url),
    "markdown": markdown_of,
    "headings": headings_of,
    "headline": headline_of,
}
"""Columns that are written only if they are chosen, all of them text."""
CHANGE = "change"
"""Column of an export since the last one: `new`, `changed` or `gone`."""


def type_of(column: str) -> type:
    """The type of a column's values in a row."""
    return FIELDS.get(column, str)


def columns_named(names: Iterable[str]) -> tuple[str, ...]:
    """The names of columns, checked, each once, in the order given. Raises BadInput for one that does not exist."""
    known = {**FIELDS, **MADE}
    found = dict.fromkeys(name.strip() for name in names if name.strip())
    for name in found:
        if name not in known:
            raise BadInput(f"there is no column {name!r}{nearest(name, known)}")
    if not found:
        raise BadInput("--columns names no column; give names such as url,title,text")
    return tuple(found)


def row(page: Page, parent: str = "", duplicate_of: str = "") -> Row:
    """The record of a page just fetched. `parent`: URL of the page that led here, by default the lease's."""
    return stored_row(fetched_page(page, parent, duplicate_of))


def stored_row(page: StoredPage, columns: Sequence[str] = tuple(FIELDS), change: str = "") -> Row:
    """The record of a page of the store, with these columns. `change`: value of the column `CHANGE`."""
    values: Row = {}
    for name in columns:
        if name in FIELDS:
            value = getattr(page, name)
            values[name] = RENDERED[name][1](value) if name in RENDERED else value
        else:
            values[name] = change if name == CHANGE else MADE[name](page)
    return values
