"""Decides what a finished fetch means for its URL: from a Page to an event of the state table, and when to try again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.frontier.lanes import LANE
from focuscrawl.frontier.states import Event
from focuscrawl.items import Page
from focuscrawl.politeness.pace import DEFAULT_RETRY

UNFETCHED = frozenset({"aborted", "address-busy", "robots-unknown"})
"""Errors that say nothing about the URL: it goes back to the frontier, and no fetch has ended."""
MAX_HOPS = 10
"""Redirects in a row before a URL is given up (RFC 9110 section 15.4 asks for cyclic redirections to be detected)."""

HOP_FACTOR = 0.5
"""Share of a link's priority that remains if its URL redirects to another registered domain."""

_NO_CONNECTION = frozenset({"timeout", "connect", "reset", "dns", "dns-failed"})
# Errors of other names, such as that of a body over the cap, give the URL up at once.
RETRY_ERRORS = _NO_CONNECTION | {"certificate", "truncated", "coding", "protocol"}
FILTER_ERRORS = frozenset({"type", "address", "port", "scheme", "host", "method", "header", "proxy"})
REDIRECT_REFUSED = "redirect-to-"
"""The error of a redirect whose target a rule refuses begins so; the rule's name follows."""
GATEWAY_STATUS = frozenset({502, 503, 504}) | frozenset(range(520, 531))
"""What stands before the host says so where nothing answers behind it."""
NO_ANSWER = _NO_CONNECTION | {f"http-{status}" for status in GATEWAY_STATUS}
"""Reasons of tries to which the host itself gave no answer. A page that fails by an error of its own (500) is an answer."""
BUSY_STATUS = frozenset({429, 503})
"""The host asks to be left alone for a while: its pace waits (politeness). See `_busy`."""
RETRY_STATUS = frozenset({408, 425, 500}) | GATEWAY_STATUS - BUSY_STATUS
LONGEST_WAIT = 86_400.0
"""Most seconds of such a wait that are waited, here as by the host's pace: some servers name the year 9999."""

PROBE_FACTOR = 4
"""A URL by which a failing host was probed waits four times as long and has four times as many tries. So each probe takes
another URL, none is given up because its host was down for hours, and URLs that never answer do not hide the others. A URL
whose host is busy has as many tries."""


@dataclass(slots=True, frozen=True)
class FetchOutcome:
    """What a finished fetch means for its URL."""

    event: Event
    reason: str = ""
    """Short name of what happened, for reports: `http-404`, `timeout`, `robots` …"""
    retry_in: float = 0.0
    """Seconds until the next try; only for RETRY."""


def outcome_of(page: Page, retry_delays: Sequence[float], jitter: float | None = None) -> FetchOutcome:
    """Judge a finished fetch.

    Args:
        retry_delays: seconds before each further try. After the last one the URL is given up.
        jitter: factor of the delay; None: 0.8 to 1.2 at random.
    """
    if page.unmodified:  # set only for conditional requests
        return FetchOutcome(Event.UNCHANGED)
    if page.error:
        return _of_error(page, retry_delays, jitter)
    if page.status == 200:
        return FetchOutcome(Event.DUPLICATE if page.duplicate else Event.STORED)
    return _of_status(page, retry_delays, jitter)


def will_retry(page: Page, retry_delays: Sequence[float]) -> bool:
    """Whether the URL is tried again, so that this fetch does not say yet what it brings."""
    return outcome_of(page, retry_delays, 1.0).event is Event.RETRY


def priority_after_hop(priority: float) -> float:
    """The priority of the target of a redirect to another registered domain, which is less than that of the link that led to
    the redirect. Below 0, where priorities are depths, a redirect counts as one more click."""
    if priority >= LANE:
        return LANE + HOP_FACTOR * (priority - LANE)
    return HOP_FACTOR * priority if priority > 0 else priority - 1.0


def _of_error(page: Page, delays: Sequence[float], jitter: float | None) -> FetchOutcome:
    if page.error == "robots":
        return FetchOutcome(Event.DENIED, page.error)
    if page.error in FILTER_ERRORS or page.error.startswith(REDIRECT_REFUSED):
        return FetchOutcome(Event.FILTERED, page.error)
    if page.error in RETRY_ERRORS:
        return _retry(page, page.error, delays, jitter)
    return FetchOutcome(Event.GAVE_UP, page.error)


def _of_status(page: Page, delays: Sequence[float], jitter: float | None) -> FetchOutcome:
    status, reason = page.status, f"http-{page.status}"
    if status in (301, 302, 303, 307, 308):
        if not page.redirect:
            return FetchOutcome(Event.GAVE_UP, "redirect-broken")
        if page.redirect == page.lease.url or page.lease.hops >= MAX_HOPS:
            return FetchOutcome(Event.GAVE_UP, "redirect-loop")
        return FetchOutcome(Event.REDIRECTED)
    if status in (404, 410):
        return FetchOutcome(Event.GONE, reason)
    if status in BUSY_STATUS:
        return _busy(page, reason, delays)
    if status in RETRY_STATUS:
        return _retry(page, reason, delays, jitter)
    return FetchOutcome(Event.GAVE_UP, reason)


def _busy(page: Page, reason: str, delays: Sequence[float]) -> FetchOutcome:
    """The host, or only this URL, asks for a pause. The URL waits twice as long with each try, and without a Retry-After longer
    than its host does, so that others are asked in between: one that is always refused must not hide them, nor be asked for
    ever. It is not given up while nothing else of its host is answered either."""
    tries, wait = page.lease.tries, page.retry_after
    if tries >= PROBE_FACTOR * max(1, len(delays)) and not page.lease.probe:
        return FetchOutcome(Event.GAVE_UP, reason)
    if wait is None or page.lease.probe:
        wait = max(wait or 0.0, 2 * DEFAULT_RETRY)
    return FetchOutcome(Event.RETRY, reason, min(max(0.0, wait) * 2.0 ** min(tries, 20), LONGEST_WAIT))


def _retry(page: Page, reason: str, delays: Sequence[float], jitter: float | None) -> FetchOutcome:
    patience = PROBE_FACTOR if page.lease.probe else 1
    if page.lease.tries >= patience * len(delays):
        return FetchOutcome(Event.GAVE_UP, reason)
    factor = random.uniform(0.8, 1.2) if jitter is None else jitter
    return FetchOutcome(Event.RETRY, reason, patience * delays[min(page.lease.tries, len(delays) - 1)] * factor)
