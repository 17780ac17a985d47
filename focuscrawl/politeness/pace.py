"""When a host, or an IP address, may be asked again: one small record and pure functions on it.

Invariants (checked by Hypothesis tests): `next_at` never goes back; after an answer at `now` it is at least
`now + settings.delay`; a failure never shortens `delay`, however fast it came, because a fast error page is no sign of a fast
server. The record is stored, so that pace, back-off and circuit breaker survive a restart.

The breaker opens after `breaker_fails` failures in a row and is half-open at `next_at`: then one probe is sent, at intervals
that double from `first_probe` to `longest_probe`, so that a host that is down for six hours sees at most 20 requests.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_THROTTLED = (429, 503)
"""Statuses that ask for a pause, with or without Retry-After."""
NO_ADDRESS = frozenset({"dns", "dns-failed"})
"""Errors of the DNS look-up: no host was asked for the page."""
_NO_SERVICE = NO_ADDRESS | frozenset({"timeout", "connect", "reset", "tls", "certificate", "protocol"})
"""Errors that the host is to blame for. Others, such as a body over our cap, are our own decision."""
_NO_MACHINE = frozenset({"timeout", "connect", "reset"})
"""Errors that the machine at the IP address is to blame for."""
_LOWER_WEIGHT = 0.3
"""Weight of a new latency in the moving average if it is lower. It is less than _HIGHER_WEIGHT, so that we slow down faster."""
_HIGHER_WEIGHT = 0.5
"""Weight of a new latency if it is higher. At 1.0 one slow answer would be the whole average."""
_LONGEST_PAUSE = 60.0
"""Seconds to which the doubling pause between failures grows before the breaker takes over."""

DEFAULT_RETRY = 300.0
"""Seconds to wait after a 429 or 503 that does not say how long."""
MAX_CRAWL_DELAY = 120.0
"""Seconds. If robots.txt asks for a longer delay, this one is used instead, which is reported."""


@dataclass(slots=True, frozen=True)
class PaceSettings:
    """What the operator sets, once for hosts and once for IP addresses. Times in seconds."""

    delay: float = 1.0
    """Least time between requests; 0 switches the adaptive delay off, too."""
    concurrency: int = 1
    latency_factor: float = 2.0
    """The adaptive delay is the server's latency times this."""
    longest_adaptive: float = 30.0
    """Upper bound of the adaptive delay."""
    statuses: bool = True
    """Whether HTTP errors count as failures. False for IP addresses: a broken site must not stop others on the server."""
    default_retry: float = DEFAULT_RETRY
    """Pause after a first 429 or 503 without Retry-After; it doubles with each further failure."""
    longest_retry: float = 86_400.0
    """A longer Retry-After is cut to this."""
    breaker_fails: int = 5
    """Failures in a row that open the circuit breaker."""
    first_probe: float = 300.0
    longest_probe: float = 3_600.0


@dataclass(slots=True, frozen=True)
class Pace:
    """What is remembered of a host or IP address. The store keeps it as JSON."""

    delay: float = 0.0
    """Seconds between requests, as now in force."""
    crawl_delay: float = 0.0
    """Seconds, from robots.txt, clamped."""
    latency: float = 0.0
    """Moving average in seconds; 0: not known yet."""
    fails: int = 0
    """Failures in a row."""
    backoff_until: float = 0.0
    next_at: float = 0.0
    """Epoch seconds before which no request is sent."""


@dataclass(slots=True, frozen=True)
class RequestOutcome:
    """How one request ended."""

    latency: float | None = None
    """Seconds to the answer; None if none came."""
    status: int = 0
    """HTTP status; 0 if no answer came."""
    retry_after: float | None = None
    """Seconds, from the header."""
    error: str = ""
    """`dns`, `dns-failed`, `timeout`, `connect`, `reset`, `tls`, `protocol`, or a name for what we refused; empty if an answer
    came and was accepted."""
    ip_address: str = ""
    """The IP address that was asked."""

    @property
    def asked(self) -> bool:
        """Whether the host itself was asked, not only a name server."""
        return self.error not in NO_ADDRESS


def after_answer(pace: Pace, outcome: RequestOutcome, now: float, settings: PaceSettings) -> Pace:
    """The pace after a request that ended at `now`."""
    failed = is_failure(outcome, settings)
    fails = _fails(pace, failed, now)
    latency = _latency(pace.latency, outcome)
    delay = _delay(latency, pace.crawl_delay, settings)
    backoff = pace.backoff_until
    if failed:
        delay = max(delay, pace.delay)
        backoff = max(backoff, now + _pause(outcome, fails, delay, settings))
    return replace(
        pace,
        delay=delay,
        latency=latency,
        fails=fails,
        backoff_until=backoff,
        next_at=max(pace.next_at, backoff, now + delay),
    )


def started(pace: Pace, now: float, settings: PaceSettings) -> Pace:
    """The pace after a request was sent, or leased, at `now`: the next one waits for the delay."""
    delay = max(pace.delay, _delay(pace.latency, pace.crawl_delay, settings))
    return replace(pace, next_at=max(pace.next_at, now + delay))


def with_crawl_delay(pace: Pace, crawl_delay: float | None, settings: PaceSettings) -> Pace:
    """The pace under a newly read robots.txt. A delay above MAX_CRAWL_DELAY is cut to it."""
    wanted = min(max(crawl_delay or 0.0, 0.0), MAX_CRAWL_DELAY)
    return replace(pace, crawl_delay=wanted, delay=_delay(pace.latency, wanted, settings))


def concurrency(pace: Pace, settings: PaceSettings) -> int:
    """How many requests may be in flight at once; one, the probe, while the breaker is not closed."""
    return 1 if pace.fails >= settings.breaker_fails else max(1, settings.concurrency)


def is_failure(outcome: RequestOutcome, settings: PaceSettings) -> bool:
    """Whether the server failed to serve: no answer, 408, 429 or 5xx. A 404 or 403 shows a working server."""
    if not settings.statuses:
        return outcome.error in _NO_MACHINE
    if outcome.error:
        return outcome.error in _NO_SERVICE
    return outcome.status in (0, 408, 429) or outcome.status >= 500


def _fails(pace: Pace, failed: bool, now: float) -> int:
    if not failed:
        return 0
    # Nothing is sent during a back-off, so this request was in flight when it began, and its failure is not news.
    in_flight = pace.fails > 0 and now < pace.backoff_until
    return pace.fails if in_flight else pace.fails + 1


def _latency(known: float, outcome: RequestOutcome) -> float:
    if outcome.latency is None:
        return known
    seen = max(outcome.latency, 0.0)
    if not known:
        return seen
    if seen > known:
        return known + _HIGHER_WEIGHT * (seen - known)
    # Only a success may lower it: a fast error page is no sign of a fast server.
    return known + _LOWER_WEIGHT * (seen - known) if 200 <= outcome.status < 300 and not outcome.error else known


def _delay(latency: float, crawl_delay: float, settings: PaceSettings) -> float:
    adaptive = min(settings.latency_factor * latency, settings.longest_adaptive) if settings.delay > 0 else 0.0
    return max(settings.delay, crawl_delay, adaptive, 0.0)


def _pause(outcome: RequestOutcome, fails: int, delay: float, settings: PaceSettings) -> float:
    """Seconds from now without a request: the longest of what the server asks for and what its failures call for."""
    doubled = float(2 ** min(fails, 20))  # bounded, because a float overflows at 2^1024
    pause = min(delay * doubled, max(_LONGEST_PAUSE, delay))
    if outcome.retry_after is not None:
        pause = max(pause, min(outcome.retry_after, settings.longest_retry), 1.0)
    elif outcome.status in _THROTTLED:
        longest = max(settings.longest_probe, settings.default_retry)
        pause = max(pause, min(settings.default_retry * doubled / 2, longest))
    if fails >= settings.breaker_fails:
        probes = 2.0 ** min(fails - settings.breaker_fails, 20)
        pause = max(pause, min(settings.first_probe * probes, settings.longest_probe))
    return pause


# --- the Retry-After header (RFC 9110, section 10.2.3) -------------------------------------------------------------------

_SECONDS = re.compile(r"[0-9]{1,12}(?:\.[0-9]{1,6})?")


def retry_after_seconds(value: str | None, now: float) -> float | None:
    """Seconds to wait from `now` on, not yet capped; None if the value is not usable.

    A negative number, a date in the past and plain text are not usable. The caller's default then holds, because a server that
    answers 429 with "retry in the past" is not helped by a request at once.
    """
    text = (value or "").strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    at = http_time(text)
    return at - now if at is not None and at > now else None


def http_time(text: str) -> float | None:
    """Epoch seconds of a date written as in HTTP, mail or ISO 8601, in UTC if it names no zone; None for other text."""
    text = text.strip()
    if not text or len(text) > 100:
        return None
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            found = read(text)
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()
        except (ValueError, TypeError, OverflowError, IndexError):
            continue
    return None
