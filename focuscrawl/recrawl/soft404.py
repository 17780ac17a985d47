"""Does a page with status 200 say that there is no such page? Asked is what the host says to an address that cannot be.

Known as soft 404 (Bar-Yossef et al., WWW 2004): a page that has changed a lot is compared with the answer to a random
address of its host. Two guards keep whole sites alive whose every address shows the same page (programs that draw
their pages in the browser, hosts that answer everything with the home page): only a page that was another one before
(`suspicious`) can be sorry now, and an answer that is the host's home page is no sorry page (`sorry_of`).
"""

from __future__ import annotations

import base64
import hashlib

from focuscrawl.dedup.simhash import distance as bits
from focuscrawl.items import Mark
from focuscrawl.recrawl.state import DAY, Habit

ANOTHER = 18
"""Bits from which on two texts have nothing in common but their site's phrases; texts of no relation differ in 32."""
CHANGED_MUCH = 8
"""With a text that lost half of its length, so many bits are enough."""
NEAR = 6
"""Bits between what the host says to two addresses that cannot be. They may name the address: one word that differs is within
3 bits for half of the pages of 40 words, and within 6 for nine in ten; texts that share half of their words differ in 20."""
KNOWN_FOR = 30 * DAY
NAME_LENGTH = 24
"""Characters of a name that no page has."""


def suspicious(distance: int, old_length: int, new_length: int) -> bool:
    """Whether a page changed so much that its host is to be asked what it says to an address that cannot be.

    distance: bits between the SimHashes of the words of the old and the new version. Lengths in any one unit; negative
    when they are not known. Asking costs one request for each host and month, so this may be wrong often.
    """
    if distance >= ANOTHER:
        return True
    return distance >= CHANGED_MUCH and 0 <= new_length < old_length / 2


def is_sorry(mark: Mark, habit: Habit) -> bool:
    """Whether words are those that the host says to an address that cannot be. Ask `suspicious` first."""
    if not habit.sorry or not mark.simhash:
        return False
    return bits(mark.simhash, habit.sorry) <= NEAR


def sorry_of(status: int, mark: Mark, home: Mark | None) -> int | None:
    """What to keep as `Habit.sorry` of the answer to a probe; None when the host has no sorry page: it says 404, has no
    words (of which the SimHash is 0), redirects, or shows its home page (`home`; None: not in the store)."""
    if status != 200 or not mark.simhash:
        return None
    if home is not None and bits(mark.simhash, home.simhash) <= NEAR:
        return None
    return mark.simhash


def probe_url(origin: str, month: int = 0) -> str:
    """An address of the origin (`https://example.org`) that cannot be: letters and digits at random, always the same ones
    for the same `month` (any number)."""
    name = base64.b32encode(hashlib.sha256(f"probe {month} {origin}".encode()).digest())
    return f"{origin}/{name.decode().lower()[:NAME_LENGTH]}"


def stale(habit: Habit, now: float) -> bool:
    """Whether the host has to be asked (again)."""
    return habit.sorry_at <= 0 or not 0 <= now - habit.sorry_at <= KNOWN_FOR
