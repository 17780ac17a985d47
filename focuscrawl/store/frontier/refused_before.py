"""Queues URLs again that earlier runs refused by a setting or an argument which lets them pass now, and the reverse.

What a run lets pass is kept in the store, by the name of the rule, so that the next one sees whether it lets more pass."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

import orjson

from focuscrawl.frontier.states import UNWANTED, Event, State, advance
from focuscrawl.items import LINK
from focuscrawl.store.engines.database import BY_OPERATOR, VISITED, WAITING_STATES, Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.barren import PUT_ASIDE
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.pacing import let_ask
from focuscrawl.store.frontier.some_urls import SomeUrls
from focuscrawl.url.key import BEFORE_ALL, UrlId
from focuscrawl.url.normalize import join

Unwanted = Callable[[str, int], str]
"""Of (a normal URL, clicks from a seed), why the user does not want it in this run: one of UNWANTED; empty if it is wanted."""

PASSED = "let pass by "
"""Begins the names under which it is kept."""
STATES = f"state in ({State.WAIT:d}, {State.FILTERED:d}, {State.DENIED:d}, {State.FAILED:d}) and error=?"
REFUSED = f"""select hid, uid from url where {STATES}
    and not {VISITED} order by hid, uid"""
AGAIN = f"""update url set state={advance(State.FILTERED, Event.DUE):d}, error='', due_at=0, tries=0
    where hid=? and uid=? and {STATES}"""
RESTING = f"""select h.hid from host h join robots r on r.origin=h.origin where r.state='wait' and r.error=?
    union select hid from url where state in {WAITING_STATES} and error=? order by 1"""
"""Hosts that are left alone for what a rule refuses, as those whose certificate is not good. A retry that is due is queued, and
keeps its error."""
MOST_HOSTS = 100
"""Origins that one call of `sort_waiting` looks at."""
MOST_URLS = 20_000
"""URLs that it judges: half a second's work, for which leases and heartbeats wait. A host may have millions."""
HOSTS = "select hid, origin from host where hid>=? order by hid limit ?"
OF_HOST = f"""select uid, state, error, depth, path from url where hid=? and uid>? and kind={LINK} and not {BY_OPERATOR}
    and (state in {WAITING_STATES}
    or (state={State.FILTERED:d} and error in ({", ".join(f"'{error}'" for error in UNWANTED)})))
    and not {VISITED} order by uid limit ?"""


class Passing(NamedTuple):
    """What a rule lets pass in this run."""

    rule: str
    """The error of a URL that it refuses."""
    values: Collection[str]
    """One for each thing that it lets pass. A URL may pass that was refused where one is new."""


def queue_refused(db: Database, passing: Passing, now: float) -> int:
    """Note what the rule lets pass. Where that is more than in the run before, queue again what it has refused, and let the
    hosts be asked that were left alone for it. A page that was stored once is left to recrawls. Returns the number of URLs."""
    before = read_meta(db, PASSED + passing.rule)
    values = sorted(passing.values)
    set_meta(db, PASSED + passing.rule, orjson.dumps(values).decode())
    if before is None or set(values) <= set(orjson.loads(before)):
        return 0
    keys = db.execute(REFUSED, (passing.rule,)).fetchall()
    resting = db.execute(RESTING, (passing.rule, passing.rule)).fetchall()
    db.executemany(AGAIN, [(hid, uid, passing.rule) for hid, uid in keys])
    db.execute("delete from robots where state='wait' and error=?", (passing.rule,))
    for (hid,) in resting:
        let_ask(db, hid, now)
    hosts = HostChanges()
    hosts.look_again(hid for hid, _ in keys)
    hosts.write(db, now)
    return len(keys)


class Sorted(NamedTuple):
    """What `sort_waiting` did with some of the URLs."""

    aside: int
    """How many were put aside."""
    again: int
    """How many wait again."""
    after: UrlId | None
    """Where the next call goes on; None: no more are left."""


def sort_waiting(db: Database, unwanted: Unwanted, now: float, after: UrlId = BEFORE_ALL) -> Sorted:
    """Put aside the waiting links that the user does not want any more, and queue those again that were put aside so and are
    wanted: at most so many of those after `after`. What operators added, and pages that were stored once, stay as they are."""
    hosts, aside, again = HostChanges(), 0, 0
    origins = db.execute(HOSTS, (after[0], MOST_HOSTS)).fetchall()
    some = SomeUrls(db, OF_HOST, origins, after, MOST_HOSTS, MOST_URLS)
    for hid, origin, rows in some:
        for uid, state, error, depth, path in rows:
            rule = unwanted(join(origin, path), depth)
            if rule and state != State.FILTERED:
                aside += db.execute(PUT_ASIDE, (rule, hid, uid)).rowcount
            elif state == State.FILTERED and not rule:
                again += db.execute(AGAIN, (hid, uid, error)).rowcount
        hosts.look_again([hid])
    hosts.write(db, now)
    return Sorted(aside, again, some.after)
