"""What does the answer to /robots.txt mean, and until when? RFC 9309, section 2.3.1 (status) and 2.4 (caching).

A state is one row of the store. `wait` means that the origin must not be asked for anything but its robots.txt: server
errors and silence are a complete disallow. While that lasts the tries grow apart with the time waited (5 minutes to 6
hours), the last good rules are kept, and after 30 days they, or none, hold again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from focuscrawl.politeness.robots import ALLOW_ALL, DENY_ALL, MAX_BYTES, RobotsCache, RobotsFile

MAX_REDIRECTS = 5
LONGEST_LIFE = 86_400.0
FIRST_RETRY = 300.0
LONGEST_RETRY = 21_600.0
LONGEST_WAIT = 30 * 86_400.0


@dataclass(slots=True, frozen=True)
class RobotsState:
    """Columns of the table `robots`. Times in epoch seconds."""

    state: Literal["rules", "allow", "deny", "wait"]
    status: int
    """HTTP status; 0 when no answer came."""
    body: bytes = b""
    """Rules; in `wait` those that held before."""
    fetched_at: float = 0.0
    """When the rules came; while the file is unreachable, since when it is."""
    expires_at: float = 0.0
    """When the file must be fetched again."""


@dataclass(slots=True, frozen=True)
class RobotsAnswer:
    """The end of one try to fetch /robots.txt, at most MAX_REDIRECTS redirects followed; a further one is the answer."""

    status: int = 0
    """HTTP status of the last hop; 0 when none came."""
    body: bytes = b""
    retry_after: float | None = None
    """Seconds, from the header."""


def decide(
    answer: RobotsAnswer, now: float, previous: RobotsState | None = None, *, forbidden_allows: bool = True
) -> RobotsState:
    """The new state of an origin.

    previous: what the store holds. forbidden_allows: 401 and 403 mean "no rules" as in the RFC; False takes them as a
    wish to be left alone.
    """
    status = answer.status
    if 200 <= status < 300:
        return RobotsState("rules", status, answer.body[: MAX_BYTES + 1], now, now + LONGEST_LIFE)
    if status == 304 and previous and previous.state == "rules":
        return RobotsState("rules", status, previous.body, now, now + LONGEST_LIFE)
    if status in (401, 403) and not forbidden_allows:
        return RobotsState("deny", status, b"", now, now + LONGEST_LIFE)
    if status == 429 or not 300 <= status < 500:
        return _unreachable(answer, now, previous)
    # 4xx, and a redirect that leads nowhere or too far: unavailable, "may access any resources".
    return RobotsState("allow", status, b"", now, now + LONGEST_LIFE)


def rules_of(origin: str, state: RobotsState | None, cache: RobotsCache) -> RobotsFile | None:
    """The rules that hold for an origin; None while it must not be asked."""
    if state is None or state.state == "wait":
        return None
    if state.state == "rules":
        return cache.file(origin, state.fetched_at, lambda: state.body)
    return DENY_ALL if state.state == "deny" else ALLOW_ALL


def _unreachable(answer: RobotsAnswer, now: float, previous: RobotsState | None) -> RobotsState:
    since = previous.fetched_at if previous and _was_unreachable(previous.status) else now
    body = previous.body if previous else b""
    waited = max(now - since, 0.0)
    if waited >= LONGEST_WAIT:
        return RobotsState("rules" if body else "allow", answer.status, body, since, now + LONGEST_LIFE)
    pause = min(max(waited, FIRST_RETRY, answer.retry_after or 0.0), max(LONGEST_RETRY, answer.retry_after or 0.0))
    return RobotsState("wait", answer.status, body, since, now + min(pause, LONGEST_LIFE))


def _was_unreachable(status: int) -> bool:
    return status == 429 or not 200 <= status < 500
