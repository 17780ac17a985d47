"""Queues URLs again that earlier runs refused by a setting which lets them pass now.

What a run lets pass is kept in the store, by the name of the rule, so that the next one sees whether it lets more pass."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import orjson

from focuscrawl.frontier.states import Event, State, advance
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.host_rows import HostChanges

PASSED = "let pass by "
"""Begins the names under which it is kept."""
STATES = f"state in ({State.FILTERED:d}, {State.DENIED:d}, {State.FAILED:d}) and error=?"
REFUSED = f"""select hid, uid from url where {STATES}
    and not exists (select 1 from revisit v where v.hid=url.hid and v.uid=url.uid) order by hid, uid"""
AGAIN = f"""update url set state={advance(State.FILTERED, Event.DUE):d}, error='', due_at=0, tries=0
    where hid=? and uid=? and {STATES}"""


class Passing(NamedTuple):
    """What a rule lets pass in this run."""

    rule: str
    """The error of a URL that it refuses."""
    values: Collection[str]
    """One for each thing that it lets pass. A URL may pass that was refused where one is new."""


def queue_refused(db: Database, passing: Passing, now: float) -> int:
    """Note what the rule lets pass; where that is more than in the run before, queue again what it has refused. A page that was
    stored once is left to recrawls. Returns the number of URLs."""
    before = read_meta(db, PASSED + passing.rule)
    values = sorted(passing.values)
    set_meta(db, PASSED + passing.rule, orjson.dumps(values).decode())
    if before is None or set(values) <= set(orjson.loads(before)):
        return 0
    keys = db.execute(REFUSED, (passing.rule,)).fetchall()
    db.executemany(AGAIN, [(hid, uid, passing.rule) for hid, uid in keys])
    hosts = HostChanges()
    hosts.look_again(hid for hid, _ in keys)
    hosts.write(db, now)
    return len(keys)
