"""What has a fetch brought, and what does that count for a part of the web?

A fetch brings 1 for a relevant page, less for one that mostly says what was said before, 0 for everything else, also for a
redirect that leaves its domain.
"""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.dedup.novelty import Said
from focuscrawl.frontier.part_counts import FIRST, MOST_COPYING, TRIAL, WIDE_PARTS, Counts
from focuscrawl.frontier.same_values import without_values
from focuscrawl.url.normalize import split

OWN = 11 / 16
"""What the same host has said before counts so much of a copy, for lists quote the articles that they name. (A binary fraction:
counts of several workers add up to the same in any order.)"""
REPEATS = 0.5
"""A page of whose sentences more than this share was known repeats others."""
NOTHING_SAID = Said()


@dataclass(frozen=True, slots=True)
class Brought:
    """What a fetch has brought."""

    url: str
    """That was asked for."""
    parent: str = ""
    """URL of the page that named it; empty for what was given."""
    relevant: bool = False
    """And no duplicate."""
    original: str = ""
    """URL of the page that it repeats."""
    redirect: str = ""
    """URL that it redirects to."""
    said: Said = NOTHING_SAID
    """What of its text was said before."""

    @property
    def gain(self) -> float:
        return min(1.0, (1.0 - self.said.known) / (1.0 - REPEATS)) if self.relevant else 0.0

    def counts(self, part: str, doubt: float = 0.0, weight: float = 1.0) -> Counts:
        """What it is for the part. `doubt`: how much of what other domains have said counts against its host and domain.

        An irrelevant page without a sentence says nothing new, as one that repeats others."""
        copied = self._copied(part, doubt)
        repeating = self.said.known > REPEATS or (self.said.silent and not self.gain)
        return Counts(weight, weight * self.gain, weight * repeating, weight * copied, weight * copied * copied)

    def _copied(self, part: str, doubt: float) -> float:
        """How much of its own text counts as copied.

        What other domains have said counts against first visits, and against hosts and domains as far as they are in doubt: a
        section of a good host may have been read on a farm first. What given domains have said counts against all of them, and
        so does what other hosts of the same domain have said. First visits that copy count as wholly copied: hardly an honest
        one does.

        What is known as the copy of one page counts against first visits, for mirrors, and against directories and templates
        where that page lies on the same host: an article may stand on two good hosts, and a farm's page has pieces of many."""
        said, first, wide = self.said, part[:1] in FIRST, part[:2] in WIDE_PARTS
        if self.original and (part == TRIAL or not first):
            return OWN if not first and not wide and self._repeats_its_host else 0.0
        foreign = said.foreign if first else max(said.given, doubt * said.foreign) if wide else 0.0
        copied = OWN * said.own + (said.sister if first or wide else 0.0) + foreign
        return float(copied > MOST_COPYING) if first else copied

    @property
    def _repeats_its_host(self) -> bool:
        """Whether the page that it repeats lies on its host, at an address that differs in more than one value: else the value
        makes no difference, and is counted itself."""
        if split(self.original)[0] != split(self.url)[0]:
            return False
        return set(without_values(self.url).values()).isdisjoint(without_values(self.original).values())
