"""Is a page gone? Listed at the first 404 or 410, taken out only when that is confirmed, and looked at again even then.

    state     404                       410       200    301, 308   errors, 302, 303, 307
    LIVE      SUSPECT                   SUSPECT   LIVE   MOVED      as it was, later again
    SUSPECT   SUSPECT; GONE at the      GONE      LIVE   MOVED      as it was, later again
              third visit or later,
              3 days after the first
    GONE      GONE                      GONE      LIVE   MOVED      as it was, later again
    MOVED     MOVED                     MOVED     LIVE   MOVED      as it was, later again

A soft 404 (`recrawl.soft404`) counts as a 404. While most of the host's fetches fail, nothing counts: that is an outage
or a block, and what it answers to the rest proves nothing. Times are seconds since the epoch.
"""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum

from focuscrawl.recrawl.state import DAY, Visit

SLACK = 0.1 * DAY
"""Cron comes at the same time each day, and sees each page some minutes earlier or later."""
AGAIN = (1 * DAY - SLACK, 3 * DAY - SLACK, 9 * DAY - SLACK)
"""A page that seems gone is looked at again after these."""
CONFIRMED_VISITS, CONFIRMED_SPAN = 3, 3 * DAY
"""So many visits in a row over so long find a 404 before it counts."""
TOMBSTONE, RAREST = 90 * DAY, 730 * DAY
"""What is gone or has moved is looked at again after the first, each time twice as long, at most the second."""
SHORTEST_DELAY, LONGEST_DELAY, SHARE_DELAY = 1 * DAY - SLACK, 30 * DAY, 0.25
"""A page that cannot be fetched is tried again after this share of the time since it was last seen, within these."""
OUTAGE = 0.5
WEIGHT = 0.1
"""Of the latest fetch in the host's share of failures, which so is that of its last 20 or so."""

_GONE, _MOVED = 100, 200
"""`Visit.gone` counts visits in a row that found nothing, and from these on those since it was gone or had moved."""
_MOST = 90


class Gone(IntEnum):
    """As the store keeps it in `page.gone`."""

    LIVE = 0
    SUSPECT = 1
    GONE = 2
    MOVED = 3


def state_of(visit: Visit) -> Gone:
    """What the record says."""
    if visit.gone >= _MOVED:
        return Gone.MOVED
    if visit.gone >= _GONE:
        return Gone.GONE
    return Gone.SUSPECT if visit.gone > 0 else Gone.LIVE


def missing(visit: Visit, status: int, failing: float, now: float) -> tuple[Visit, Gone]:
    """After an answer that says that there is no such page: 404, 410, or 200 for a soft 404. failing: share of the
    host's last fetches that failed."""
    if failing > OUTAGE:
        return failed(visit, now), state_of(visit)
    visit, state = replace(visit, signal=0.0), state_of(visit)  # whatever was told of it, this is what there is
    if state in (Gone.GONE, Gone.MOVED):
        return _buried(visit, state, now), state
    count = min(visit.gone + 1, _MOST)
    first = visit.gone_at if visit.gone else now
    if _is_confirmed(count, status, now - first):
        return _buried(replace(visit, gone_at=first), Gone.GONE, now), Gone.GONE
    wait = AGAIN[0] if status == 410 else AGAIN[min(count, len(AGAIN)) - 1]
    return replace(visit, gone=count, gone_at=first, checked_at=now, due_at=now + wait), Gone.SUSPECT


def moved(visit: Visit, now: float) -> Visit:
    """After a permanent redirect to another address. (A temporary one is a `failed`: it says nothing about the page.)"""
    first = visit.gone_at if state_of(visit) is Gone.MOVED else now
    return _buried(replace(visit, gone_at=first), Gone.MOVED, now)


def found(visit: Visit) -> Visit:
    """After an answer with the page: whatever was thought of it is over. When to look again is the policy's business."""
    return replace(visit, gone=0, gone_at=0.0)


def failed(visit: Visit, now: float) -> Visit:
    """After a fetch that says nothing about the page (timeout, DNS, 5xx, 403, 429, robots.txt): later again, the later
    the longer it has not been seen."""
    seen = max(visit.checked_at, visit.first_at)
    wait = (now - seen) * SHARE_DELAY if seen else 0.0
    return replace(visit, due_at=now + min(max(wait, SHORTEST_DELAY), LONGEST_DELAY))


def failing_after(failing: float, failed: bool) -> float:
    """The host's share of failures after one more fetch."""
    return (1 - WEIGHT) * failing + WEIGHT * failed


def _is_confirmed(count: int, status: int, span: float) -> bool:
    """410 is meant to be for ever (RFC 9110, section 15.5.11): it needs but one visit before. 404 may be a mishap."""
    if status == 410:
        return count > 1
    return count >= CONFIRMED_VISITS and span >= CONFIRMED_SPAN


def _buried(visit: Visit, state: Gone, now: float) -> Visit:
    """Out of the collection, and looked at again rarely. A look before its time (`--all`) moves nothing."""
    if state_of(visit) is state and now < visit.due_at:
        return replace(visit, checked_at=now)
    base = _MOVED if state is Gone.MOVED else _GONE
    looks = visit.gone - base + 1 if state_of(visit) is state else 0
    wait = min(TOMBSTONE * 2 ** min(looks, 10), RAREST)
    return replace(visit, gone=base + min(looks, _MOST), checked_at=now, due_at=now + wait)
