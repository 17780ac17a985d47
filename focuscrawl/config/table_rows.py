"""Finds the lines of a list of URLs that are rows of a table, as a spreadsheet exports them.

A comma may be part of a URL, so a line alone is a row only if it is no URL and one of its fields is. Lines that may be either
are told by those around them. Lines without a URL in any field are text, such as verses that end in commas."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Sequence

_SEPARATOR = re.compile("[\t,;]")
_LIKE_A_ROW = re.compile(r'[^,;?#]*(?:/|\.[A-Za-z]{3,5})(?:,|;(?![\w.-]+=))|[^,;?#\x80-\U0010ffff]*[,;]"|.*[,;]$')
"""Where a URL seems to end at a comma, or nothing follows the last one. Few URLs are so, and lists of them fewer. Not at the
parameter of a path: `/index.jsp;jsessionid=1F`."""
_WORDS_BEHIND = re.compile(r"[^,;?#\x80-\U0010ffff]*[,;][^ -~](?!.*(?:/|\.[A-Za-z]{2,5}$))")
"""Where words of another script than the URL's follow on a comma, and no path goes on in them: a title, or two tags, as in
`/tags/python,数据`."""
_MOSTLY = 0.8
"""Share of the lines of a table that differ in a column: each is a page of its own, with a title of its own. Tags recur."""
MOST_FIELDS = 50
"""Fields among which a URL is looked for."""
LEAST_ROWS = 5
"""Lines that look like rows, from which on they are believed: a short list was written by hand."""


def table_rows(lines: Sequence[str], is_url: Callable[[str], bool]) -> frozenset[str]:
    """The lines that are rows of a table.

    Args:
        lines: without blank ones and comments.
        is_url: whether a text is one valid URL.
    """
    rows = {line for line in lines if _is_row(line, is_url)}
    alike = _alike(lines, is_url)
    titled = _each_differs(alike)
    like_rows = sum(line in rows or _looks_like_a_row(line, titled) for line in alike)
    if alike and (_is_head(lines[0], alike, is_url) or like_rows >= max(LEAST_ROWS, len(lines) // 2 + 1)):
        rows.update(alike)
    return frozenset(rows)


def _looks_like_a_row(line: str, titled: bool) -> bool:
    """Whether a line that may be a URL looks like a row. `titled`: whether the lines around it differ as those of tables do."""
    return bool(_LIKE_A_ROW.match(line)) or (titled and bool(_WORDS_BEHIND.match(line)))


def _each_differs(lines: Sequence[str]) -> bool:
    """Whether hardly any of these lines have their first field, or all that follows on it, in common."""
    split = [_fields(line) for line in lines]
    firsts, others = {fields[0] for fields in split}, {tuple(fields[1:]) for fields in split}
    return min(len(firsts), len(others)) > _MOSTLY * len(lines)


def _is_row(line: str, is_url: Callable[[str], bool]) -> bool:
    return _fields(line) != [line] and not is_url(line) and _holds_url(line, is_url)


def _holds_url(line: str, is_url: Callable[[str], bool]) -> bool:
    return any(map(is_url, _fields(line)[:MOST_FIELDS]))


def _alike(lines: Sequence[str], is_url: Callable[[str], bool]) -> list[str]:
    """The lines with as many fields as most lines have, by the same separator; none if these have one field, or no URL."""
    layouts = [(match[0] if (match := _SEPARATOR.search(line)) else "", len(_fields(line))) for line in lines]
    (usual, number), *_ = Counter(layouts).most_common(1) or [(("", 1), 0)]
    if usual[1] == 1 or number <= len(lines) / 2:
        return []
    alike = [line for line, layout in zip(lines, layouts, strict=True) if layout == usual]
    return alike if any(_holds_url(line, is_url) for line in alike) else []


def _is_head(line: str, alike: Sequence[str], is_url: Callable[[str], bool]) -> bool:
    """Whether a line names the columns of these lines."""
    return line in alike and not is_url(line) and not _holds_url(line, is_url)


def _fields(line: str) -> list[str]:
    """The line between its separators, of which the first says what they are; a quoted field may hold some."""
    found = _SEPARATOR.search(line)
    if not found and '"' not in line:
        return [line]
    separator = found[0] if found else ","
    try:
        return [field.strip() for field in next(csv.reader([line], delimiter=separator))]
    except csv.Error:  # a field longer than the reader's limit
        return line.split(separator)
