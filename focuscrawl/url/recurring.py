"""Finds directories that recur: they lead to their own names again, as the directory above them did.

/browse/ leads to /browse/more/ and /browse/back/, and /browse/more/ to /browse/more/more/ and /browse/more/back/, because each
page has the same relative links. Any of these URLs may be ordinary, so that `focuscrawl.url.traps` lets most of them through.
But where two directories recur in one, all that lies deeper is more of the same. On the 26 851 pages of two recorded webs not
one directory recurs.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice

from focuscrawl.recent import Recent

MOST_DIRECTORIES = 10_000
"""Most directories that are remembered."""
MOST_NAMES = 50
"""Most names that are remembered of one of them."""
SHORT = 2
"""Names of so few characters do not count, nor do numbers: large archives are spread over /a/b/ or /0f/3c/."""
ALIKE = 2
"""Names that a directory that recurs shares at least with the one above it, its own among them."""
ENOUGH = 2
"""How many directories below one have to recur."""


@dataclass(slots=True, eq=False)
class _Directory:
    """What pages have shown of a directory. Names are kept as their hashes."""

    names: array[int] = field(default_factory=lambda: array("q"))
    """The directories right below it to which its pages lead."""
    top: str = ""
    """If it recurs: the directory in which that begins."""
    recurring: frozenset[int] = frozenset()
    """If that begins here: the names that recur …"""
    times: int = 0
    """… and how many directories do."""


class RecurringDirectories:
    """Remembers to which directories pages lead, and finds those that recur. Each process counts for itself. Memory is bounded,
    by some MB."""

    def __init__(self) -> None:
        self._directories: Recent[str, _Directory] = Recent(MOST_DIRECTORIES)
        """By URL, the directories of which pages were read."""
        self._found: Recent[str, frozenset[int]] = Recent(MOST_DIRECTORIES)
        """By URL, the directories in which enough others recur, and the names that do."""

    def read(self, url: str, links: Iterable[str]) -> None:
        """Take note of a page that was read, and of the normal URLs to which it links."""
        directory = _directory_of(url)
        names = _names_below(directory, links)
        if not names:
            return
        here = self._directories.get(directory) or _Directory()
        self._directories.note(directory, here)
        new = (name for name in map(hash, names) if name not in here.names)
        here.names.extend(islice(new, MOST_NAMES - len(here.names)))
        if not here.top:
            self._compare(directory, here)

    def _compare(self, directory: str, here: _Directory) -> None:
        """See whether a directory recurs in the one above it, and count that where the recurrence begins."""
        above, _, name = directory.removesuffix("/").rpartition("/")
        parent = self._directories.get(f"{above}/")
        common = frozenset(here.names).intersection(parent.names) if parent else frozenset()
        if parent is None or hash(name) not in common or len(common) < ALIKE:
            return
        here.top = parent.top or f"{above}/"
        top = self._directories.get(here.top, parent)
        top.recurring |= common
        top.times += 1
        if top.times >= ENOUGH:
            self._found.note(here.top, top.recurring)

    def recurs(self, url: str) -> bool:
        """Whether two names in a row of this normal URL recur in the directory in which they stand."""
        if not self._found:
            return False
        segments = url.partition("?")[0].split("/")
        return any(
            {hash(segments[place]), hash(segments[place + 1])} <= self._found.get("/".join(segments[:place]) + "/", frozenset())
            for place in range(3, len(segments) - 1)  # 3: behind the origin
        )


def _directory_of(url: str) -> str:
    return url.partition("?")[0].rpartition("/")[0] + "/"


def _names_below(directory: str, links: Iterable[str]) -> list[str]:
    """The directories right below one to which links lead, each once."""
    begin = len(directory)
    below = [link[begin:].partition("/") for link in links if link.startswith(directory)]
    names = [name for name, slash, _ in below if slash and "?" not in name and len(name) > SHORT and not name.isdigit()]
    return list(dict.fromkeys(names))
