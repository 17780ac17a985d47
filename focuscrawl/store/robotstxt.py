"""The robots.txt of origins, as fetched, with the time until which it holds (RFC 9309 section 2.4)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from focuscrawl.politeness.robots_state import RobotsState


def load_robots(db: sqlite3.Connection, origins: Iterable[str]) -> dict[str, RobotsState]:
    found = {}
    for origin in origins:
        row = db.execute("select state, status, body, fetched_at, expires_at from robots where origin=?", (origin,)).fetchone()
        if row:
            found[origin] = RobotsState(*row)
    return found


def save_robots(db: sqlite3.Connection, hid: int, origin: str, state: RobotsState) -> None:
    """Keep the answer; pages of the host are leased, or the next try is made, accordingly."""
    db.execute(
        "insert or replace into robots(origin, state, status, body, fetched_at, expires_at) values(?, ?, ?, ?, ?, ?)",
        (origin, state.state, state.status, state.body, state.fetched_at, state.expires_at),
    )
    until = 0.0 if state.state == "wait" else state.expires_at
    db.execute("update host set robots_until=? where hid=?", (until, hid))
