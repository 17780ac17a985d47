"""What does the answer to /robots.txt mean, and until when? RFC 9309, section 2.3.1 (status) and 2.4 (caching).

A state is one row of the store. `wait` means that the origin must not be asked for anything but its robots.txt: server
errors and silence are a complete disallow. While that lasts the tries grow apart with the time waited (5 minutes to 6
hours), the last good rules are kept, and after 30 days they, or none, hold again. A file that broke off is as unreachable, for
what is missing of it may forbid what the rest allows; but where there are good rules from before, these hold meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from focuscrawl.politeness.robots import ALLOW_ALL, DENY_ALL, MAX_BYTES, RobotsFile

MAX_REDIRECTS = 5
"""Hops that are followed to a robots.txt: RFC 9309, section 2.3.1.2, asks for at least five."""
LONGEST_LIFE = 86_400.0
"""Seconds for which an answer holds: RFC 9309, section 2.4, allows no more than 24 hours."""
FIRST_RETRY = 300.0
"""Seconds until an origin whose robots.txt could not be had is asked for it again, at least; each later pause is as long as the
time waited so far."""
LONGEST_RETRY = 21_600.0
"""Seconds between such tries, at most: a host that is back is noticed within six hours."""
LONGEST_WAIT = 30 * 86_400.0
"""Seconds after which an unreachable robots.txt counts as none: the example of RFC 9309, section 2.3.1.4."""


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
    error: str = ""
    """Why no answer came, or none to go by, as `RequestOutcome.error` names it: `dns`, `timeout`, `truncated` …"""


@dataclass(slots=True, frozen=True)
class RobotsAnswer:
    """The end of one try to fetch /robots.txt, at most MAX_REDIRECTS redirects followed; a further one is the answer."""

    status: int = 0
    """HTTP status of the last hop; 0 when none came."""
    body: bytes = b""
    retry_after: float | None = None
    """Seconds, from the header."""
    error: str = ""
    """Why none came."""
    cut: bool = False
    """It broke off: what came is no file to go by, for the rules that are missing may be those that forbid."""


def decide(
    answer: RobotsAnswer, now: float, previous: RobotsState | None = None, *, forbidden_allows: bool = True
) -> RobotsState:
    """The new state of an origin.

    previous: what the store holds. forbidden_allows: 401 and 403 mean "no rules" as in the RFC; False takes them as a
    wish to be left alone.
    """
    status = answer.status
    if 200 <= status < 300 and answer.cut:
        return _broken_off(answer, now, previous)
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


def rules_of(state: RobotsState) -> RobotsFile | None:
    """The rules that hold for an origin in this state, parsed; None while it must not be asked."""
    if state.state == "wait":
        return None
    if state.state == "rules":
        return RobotsFile.parse(state.body)
    return DENY_ALL if state.state == "deny" else ALLOW_ALL


def _broken_off(answer: RobotsAnswer, now: float, previous: RobotsState | None) -> RobotsState:
    """Unreachable, but the host answers: the last good rules go on (section 2.4), as long as tries for new ones do."""
    state = _unreachable(replace(answer, status=0, error="truncated"), now, previous)
    return replace(state, state="rules") if state.body else state


def _unreachable(answer: RobotsAnswer, now: float, previous: RobotsState | None) -> RobotsState:
    since = previous.fetched_at if previous and _was_unreachable(previous.status) else now
    body = previous.body if previous else b""
    waited = max(now - since, 0.0)
    if waited >= LONGEST_WAIT:
        return RobotsState("rules" if body else "allow", answer.status, body, since, now + LONGEST_LIFE, answer.error)
    pause = min(max(waited, FIRST_RETRY, answer.retry_after or 0.0), max(LONGEST_RETRY, answer.retry_after or 0.0))
    return RobotsState("wait", answer.status, body, since, now + min(pause, LONGEST_LIFE), answer.error)


def _was_unreachable(status: int) -> bool:
    return status == 429 or not 200 <= status < 500
