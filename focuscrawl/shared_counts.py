"""What the workers of a crawl learn together: sums that each of them adds to, in any order.

A learner hands out what it has learned since the last time in parts, plain data for JSON, and takes the parts of others.
Workers that have each other's parts know the same as one worker that has learned all of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Protocol, TypeVar

Part = dict[str, Any]
PART_ROWS = 5000
"""Rows of a table in one part: to write, read or add them takes a few milliseconds."""
Value = TypeVar("Value")


class Learned(Protocol):
    """A learner of one process."""

    def take(self) -> Iterator[Part]:
        """What was learned here since the last call. It may be read later, in another thread, and so may `whole`."""
        ...

    def add(self, part: Part) -> None:
        """What was learned elsewhere. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        ...

    def whole(self) -> Iterator[Part]:
        """All that is known as of the call, right behind a `take`: another learner that begins and adds it knows as much."""
        ...

    def restart(self) -> None:
        """Forget all but what `take` has not handed out yet: the whole is going to be added."""
        ...


def sliced(rows: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """The rows in pieces of at most PART_ROWS; one empty piece for no rows."""
    if not rows:
        yield {}
    items = iter(rows.items())
    while piece := dict(islice(items, PART_ROWS)):
        yield piece
