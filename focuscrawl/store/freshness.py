"""What the store knows of the visits to one page, for people who ask. Reads only."""

from __future__ import annotations

from dataclasses import dataclass

from focuscrawl.recrawl.state import Visit
from focuscrawl.store.database import Database
from focuscrawl.store.versions import Version, versions_of
from focuscrawl.store.visits import load_visit


@dataclass(slots=True, frozen=True)
class Freshness:
    visit: Visit
    versions: tuple[Version, ...] = ()
    """The former ones that are kept, the oldest first."""


def freshness_of(db: Database, hid: int, uid: int, pid: int) -> Freshness | None:
    """None for a URL that has never been fetched. `pid`: of its page; 0 where there is none (sitemaps, feeds)."""
    visit = load_visit(db, hid, uid)
    return Freshness(visit, tuple(versions_of(db, pid)) if pid else ()) if visit else None
