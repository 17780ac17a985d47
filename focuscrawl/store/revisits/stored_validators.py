"""Leases of revisits carry the validators of the stored version, so that an unchanged page need not be sent again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from focuscrawl.items import Lease, broke_off
from focuscrawl.recrawl.state import RevisitRecord
from focuscrawl.recrawl.validators import must_read, trusted
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.revisit_rows import PROFILES, REVISITS

KNOWN = f"""select coalesce(p.etag, v.etag), coalesce(p.last_modified, v.modified), coalesce(p.fetched_at, 0),
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
        rows += db.execute(KNOWN + condition, [number for lease in batch for number in lease.url_id]).fetchall()
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
