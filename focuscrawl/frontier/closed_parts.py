"""Describes the closed parts of the web to people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from focuscrawl.frontier.part_counts import FILES, HOPS_ON, NAMED, NAMES, NEW, TRIAL, Counts


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


def words(part: str) -> str:
    """The name of a part for people."""
    kind, _, name = part.partition(" ")
    if part == NEW:
        return "first visits to unknown domains"
    if part == TRIAL:
        return "domains on trial"
    if part == NAMED:
        return f"first visits to domains that {NAMES} others name"
    if kind == "n":
        return f"first visits to domains that {name} names"
    if kind == "m":
        return f"new hosts of {name}"
    if kind == "r":
        return f"redirects from {name.removesuffix(HOPS_ON)}"
    return name


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
