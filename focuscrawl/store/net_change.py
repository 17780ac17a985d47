"""What several changes of one page come to for a reader who knows the collection as it was before them.

Every row of the table `change` says something of before and after: `new` and `back` (once it was gone) come in, `gone` and
`moved` go out, `changed` and `suspect` stay. So the first and the last row of a time say whether the page was there before it
and is there after it, whatever lies between.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from focuscrawl.store.change_log import Kind

LEFT, JOINED = "left", "joined"
"""Details of a `changed`: it is in the collection no more (not relevant now, a copy, not to be indexed), or not before."""
NEVER_OUT = Kind.SUSPECT.value
"""Detail of a `back`: the page had been missed, but was never taken out."""


class Net(StrEnum):
    """The list a page is told in."""

    NEW = "new"
    CHANGED = "changed"
    GONE = "gone"
    SUSPECT = "suspect"
    """Missing at the last visit, not confirmed: it is in the collection still."""


@dataclass(slots=True, frozen=True)
class Span:
    """The rows of one page within a time, as far as they matter."""

    first: Kind
    last: Kind
    changed: bool = False
    """There is a row `changed`, or a `back` with another text."""
    out: bool = True
    """A first row `back` ends an absence."""
    left: int = 0
    """Number of the first `changed` that left the collection; 0: none did."""
    joined: int = 0
    """The same of those that joined it."""
    inside: bool = True
    """The page belongs to the collection now, as far as relevance, copies and noindex go."""


def net_of(span: Span) -> Net | None:
    """None: a reader has nothing to do."""
    before, after = _was_there(span), span.inside and span.last not in (Kind.GONE, Kind.MOVED)
    if before and after:
        if span.changed:
            return Net.CHANGED
        return Net.SUSPECT if span.last is Kind.SUSPECT else None
    if after:
        return Net.NEW
    return Net.GONE if before else None


def reason_of(span: Span, net: Net) -> str:
    """Why it is in this list, for a person: new, back, joined, changed, gone, moved, left or suspect."""
    if net is Net.NEW:
        return span.first.value if span.first in (Kind.NEW, Kind.BACK) else JOINED
    if net is Net.GONE:
        return span.last.value if span.last in (Kind.GONE, Kind.MOVED) else LEFT
    return net.value


def _was_there(span: Span) -> bool:
    if span.first is Kind.NEW or (span.first is Kind.BACK and span.out):
        return False
    if span.left or span.joined:
        return bool(span.left) and not 0 < span.joined < span.left
    return span.inside
