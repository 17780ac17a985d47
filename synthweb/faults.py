"""Failures that the server injects, by address: the same seed gives the same failures."""

from __future__ import annotations

from dataclasses import dataclass

from synthweb.hashing import number_of, unit
from synthweb.hosts import Host

ALWAYS = 1_000_000
BURST_EVERY, BURST_LENGTH = 40, 4
"""Of every 40 requests to a failing host the last 4 are answered 503, whatever they ask for."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A failure of the first `times` requests of an address."""

    kind: str = ""
    """error500, busy503, limit429, reset, hang, cut (gzip or body breaks off); empty for none."""
    times: int = 0
    retry_after: int = 0
    """Seconds, for busy503 and limit429."""


NONE = Fault()
SHARES = (
    (0.10, Fault("error500", 1)),
    (0.14, Fault("error500", ALWAYS)),
    (0.22, Fault("busy503", 1, 1)),
    (0.30, Fault("limit429", 1, 2)),
    (0.36, Fault("reset", 1)),
    (0.40, Fault("cut", ALWAYS)),
    (0.43, Fault("hang", 1)),
)


def fault_of(seed: int, host: Host, target: str) -> Fault:
    """The failure of an address; home page and robots.txt never fail."""
    if not host.role.faults or target in ("/", "/robots.txt"):
        return NONE
    share = unit(seed, number_of(host.name + target), 31)
    return next((fault for limit, fault in SHARES if share < limit), NONE)


def in_burst(host: Host, requests: int) -> bool:
    """True while a failing host answers everything with 503; `requests` counts those it had before."""
    return host.role.faults and requests % BURST_EVERY >= BURST_EVERY - BURST_LENGTH
