"""What waits in parts of the web that proved barren (`focuscrawl.frontier.yields`) waits no longer: it is put aside, as what an
operator removes is, and `scrapy frontier add` queues it again. Links to it are refused as long as its part stays closed."""

from __future__ import annotations

from collections.abc import Callable

from focuscrawl.frontier.lanes import LANE
from focuscrawl.frontier.states import BARREN, Event, State, advance
from focuscrawl.items import LINK
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.url.normalize import join

Admits = Callable[[str, str], bool]
"""Of a URL and the URL of the page that names it (empty: nobody does): may it be fetched?"""
MOST = 20_000
"""Waiting URLs of a host that are looked at in one go, 10 µs each: the best ones; the rest follow when they come up."""

WAITING = f"""select u.uid, u.path, p.url from url u left join page p on p.page_id=u.parent
    where u.hid=? and u.state in ({State.QUEUED:d}, {State.WAIT:d}) and u.kind={LINK} and u.priority<{LANE}
    order by u.priority desc limit ?"""
BEST = f"""select u.path, p.url, u.kind from url u left join page p on p.page_id=u.parent
    where u.hid=? and u.state={State.QUEUED:d} order by u.priority desc limit 1"""
PUT_ASIDE = f"""update url set state={advance(State.QUEUED, Event.REMOVED):d}, error='{BARREN}', due_at=0
    where hid=? and uid=? and state in ({State.QUEUED:d}, {State.WAIT:d})"""


def put_aside(db: Database, hid: int, admits: Admits, now: float) -> int:
    """Put aside what waits on this origin and is not admitted; returns how many URLs that were."""
    origin = _origin(db, hid)
    rows = db.execute(WAITING, (hid, MOST)).fetchall() if origin else []
    refused = sorted(uid for uid, path, parent in rows if not admits(join(origin, path), parent or ""))
    for uid in refused:
        db.execute(PUT_ASIDE, (hid, uid))
    if refused:
        hosts = HostChanges()
        hosts.look_again([hid])
        hosts.write(db, now)
    return len(refused)


def is_wanted(db: Database, hid: int, admits: Admits) -> bool:
    """Whether the best URL that waits on this origin is admitted, or was given."""
    row = db.execute(BEST, (hid,)).fetchone()
    if row is None:
        return True
    path, parent, kind = row
    return kind != LINK or admits(join(_origin(db, hid), path), parent or "")


def _origin(db: Database, hid: int) -> str:
    row = db.execute("select origin from host where hid=?", (hid,)).fetchone()
    return str(row[0]) if row else ""
