"""What the store knows of a URL before a fetch: its page, its revisit record, and the profile of its host."""

from __future__ import annotations

from dataclasses import dataclass, replace

from focuscrawl.items import EXAMPLE, Lease, PageSignature
from focuscrawl.recrawl import gone
from focuscrawl.recrawl.gone import Gone
from focuscrawl.recrawl.state import RevisitRecord, SiteProfile
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
