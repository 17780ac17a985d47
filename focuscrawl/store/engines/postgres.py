"""PostgreSQL behind the calls of `Database`: one crawl is one schema; connections come back after they broke.

A broken connection is a `DatabaseError` of the statement that met it, and the next transaction connects again. Only a commit
that was under way is looked up, by a mark that the transaction has left in the table `meta`. The server's own answer about its
number (pg_xact_status) would not do: a server that crashed, or a standby that took over, gives numbers again that had not
reached its disk, so that its answer may be about another transaction.
"""

from __future__ import annotations

import contextlib
import logging
import secrets
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, urlencode

import psycopg
from psycopg import errors, sql
from psycopg.adapt import Loader
from psycopg.types.array import ListBinaryDumper
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper
from psycopg.types.string import StrBinaryDumper, StrDumperUnknown
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateIndex

from focuscrawl.errors import BadInput, Unreachable
from focuscrawl.store.engines.database import DatabaseError, Dialect, OutcomeUnknownError, Rows, ValueRefusedError
from focuscrawl.store.engines.meta import COMMIT_MARKS, FORMER_INDEXES, VERSION
from focuscrawl.store.engines.postgres_dialect import PostgresDialect
from focuscrawl.store.engines.schema import creation, tables
from focuscrawl.store.engines.sqlite import check_version

logger = logging.getLogger(__name__)

PROGRAM = "focuscrawl"
"""The name of our sessions on the server."""
CONNECT_SECONDS, LAST_SECONDS = 5, 2
"""Time limits of one try to connect: usually, and of a process that is to end."""
LOCK_MS, STATEMENT_MS = 10_000, 120_000
"""A statement that waits for a lock, or works, longer than these is broken off and its transaction tried again. Locks are held
for milliseconds: a longer wait means that a worker hangs, which loses its transaction after IDLE_MS."""
IDLE_MS = 15_000
"""A worker that hangs inside a transaction loses it, so that others get at the rows."""
END_FROZEN = f"""select pg_terminate_backend(pid) from pg_stat_activity
    where application_name='{PROGRAM}' and usename=current_user and datname=current_database() and backend_xid is not null
    and wait_event_type='Client' and state_change < clock_timestamp() - ? * interval '1 ms'"""
"""Transactions that have written and have waited IDLE_MS for their worker. The server's own limit misses one whose worker's
network froze amid a statement's messages, or amid its answer: for the server it is neither idle nor at work, and it would hold
its locks for ever. Whoever waited for a lock in vain ends it."""
TRANSACTIONS_END = 170_000
"""Servers from this version on end a transaction, too, that takes longer than STATEMENT_MS, also where nobody waits for it."""
SILENT_MS = 15_000
"""A connection on which nothing is acknowledged for this time is taken for broken, by client and server alike."""
ASK_AFTER, ASK_EVERY, ASK_TIMES = 5, 3, 3
"""Seconds before a silent other side is asked whether it is there, between such questions, and how many it may leave open."""
ASK_SECONDS = 0.5
"""Between questions about the outcome of a commit."""
SECONDS = "extract(epoch from now())::bigint"
MARK = f"""insert into meta(key, value) select ?::text, {SECONDS} || ' ' || ?::text
    where pg_current_xact_id_if_assigned() is not null
    on conflict(key) do update set value=excluded.value returning value, pg_current_xact_id()::text"""
"""The mark of a transaction that has written something, and its number. It begins with the server's time: machines differ."""
MARKS_KEPT = 30 * 86_400
"""Seconds for which the last mark of a process that has ended stays in the store."""
CLEAR_MARKS = f"delete from meta where key like '{COMMIT_MARKS}%' and value < ({SECONDS} - {MARKS_KEPT})::text"
PASSING = (errors.OperationalError, errors.LockNotAvailable, errors.QueryCanceled, errors.ReadOnlySqlTransaction)
AGAIN = (errors.DeadlockDetected, errors.SerializationFailure)
OLDEST = 150_000
"""`server_version_num`: older servers are refused."""
LATER = ("starting up", "shutting down", "recovery", "too many", "remaining connection slots")
"""Parts of a refusal that mean that the server can be used later."""


class PostgresDatabase:
    """A `Database`. `wanted`: asked while a connection is sought; when it says no, that ends with a DatabaseError."""

    dialect: Dialect = PostgresDialect()

    def __init__(self, url: str, schema: str, *, read_only: bool = False) -> None:
        self._url, self._schema, self._read_only = url, schema, read_only
        self.wanted: Callable[[], bool] = lambda: True
        self._waited_in_vain = False
        self._mark_key, self._commits = f"{COMMIT_MARKS}{secrets.token_hex(8)}", 0
        self._connection: psycopg.Connection[Any] | None = self._connect()

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Rows:
        with self._translated() as connection:
            return connection.execute(_native(statement), values)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> Rows:
        with self._translated() as connection:
            cursor = connection.cursor()
            if many := list(rows):
                cursor.executemany(_native(statement), many)
            return cursor

    def begin(self) -> None:
        """Begin a transaction. It gets a number when it first writes."""
        if self._waited_in_vain:
            self._waited_in_vain = False
            self.execute(END_FROZEN, (IDLE_MS,))
        self.execute("begin")

    def commit(self) -> None:
        """Raises OutcomeUnknownError, or DatabaseError when nothing was committed."""
        marked = self._marked()
        backend = self._backend
        try:
            self.execute("commit")
        except DatabaseError as error:
            if not error.lost or marked is None or not self._was_committed(*marked, backend):
                raise

    def rollback(self) -> None:
        connection = self._connection
        if connection is None:
            return
        if connection.info.transaction_status is psycopg.pq.TransactionStatus.IDLE:
            return
        try:
            connection.execute("rollback")
        except psycopg.Error:
            self._drop()

    def close(self) -> None:
        self._drop()

    def interrupt(self) -> None:
        """Break the connection from another thread: who waits for an answer gets a DatabaseError."""
        connection = self._connection
        if connection is None or connection.closed:
            return
        with contextlib.suppress(OSError, psycopg.Error):
            end = socket.socket(fileno=connection.fileno())
            try:
                end.shutdown(socket.SHUT_RDWR)
            finally:
                end.detach()

    def _connect(self) -> psycopg.Connection[Any]:
        options = f"-c lock_timeout={LOCK_MS} -c idle_in_transaction_session_timeout={IDLE_MS} -c tcp_user_timeout={SILENT_MS}"
        options += f" -c tcp_keepalives_idle={ASK_AFTER} -c tcp_keepalives_interval={ASK_EVERY}"
        options += f" -c tcp_keepalives_count={ASK_TIMES}"
        if not self._read_only:
            options += f" -c statement_timeout={STATEMENT_MS}"
        connection = psycopg.connect(
            self._url,
            autocommit=True,
            cursor_factory=psycopg.RawCursor,
            connect_timeout=CONNECT_SECONDS if self.wanted() else LAST_SECONDS,
            options=options,
            application_name=PROGRAM,
            tcp_user_timeout=SILENT_MS,
            keepalives_idle=ASK_AFTER,
            keepalives_interval=ASK_EVERY,
            keepalives_count=ASK_TIMES,
        )
        connection.adapters.register_dumper(int, Int8Dumper)  # in arrays, which else have the size of the first one's numbers
        connection.adapters.register_dumper(int, Int8BinaryDumper)
        connection.adapters.register_dumper(str, _TextBinaryDumper)
        connection.adapters.register_dumper(str, _TextDumper)
        connection.adapters.register_dumper(list, ListBinaryDumper)
        connection.adapters.register_loader("numeric", _NumberLoader)
        if self._read_only:  # only now: a URL of several servers may ask for the one that takes changes
            connection.execute("set default_transaction_read_only=on")
        elif connection.info.server_version >= TRANSACTIONS_END:
            connection.execute(f"set transaction_timeout={STATEMENT_MS}")
        connection.execute(sql.SQL("set search_path to {}").format(sql.Identifier(self._schema)).as_string())
        self._backend = connection.info.backend_pid
        return connection

    @contextlib.contextmanager
    def _translated(self) -> Iterator[psycopg.Connection[Any]]:
        try:
            if self._connection is None:
                self._connection = self._connect()
            yield self._connection
        except psycopg.DataError as error:
            raise ValueRefusedError(_text(error)) from error
        except psycopg.Error as error:
            locked = isinstance(error, errors.LockNotAvailable)
            self._waited_in_vain |= locked
            lost = self._connection is None or self._connection.closed or self._connection.broken
            if lost:
                self._drop()
            again = isinstance(error, AGAIN)
            passing = lost or again or isinstance(error, PASSING)
            full = isinstance(error, errors.DiskFull)
            raise DatabaseError(_text(error), passing=passing, lost=lost, again=again, locked=locked, full=full) from error

    def _drop(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):
                self._connection.close()
            self._connection = None

    def _marked(self) -> tuple[str, str] | None:
        """The mark that the open transaction was given, and its number; None: it has written nothing, and needs none."""
        row = None if self._read_only else self.execute(MARK, (self._mark_key, str(self._commits))).fetchone()
        if row and not self._commits:
            self.execute(CLEAR_MARKS)
        self._commits += bool(row)
        return row

    def _was_committed(self, mark: str, number: str, backend: int) -> bool:
        """Whether a transaction was. A server that is down is waited for, as long as wanted."""
        waits = False
        while self.wanted():
            try:
                # In this order: what is not under way any more has left its mark, or never will.
                (status,) = self.execute("select pg_xact_status(?::text::xid8)", (number,)).fetchone()
                if status != "in progress":
                    row = self.execute("select value from meta where key=?", (self._mark_key,)).fetchone()
                    if waits:
                        logger.warning("store: writing goes on")
                    return bool(row and row[0] == mark)
                self.execute(
                    "select pg_terminate_backend(pid) from pg_stat_activity where backend_xid=?::text::xid and pid=?",
                    (number, backend),
                )
            except ValueRefusedError:  # a number of its future: a server that took over, and has not heard of the transaction
                return False
            except DatabaseError as error:
                if not error.passing:
                    raise
                if not waits:
                    logger.warning("store: writing waits (%s); then the server is asked about the last commit", error)
                waits = True
            time.sleep(ASK_SECONDS)
        raise OutcomeUnknownError(f"whether transaction {number} was committed")


class _TextDumper(StrDumperUnknown):
    """Replaces NUL, which PostgreSQL does not allow in texts."""

    def dump(self, obj: str) -> Any:
        return super().dump(obj.replace("\0", "�") if "\0" in obj else obj)


class _TextBinaryDumper(StrBinaryDumper):
    """Does the same in arrays."""

    def dump(self, obj: str) -> Any:
        return super().dump(obj.replace("\0", "�") if "\0" in obj else obj)


class _NumberLoader(Loader):
    """Reads `numeric`, the type of sums of 64-bit numbers, as plain numbers."""

    def load(self, data: Any) -> int | float:
        text = bytes(data).decode()
        return float(text) if "." in text or "e" in text or "N" in text else int(text)


@lru_cache(maxsize=1024)
def _native(statement: str) -> bytes:
    """A statement with $1, $2 … for its question marks. None of our statements has one in a literal."""
    head, *parts = statement.split("?")
    return "".join([head, *(f"${n}{part}" for n, part in enumerate(parts, 1))]).encode()


def _text(error: psycopg.Error) -> str:
    """The server's message as one line, without the statement."""
    return (error.diag.message_primary or " ".join(str(error).split()) or type(error).__name__).strip()


def connect(url: str, schema: str, *, read_only: bool = False, create: bool = False) -> PostgresDatabase:
    """The store of a crawl. `create`: make the schema if it is not there, and renew its indexes.

    Raises BadInput when the server cannot be reached, is too old, or what is there is no store of this version."""
    with _reached(url, schema, read_only) as db:
        if create and not read_only:
            _create(db, schema)
        _check(db, url, schema)
        if create and not read_only:
            _renew_indexes(db, schema)
    return db


def is_there(url: str, schema: str) -> bool:
    """Whether a server that can be used has this crawl. Raises BadInput when it cannot be used, or not for a new crawl."""
    with _reached(url, schema, True) as db:
        there = _exists(db, schema)
        if not there:
            _check_rights(db, url)
    db.close()
    return there


def schemas(url: str) -> list[str]:
    """The schemas of the database that hold a crawl, by name. Raises BadInput when the server cannot be used."""
    with _reached(url, "public", True) as db:
        rows = db.execute(
            r"""select n.nspname from pg_namespace n join pg_class c on c.relnamespace=n.oid
            where c.relname='revisit' and n.nspname like 'crawl\_%' order by 1"""
        ).fetchall()
    db.close()
    return [name for (name,) in rows]


def _refusal(error: Exception) -> str:
    """Why there is no connection, in one line. libpq's own hints stand in lines of their own that begin with a tab."""
    text = "; ".join(" ".join(line.split()) for line in str(error).splitlines() if line.strip() and not line.startswith("\t"))
    if "no password supplied" in text:
        text += ". Give the password by PGPASSWORD, or in the file that PGPASSFILE names"
    return text


@contextlib.contextmanager
def _reached(url: str, schema: str, read_only: bool) -> Iterator[PostgresDatabase]:
    """A connection to a server that is new enough; closed again when what follows fails, which becomes a BadInput."""
    try:
        db = PostgresDatabase(url, schema, read_only=read_only)
    except (psycopg.Error, UnicodeError) as error:
        text = _refusal(error)
        kind = BadInput if "FATAL" in text and not any(word in text for word in LATER) else Unreachable
        raise kind(f"the PostgreSQL server of {without_password(url)} cannot be used: {text}") from error
    try:
        number = int(db.execute("show server_version_num").fetchone()[0])
        if number < OLDEST:
            raise BadInput(
                f"the PostgreSQL server of {without_password(url)} has version {number // 10000}; 15 or newer is needed"
            )
        yield db
    except DatabaseError as error:
        db.close()
        kind = Unreachable if error.passing else BadInput
        raise kind(f"the PostgreSQL server of {without_password(url)} cannot be used: {error}") from error
    except BaseException:
        db.close()
        raise


def _check_rights(db: PostgresDatabase, url: str) -> None:
    statement = "select current_user, current_database(), has_database_privilege(current_database(), 'CREATE')"
    user, database, may_create = db.execute(statement).fetchone()
    if not may_create:
        raise BadInput(
            f"the user {user!r} may not create a schema in {without_password(url)}; the owner of the database lets it by:"
            f' grant create on database "{database}" to "{user}"'
        )


def _create(db: PostgresDatabase, schema: str) -> None:
    """Make the schema and its tables. Of processes that start at the same moment, one does, and the others wait."""
    db.execute("begin")
    db.execute("select pg_advisory_xact_lock(hashtextextended(?, 0))", (schema,))
    if not _exists(db, schema):
        db.execute(sql.SQL("create schema if not exists {}").format(sql.Identifier(schema)).as_string())
        for statement in creation(postgresql.dialect()):
            db.execute(statement)
        for statement in TUNING:
            db.execute(statement)
        db.execute("insert into meta(key, value) values('version', ?)", (str(VERSION),))
    db.execute("commit")


def _renew_indexes(db: PostgresDatabase, schema: str) -> None:
    """Give a store that an earlier program made the indexes it lacks, and drop the former ones. Where nothing is to be done,
    nothing is locked."""
    names = {name for (name,) in db.execute("select indexname from pg_indexes where schemaname=?", (schema,))}
    lacking = (index for table in tables.sorted_tables for index in table.indexes if index.name not in names)
    for statement in (
        *(f"drop index if exists {name}" for name in FORMER_INDEXES if name in names),
        *(str(CreateIndex(index, if_not_exists=True).compile(dialect=postgresql.dialect())) for index in lacking),
    ):
        db.execute("begin")
        db.execute("select pg_advisory_xact_lock(hashtextextended(?, 0))", (schema,))
        db.execute(statement)
        db.execute("commit")


TUNING = (
    "alter table host set (fillfactor=70, autovacuum_vacuum_scale_factor=0.02)",
    "alter table url set (fillfactor=90, autovacuum_vacuum_scale_factor=0.05, autovacuum_analyze_scale_factor=0.05)",
    "alter table lease set (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=1000)",
    "alter table worker set (fillfactor=50)",
)
"""Leaves room beside rows that change all the time, and has their old versions vacuumed early."""


def _exists(db: PostgresDatabase, schema: str) -> bool:
    found = db.execute("select 1 from pg_tables where schemaname=? and tablename='meta'", (schema,)).fetchone()
    return found is not None


def _check(db: PostgresDatabase, url: str, schema: str) -> None:
    if not _exists(db, schema):
        raise BadInput(f"{without_password(url)} holds no crawl in schema {schema!r}; was the database moved or emptied?")
    user, may_read = db.execute("select current_user, has_schema_privilege(?, 'USAGE')", (schema,)).fetchone()
    if not may_read:
        raise BadInput(
            f"the user {user!r} may not use schema {schema!r} of {without_password(url)}; give the user who made the crawl"
        )
    row = db.execute("select value from meta where key='version'").fetchone()
    check_version(f"schema {schema!r} of {without_password(url)}", row[0] if row else "none")


def without_password(url: str) -> str:
    """The URL without its passwords, so that it may be stored and shown: server, database, user and options.

    Raises BadInput when it is not the URL of a PostgreSQL server."""
    try:
        parts = psycopg.conninfo.conninfo_to_dict(url)
    except psycopg.Error as error:
        raise BadInput(
            f"STORE_URL is no PostgreSQL URL ({' '.join(str(error).split())}); use postgresql://USER@HOST:PORT/DATABASE"
        ) from error
    parts.pop("password", None)
    parts.pop("sslpassword", None)
    return _url_of(parts)


def _url_of(parts: dict[str, Any]) -> str:
    """A URL of these connection parameters."""
    rest = {key: value for key, value in parts.items() if value is not None}
    user, hosts, ports = (str(rest.pop(key, "")) for key in ("user", "host", "port"))
    database = str(rest.pop("dbname", ""))
    if "/" in hosts:  # folders of sockets have no place before the path
        rest["host"], hosts = hosts, ""
    several = hosts.split(",")
    numbers = ports.split(",") if "," in ports else [ports] * len(several)
    places = [  # where there are not as many ports as hosts, libpq says so when it connects
        (f"[{host}]" if ":" in host else host) + (f":{port}" if port else "")
        for host, port in zip(several, numbers, strict=False)
    ]
    place = (quote(user, safe="") + "@" if user else "") + ",".join(places)
    return f"postgresql://{place}/{quote(database, safe='')}" + (f"?{urlencode(rest)}" if rest else "")
