"""One of each value that most tests need: a test says what matters to it, the rest is plain.

`lease("http://a.test/feed", kind=FEED)` has the numbers of its URL. `page("http://a.test/x", 404)` has a lease of its own,
`page(held)` that one. `limits(delay=1.0)` are those of politeness; without words nothing waits for anything. The frontier of a
store knows URLs after `known(db, "http://a.test/1", …)`, and `leased(db)` is what a worker gets of them.
"""

from __future__ import annotations

from typing import Any

from focuscrawl.items import Lease, Page
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.leasing import LeaseLimits
from focuscrawl.store.frontier.leasing import lease as lease_batch
from focuscrawl.url.key import url_key

URL = "http://a.test/"
NOW = 1_000_000.0
"""By the clock of a store."""


def lease(url: str = URL, **fields: Any) -> Lease:
    return Lease(*url_key(url).url_id, url, **fields)


def page(of: Lease | str = URL, status: int = 200, **fields: Any) -> Page:
    """A page as it was asked for: under the URL of its lease."""
    held = lease(of) if isinstance(of, str) else of
    return Page(held, held.url, status, **fields)


def limits(
    at_once: int = 16, *, delay: float = 0.0, ip_address_at_once: int = 0, ip_address_delay: float = 0.0, **fields: Any
) -> LeaseLimits:
    """`at_once`: requests in flight to a host, and to an IP address unless that is said too."""
    ip_address = PaceSettings(ip_address_delay, ip_address_at_once or at_once, statuses=False)
    return LeaseLimits(PaceSettings(delay, at_once), ip_address, **{"obey_robots": False, **fields})


FREE = limits()
POLITE = limits(1, delay=1.0, ip_address_at_once=4)


def known(db: Database, *urls: str, priority: float = 0.5, at: float = NOW, **fields: Any) -> int:
    """How many of them were new. Each comes a little after the one before it."""
    return discover(db, [DiscoveredUrl(url, priority - 0.001 * n, **fields) for n, url in enumerate(urls)], at)


def leased(db: Database, count: int = 99, *, worker: int = 1, at: float = NOW, limits: LeaseLimits = FREE) -> list[Lease]:
    return lease_batch(db, worker, count, at, limits)
