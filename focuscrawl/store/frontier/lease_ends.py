"""Ends leases other than by a commit: those that a worker gives back, and those that are taken back from a worker that died (by
kill -9, say). Also wakes URLs that fall due by time."""

from __future__ import annotations

from collections.abc import Sequence

from focuscrawl.frontier.lanes import LANE
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import State
from focuscrawl.items import Lease
from focuscrawl.politeness.pace import MAX_CRAWL_DELAY
from focuscrawl.recrawl.gone import LONGEST_DELAY
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import HostChanges, load_pace
from focuscrawl.store.frontier.leasing import ON_HOLD
from focuscrawl.store.frontier.partitions import awaited, first_due, hosts_of
from focuscrawl.url.normalize import join

WOKEN = 1000
"""Most URLs whose retry is due that are queued before one batch of leases. After an outage of many hosts the others follow with
the next batches, so that no batch waits for all of them."""
MOST_CRASHES = 3
"""Workers that may die while they parse a URL. Then it is set aside."""
READY_OF_KIND = f"""select min(h.ready_at) from url u join host h on h.hid=u.hid
    where u.state={State.QUEUED:d} and u.kind=? and h.held=0"""
PACES = """select pace from host where ready_at<=? and held=0
    and not exists (select 1 from robots r where r.origin=host.origin and r.state='wait')"""
"""Of hosts that may be asked by then. The robots.txt of the others, without which nothing is asked of them, is tried again
later."""
DUE_OF_KIND = f"select min(due_at) from url where state={State.WAIT:d} and kind=?"
WAKE = f"""update url set state={State.QUEUED:d}, due_at=0
    from (select u.hid, u.uid from url u where u.state={State.WAIT:d} and u.due_at<=? limit ?{{lock}}) as due
    where url.hid=due.hid and url.uid=due.uid returning url.hid, url.priority"""
QUEUE_AGAIN = f"update url set state={State.QUEUED:d} where hid=? and uid=? and state={State.LEASED:d} returning priority"


def drop(db: Database, worker: int, lease: Lease) -> bool:
    """End a lease. Returns False if this worker does not hold it any more: then nothing may be written for it."""
    done = db.execute("delete from lease where hid=? and uid=? and worker=?", (lease.hid, lease.uid, worker))
    return done.rowcount == 1


def drop_unsent(db: Database, worker: int, lease: Lease, now: float) -> bool:
    """End a lease as `drop` does. If nothing was reported for it, because its request was never sent, its host is taken off
    hold, too."""
    ended = db.execute(
        "delete from lease where hid=? and uid=? and worker=? returning in_flight", (lease.hid, lease.uid, worker)
    ).fetchone()
    if ended and ended[0]:
        free_host(db, lease.hid, now)
    return ended is not None


def release(db: Database, worker: int, leases: Sequence[Lease], ready_at: float) -> None:
    """Give unfetched URLs back, which does not count as a try. `ready_at`: when their hosts may be asked. These are changed at
    the end, see the lock order in `store.engines.database`."""
    hosts = HostChanges()
    for lease in sorted(leases, key=lambda one: one.url_id):  # URLs in key order, then hosts
        if drop(db, worker, lease):
            _queue_again(db, lease.hid, lease.uid, hosts)
            hosts.free(lease.hid, ready_at)
    hosts.write(db, ready_at)


def _queue_again(db: Database, hid: int, uid: int, hosts: HostChanges) -> None:
    """Queue a URL whose lease has ended without a fetch."""
    if uid == 0:  # a robots.txt has no row in `url`: it is leased again when a page of the host is wanted
        return
    row = db.execute(QUEUE_AGAIN, (hid, uid)).fetchone()
    if row:
        hosts.lift([(hid, row[0])])


def free_host(db: Database, hid: int, ready_at: float) -> None:
    """Take a host name off hold; the delay or back-off that its pace asks for goes on."""
    hosts = HostChanges()
    hosts.free(hid, ready_at)
    hosts.write(db, ready_at)


def take_back_from_dead(db: Database, worker: int, now: float, parsing: int, delay: float = 0.0) -> tuple[int, list[str]]:
    """Mark a worker as dead and take its leases back; arguments and result as for `take_back`.

    Returns (0, []) if another worker was faster: the row in `worker` decides which one does it."""
    if not db.execute("update worker set state='dead' where id=? and state='live'", (worker,)).rowcount:
        return 0, []
    return take_back(db, worker, now, parsing, delay)


def take_back(db: Database, worker: int, now: float, parsing: int = 0, delay: float = 0.0) -> tuple[int, list[str]]:
    """End all leases of a dead worker. Returns the number of leases, and the URLs that were set aside.

    Args:
        worker: number of the dead worker.
        parsing: uid of the URL that it was parsing when it died. A crash is counted for this URL, and after MOST_CRASHES it
            is set aside. 0: none.
        delay: seconds until the hosts may be asked again, because the worker may have sent its requests just now.
    """
    rows = sorted(db.execute("delete from lease where worker=? returning hid, uid", (worker,)).fetchall())  # the lock order
    hosts, aside = HostChanges(), []
    for hid, uid in rows:
        hosts.free(hid, now + delay, now)
        url = _count_crash(db, hid, uid, now) if uid and uid == parsing else ""
        if url:
            aside.append(url)
        else:
            _queue_again(db, hid, uid, hosts)
    hosts.write(db, now)
    return len(rows), aside


def _count_crash(db: Database, hid: int, uid: int, now: float) -> str:
    """Count a crash for a URL, and set the URL aside if these are too many. Returns the URL if it was set aside, else an empty
    text. A page that was stored before is still revisited, but late."""
    crashes, origin, tail = db.execute(
        """update url set crashes=crashes+1 where hid=? and uid=?
        returning crashes, (select origin from host where host.hid=url.hid), path""",
        (hid, uid),
    ).fetchone()
    if crashes < MOST_CRASHES:
        return ""
    db.execute("update url set state=?, error='crash' where hid=? and uid=?", (int(State.FAILED), hid, uid))
    db.execute("update revisit set due_at=? where hid=? and uid=?", (now + LONGEST_DELAY, hid, uid))
    return join(origin, tail)


def wake(db: Database, now: float) -> int:
    """Queue the waiting URLs whose time has come, at most WOKEN. Returns how many."""
    rows = db.execute(WAKE.format(lock=db.dialect.lock_urls_found), (now, WOKEN)).fetchall()
    if rows:
        hosts = HostChanges()
        hosts.lift(rows)
        hosts.write(db, now)
    return len(rows)


def is_paced(db: Database, now: float, kind: int = 0, own: Partition | None = None, recrawl: bool = False) -> bool:
    """Whether a URL waits for no more than the delay of its host, rather than for another try, or a host that fails. Arguments
    as for `next_due`."""
    if kind:
        wanted = f"exists (select 1 from url u where u.hid=host.hid and u.state={State.QUEUED:d} and u.kind={kind:d})"
    else:
        wanted = f"best_priority>={LANE}" if recrawl else "best_priority is not null"
    hosts = hosts_of(awaited(own))
    rows = db.execute(f"{PACES} and {wanted}" + (f" and {hosts}" if hosts else ""), (now + MAX_CRAWL_DELAY,))
    return any(load_pace(pace).backoff_until <= now for (pace,) in rows)


def next_due(db: Database, now: float, kind: int = 0, own: Partition | None = None, recrawl: bool = False) -> float | None:
    """When the next lease may succeed: the time at which the first host or waiting URL falls due. None: nothing waits, or all
    that waits needs answers to requests in flight.

    Args:
        kind: only URLs of this kind; 0: of all kinds.
        own: only URLs of this part, unless it may fetch those of others; None: all.
        recrawl: only URLs in the upper lane.
    """
    least = LANE if recrawl else None
    if kind:
        times = [db.execute(statement, (kind,)).fetchone()[0] for statement in (READY_OF_KIND, DUE_OF_KIND)]
        due = min((time for time in times if time is not None), default=None)
    elif part := awaited(own):
        due = first_due(db, part.grain, part.buckets, least)
    else:
        due = first_due(db, least=least)
    return due if due is not None and due < now + ON_HOLD else None
