"""The parts that were closed, for people."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from focuscrawl.frontier.part_counts import NAMED, NAMES, NEW, TRIAL, Counts


@dataclass(frozen=True, slots=True)
class Barren:
    """A part that was closed."""

    part: str
    """Address that begins it or masked template; `first visits` …"""
    fetched: float
    """Lately."""
    gain: float
    repeats: bool
    """Rather because it repeats itself than because it is off the topic."""

    def __str__(self) -> str:
        """A sentence without a full stop."""
        if self.repeats:
            return f"{self.part}: most of the last {self.fetched:.0f} pages say what was said before"
        return f"{self.part}: {self.gain:.0f} of the last {self.fetched:.0f} pages brought something"


def words(part: str) -> str:
    """A part as people are told of it."""
    kind, _, name = part.partition(" ")
    if part == NEW:
        return "first visits to domains that nothing was known of"
    if part == TRIAL:
        return "domains on trial"
    if part == NAMED:
        return f"first visits to domains that {NAMES} others name"
    if kind == "n":
        return f"first visits to domains that {name} names"
    if kind == "m":
        return f"new hosts of {name}"
    return name


def barren_of(part: str, counts: Counts) -> Barren:
    return Barren(words(part), counts.fetched, counts.gain, counts.says_nothing_new)


def widest(parts: Mapping[str, Counts]) -> list[Barren]:
    """Those that are closed, with most fetches first; of nested ones the widest."""
    closed = [(part, counts) for part, counts in parts.items() if counts.closed]
    closed.sort(key=lambda item: (-item[1].fetched, len(item[0])))
    found: list[Barren] = []
    for part, counts in closed:
        if not any(_lies_in(words(part), other.part) for other in found):
            found.append(barren_of(part, counts))
    return found


def _lies_in(name: str, other: str) -> bool:
    return name.startswith(other) or re.search(rf"[./]{re.escape(other)}/", f"{name}/") is not None
