"""What the answer to /robots.txt means for its origin, and until when: RFC 9309, section 2.3.1 (status) and 2.4 (caching).

A state is one row of the store. In the state `wait` the origin may be asked for nothing but its robots.txt, because server
errors and silence are a complete disallow. While it lasts, the pauses between tries grow with the time waited (5 minutes to 6
hours) and the last good rules are kept; after 30 days these rules hold again, or none if there are none.

A file that broke off counts as unreachable, because the missing part may forbid what the rest allows; but if there are good
rules from before, they hold in the meantime.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from focuscrawl.politeness.robots import ALLOW_ALL, MAX_BYTES, RobotsFile

MAX_REDIRECTS = 5
"""How many redirect hops to a robots.txt are followed: RFC 9309, section 2.3.1.2, asks for at least five."""
LONGEST_LIFE = 86_400.0
"""Seconds for which an answer holds: RFC 9309, section 2.4, allows no more than 24 hours."""
FIRST_RETRY = 300.0
"""Least seconds before an unreachable robots.txt is tried again. Each later pause is as long as the time waited so far."""
LONGEST_RETRY = 21_600.0
"""Most seconds between such tries, so that a host that is back is noticed within six hours."""
LONGEST_WAIT = 30 * 86_400.0
"""Seconds after which an unreachable robots.txt counts as none: the example of RFC 9309, section 2.3.1.4."""


@dataclass(slots=True, frozen=True)
class RobotsState:
    """Columns of the table `robots`. Times in epoch seconds."""

    state: Literal["rules", "allow", "wait"]
    status: int
    """HTTP status; 0 when no answer came."""
    body: bytes = b""
    """The robots.txt; in `wait` the one that held before."""
    fetched_at: float = 0.0
    """When the rules were fetched; while the file is unreachable, since when it has been."""
    expires_at: float = 0.0
    """When the file must be fetched again."""
    error: str = ""
    """Why there was no usable answer, as `RequestOutcome.error` names it: `dns`, `timeout`, `truncated` …"""


@dataclass(slots=True, frozen=True)
class RobotsAnswer:
    """The result of one try to fetch /robots.txt. Up to MAX_REDIRECTS redirects are followed; one more is itself the answer."""

    status: int = 0
    """HTTP status of the last hop; 0 if no answer came."""
    body: bytes = b""
    retry_after: float | None = None
    """Seconds, from the header."""
    error: str = ""
    """Why no answer came."""
    cut: bool = False
    """Whether the body broke off. Such a file cannot be used, because the missing rules may be those that forbid."""


def decide(answer: RobotsAnswer, now: float, previous: RobotsState | None = None) -> RobotsState:
    """The new state of an origin.

    Args:
        answer: How the try to fetch robots.txt ended.
        now: Epoch seconds.
        previous: The state in the store.
    """
    status = answer.status
    if 200 <= status < 300 and answer.cut:
        return _broken_off(answer, now, previous)
    if 200 <= status < 300:
        # One byte more than counts, so that the parser sees that a longer file was cut and drops the broken last line.
        return RobotsState("rules", status, answer.body[: MAX_BYTES + 1], now, now + LONGEST_LIFE)
    if status == 304 and previous and previous.state == "rules":
        return RobotsState("rules", status, previous.body, now, now + LONGEST_LIFE)
    if status == 429 or not 300 <= status < 500:
        return _unreachable(answer, now, previous)
    # Other 4xx (401 and 403, too), and redirects that lead nowhere or too far, mean "unavailable": the crawler "may access any
    # resources".
    return RobotsState("allow", status, b"", now, now + LONGEST_LIFE)


def rules_of(state: RobotsState) -> RobotsFile | None:
    """The parsed rules that hold for an origin in this state; None while the origin must not be asked."""
    if state.state == "wait":
        return None
    return RobotsFile.parse(state.body) if state.state == "rules" else ALLOW_ALL


def _broken_off(answer: RobotsAnswer, now: float, previous: RobotsState | None) -> RobotsState:
    """As if unreachable, but since the host answers, the last good rules (section 2.4) hold until a try brings new ones."""
    state = _unreachable(replace(answer, status=0, error="truncated"), now, previous)
    return replace(state, state="rules") if state.body else state


def _unreachable(answer: RobotsAnswer, now: float, previous: RobotsState | None) -> RobotsState:
    """Wait with the last good rules kept; after LONGEST_WAIT go on with them."""
    since = previous.fetched_at if previous and _was_unreachable(previous.status) else now
    body = previous.body if previous else b""
    waited = max(now - since, 0.0)
    if waited >= LONGEST_WAIT:
        return RobotsState("rules" if body else "allow", answer.status, body, since, now + LONGEST_LIFE, answer.error)
    pause = min(max(waited, FIRST_RETRY, answer.retry_after or 0.0), max(LONGEST_RETRY, answer.retry_after or 0.0))
    return RobotsState("wait", answer.status, body, since, now + min(pause, LONGEST_LIFE), answer.error)


def _was_unreachable(status: int) -> bool:
    return status == 429 or not 200 <= status < 500
