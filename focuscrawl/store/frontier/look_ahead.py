"""The best waiting URLs of all hosts, whether these may be asked now or not: which of them are worth waiting for, and what a
crawl may still bring."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable
from dataclasses import dataclass

from focuscrawl.frontier.lanes import is_lifted
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.patience import Patience, turns
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import load_pace
from focuscrawl.store.frontier.leasing import HOLD, ON_HOLD, LeaseLimits, above_share, giving_way
from focuscrawl.store.frontier.partitions import hosts_of, urls_of

HOSTS = (
    "select hid, best_priority from host where best_priority is not null and held=0{only} order by best_priority desc limit ?"
)
SOON = """select hid, best_priority, ready_at, pace from host where best_priority is not null and held=0
    and (ready_at<=? or ready_at>=?){only} order by best_priority desc limit ?"""
OF_HOST = f"select u.priority from url u where u.hid=? and u.state={State.QUEUED:d}{{only}} order by u.priority desc limit ?"


def best_waiting(db: Database, count: int, own: Partition | None = None) -> list[float]:
    """The highest priorities of waiting URLs, falling, `count` at most. Those of the upper lane (revisits, sitemaps, probes)
    are left out, because they say nothing of what links promise. `own`: only of this part. Reads at most `count` URLs of at
    most `count` hosts: 5 ms for 100."""
    only = hosts_of(own)
    rows = db.execute(HOSTS.format(only=only and f" and {only}"), (count,)).fetchall()
    best = _best(db, ((hid, top, count, False) for hid, top in rows), count, urls_of(own))
    return [priority for priority in best if not is_lifted(priority)]


@dataclass(slots=True, frozen=True)
class Ahead:
    """The best fetches that can be made soon and are worth waiting for."""

    least: float = -math.inf
    """The priority of the last of them; minus infinity if there are too few, so that nothing is waited for."""
    due: float = math.inf
    """When the first of them may be made; infinity if all their hosts wait for answers."""

    @property
    def waits(self) -> bool:
        """Whether URLs below `least` are not to be leased yet."""
        return self.least > -math.inf


def look_ahead(db: Database, now: float, limits: LeaseLimits, patience: Patience) -> Ahead:
    """The best `patience.count` fetches that can be made within the horizon. A host that waits for an answer counts as if it
    had been asked now, unless it has waited longer than the horizon. Reads at most `patience.count` URLs of as many hosts:
    0.1 ms for 16."""
    soon, held_since = now + patience.horizon, now - patience.horizon
    only = limits.hosts and f" and {limits.hosts}"
    rows = db.execute(SOON.format(only=only), (soon, held_since + HOLD, patience.count)).fetchall()
    giving = above_share(db, limits.host_share)
    hosts = [
        (hid, top, _turns(ready_at, column, now, limits, patience.horizon), hid in giving)
        for hid, top, ready_at, column in rows
    ]
    best = _best(db, hosts, patience.count, limits.urls)
    if len(best) < patience.count:
        return Ahead()
    good = [ready_at for hid, top, ready_at, _ in rows if (giving_way(top) if hid in giving else top) >= best[-1]]
    return Ahead(best[-1], min((ready_at for ready_at in good if ready_at <= soon), default=math.inf))


def _turns(ready_at: float, column: str, now: float, limits: LeaseLimits, horizon: float) -> int:
    """How often a host can be asked within the horizon. `column`: its stored pace."""
    delay = max(limits.host.delay, load_pace(column).delay)
    wait = delay if ready_at >= now + ON_HOLD else ready_at - now
    return turns(wait, delay, horizon)


def _best(db: Database, hosts: Iterable[tuple[int, float, int, bool]], count: int, only: str) -> list[float]:
    """The `count` highest priorities of waiting URLs, falling, reduced for hosts that give way. `hosts`: (hid, best priority,
    how many of its URLs count, whether it gives way), with best priorities that fall. `only`: SQL condition on the URLs."""
    of_host = OF_HOST.format(only=only and f" and {only}")
    best: list[float] = []
    for hid, top, most, gives_way in hosts:
        if len(best) == count and best[0] >= top:
            break
        for (priority,) in db.execute(of_host, (hid, min(most, count))).fetchall():
            worth = giving_way(priority) if gives_way else priority
            if len(best) < count:
                heapq.heappush(best, worth)
            elif worth > best[0]:
                heapq.heapreplace(best, worth)
            else:
                break
    return sorted(best, reverse=True)
