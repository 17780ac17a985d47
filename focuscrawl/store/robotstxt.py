"""The robots.txt of origins, as fetched, with the time until which it holds (RFC 9309 section 2.4)."""

from __future__ import annotations

from collections.abc import Iterable

from focuscrawl.politeness.robots_state import RobotsState
from focuscrawl.store.database import Database


def load_robots(db: Database, origins: Iterable[str]) -> dict[str, RobotsState]:
    found = {}
    for origin in origins:
        row = db.execute("select state, status, body, fetched_at, expires_at from robots where origin=?", (origin,)).fetchone()
        if row:
            found[origin] = RobotsState(*row)
    return found


def save_robots(db: Database, hid: int, origin: str, state: RobotsState) -> None:
    """Keep the answer; pages of the host are leased, or the next try is made, accordingly."""
    db.dialect.lock_names_of(db, [hid])
    db.execute(
        """insert into robots(origin, state, status, body, fetched_at, expires_at) values(?, ?, ?, ?, ?, ?)
        on conflict(origin) do update set state=excluded.state, status=excluded.status, body=excluded.body,
        fetched_at=excluded.fetched_at, expires_at=excluded.expires_at""",
        (origin, state.state, state.status, state.body, state.fetched_at, state.expires_at),
    )
    until = 0.0 if state.state == "wait" else state.expires_at
    db.execute("update host set robots_until=? where hid=?", (until, hid))
