"""PostgreSQL's way: row locks in one order, `skip locked` for leases, and one array a column where there are many rows.

A condition such as `state+0 in (…)` cannot use an index: with stale statistics the planner would choose the wrong one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Any, Protocol, cast

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql

from focuscrawl.frontier.lanes import LANE
from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import (
    BY_OPERATOR,
    ENDED,
    READY_BY_PACE,
    READY_ORDER,
    THERE,
    WAITING_STATES,
    Database,
    LockedUrl,
    NewUrl,
    UrlChange,
)
from focuscrawl.store.engines.schema import tables
from focuscrawl.url.key import UrlId

SQL = postgresql.dialect()

READY = f"""select hid, origin, name, ip_address, robots_until, pages, {ENDED}, pace, best_priority from host
    where best_priority is not null and held=0 and ready_at<=?{{only}}
    order by {READY_ORDER} limit ? for update skip locked"""
ROWS_OF_NAMES = f"""select name, count(*), max(case when held=1 then 'infinity' else {READY_BY_PACE} end) from host
    where name=any(?::text[]) group by name"""
LOCK_OTHERS = """select name from host where name=any(?::text[]) and not hid=any(?::bigint[]) order by hid
    for update skip locked"""
LOCK_HOSTS = """select 1 from host where hid=any(?::bigint[]) or name=any(?::text[]) order by hid for update"""
LOCK_NAMES_OF = """select 1 from host where name in (select name from host where hid=any(?::bigint[])) order by hid
    for update"""
MAKE_ADDRESS = "insert into ip_pace(ip_address) values(?) on conflict do nothing"
LOCK_ADDRESS = "select ready_at, pace from ip_pace where ip_address=? for update"
FREE_ADDRESSES = (
    "select ip_address, ready_at from ip_pace where ip_address=any(?::text[]) order by ip_address for update skip locked"
)
LOCK_TEXTS = "select pg_advisory_xact_lock(key) from (select key from unnest(?::bigint[]) as key order by key) as keys"
KNOWN = """select u.hid, u.uid, u.state, u.priority, u.depth, u.distance
    from unnest(?::bigint[], ?::bigint[]) as k(hid, uid) join url u on u.hid=k.hid and u.uid=k.uid"""
DELETE_INLINKS = """delete from inlink using unnest(?::bigint[], ?::bigint[]) as k(hid, uid)
    where inlink.hid=k.hid and inlink.uid=k.uid and inlink.page_id=?"""
INSERT_URLS = """insert into url(hid, uid, priority, depth, distance, hops, kind, parent, path, bucket)
    select * from unnest(?::bigint[], ?::bigint[], ?::float8[], ?::int[], ?::smallint[], ?::smallint[], ?::smallint[],
        ?::bigint[], ?::text[], ?::smallint[])
    on conflict do nothing"""
FACTS_OF_URLS = f"""select u.hid, u.uid, u.state, u.priority, u.depth, u.distance, u.kind, u.parent, {BY_OPERATOR}
    from unnest(?::bigint[], ?::bigint[]) as k(hid, uid) join url u on u.hid=k.hid and u.uid=k.uid"""
IN_ORDER = "order by u.hid, u.uid for update of u skip locked"
LOCK_URLS = f"{FACTS_OF_URLS} {IN_ORDER}"
LOCK_WAITING = f"{FACTS_OF_URLS} where u.state+0 in {WAITING_STATES} {IN_ORDER}"
"""Not those that are leased: the commit of their page would wait for this transaction."""
CHANGE_URLS = """update url set priority=k.priority, parent=k.parent, depth=k.depth, distance=k.distance, kind=k.kind,
        priority_parts=case when k.lifted=1 then '' else url.priority_parts end
    from unnest(?::float8[], ?::bigint[], ?::int[], ?::smallint[], ?::smallint[], ?::smallint[], ?::bigint[], ?::bigint[])
        as k(priority, parent, depth, distance, kind, lifted, hid, uid)
    where url.hid=k.hid and url.uid=k.uid"""
RESCORE_URLS = """update url set priority=k.priority,
        priority_parts=coalesce(nullif(k.parts, ''), url.priority_parts)
    from unnest(?::float8[], ?::text[], ?::bigint[], ?::bigint[]) as k(priority, parts, hid, uid)
    where url.hid=k.hid and url.uid=k.uid returning url.hid"""
"""Of locked URLs. Conditions on `url` would let the planner expect a single row, and compare each waiting URL with each of `k`,
as long as it has no statistics of a large table."""
REFRESH_HOSTS = f"""update host set best_priority=b.best_priority from (select k.hid,
        (select u.priority from url u where u.hid=k.hid and u.state={State.QUEUED:d} order by u.priority desc limit 1)
        as best_priority
        from unnest(?::bigint[]) as k(hid)) as b
    where host.hid=b.hid and host.best_priority is distinct from b.best_priority"""
INSERT_INLINKS = """insert into inlink(hid, uid, page_id) select hid, uid, ?
    from unnest(?::bigint[], ?::bigint[]) as k(hid, uid) on conflict do nothing"""
INSERT_REFUSED = """insert into refused(hid, uid, rule, page_id) select hid, uid, rule, ?
    from unnest(?::bigint[], ?::bigint[], ?::text[]) as k(hid, uid, rule) on conflict do nothing"""
INSERT_BANDS = "insert into band(key, page_id) select key, ? from unnest(?::bigint[]) as key on conflict do nothing"
UNDER_KEYS = f"""select o.* from unnest(?::bigint[]) as k(key) cross join lateral (
        select p.page_id, p.simhash, p.features from band b join page p on p.page_id=b.page_id
        where b.key=k.key and b.page_id>? and p.original is null and p.{THERE} and p.noindex<=?
        and not (p.hid=? and p.uid=?) order by b.page_id limit ?) as o"""
DOUBLED = """select c.relname from pg_class c join pg_namespace n on n.oid=c.relnamespace
    where n.nspname=current_schema() and c.relkind='r' and c.relpages<? and pg_has_role(c.relowner, 'usage')
    and pg_relation_size(c.oid)>2*c.relpages*current_setting('block_size')::bigint order by c.relname"""
SMALL_PAGES = 1000
"""Disk pages of a table that autovacuum is too late for: it looks once a minute, and a crawl that begins has filled thousands
of rows by then, which statements planned for empty tables read from end to end. Each table is looked at ten times until it has
so many."""


class _ServerConnection(Protocol):
    """What a connection to a server knows of its transaction, see `store.engines.postgres`."""

    def begin(self) -> None: ...

    def commit(self) -> None: ...

    def rollback(self) -> None: ...


class PostgresDialect:
    """See `Dialect`."""

    name = "postgresql"
    group = 1  # a page a transaction: what it locks is in order, which that of several pages would not be
    for_share = " for share"
    lock_urls_found = " for update of u skip locked"
    in_order = False
    fetch_order = "pg_current_xact_id()::text::bigint"

    def begin(self, db: Database, *, patience: float | None = None) -> None:
        cast(_ServerConnection, db).begin()
        if patience is not None and patience < 1:  # else the connection's own limit holds
            db.execute(f"set local lock_timeout={round(1000 * patience)}")

    def begin_reading(self, db: Database) -> None:
        db.execute("begin isolation level repeatable read read only")
        db.execute("set local idle_in_transaction_session_timeout=0")
        db.execute("set local statement_timeout=0")
        db.execute("select set_config(name, '0', true) from pg_settings where name='transaction_timeout'")  # PostgreSQL 17

    def see_one_moment(self, db: Database) -> None:
        db.execute("set transaction isolation level repeatable read")  # by default each statement sees a moment of its own

    def commit(self, db: Database) -> None:
        cast(_ServerConnection, db).commit()

    def rollback(self, db: Database) -> None:
        cast(_ServerConnection, db).rollback()

    def limit_time(self, db: Database, seconds: float) -> None:
        db.execute(f"set statement_timeout={round(1000 * seconds)}")

    def keep_little(self, db: Database) -> None:
        """Nothing: what is read is the server's to hold."""

    def clock(self, db: Database) -> float | None:
        return float(db.execute("select extract(epoch from clock_timestamp())::float8").fetchone()[0])

    def refresh_statistics(self, db: Database) -> None:
        for (table,) in db.execute(DOUBLED, (SMALL_PAGES,)).fetchall():
            db.execute(f"analyze (skip_locked) {table}")  # a vacuum at work looks at it, too, and nobody waits for it

    def lock_hosts(self, db: Database, hids: Iterable[int], names: Iterable[str] = ()) -> None:
        db.execute(LOCK_HOSTS, (list(hids), list(names)))

    def lock_names_of(self, db: Database, hids: Iterable[int]) -> None:
        db.execute(LOCK_NAMES_OF, (list(hids),))

    def lock_ip_address(self, db: Database, ip: str) -> tuple[float, str]:
        found = db.execute(LOCK_ADDRESS, (ip,)).fetchone()
        if found is None:
            db.execute(MAKE_ADDRESS, (ip,))
            found = db.execute(LOCK_ADDRESS, (ip,)).fetchone()
        return found[0], found[1]

    def lock_texts(self, db: Database, keys: Collection[int]) -> None:
        if keys:
            db.execute(LOCK_TEXTS, (sorted(set(keys)),))

    def lock_ready_hosts(self, db: Database, now: float, limit: int, only: str = "") -> list[Any]:
        """A host whose name has a row that another worker holds, or that is not ready yet, is left for later."""
        rows = db.execute(READY.format(only=f" and {only}" if only else ""), (now, limit)).fetchall()
        if not rows:
            return []
        ours = Counter(row[2] for row in rows)
        several = {
            name for name, count, ready_at in db.execute(ROWS_OF_NAMES, (list(ours),)) if count > ours[name] or ready_at > now
        }
        if several:
            ours.update(name for (name,) in db.execute(LOCK_OTHERS, (sorted(several), [row[0] for row in rows])))
            wanted = {name: (count, at) for name, count, at in db.execute(ROWS_OF_NAMES, (sorted(several),))}
            several = {name for name, (count, at) in wanted.items() if ours[name] < count or at > now}
        return [row for row in rows if row[2] not in several]

    def free_ip_addresses(self, db: Database, ips: Collection[str]) -> dict[str, float]:
        if not ips:
            return {}
        wanted = sorted(ips)
        there = {ip for (ip,) in db.execute("select ip_address from ip_pace where ip_address=any(?::text[])", (wanted,))}
        db.executemany(MAKE_ADDRESS, [(ip,) for ip in wanted if ip not in there])
        return dict(db.execute(FREE_ADDRESSES, (wanted,)).fetchall())

    def known_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, tuple[int, float, int, int]]:
        rows = db.execute(KNOWN, _columns(keys, 2)) if keys else ()
        return {(hid, uid): (state, priority, depth, distance) for hid, uid, state, priority, depth, distance in rows}

    def insert_urls(self, db: Database, rows: Sequence[NewUrl]) -> int:
        return db.execute(INSERT_URLS, _columns(rows, 10)).rowcount if rows else 0

    def lock_urls(self, db: Database, keys: Collection[UrlId]) -> dict[UrlId, LockedUrl]:
        return self._locked(db, LOCK_URLS, keys)

    def _locked(self, db: Database, statement: str, keys: Collection[UrlId]) -> dict[UrlId, LockedUrl]:
        rows = db.execute(statement, _columns(keys, 2)).fetchall() if keys else []
        return {(hid, uid): tuple(facts) for hid, uid, *facts in rows}

    def change_urls(self, db: Database, rows: Sequence[UrlChange]) -> None:
        if rows:
            db.execute(CHANGE_URLS, _columns(rows, 8))

    def rescore_urls(self, db: Database, rows: Sequence[tuple[float, str, int, int]]) -> list[int]:
        ours = self._locked(db, LOCK_WAITING, [(hid, uid) for _, _, hid, uid in rows])
        rows = [row for row in rows if row[2:] in ours and _is_rescored(row[0], ours[row[2], row[3]])]
        return [hid for (hid,) in db.execute(RESCORE_URLS, _columns(rows, 4))] if rows else []

    def refresh_hosts(self, db: Database, hids: Collection[int]) -> None:
        if hids:
            db.execute(REFRESH_HOSTS, (list(hids),))

    def insert_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        if keys:
            db.execute(INSERT_INLINKS, (page_id, *_columns(keys, 2)))

    def delete_inlinks(self, db: Database, keys: Sequence[UrlId], page_id: int) -> None:
        db.execute(DELETE_INLINKS, (*_columns(keys, 2), page_id))

    def insert_refused(self, db: Database, rows: Sequence[tuple[int, int, str]], page_id: int) -> None:
        if rows:
            db.execute(INSERT_REFUSED, (page_id, *_columns(rows, 3)))

    def insert_bands(self, db: Database, keys: Sequence[int], page_id: int) -> None:
        if keys:
            db.execute(INSERT_BANDS, (page_id, list(keys)))

    def rows_under_keys(self, db: Database, keys: Sequence[int], limit: int, values: tuple[int, int, int, int]) -> list[Any]:
        return db.execute(UNDER_KEYS, (list(keys), *values, limit)).fetchall() if keys else []

    def settled_fetches(self, db: Database) -> int:
        return int(db.execute("select pg_snapshot_xmin(pg_current_snapshot())::text::bigint").fetchone()[0])

    def insert_rows(self, db: Database, table: Table, rows: Sequence[tuple[Any, ...]]) -> None:
        db.execute(_insert_into(table), _columns(rows, len(table.columns)))

    def set_counter(self, db: Database, table: str, column: str, last: int) -> None:
        db.execute("select setval(pg_get_serial_sequence(?, ?), ?)", (table, column, last)).fetchall()

    def clear(self, db: Database) -> None:
        db.execute(f"truncate {', '.join(table.name for table in tables.sorted_tables)}")


def _is_rescored(wanted: float, facts: LockedUrl) -> bool:
    """Whether a waiting URL gets another priority: it waits in the lane of the order strategies, and its priority is not an
    operator's."""
    _, priority, *_, by_operator = facts
    return priority != wanted and abs(priority) < LANE and not by_operator


@lru_cache(maxsize=32)
def _insert_into(table: Table) -> str:
    """One array a column."""
    arrays = ", ".join(f"?::{column.type.compile(dialect=SQL)}[]" for column in table.columns)
    replace = "on conflict(key) do update set value=excluded.value" if table.name == "meta" else ""
    names = ", ".join(column.name for column in table.columns)
    return f"insert into {table.name}({names}) select * from unnest({arrays}) {replace}"


def _columns(rows: Collection[Sequence[Any]], count: int) -> list[list[Any]]:
    """One list for each column; empty ones where there are no rows."""
    return [list(column) for column in zip(*rows, strict=True)] if rows else [[] for _ in range(count)]
