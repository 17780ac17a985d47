"""What the store knows of a URL that was fetched before: for its lease the validators of the stored version, so that an
unchanged page need not be sent again; for its commit the page, its revisit record, and the profile of its host."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from focuscrawl.items import EXAMPLE, Lease, PageSignature, broke_off
from focuscrawl.recrawl import gone
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.state import RevisitRecord, SiteProfile
from focuscrawl.recrawl.validators import must_read, trusted
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.revisit_rows import PROFILES, REVISITS

PERMANENT = (301, 308)
"""Redirects by which a page has moved. After others its old URL is still the one to fetch."""
KNOWN = f"""select p.page_id, p.etag, p.last_modified, p.relevant, p.relevance, p.gone,
    p.original is not null, p.relevant=1 and p.original is null and p.noindex=0,
    {REVISITS.selected("v")}, {PROFILES.selected("a")}
    from url u left join page p on p.hid=u.hid and p.uid=u.uid left join revisit v on v.hid=u.hid and v.uid=u.uid
    left join site_profile a on a.hid=u.hid where u.hid=? and u.uid=?"""


@dataclass(slots=True, frozen=True)
class KnownUrl:
    """What the store knew of a URL before this fetch."""

    lease: Lease
    page_id: int
    """Number of the stored page; 0: none is stored."""
    etag: str
    last_modified: str
    relevant: bool
    relevance: float
    gone: Gone
    is_copy: bool
    """Whether the page has an original."""
    in_collection: bool
    """Whether the page is relevant, not a copy, and may be indexed."""
    record: RevisitRecord | None
    """None: the URL is fetched for the first time."""
    profile: SiteProfile

    @property
    def signature(self) -> PageSignature:
        """Signature of the stored version; an empty one if there is none."""
        return self.record.signature if self.record else PageSignature()

    @property
    def is_page(self) -> bool:
        """Whether the URL is that of a page, not of a sitemap, feed or probe."""
        return self.lease.kind <= EXAMPLE

    def moves_by(self, status: int) -> bool:
        """Whether a redirect with this status means that the page has moved. Not while most of the host's fetches fail: sites
        also redirect for maintenance."""
        return self.is_page and status in PERMANENT and self.profile.failure_share <= gone.OUTAGE

    def unwanted(self) -> KnownUrl:
        """The same URL with a page of no value, so that it is visited no more often than a page that nobody wants."""
        return replace(self, relevance=0.0, record=replace(self.record, hub=0.0) if self.record else None)


def load_known(db: Database, lease: Lease) -> KnownUrl:
    """What the store knows of the URL of a lease, which must have a row in `url`."""
    row = db.execute(KNOWN, lease.url_id).fetchone()
    page_id, etag, modified, relevant, relevance, page_gone, is_copy, in_collection, *rest = row
    revisit, profile = rest[: len(REVISITS.columns)], rest[len(REVISITS.columns) :]
    return KnownUrl(
        lease=lease,
        page_id=page_id or 0,
        etag=etag or "",
        last_modified=modified or "",
        relevant=bool(relevant),
        relevance=relevance or 0.0,
        gone=Gone(page_gone or 0),
        is_copy=bool(is_copy),
        in_collection=bool(in_collection),
        record=None if revisit[0] is None else REVISITS.from_row(revisit),
        profile=SiteProfile(lease.hid) if profile[0] is None else PROFILES.from_row(profile),
    )


VISITED = f"""select coalesce(p.etag, v.etag), coalesce(p.last_modified, v.modified), coalesce(p.fetched_at, 0),
    coalesce(p.truncated, ''), {REVISITS.selected("v")}, {PROFILES.selected("a")}
    from revisit v left join page p on p.hid=v.hid and p.uid=v.uid left join site_profile a on a.hid=v.hid where """
AT_ONCE = 200
"""Leases in one query: SQLite takes at most 1000 terms in a condition."""
OF_REVISIT = slice(4, 4 + len(REVISITS.columns))
OF_PROFILE = slice(4 + len(REVISITS.columns), None)


def with_stored_validators(db: Database, leases: Sequence[Lease]) -> list[Lease]:
    """The leases, with `revisit` and the validators set for those that were fetched before.

    No validators are set where the body is to be read whatever the headers say: for every tenth visit, for a page that was
    found gone or that broke off, and for all pages of a host whose headers were wrong."""
    wanted = [lease for lease in leases if not lease.robots]
    if not wanted:
        return list(leases)
    rows: list[Any] = []
    for start in range(0, len(wanted), AT_ONCE):
        batch = wanted[start : start + AT_ONCE]
        condition = " or ".join(["(v.hid=? and v.uid=?)"] * len(batch))
        rows += db.execute(VISITED + condition, [number for lease in batch for number in lease.url_id]).fetchall()
    if not rows:
        return list(leases)
    known = {(visit.hid, visit.uid): (visit, row) for row in rows if (visit := REVISITS.from_row(row[OF_REVISIT]))}
    return [_with(lease, *known[lease.url_id]) if lease.url_id in known else lease for lease in leases]


def _with(lease: Lease, visit: RevisitRecord, row: Sequence[Any]) -> Lease:
    etag, modified, stored_at, truncated = row[:4]
    believed = row[OF_PROFILE][0] is None or trusted(PROFILES.from_row(row[OF_PROFILE]))
    if must_read(visit) or visit.gone or broke_off(truncated) or not believed:
        return replace(lease, revisit=visit.read_at > 0)
    known = replace(lease, revisit=visit.read_at > 0, etag=etag, last_modified=modified, length=visit.length)
    return replace(known, trusted=True, stored_at=stored_at)
