"""What sitemaps and feeds have in common: which URLs they may announce, and which of their times are used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from focuscrawl.items import SITEMAP, SourceEntry
from focuscrawl.recrawl.state import DAY
from focuscrawl.url.filters import MAX_LENGTH
from focuscrawl.url.hosts import bare_host, host_name, registered_domain
from focuscrawl.url.scope import Scope

NOW_SHARE = 0.8
"""If more than this share of the times in a sitemap lie within a day of its fetch, they say when it was made and not when the
pages changed."""
FEW = 5
"""Fewer times than this are used even if all are of today."""
MAX_TITLE, MAX_URL = 300, 4_096
"""Characters of an entry's title that are kept, and of its URL as written; an entry with a longer URL is left out."""
AHEAD = DAY
"""Seconds. A time up to so far in the future is a wrong zone or the end of a day; later ones are not used."""


@dataclass(slots=True)
class SourceContent:
    """What was read from one sitemap, sitemap index or feed."""

    entries: list[SourceEntry] = field(default_factory=list)
    further: list[SourceEntry] = field(default_factory=list)
    """Sitemaps that an index names, with their times."""
    feed: bool = False
    sites: bool = False
    """Whether it lists sites of others (OPML), and `further` their feeds."""


def may_announce(kind: int, source: str, url: str) -> bool:
    """Whether a sitemap or feed at the normal URL `source` may announce `url`: a sitemap any URL of its own host (sitemaps.org,
    "Sitemap file location"; with or without `www.`), a feed any URL of its registered domain."""
    own, other = host_name(source), host_name(url)
    if own == other:
        return True
    if kind == SITEMAP:
        return bare_host(source) == bare_host(url)
    return registered_domain(own) == registered_domain(other)


def source_rule(scope: Scope, url: str) -> str:
    """The name of the rule that refuses a sitemap or feed; empty if none does. Patterns of wanted pages (`include`) do not
    count, because it is not a page."""
    rule = scope.refuses(url)
    return "length" if len(url) > MAX_LENGTH else "" if rule == "include" else rule


def plausible(modified: float, now: float) -> float:
    """The time that an entry gives; 0 if it cannot be true: before 1990, or more than a day in the future."""
    return modified if 631_152_000.0 <= modified <= now + AHEAD else 0.0


def gives_change_times(entries: Iterable[SourceEntry], now: float) -> bool:
    """Whether the times in a sitemap fetched `now` say when its pages changed, not when the sitemap was made."""
    times = [entry.modified for entry in entries if entry.modified]
    recent = sum(abs(now - time) < DAY for time in times)
    return len(times) < FEW or recent <= NOW_SHARE * len(times)


def merged(entries: Iterable[SourceEntry]) -> list[SourceEntry]:
    """One entry for each URL: its first one, with the latest of its times."""
    found: dict[str, SourceEntry] = {}
    for entry in entries:
        known = found.get(entry.url)
        if known is None:
            found[entry.url] = entry
        elif entry.modified > known.modified:
            found[entry.url] = replace(known, modified=entry.modified)
    return list(found.values())
