"""Changes the frontier for operators: adds URLs, removes URLs for good, and holds hosts.

No URL of a held host is fetched until the operator releases it. A host name is held in all its rows, and a row that is added
later is held, too (`store.frontier.host_rows`).

Each step is a short transaction of its own (`change`), so that a running crawl is not held up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, get_close_matches
from enum import StrEnum
from typing import Concatenate, ParamSpec, TypeVar

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.frontier.lanes import LANE, lifted
from focuscrawl.frontier.states import MIRROR, REMOVED, REPEATS, UNWANTED, Event, State, advance
from focuscrawl.items import SEED
from focuscrawl.store.engines.database import (
    ERRORS,
    OPEN_STATES,
    OPERATOR,
    VISITED,
    WAITING_STATES,
    Database,
    pause_before_again,
    transaction,
)
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.workers.control import ADDED
from focuscrawl.url.key import LEAST_NUMBER, UrlId, url_key

Given = ParamSpec("Given")
Result = TypeVar("Result")
PATIENCE = 10.0
"""Seconds that a change waits for the lock of the database."""
BATCH = 1000
"""URLs in one transaction."""

PUT_ASIDE_BY = (REMOVED, MIRROR, REPEATS, *UNWANTED)
"""The errors of URLs that were put aside, which an operator may queue again."""
LEASE = "select 1 from lease where hid=? and uid=?"
FACTS = """select u.state, u.error, v.hid is not null from url u left join revisit v on v.hid=u.hid and v.uid=u.uid
    where u.hid=? and u.uid=?"""
ADD = f"""update url set priority=?, priority_parts=?, parent=0, due_at=0, tries=0, crashes=0, error='',
    state=case when exists (select 1 from lease l where l.hid=url.hid and l.uid=url.uid) then {State.LEASED:d}
    else {State.QUEUED:d} end
    where hid=? and uid=? and (state in ({State.QUEUED:d}, {State.WAIT:d}, {State.FAILED:d}, {State.GONE:d})
    or (state={State.FILTERED:d} and error in ({", ".join(f"'{error}'" for error in PUT_ASIDE_BY)}))) and not {VISITED}"""
"""Without a parent it is fetched even where links bring nothing new (`frontier.yields`)."""
FIRST = f"""update url set priority=?, due_at=0, tries=0, state={State.QUEUED:d}
    where hid=? and uid=? and priority>=? and state in {WAITING_STATES} and {VISITED}"""
TAKE_BACK = f"""update url set error='', crashes=0,
    state=case when exists (select 1 from lease l where l.hid=url.hid and l.uid=url.uid) then {State.LEASED:d}
    else (select rest from revisit v where v.hid=url.hid and v.uid=url.uid) end
    where hid=? and uid=? and state={State.FILTERED:d} and error='{REMOVED}' and {VISITED}"""
DUE = f"""update revisit set due_at=?, signal_at=case when signal>0 then signal_at else ? end,
    signal_kind=case when signal>0 then signal_kind else {SEED:d} end where hid=? and uid=? and due_at>?"""
"""What the operator wants is kept as a signal of kind SEED that announces no change, at the time for which it makes the revisit
due."""
REMOVE = f"""update url set state={advance(State.QUEUED, Event.REMOVED):d}, error='{REMOVED}', due_at=0
    where hid=? and uid=? and state in {OPEN_STATES}"""
SOME_OF_HOST = f"""select uid, state from url where hid=? and state in {OPEN_STATES}
    and substr(path, 1, cast(? as integer))=? and uid>? order by uid limit ?"""
COUNT_OF_HOST = f"""select state, count(*) from url where hid=? and substr(path, 1, cast(? as integer))=?
    and state in {OPEN_STATES} group by state"""


class Added(StrEnum):
    """What became of a URL that was to be added."""

    NEW = "new"
    AGAIN = "queued again"
    """The URL had failed, was gone or was removed."""
    WAITING = "waiting already"
    """The URL has the given priority now, and if it waited for a retry, that is due at once."""
    LEASED = "in flight"
    DUE = "fetched before and due at once"
    """The URL is a stored page or a sitemap, which the next recrawl revisits."""
    FETCHED = "fetched already"
    REFUSED = "refused before"
    """robots.txt or a rule refused the URL. Another request would change nothing."""


OF_STATE = {
    State.QUEUED: Added.WAITING,
    State.WAIT: Added.WAITING,
    State.LEASED: Added.LEASED,
    State.FAILED: Added.AGAIN,
    State.GONE: Added.AGAIN,
    State.FILTERED: Added.REFUSED,
    State.DENIED: Added.REFUSED,
}


@dataclass(slots=True, frozen=True)
class UrlPrefix:
    """The URLs of one origin that go on with `path` after the origin; an empty path stands for all URLs of the origin."""

    hid: int
    path: str = ""


@dataclass(slots=True)
class Removed:
    """How many URLs were removed."""

    waiting: int = 0
    leased: int = 0
    """URLs that a worker had leased. It does not send their requests any more, and does not keep answers that were on the
    way."""
    unknown: int = 0
    """URLs that the crawl did not know. They are kept out from now on."""
    ended: int = 0
    """URLs that were fetched, failed, refused or removed before. They are left as they are."""

    def __add__(self, more: Removed) -> Removed:
        counts = (self.waiting + more.waiting, self.leased + more.leased)
        return Removed(*counts, self.unknown + more.unknown, self.ended + more.ended)


def change(
    db: Database, operation: Callable[Concatenate[Database, Given], Result], /, *given: Given.args, **named: Given.kwargs
) -> Result:
    """Apply an operation, with these arguments, in a transaction that waits for the lock of the database for at most PATIENCE
    seconds; returns its result.

    As a worker's, it is made again when it conflicted with another one. So it may be applied several times, and only the last
    time counts."""
    while True:
        try:
            with transaction(db, PATIENCE):
                return operation(db, *given, **named)
        except ERRORS as error:
            pause = pause_before_again(error)
            if pause is None:
                raise
        time.sleep(pause)


def _batches(urls: Sequence[str]) -> Iterator[list[str]]:
    """The URLs in batches, each URL once, and those of a host together, whose rows lie side by side. In the order of a file
    that mixes hosts, each batch would write all over the table: for 100 000 URLs of 2000 hosts 1.3 GB instead of 0.15."""
    each = sorted(set(urls))
    return (each[start : start + BATCH] for start in range(0, len(each), BATCH))


def add(db: Database, urls: Sequence[str], priority: float, now: float) -> Counter[Added]:
    """Queue normal URLs with a priority, because an operator wants them: whatever links say, and also those that an operator
    removed or that failed. A URL that has revisits, because it was stored once, is not fetched by ordinary crawls: its next
    revisit is due at once. Other URLs that were fetched or refused stay as they are. Returns how many URLs had each result."""
    counts: Counter[Added] = Counter()
    for batch in _batches(urls):
        items = sorted((DiscoveredUrl(url, priority) for url in batch), key=lambda item: item.url_id)
        known = db.dialect.known_urls(db, [item.url_id for item in items])
        change(db, discover, found=[item for item in items if item.url_id not in known], now=now)
        results = change(db, _add, items=items, known=known.keys(), now=now)
        # Revisits are a transaction of their own, because nobody else locks them after several URLs: see the lock order in
        # `store.engines.database`.
        change(db, _make_due, items=items, now=now)
        counts.update(results)
    change(db, set_meta, key=ADDED, value=str(now))
    return counts


def _add(db: Database, items: Sequence[DiscoveredUrl], known: Iterable[UrlId], now: float) -> list[Added]:
    """Queue these URLs, all of which have rows now. Returns the result for each. `known`: those that had rows before."""
    hosts, results, before = HostChanges(), [], set(known)
    for item in items:  # a lease that is just ending is gone before ADD reads it; the others stay until ADD is done
        db.execute(LEASE + db.dialect.for_share, item.url_id).fetchone()
    for item in items:
        key = item.url_id
        state, error, visited = db.execute(FACTS, key).fetchone()
        if visited and (error == REMOVED or State(state) not in (State.QUEUED, State.WAIT, State.LEASED)):
            results.append(Added.DUE)
        elif key not in before:
            results.append(Added.NEW)
        elif error in PUT_ASIDE_BY:
            results.append(Added.AGAIN)
        else:
            results.append(OF_STATE.get(State(state), Added.FETCHED))
        reason = orjson.dumps([(OPERATOR, item.priority)]).decode()
        changed = db.execute(ADD, (item.priority, reason, *key)).rowcount
        if visited:
            changed = db.execute(FIRST, (lifted(1.0), *key, LANE)).rowcount + db.execute(TAKE_BACK, key).rowcount
        if changed:
            hosts.look_again([item.key.hid])
    hosts.write(db, now)
    return results


def _make_due(db: Database, items: Sequence[DiscoveredUrl], now: float) -> None:
    db.executemany(DUE, [(now, now, *item.url_id, now) for item in items])


def remove_urls(db: Database, urls: Sequence[str], now: float) -> Removed:
    """Remove normal URLs. URLs that the crawl does not know yet are kept out, too."""
    removed = Removed()
    for batch in _batches(urls):
        items = sorted((DiscoveredUrl(url, 0.0) for url in batch), key=lambda item: item.url_id)
        removed += change(db, _remove_urls, items=items, now=now)
    return removed


def _remove_urls(db: Database, items: Sequence[DiscoveredUrl], now: float) -> Removed:
    removed, hosts = Removed(), HostChanges()
    known = db.dialect.known_urls(db, [item.url_id for item in items])
    discover(db, [item for item in items if item.url_id not in known], now, hosts=hosts)
    for item in items:
        _remove(db, item.url_id, known.get(item.url_id, (-1,))[0], removed)
    hosts.look_again(item.key.hid for item in items)
    hosts.write(db, now)
    return removed


def _remove(db: Database, key: UrlId, state: int, removed: Removed) -> None:
    """Remove one URL and count it. `state`: the one that it had before; below 0 if the crawl did not know it."""
    changed = db.execute(REMOVE, key).rowcount
    if state < 0:
        removed.unknown += 1
    elif not changed:
        removed.ended += 1
    elif state == State.LEASED:
        removed.leased += 1
    else:
        removed.waiting += 1


def remove_parts(db: Database, parts: Sequence[UrlPrefix], now: float) -> Removed:
    """Remove the URLs that wait now under these prefixes. URLs that are discovered there later are new."""
    removed = Removed()
    for part in sorted(parts, key=lambda part: part.hid):
        last: int | None = LEAST_NUMBER
        while last is not None:
            of_batch, last = change(db, _remove_some, part=part, after=last, now=now)
            removed += of_batch
    return removed


def _remove_some(db: Database, part: UrlPrefix, after: int, now: float) -> tuple[Removed, int | None]:
    """Remove the next BATCH URLs of a part, and return the number of the last of them; None: no more are left."""
    removed, hosts = Removed(), HostChanges()
    rows = db.execute(SOME_OF_HOST, (part.hid, len(part.path), part.path, after, BATCH)).fetchall()
    for uid, state in rows:
        _remove(db, (part.hid, uid), state, removed)
    hosts.look_again([part.hid])
    hosts.write(db, now)
    return removed, int(rows[-1][0]) if len(rows) == BATCH else None


def count_parts(db: Database, parts: Sequence[UrlPrefix]) -> Removed:
    """How many URLs `remove_parts` would remove."""
    removed = Removed()
    for part in parts:
        for state, count in db.execute(COUNT_OF_HOST, (part.hid, len(part.path), part.path)):
            if state == State.LEASED:
                removed.leased += count
            else:
                removed.waiting += count
    return removed


def parts_of_host(db: Database, name: str) -> list[UrlPrefix]:
    """A prefix for each origin of a host name."""
    return [UrlPrefix(hid) for (hid,) in db.execute("select hid from host where name=? order by hid", (name,))]


def parts_of_prefix(db: Database, prefix: str, any_scheme: bool) -> list[UrlPrefix]:
    """The prefixes for all URLs that begin with a normal URL: on its origin, or with `any_scheme` on both http and https."""
    origin, path, _, _ = url_key(prefix)
    authority = origin.partition("://")[2]
    origins = (f"http://{authority}", f"https://{authority}") if any_scheme else (origin,)
    rows = [db.execute("select hid from host where origin=?", (each,)).fetchone() for each in origins]
    return [UrlPrefix(row[0], path) for row in rows if row]


HELD_HOSTS = f"""select h.name, min(h.origin),
    sum((select count(*) from url u where u.hid=h.hid and u.state in {WAITING_STATES}))
    from host h where h.held=1 group by h.name order by 1"""
MOST_NEAR = 20_000
"""Most host names among which one similar to a mistyped name is searched for."""
MOST_COMPARED = 20
"""Of these, the most similar that are looked at part by part."""
NEAR = 0.75
"""Least similarity (`difflib.SequenceMatcher.ratio`) of the different parts of a mistyped name and the one that was meant."""


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

    Raises BadInput, with the name that was probably meant, for a host that the crawl does not know."""
    return change(db, _hold, name=name, held=held)


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
    """The end of a message on an unknown host name: the one that was probably meant, or how to see those that are known."""
    names = [each for (each,) in db.execute("select distinct name from host limit ?", (MOST_NEAR,))]
    similar = get_close_matches(name, names, n=MOST_COMPARED, cutoff=0.6)
    near = next((each for each in similar if _may_be_meant(name, each)), "")
    return f"; did you mean {near!r}?" if near else "; `scrapy frontier stats NAME` lists those with waiting URLs"


def _may_be_meant(typed: str, known: str) -> bool:
    """Whether a host name may be a misspelling of another one, as a whole (`ww.example.com`) or without `www.`."""
    bare = (name.removeprefix("www.") for name in (typed, known))
    return _are_near(typed, known) or _are_near(*bare)


def _are_near(typed: str, known: str) -> bool:
    """Whether two host names are similar in what is left of them without the domain that they share, because two hosts of one
    domain are similar as a whole."""
    mine, its = typed.split("."), known.split(".")
    while mine and its and mine[-1] == its[-1]:
        mine.pop()
        its.pop()
    return SequenceMatcher(None, ".".join(mine), ".".join(its)).ratio() >= NEAR
