"""What differs between the engines for `tools.bench.frontier`: filling a store in bulk, and asking how large it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Protocol

import psycopg

from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import POINTER, SQLITE_FILE, open_store, schema_of
from focuscrawl.store.engines.sqlite import connect
from focuscrawl.store.frontier.leasing import LeaseLimits
from focuscrawl.url.hosts import host_name, registered_domain
from tests.postgres import USER, PostgresServer
from tools.bench.frontier_processes import with_children
from tools.bench.frontier_web import Web, origin, rows_of

PARTS = 8
"""Sorted passes in which the rows come: index pages split as in a crawl, and are not packed as by one sorted load."""
FILL_CACHE_KIB = 1 << 20
LIMITS = LeaseLimits(PaceSettings(1.0), PaceSettings(0.0, 1 << 20, statuses=False), slots=16, obey_robots=False, host_share=0.5)
"""As the settings have it, but for addresses, of which no two hosts share one here, and for robots.txt, which costs one more
lease for each host."""
SMALL = 50_000
KEY = "bench parts"
INSERT = "insert into url(hid, uid, priority, depth, parent, path) values(?, ?, ?, 3, 1, ?)"
HOST = "insert into host(hid, origin, name, site) values(?, ?, ?, ?)"
BEST = """update host set best_priority=(select u.priority from url u where u.hid=host.hid and u.state=0
    order by u.priority desc limit 1) where best_priority is null"""
DONE = "insert into meta(key, value) values(?, ?) on conflict(key) do update set value=excluded.value"
SQLITE_SIZES = """select m.tbl_name, case when m.type='table' then '' else m.name end, s.pgsize
    from dbstat s join sqlite_master m on m.name=s.name where s.aggregate=1"""
COPY = "copy url(hid, uid, priority, depth, parent, path) from stdin"
POSTGRES_SIZES = """select t.relname, case when c.oid=t.oid then '' else c.relname end,
        pg_relation_size(c.oid) + coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)
    from pg_namespace n join pg_class t on t.relnamespace=n.oid and t.relkind='r' left join pg_index i on i.indrelid=t.oid
    join pg_class c on c.oid=t.oid or c.oid=i.indexrelid where n.nspname=%s"""
SETTINGS = {"max_wal_size": "4GB", "checkpoint_timeout": "5min", "effective_cache_size": "4GB", "maintenance_work_mem": "256MB"}
NAME = "bench"

UrlRow = tuple[int, int, float, str]
"""hid, uid, score, tail."""


class TimeOver(Exception):
    """The time of a stage is over."""


class Place(Protocol):
    """Where a crawl of the bench has its store."""

    directory: Path
    settings: str
    """Of the engine, for people."""

    def fill(self, web: Web, tick: Callable[[str], None]) -> None:
        """Make all that `web` knows known; goes on behind the parts that an earlier call has finished."""

    def open(self) -> CrawlStore:
        """As a crawl opens it."""

    def sizes(self) -> dict[str, int]:
        """Bytes: of `all`, of a `table`, and of each of its indexes as `table/index`; tables of a few pages are left out."""

    def server(self) -> list[int]:
        """Processes of a server."""


class SqlitePlace:
    """The file of a crawl directory."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.settings = "as in focuscrawl/store/engines/sqlite.py"

    def fill(self, web: Web, tick: Callable[[str], None]) -> None:
        with closing(connect(self.directory / SQLITE_FILE, cache_kib=FILL_CACHE_KIB)) as db:
            row = db.execute("select value from meta where key=?", (KEY,)).fetchone()
            for part in range(int(row[0]) if row else 0, PARTS):
                db.execute("begin immediate")
                if part == 0:
                    db.executemany(HOST, host_rows(web))
                db.executemany(INSERT, url_rows(web, part, tick))
                db.execute(DONE, (KEY, str(part + 1)))
                db.execute("commit")
            db.execute(BEST)
            db.execute("pragma wal_checkpoint(truncate)")

    def open(self) -> CrawlStore:
        return CrawlStore(self.directory, NAME, LIMITS, "{}")

    def sizes(self) -> dict[str, int]:
        file = self.directory / SQLITE_FILE
        with closing(connect(file)) as db:
            db.execute("pragma wal_checkpoint(truncate)")
            return {"all": file.stat().st_size, **_by_table(db.execute(SQLITE_SIZES).fetchall())}

    def server(self) -> list[int]:
        return []


class PostgresPlace:
    """A database of a server of its own, whose data lie beside the crawl directory."""

    def __init__(self, directory: Path, server: PostgresServer, settings: dict[str, str]) -> None:
        self.directory = directory
        self.settings = ", ".join(f"{name}={value}" for name, value in settings.items())
        self._server = server
        self._schema = schema_of(NAME)
        server.admin(f"alter role {USER} password '{server.password}'")
        if not server.admin(f"select 1 from pg_database where datname='{NAME}'"):
            server.admin(f"create database {NAME} owner {USER}")
        self.url = f"postgresql://{USER}:{server.password}@127.0.0.1:{server.port}/{NAME}"
        (directory / POINTER).unlink(missing_ok=True)  # each start has another port

    def fill(self, web: Web, tick: Callable[[str], None]) -> None:
        open_store(self.directory, self.url, name=NAME, create=True).close()
        options = f"-c search_path={self._schema} -c synchronous_commit=off"
        with psycopg.connect(self.url, autocommit=True, options=options) as db:
            row = db.execute("select value from meta where key=%s", (KEY,)).fetchone()
            for part in range(int(row[0]) if row else 0, PARTS):
                with db.transaction(), db.cursor() as cursor:
                    if part == 0:
                        cursor.executemany(HOST.replace("?", "%s"), list(host_rows(web)))
                    with cursor.copy(COPY) as copy:
                        for hid, uid, score, tail in url_rows(web, part, tick):
                            copy.write_row((hid, uid, score, 3, 1, tail))
                    cursor.execute(DONE.replace("?", "%s"), (KEY, str(part + 1)))
            db.execute("vacuum (analyze) url")
            db.execute(BEST)
            db.execute("vacuum (analyze) host")
        self._server.admin("checkpoint")

    def open(self) -> CrawlStore:
        return CrawlStore(self.directory, NAME, LIMITS, "{}", url=self.url)

    def sizes(self) -> dict[str, int]:
        with psycopg.connect(self.url) as db:
            parts = _by_table(db.execute(POSTGRES_SIZES, (self._schema,)).fetchall())
        return {"all": sum(parts.values()), **parts}

    def server(self) -> list[int]:
        return with_children(int((self._server.folder / "data" / "postmaster.pid").read_text().split()[0]))


@contextmanager
def open_place(store: str, directory: Path, shared_buffers: str) -> Iterator[Place]:
    """The store of that engine; its server runs inside the context. Data stay. Raises tests.postgres.Unavailable."""
    directory.mkdir(parents=True, exist_ok=True)
    if store == "sqlite":
        yield SqlitePlace(directory)
        return
    settings = {"shared_buffers": shared_buffers, **SETTINGS}
    folder = directory / "server"
    folder.mkdir(exist_ok=True)
    server = PostgresServer(folder, durable=True, **settings)
    try:
        server.start()
        yield PostgresPlace(directory, server, settings)
    finally:
        server.stop()


def _by_table(rows: Iterable[tuple[str, str, int]]) -> dict[str, int]:
    return {f"{table}/{index}" if index else table: int(size) for table, index, size in rows if size > SMALL}


def host_rows(web: Web) -> Iterator[tuple[int, str, str, str]]:
    """All hosts, in the order of their keys."""
    for hid in sorted(web.by_hid):
        text = origin(web.by_hid[hid])
        name = host_name(text)
        yield hid, text, name, registered_domain(name)


def url_rows(web: Web, part: int, tick: Callable[[str], None]) -> Iterator[UrlRow]:
    """One part of the URLs. `tick` is called often, with the state of things."""
    made = 0
    for hid, rows in rows_of(web, part, PARTS):
        for uid, score, tail in rows:
            yield hid, uid, score, tail
        made += len(rows)
        tick(f"part {part + 1} of {PARTS}, {made} URLs")


def ticker(seconds: float) -> Callable[[str], None]:
    """A function that prints each ten seconds what it is told, and raises TimeOver after `seconds`."""
    began = last = time.monotonic()

    def tick(state: str) -> None:
        nonlocal last
        now = time.monotonic()
        if now - began > seconds:
            raise TimeOver(f"{seconds:g} s are over at {state}; the same command goes on there")
        if now - last > 10:
            last = now
            print(f"  {state}, {now - began:.0f} s", flush=True)

    return tick
