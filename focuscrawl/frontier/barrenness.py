"""The rules by which a part of the web is barren, so that links into it are refused, and by which it opens again; and what is
said of closed parts to people.

Each rule is a pure function of what the part has brought (`Counts`) and of what a fetch in the rest of the crawl brings at
least (`rest`). `focuscrawl.frontier.part_judge` asks the rules after each fetch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from focuscrawl.frontier.fetch_yield import REPEATS
from focuscrawl.frontier.part_counts import FEW, MOST_REPEATING, Counts, lower, upper
from focuscrawl.frontier.part_names import FILES, FIRST, HOPS, VALUES, WIDE_PARTS, words

SURE_SHARE = 0.06
"""A part that surely brings less than this is closed even if that is more than `share` of a poor crawl's harvest …"""
MOST_SHARE = 0.5
"""… unless it may bring this share of what the rest does."""
WIDE = 0.25
"""Factor of the floor for hosts and domains. It is lower because their sections differ, and one that was not found yet may be
on the topic."""
TRIES = 10.0
"""A part decides also over templates of which hardly anything was read once so many fetches in it have brought nothing since it
was closed: of templates there may be no end."""
SAME = 0.5
"""A value in URLs makes no difference if surely more than this share of the URLs that differ in it alone show the same
page."""


def is_barren(part: str, counts: Counts, rest: float, share: float, pages: float = 0.0) -> bool:
    """Whether a part is barren.

    A part that copies is barren whatever it brings, because the first pages of a farm, whose text was not seen before, bring as
    much as any. A part that only repeats is barren only if the rest surely brings more: on small blogs most sentences of a page
    stand on every page, and a crawl that has found little yet would close the only host that it has.

    Args:
        part: Its name, which begins with its kind.
        counts: What it has brought.
        rest: What a fetch in the rest of the crawl brings at least.
        share: FRONTIER_BARREN_SHARE.
        pages: For files and for redirects within a domain: the pages that were fetched from URLs of their template.
    """
    if part.startswith(FILES):
        return counts.repeating >= FEW and lower(counts.repeating, counts.repeating + pages) > SAME
    if part.startswith(VALUES):
        return lower(counts.repeating, counts.fetched) > SAME
    if part.startswith(HOPS):
        return lower(counts.repeating, counts.fetched + pages) > MOST_REPEATING
    if brings_too_little(part, counts, rest, share):
        return True
    return part[:1] not in FIRST and counts.repeats and upper(counts.gain, counts.fetched) < rest


def brings_too_little(part: str, counts: Counts, rest: float, share: float) -> bool:
    """Whether a part copies, or surely brings less than the floor; see `is_barren`."""
    most, least = upper(counts.gain, counts.fetched), floor(rest, share)
    if part[:1] in FIRST:
        most = min(most, upper(0.0, counts.fruitless))
    if part[:2] in WIDE_PARTS:
        least *= WIDE
    return most < least or counts.copies


def floor(rest: float, share: float) -> float:
    """The gain of a fetch below which a part is barren, if a fetch in the rest of the crawl brings `rest`."""
    return min(max(share * rest, SURE_SHARE), MOST_SHARE * rest)


def is_fruitful(counts: Counts, rest: float) -> bool:
    """Whether a closed part opens again, because it surely brings something new. A host does whose endless search was closed. A
    part does not open only because the rest is exhausted."""
    if counts.repeats or counts.probably_copies:
        return False
    return lower(counts.gain, counts.fetched) > max(MOST_SHARE * rest, SURE_SHARE)


def is_new_enough(counts: Counts) -> bool:
    """Whether so much is known of a narrow part, and so little of it was seen before, that it is judged apart from the wider
    part around it."""
    return counts.fetched >= FEW and counts.repeating < REPEATS * counts.fetched and not counts.probably_copies


def is_hardly_tried(counts: Counts) -> bool:
    """Whether a closed part does not copy, and little was tried in it since. The lists of a department say the same, and the
    issues of a project are off the topic, but what they lead to is not."""
    return not counts.probably_copies and counts.tried < TRIES


@dataclass(frozen=True, slots=True)
class Barren:
    """A part that was closed."""

    part: str
    """Its name for people: a domain, a host, the beginning of its URLs, their masked template, or `first visits` …"""
    fetched: float
    """Recent fetches there."""
    gain: float
    """What these have brought, in relevant pages."""
    repeats: bool
    """Whether it was closed because its pages repeat text seen before, not because they are off the topic."""

    files: bool = False
    """Whether it was closed because files are there that are no pages."""

    def __str__(self) -> str:
        """Why the part was closed: a sentence without a full stop."""
        if self.files:
            return f"{self.part}: the last {self.fetched:.0f} answers were files, not pages"
        if self.repeats:
            return f"{self.part}: most of the last {self.fetched:.0f} pages repeat what was read before"
        return f"{self.part}: {self.gain:.0f} of the last {self.fetched:.0f} pages brought something"


def barren_of(part: str, counts: Counts) -> Barren:
    """A closed part, from its name in the table and its counts."""
    return Barren(words(part), counts.fetched, counts.gain, counts.says_nothing_new, part.startswith(FILES))


def widest(parts: Mapping[str, Counts]) -> list[Barren]:
    """The closed parts, those with most fetches first. A part that lies in one that comes before it is left out."""
    closed = [(part, counts) for part, counts in parts.items() if counts.closed]
    closed.sort(key=lambda item: (-item[1].fetched, len(item[0])))
    listed: list[Barren] = []
    for part, counts in closed:
        if not any(_lies_in(words(part), other.part) for other in listed):
            listed.append(barren_of(part, counts))
    return listed


def _lies_in(name: str, other: str) -> bool:
    """Whether a part is nested in another one, by their names for people."""
    return name.startswith(other) or re.search(rf"[./]{re.escape(other)}/", f"{name}/") is not None
