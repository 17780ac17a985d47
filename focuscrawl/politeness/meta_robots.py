"""Whether a fetched page may be kept and its links followed, by META robots, X-Robots-Tag and rel.

Rules for our own token are added to those for all robots. If header and tags differ, the most restrictive one wins.
`unavailable_after` in the past means noindex. Directives that only limit display (snippets, previews) are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from focuscrawl.items import UNFOLLOWED
from focuscrawl.politeness.pace import http_time

# Directives with a value, whose names are not those of bots.
_WITH_VALUE = {"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"}
_MAX_LENGTH = 4_000
"""Characters of one header or tag that are read, to bound the work."""

_DATE = re.compile(
    r"unavailable_after\s*:\s*(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\s*,\s*)?(?P<date>[^,;]*)",
    re.IGNORECASE,
)
"""The day of the week, whose comma would end the directive, is not read."""
_DISPLAY = re.compile(r"max-(?:snippet|image-preview|video-preview)\s*:\s*[^\s,;]*", re.IGNORECASE)
"""Removed before reading, because its value may be `none`, which here does not mean noindex and nofollow."""
# A part of a header that names a bot before a colon.
_NAMED = re.compile(r"\s*([a-z0-9_.*-]+)\s*:\s*(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(slots=True, frozen=True)
class Directives:
    """What the page's owner forbids."""

    noindex: bool = False
    """The page may not enter the collection, but its links may be followed."""
    nofollow: bool = False
    """None of the page's links may be followed."""

    def __or__(self, other: Directives) -> Directives:
        return Directives(self.noindex or other.noindex, self.nofollow or other.nofollow)


def directives(metas: Iterable[tuple[str, str]], headers: Iterable[str], agent: str, now: float) -> Directives:
    """All directives of a page, joined.

    Args:
        metas: (name, content) of its META elements, whatever their names.
        headers: The values of its X-Robots-Tag headers.
        agent: Our product token.
        now: Epoch seconds, for `unavailable_after`.
    """
    total = Directives()
    for name, content in metas:
        if name.strip().lower() in ("robots", agent.lower()):
            total |= _judge(content[:_MAX_LENGTH], now)
    for part in header_directives(headers, agent):
        total |= _judge(part, now)
    return total


def unfollowed(rel: Iterable[str]) -> str:
    """The rel token for which a link is not followed (`nofollow`, `ugc`, `sponsored`), or an empty string."""
    tokens = {token.lower() for token in rel}
    return next((token for token in UNFOLLOWED if token in tokens), "")


def _judge(text: str, now: float) -> Directives:
    """The directives in the content of one META element, or in one part of a header."""
    over = [at for found in _DATE.finditer(text) if (at := http_time(found["date"])) is not None and at <= now]
    words = set(re.split(r"[\s,;]+", _DISPLAY.sub(" ", _DATE.sub(" ", text)).lower()))
    none = "none" in words
    return Directives(noindex=none or "noindex" in words or bool(over), nofollow=none or "nofollow" in words)


def header_directives(headers: Iterable[str], agent: str) -> Iterator[str]:
    """The directives of X-Robots-Tag headers that hold for our product token `agent` or for all robots."""
    for value in headers:
        for bot, directive in _by_bot(value[:_MAX_LENGTH]):
            if bot in ("", "*", agent.lower()):
                yield directive


def _by_bot(value: str) -> Iterator[tuple[str, str]]:
    """The parts of a header value as (bot, directive). Proxies join headers with commas, so a bot's name holds until the next;
    the bot is empty before the first name."""
    bot = ""
    for part in re.split(r"[,;]", _DATE.sub(lambda found: f"unavailable_after: {found['date']}", value)):
        found = _NAMED.match(part)
        if found and found[1].lower() not in _WITH_VALUE:
            bot, part = found[1].lower(), found[2]
        yield bot, part
