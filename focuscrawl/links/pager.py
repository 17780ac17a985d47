"""Finds the further pages of a list whose links a script writes, as on most sites of Chinese authorities (TRS WCM, UCAP).

The script gets how many pages there are, which one this is, and how their files are called:
`createPageHTML(20, 0, "index", "html")` stands on the first of index.html, index_1.html … index_19.html.
"""

from __future__ import annotations

import re

MARK = re.compile(r"Page(?:r\(|(?<=createPage)|(?<=countPage))")
"""On each page with such a script."""
MOST_PAGES = 10
"""Pages after this one that are named, as many as pagers show."""
_NUMBERS = r"""["']?(?P<count>[0-9]{1,5})["']?\s*,\s*["']?(?P<current>[0-9]{1,5})["']?"""
_CALLED = re.compile(
    rf"""\bcreatePage\w*\s*\(\s*(?P<element>(["'])[^"']{{0,50}}\2\s*,\s*)?{_NUMBERS}\s*,"""
    r"""\s*(["'])(?P<name>[\w.\-]{1,80})\5\s*,\s*(["'])(?P<extension>\w{2,6})\7"""
)
_FIELDS = re.compile(
    r"""\bPager\s*\(\s*\{\s*size\s*:\s*(?P<count>[0-9]{1,5})\s*,\s*current\s*:\s*(?P<current>[0-9]{1,5})\s*,"""
    r"""\s*prefix\s*:\s*(["'])(?P<name>[\w.\-]{1,80})\3\s*,\s*suffix\s*:\s*(["'])(?P<extension>\w{2,6})\5"""
)
_COUNT = re.compile(r"\bcountPage\s*=\s*([0-9]{1,5})\b")
_CURRENT = re.compile(r"\bcurrentPage\s*=\s*([0-9]{1,5})\b")
_FILE = re.compile(r"""\bhref=\\["']([\w.\-]{1,80})"\s*\+\s*"_"\s*\+\s*\w+\s*\+\s*"\."\s*\+\s*"(\w{2,6})\\["']""")
"""`"<a href=\\"index"+"_" + i + "."+"html\\">"`."""


def further_pages(script: str) -> list[tuple[str, str]]:
    """(URL as written, number) of the next pages and the previous one. The first page is left out: it has another URL,
    that of the directory, by which the rest of the site names it."""
    if called := _CALLED.search(script) or _FIELDS.search(script):
        fields = called.groupdict()
        first = 1 if fields.get("element") else 0  # where an element is named, the first page is 1
        return _named(int(fields["count"]), int(fields["current"]), fields["name"], fields["extension"], first)
    count, current, file = _COUNT.search(script), _CURRENT.search(script), _FILE.search(script)
    if count and current and file:
        return _named(int(count[1]), int(current[1]), file[1], file[2], 0)
    return []


def _named(count: int, current: int, name: str, extension: str, first: int) -> list[tuple[str, str]]:
    last = first + count - 1
    numbers = [*range(current + 1, min(current + MOST_PAGES, last) + 1), current - 1]
    return [(f"{name}_{number}.{extension}", str(number + 1 - first)) for number in numbers if first < number <= last]
