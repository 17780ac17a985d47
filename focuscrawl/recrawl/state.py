"""What freshness is decided from: a page's record of visits, its host's profiles, and what a visit has seen.

Times are seconds since the epoch; rates are changes per day, and exposures and periods days.
"""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.items import LINK

DAY = 86_400.0


@dataclass(slots=True, frozen=True)
class RevisitRecord:
    """The row of a page (or sitemap, or feed) in the table `visit`, which says what each column is."""

    hid: int
    uid: int
    kind: int = LINK
    due_at: float = 0.0
    value: float = 0.0
    first_at: float = 0.0
    checked_at: float = 0.0
    read_at: float = 0.0
    changed_at: float = 0.0
    visits: int = 0
    changes: int = 0
    unread: int = 0
    shape: float = 0.0
    exposure: float = 0.0
    period: float = 0.0
    weight: float = 0.0
    hub: float = 0.0
    magnitude: float = 0.0
    signal: float = 0.0
    signal_at: float = 0.0
    signal_kind: int = 0
    gone: int = 0
    gone_at: float = 0.0
    signature_simhash: int = 0
    """Unsigned here, signed in the store."""
    signature_digest: bytes = b""
    length: int = -1
    etag: str = ""
    modified: str = ""
    rest: int = 3


@dataclass(slots=True, frozen=True)
class SiteProfile:
    """The row of a host in the table `profile`."""

    hid: int = 0
    changes: float = 0.0
    exposure: float = 0.0
    threshold: float = 0.0
    headers_right: int = 0
    headers_wrong: int = 0
    sitemap_right: int = 0
    sitemap_wrong: int = 0
    feed_right: int = 0
    feed_wrong: int = 0
    failure_share: float = 0.0
    soft404_simhash: int | None = None
    """Unsigned here, signed in the store."""
    soft404_probed_at: float = 0.0


@dataclass(slots=True, frozen=True)
class Seen:
    """What a visit that succeeded has seen."""

    at: float
    distance: int | None = None
    """Bits between the SimHashes of the words of the last and this version; None: the body was not read, for server or headers
    said that it is the same."""
    modified_at: float = 0.0
    """Time of the last change as a Last-Modified says that is trusted; 0: unknown."""
    promise: float = 0.0
    """Of the links that nobody had seen before: the sum of their scores."""
    relevance: float = 0.0
    """Weight of the page itself, in [0, 1]."""
