"""Recognizes URLs of spider traps by their shape: those that a machine may generate without end.

Rules have names, as in focuscrawl.url.filters. The limits for segments and repeats are Heritrix's (PathologicalPath,
TooManyPathSegments). The shape alone cannot tell a trap from a large site, so focuscrawl.frontier.yields watches what URLs
bring.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator

from focuscrawl.recent import Recent
from focuscrawl.url.filters import CODE_VIEWERS, MAX_LENGTH
from focuscrawl.url.normalize import split

MOST_SEGMENTS = 20
MOST_REPEATS = 2
"""How often one segment may occur; a query parameter once more."""
MOST_PARAMETERS = 8
FIRST_YEAR, YEARS_AHEAD = 1990, 1
"""An ordinary calendar begins with this year, and ends so many years from now."""

REASONS = {
    "length": "the URL is too long",
    "segments": "the path has too many segments",
    "repeat": "the same path segments repeat, in the URL or from directory to directory",
    "parameters": "too many query parameters",
    "query-repeat": "the same query parameters repeat or are nested in each other",
    "calendar": "a calendar page far from today",
    "yield": "it lies in a part of the web that brought next to nothing",
    "mirror": "its host is the mirror of another one, of which it has nearly all pages",
}

_FOUR_DIGITS = re.compile(r"[0-9]{4}")
_CALENDAR = re.compile(
    r"/(?P<path>(?:19|2[01])\d\d)/(?:0[1-9]|1[0-2])(?=[/?]|$)"
    r"|[/=](?P<date>(?:19|2[01])\d\d)-(?:0?[1-9]|1[0-2])(?:-\d\d?)?(?=[/?&.]|$)"
    r"|[?&](?:year|yr|y|cal_?year|jahr|annee|ano|nian)=(?P<year>\d{4})(?=&|$)"
    r"|[?&](?:month|date|day|ym|ymd|cal|calendar|start|from|to|d)="
    r"(?P<packed>(?:19|2[01])\d\d)(?:0[1-9]|1[0-2])(?:\d\d)?(?=&|$)",
    re.IGNORECASE,
)
"""Matches years only if a month or a parameter's name shows that they are dates, because ids may have four digits, too."""
_NESTED = re.compile(r"%2525|(?:%3F|%26)[^&]*%253F", re.IGNORECASE)
"""A URL inside a URL inside a URL, as it grows in `?next=` if a login page links to itself."""


def trap_rule(url: str, now: float = 0.0, parent: str = "") -> str:
    """Name of the first shape rule that refuses this normal URL (a key of `REASONS`), empty if none does.

    now: epoch seconds; 0 leaves the calendar's upper end open. parent: the page that links to it.
    """
    if len(url) > MAX_LENGTH:
        return "length"
    path, _, query = split(url)[1].partition("?")
    if path.count("/") > MOST_REPEATS:  # fewer segments cannot repeat too often
        segments = [segment for segment in path.split("/") if segment]
        if len(segments) > MOST_SEGMENTS:
            return "segments"
        if len(set(segments)) < len(segments) and _repeats(segments):
            return "repeat"
    rule = _query_rule(query) if query else ""
    if not rule and _FOUR_DIGITS.search(url) and _CALENDAR.search(url, 8):  # 8: behind the scheme
        rule = _calendar_rule(url, now, parent)
    return rule


def _repeats(segments: list[str]) -> bool:
    """Whether one segment occurs more than MOST_REPEATS times in a part of the path, or a run of two or more twice in a row:
    /a/b/a/b/. Numbers do not count."""
    if any(count > MOST_REPEATS for part in _parts(segments) for count in Counter(part).values()):
        return True
    count = len(segments)
    for size in range(2, count // 2 + 1):
        for start in range(count - 2 * size + 1):
            run = segments[start : start + size]
            if run == segments[start + size : start + 2 * size] and not all(map(str.isdigit, run)):
                return True
    return False


def _parts(segments: list[str]) -> tuple[list[str], list[str]]:
    """The names in a path without its numbers: those of a project on a code host, and those of its sources, which often repeat
    them (/django/django/blob/main/django/). The first part is empty on other hosts."""
    names = [segment for segment in segments if not segment.isdigit()]
    sources = next((place for place, name in enumerate(names) if name in CODE_VIEWERS), 0)
    return names[:sources], names[sources:]


REPEATED_NAMES = 2
"""How many of its own names a URL repeats at least for `GrowingPaths` to count it."""
ORDINARY = 3
"""How many such URLs below one directory are accepted."""
MOST_DIRECTORIES = 10_000
"""Most directories that `GrowingPaths` remembers."""


class GrowingPaths:
    """Finds directories below which URLs repeat their own names, each in another way, because a relative link grows.

    One URL that repeats two of its names, as /a/b/c/b/a, is ordinary. Several of them below one directory are not, if pages of
    their own host link to them: the 26 851 pages of two recorded webs have no such directory. Links of other hosts do not
    count: they are not relative. Each process counts for itself; memory is bounded."""

    def __init__(self) -> None:
        self._found: Recent[str, set[str]] = Recent(MOST_DIRECTORIES)
        """By directory: the accepted URLs that repeat names below it."""

    def grows(self, url: str, parent: str) -> bool:
        """Whether this normal URL repeats its names below a directory that has had enough such URLs. parent: the page that
        links to it; from another host that is no relative link."""
        if url.count("/") <= 2 + REPEATED_NAMES:
            return False  # too few names
        origin, path = split(url)
        if origin != split(parent)[0]:
            return False
        segments = [segment for segment in path.partition("?")[0].split("/") if segment]
        if all(len(part) - len(set(part)) < REPEATED_NAMES for part in _parts(segments)):
            return False
        directory = f"{origin}/{segments[0]}"
        found = self._found.get(directory, set())
        self._found.note(directory, found)
        if url not in found and len(found) >= ORDINARY:
            return True
        found.add(url)
        return False


def _query_rule(query: str) -> str:
    pairs = query.split("&")
    if len(pairs) > MOST_PARAMETERS:
        return "parameters"
    names = Counter(pair.partition("=")[0] for pair in pairs)
    if len(set(pairs)) < len(pairs) or max(names.values()) > MOST_REPEATS + 1 or _NESTED.search(query):
        return "query-repeat"
    return ""


def _calendar_rule(url: str, now: float, parent: str) -> str:
    """Years to come are nobody's archive. Early ones are refused only where a calendar of today steps back to them: an archive
    of old newspapers is entered from its lists."""
    for beginning, year in _years(url):
        if now and year > time.gmtime(now).tm_year + YEARS_AHEAD:
            return "calendar"
        if year < FIRST_YEAR and any(at == beginning and of >= FIRST_YEAR for at, of in _years(parent)):
            return "calendar"
    return ""


def _years(url: str) -> Iterator[tuple[str, int]]:
    """The years of the dates in a URL, each with what is before the date, without a query."""
    start = url.find("/", 8)
    for found in _CALENDAR.finditer(url, start) if start > 0 else ():
        year = found["path"] or found["date"] or found["year"] or found["packed"]
        yield url[: found.start()].partition("?")[0], int(year)
