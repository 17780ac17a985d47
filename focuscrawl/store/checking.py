"""What is looked at again carries with its lease what the stored version was like, so that nothing is fetched for nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from focuscrawl.items import Lease
from focuscrawl.recrawl.validators import must_read, trusted
from focuscrawl.store.database import Database
from focuscrawl.store.visits import HABIT_COLUMNS, VISIT_COLUMNS, habit_of, visit_of

KNOWN = f"""select coalesce(p.etag, v.etag), coalesce(p.last_modified, v.modified), coalesce(p.fetched_at, 0),
    coalesce(p.truncated, ''),
    {", ".join(f"v.{name}" for name in VISIT_COLUMNS)}, {", ".join(f"a.{name}" for name in HABIT_COLUMNS)}
    from visit v left join page p on p.hid=v.hid and p.uid=v.uid left join habit a on a.hid=v.hid where """
AT_ONCE = 200
"""Leases of one query: SQLite takes at most 1000 terms of a condition."""
OF_VISIT = slice(4, 4 + len(VISIT_COLUMNS))
OF_HABIT = slice(4 + len(VISIT_COLUMNS), None)


def with_stored(db: Database, leases: Sequence[Lease]) -> list[Lease]:
    """The leases, of which those that were fetched before say so. Every tenth visit is to be read whatever headers say, and so
    is a page that was found gone, one that broke off, and all of a host whose headers lie: such leases carry no validators."""
    wanted = [lease for lease in leases if not lease.robots]
    if not wanted:
        return list(leases)
    rows: list[Any] = []
    for start in range(0, len(wanted), AT_ONCE):
        part = wanted[start : start + AT_ONCE]
        condition = " or ".join(["(v.hid=? and v.uid=?)"] * len(part))
        rows += db.execute(KNOWN + condition, [key for lease in part for key in (lease.hid, lease.uid)]).fetchall()
    if not rows:
        return list(leases)
    known = {(visit.hid, visit.uid): (visit, row) for row in rows if (visit := visit_of(row[OF_VISIT]))}
    return [_with(lease, *known[lease.hid, lease.uid]) if (lease.hid, lease.uid) in known else lease for lease in leases]


def _with(lease: Lease, visit: Any, row: Sequence[Any]) -> Lease:
    etag, modified, stored_at, truncated = row[:4]
    believed = row[OF_HABIT][0] is None or trusted(habit_of(row[OF_HABIT]))
    broken = truncated not in ("", "length")  # what broke off is fetched whole, not confirmed
    if must_read(visit) or visit.gone or broken or not believed:
        return replace(lease, revisit=visit.read_at > 0)
    known = replace(lease, revisit=visit.read_at > 0, etag=etag, last_modified=modified, length=visit.length)
    return replace(known, trusted=True, stored_at=stored_at)
