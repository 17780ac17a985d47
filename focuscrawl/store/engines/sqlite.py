"""Opening the SQLite file of a crawl: pragmas, creation, version check."""

from __future__ import annotations

import functools
import os
import re
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from importlib.resources import files
from pathlib import Path
from threading import get_native_id

from focuscrawl.errors import BadInput, DiskFull
from focuscrawl.store.engines.database import Database, Dialect, is_full, is_locked, is_not_writable
from focuscrawl.store.engines.meta import FORMER_INDEXES, VERSION
from focuscrawl.store.engines.sqlite_dialect import SqliteDialect

BUSY_SECONDS = 60.0
"""How long a statement waits for the lock of the file. Writers hold it for milliseconds; the writer thread waits less and tries
again, see `store.engines.writer`."""
CACHE_KIB = 8 * 1024
"""Of each connection. 16 and 64 MB are not faster with a million URLs (the operating system holds the pages too), and it is
this process's memory."""
CHECKPOINT_PAGES = 4000
"""Pages of 4 KB in the write-ahead log before they go into the file: 16 MB. With SQLite's 1000, a commit takes a fifth more
CPU, because what many commits change (hosts, the edges of tables) is copied more often; with 10 000, 5 % less."""
LOG_BYTES = 32 << 20
"""To which the write-ahead log is cut back once it is begun anew. It grows as long as somebody reads at one moment, as a report
does, and would keep that size: twice what it needs without."""
PAUSE_SECONDS = 0.05
"""Between tries of what SQLite does not wait for by itself."""
MAKING_SECONDS = 2.0
"""For another process to make an empty file a store; it takes some 30 ms."""

LOG_INDEX_BYTES = 32 << 10
"""Of the index of a write-ahead log, without which the log is not read (sqlite.org/walformat); it begins with so many."""
SQLITE_MAGIC = b"SQLite format 3\0"
"""The first bytes of a database file (sqlite.org/fileformat)."""


LOG_ENDS = ("-wal", "-shm")
"""Of the names of a write-ahead log and its index, which stand beside a file."""


class SqliteDatabase(sqlite3.Connection):
    """A `Database`."""

    dialect: Dialect = SqliteDialect()
    written: Path | None = None
    """The file, if this connection may write to it."""

    def close(self) -> None:
        super().close()
        if self.written is not None:
            _keep_log_files(self.written)


def connect(
    path: Path, *, read_only: bool = False, cache_kib: int = CACHE_KIB, patience: float = BUSY_SECONDS
) -> SqliteDatabase:
    """A connection in autocommit mode (transactions are begun by hand), usable from any one thread at a time.

    `patience`: most seconds to wait for the lock of the file. Raises BadInput when the file is no store of ours or of another
    version, or when this user may not read it."""
    if path.exists() and not os.access(path, os.R_OK):
        raise BadInput(f"{path} cannot be read by this user; it belongs to {owner_of(path)}")
    db = sqlite3.connect(
        _uri(path, read_only) + ("&immutable=1" if read_only and _is_at_rest(path) else ""),
        uri=True,
        timeout=patience,
        isolation_level=None,
        check_same_thread=False,
        factory=SqliteDatabase,
    )
    try:
        if not read_only:
            _use_log(db, patience)
        db.execute(f"pragma cache_size=-{cache_kib}")
        db.execute("pragma temp_store=memory")
        if read_only:
            _check(db, path)
        else:
            _complete(db, path)
    except sqlite3.DatabaseError as error:
        db.close()
        if is_locked(error) or (not read_only and is_not_writable(error)):
            raise
        if is_full(error):
            raise DiskFull(f"{path} cannot be written to: the disk is full; make room, or set CRAWLS_DIR") from error
        raise BadInput(
            f"{path} cannot be opened as a crawl store ({error}); restore it from a copy or use a new name"
        ) from error
    except BaseException:
        db.close()
        raise
    return db


def _use_log(db: SqliteDatabase, patience: float) -> None:
    """Use a write-ahead log, and bound it."""
    _change_to_wal(db, patience)
    db.execute("pragma synchronous=normal")
    db.execute(f"pragma wal_autocheckpoint={CHECKPOINT_PAGES}")
    db.execute(f"pragma journal_size_limit={LOG_BYTES}")


def _complete(db: SqliteDatabase, path: Path) -> None:
    """Make the store, or what it lacks, so that it can be written to."""
    _create(db)
    db.written = path.resolve()
    _check(db, path)
    _renew_indexes(db)


def owner_of(path: Path) -> str:
    """The name of the user to whom a file belongs, or the number of one without a name."""
    try:
        return path.owner()
    except KeyError:
        return f"user {path.stat().st_uid}"


READ_ONLY = "cannot be written to by this user: the crawl can be read, but cannot continue"
"""Said of a file or folder of a crawl, before `advice_to_write`."""


def advice_to_write(path: Path) -> str:
    """What lets this user write to a file or folder of a crawl that it cannot write to now."""
    if os.statvfs(path).f_flag & os.ST_RDONLY:
        return "its disk is mounted read-only: copy the crawl's folder to another, and set CRAWLS_DIR"
    if path.stat().st_uid == os.geteuid():
        return "let its owner write to the crawl's folder (`chmod -R u+w`)"
    return (
        f"it belongs to {owner_of(path)}: start the program as that user, or let this one read and write the crawl's folder"
        " (`chown -R`)"
    )


def _keep_log_files(file: Path) -> None:
    """Leave empty files in place of the log and its index, which SQLite has removed if nobody else has the store open. With
    them, a user who may not make any can read at one moment while others write; without, `_is_at_rest`, what is written
    meanwhile comes out as damage."""
    with suppress(OSError):  # as on a full disk, or if the store was removed
        of = file.stat()
        for end in LOG_ENDS:
            if not os.path.exists(f"{file}{end}"):
                _leave_empty(f"{file}{end}", of)


def _leave_empty(path: str, of: os.stat_result) -> None:
    """Make an empty file with the owner and rights of another, unless there is one by then. It gets its name when it is closed:
    to close a file ends all locks that this process has on it (fcntl), those of a connection that has just opened it, too."""
    part = f"{path}.{get_native_id()}.part"
    number = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        try:
            if os.geteuid() == 0:
                os.fchown(number, of.st_uid, of.st_gid)
            os.fchmod(number, of.st_mode & 0o777)
        finally:
            os.close(number)
        with suppress(FileExistsError):
            os.link(part, path)
    finally:
        os.unlink(part)


def _is_at_rest(path: Path) -> bool:
    """Whether the file must be read without its write-ahead log, because nobody has it open and the files that go with a log
    are not there and cannot be made: on a disk that is full or read-only, or in a folder of another user. Raises BadInput where
    the log holds something."""
    file = path.resolve()
    log, index = (file.with_name(file.name + end) for end in LOG_ENDS)
    may_write = os.access(file.parent, os.W_OK)
    if not file.exists() or (index.exists() and (index.stat().st_size or not may_write)):
        return False
    if may_write and shutil.disk_usage(file.parent).free >= LOG_INDEX_BYTES:
        return False
    if log.exists() and log.stat().st_size:
        where, then = (
            ("on a disk that is full", "make room")
            if may_write
            else ("in a folder that this user cannot write to", "copy the crawl's folder to where you may write")
        )
        raise BadInput(f"{path} cannot be read {where}, because its last changes are still in {log.name}; {then}")
    return True


def _uri(path: Path, read_only: bool) -> str:
    return f"file:{path.resolve().as_posix().replace('?', '%3f').replace('#', '%23')}" + ("?mode=ro" if read_only else "")


def _change_to_wal(db: sqlite3.Connection, patience: float) -> None:
    """Change to a write-ahead log. Of processes that do so at the same moment, all but one get the error that the file is
    locked: here SQLite does not wait by itself."""
    end = time.monotonic() + patience
    while True:
        try:
            db.execute("pragma journal_mode=wal")
            return
        except sqlite3.OperationalError as error:
            if not is_locked(error) or time.monotonic() > end:
                raise
        time.sleep(PAUSE_SECONDS)


@functools.cache
def _creation() -> tuple[str, ...]:
    """The statements that make an empty store: those of `focuscrawl.store.engines.schema`, as `python -m tools.sqlite_schema`
    has written them down, because a crawl would keep the 20 MB of SQLAlchemy that make them."""
    return tuple(files(__package__).joinpath("schema.sql").read_text("utf-8").split(";\n\n"))


def _create(db: sqlite3.Connection) -> None:
    if db.execute("select count(*) from sqlite_master").fetchone()[0]:
        return
    db.execute("begin immediate")
    if not db.execute("select count(*) from sqlite_master where name='meta'").fetchone()[0]:
        for statement in _creation():
            db.execute(statement)
        db.execute("insert into meta values('version', ?)", (str(VERSION),))
    db.execute("commit")


def _renew_indexes(db: sqlite3.Connection) -> None:
    """Give a store that an earlier program made the indexes it lacks, and drop the former ones. Where nothing is to be done,
    nothing is locked or written."""
    for name in FORMER_INDEXES:
        db.execute(f"drop index if exists {name}")
    for statement in _creation():
        if re.match("CREATE (UNIQUE )?INDEX ", statement):
            db.execute(statement.replace(" INDEX ", " INDEX IF NOT EXISTS ", 1))


def _check(db: sqlite3.Connection, path: Path) -> None:
    try:
        columns = [row[1] for row in db.execute("pragma table_info(meta)")]
        key, value = ("k", "v") if columns == ["k", "v"] else ("key", "value")  # k and v: stores of release 0.1.0
        row = db.execute(f"select {value} from meta where {key}='version'").fetchone()
    except sqlite3.OperationalError as error:
        if is_locked(error):
            raise
        raise BadInput(f"{path} is not the store of a crawl; choose another crawl name") from error
    check_version(str(path), row[0] if row else "none")


def damage_of(db: Database) -> str:
    """What is wrong with the file of a store, in SQLite's words; "" for a sound one. Reads all of it: some 100 MB a second."""
    (result,) = db.execute("pragma quick_check(1)").fetchone()
    return "" if result == "ok" else str(result)


def check_version(where: str, version: str) -> None:
    """Raises BadInput unless a store has this program's version."""
    if version != str(VERSION):
        raise BadInput(
            f"{where} has store version {version}, this program needs {VERSION}; read it with the program version that made it,"
            " or begin a crawl with a new name"
        )


def is_empty(path: Path) -> bool:
    """Whether a crash has left nothing of a store but the file: then it is made as if there were none.

    False for what is no file, or of another program."""
    if not path.is_file() or path.stat().st_size == 0:
        return path.is_file()
    with path.open("rb") as file:
        if file.read(len(SQLITE_MAGIC)) != SQLITE_MAGIC:
            return False
    end = time.monotonic() + MAKING_SECONDS
    while True:
        try:
            with closing(sqlite3.connect(_uri(path, read_only=True), uri=True)) as db:
                return not db.execute("select count(*) from sqlite_master").fetchone()[0]
        except sqlite3.OperationalError:  # another process is just making it: its log file is not there yet
            if time.monotonic() > end:
                return False
        except sqlite3.Error:
            return False
        time.sleep(PAUSE_SECONDS)
