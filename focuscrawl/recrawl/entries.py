"""What sitemaps and feeds have in common: which URLs they may announce, and whether their times mean anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from focuscrawl.items import SITEMAP, SourceEntry
from focuscrawl.recrawl.state import DAY
from focuscrawl.url.filters import MAX_LENGTH
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.scope import Scope

NOW_SHARE = 0.8
"""Of the times in a sitemap: when more of them lie within a day of its fetch, they say when it was made, not what changed."""
FEW = 5
"""Fewer times than this may all be of today."""
AHEAD = DAY
"""A time so far ahead of the clock is a wrong zone or the end of a day; what is farther ahead says nothing."""


@dataclass(slots=True)
class SourceContent:
    """What was read from one sitemap, index of sitemaps, or feed."""

    entries: list[SourceEntry] = field(default_factory=list)
    further: list[SourceEntry] = field(default_factory=list)
    """Sitemaps that an index names, with their times."""
    feed: bool = False


def speaks_for(kind: int, source: str, url: str) -> bool:
    """May a sitemap or feed at the normal URL `source` announce `url`? A sitemap for its own host (sitemaps.org, "Sitemap file
    location"; with and without `www.`), a feed for its registered domain."""
    own, other = host_name(source), host_name(url)
    if own == other:
        return True
    if kind == SITEMAP:
        return own.removeprefix("www.") == other.removeprefix("www.")
    return registered_domain(own) == registered_domain(other)


def source_rule(scope: Scope, url: str) -> str:
    """The rule that refuses a sitemap or feed, which is no page: patterns of what is wanted say nothing about it."""
    rule = scope.refuses(url)
    return "length" if len(url) > MAX_LENGTH else "" if rule == "include" else rule


def plausible(modified: float, now: float) -> float:
    """The time that an entry tells, 0 when it cannot be: before 1990, or more than a day ahead."""
    return modified if 631_152_000.0 <= modified <= now + AHEAD else 0.0


def tells_changes(entries: Iterable[SourceEntry], now: float) -> bool:
    """Whether the times of these entries, of one sitemap fetched `now`, say when pages changed."""
    times = [entry.modified for entry in entries if entry.modified]
    recent = sum(abs(now - time) < DAY for time in times)
    return len(times) < FEW or recent <= NOW_SHARE * len(times)


def merged(entries: Iterable[SourceEntry]) -> list[SourceEntry]:
    """One entry for each URL: the first, with the latest of its times."""
    found: dict[str, SourceEntry] = {}
    for entry in entries:
        known = found.get(entry.url)
        if known is None:
            found[entry.url] = entry
        elif entry.modified > known.modified:
            found[entry.url] = replace(known, modified=entry.modified)
    return list(found.values())
