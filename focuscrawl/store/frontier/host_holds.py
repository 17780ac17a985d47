"""Holds hosts for operators: no URL of a held host is fetched until the operator releases it. A host name is held in all its
rows, and a row that is added later is held, too (`store.frontier.host_rows`)."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from functools import partial

from focuscrawl.errors import BadInput
from focuscrawl.store.engines.database import WAITING_STATES, Database
from focuscrawl.store.frontier.operator_changes import change

HELD_HOSTS = f"""select h.name, min(h.origin),
    sum((select count(*) from url u where u.hid=h.hid and u.state in {WAITING_STATES}))
    from host h where h.held=1 group by h.name order by 1"""
MOST_NEAR = 20_000
"""Most host names among which one similar to a mistyped name is searched for."""


@dataclass(slots=True, frozen=True)
class HeldHost:
    """A held host name."""

    name: str
    origin: str
    """One of its origins."""
    waiting: int
    """URLs that wait on all its origins."""


def hold(db: Database, name: str, held: bool) -> int:
    """Hold a host name, or release it. Returns the number of rows that changed: 0 if it was so already.

    Raises BadInput, with the most similar name, for a host that the crawl does not know."""
    return change(db, partial(_hold, name=name, held=held))


def _hold(db: Database, name: str, held: bool) -> int:
    hids = [hid for (hid,) in db.execute("select hid from host where name=? order by hid", (name,)).fetchall()]
    if not hids:
        raise BadInput(f"the crawl knows no host {name!r}{_near(db, name)}")
    db.dialect.lock_hosts(db, hids, (name,))
    return db.execute("update host set held=? where name=? and held<>?", (int(held), name, int(held))).rowcount


def held_hosts(db: Database) -> list[HeldHost]:
    """The held host names, sorted."""
    return [HeldHost(name, origin, int(waiting or 0)) for name, origin, waiting in db.execute(HELD_HOSTS)]


def _near(db: Database, name: str) -> str:
    """The end of a message that proposes the host name most similar to this one; empty if none is similar."""
    names = [each for (each,) in db.execute("select distinct name from host limit ?", (MOST_NEAR,))]
    near = difflib.get_close_matches(name, names, 1, 0.6)
    return f"; did you mean {near[0]!r}?" if near else ""
