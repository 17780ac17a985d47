"""Which crawls are there, and where is the store of each?

A crawl is a directory below CRAWLS_DIR. Its store is in that directory, or in the PostgreSQL schema that a file there names.
The file never holds a password: later commands take it from the environment (PGPASSWORD) or from PGPASSFILE.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from focuscrawl.errors import BadInput, close_match
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.engines.sqlite import BUSY_SECONDS, is_empty
from focuscrawl.store.engines.sqlite import connect as connect_sqlite

SQLITE_FILE, POINTER = "store.sqlite", "store.json"
LONGEST_SCHEMA = 63
"""Bytes of a name in PostgreSQL."""
_urls_with_password: dict[str, str] = {}
"""By URL without password, the STORE_URL with a password that this process was given, see `use_password_of`."""


@dataclass(slots=True, frozen=True)
class StoreLocation:
    """A schema of a PostgreSQL database. `url` is without credentials."""

    url: str
    schema: str

    def __str__(self) -> str:
        return f"schema {self.schema} of {self.url}"


def remembered(directory: Path) -> StoreLocation | None:
    """What the crawl directory remembers; None for a store in the directory itself. Raises BadInput for a damaged file."""
    path = directory / POINTER
    try:
        values = orjson.loads(path.read_bytes())
        return StoreLocation(str(values["url"]), str(values["schema"]))
    except FileNotFoundError:
        return None
    except (orjson.JSONDecodeError, KeyError, TypeError) as error:
        raise BadInput(f'{path} cannot be read; it should be {{"url": "postgresql://…", "schema": "…"}}') from error


def remember(directory: Path, location: StoreLocation) -> None:
    """Note where the store is; another process never sees half a file."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / f"{POINTER}.{os.getpid()}"
    path.write_bytes(orjson.dumps({"url": location.url, "schema": location.schema}, option=orjson.OPT_INDENT_2) + b"\n")
    path.replace(directory / POINTER)


def has_store(directory: Path) -> bool:
    return (directory / SQLITE_FILE).is_file() or (directory / POINTER).is_file()


def schema_of(name: str) -> str:
    """Schema of the crawl NAME; a long name is shortened to a digest."""
    schema = f"crawl_{name}"
    if len(schema.encode()) <= LONGEST_SCHEMA:
        return schema
    return "crawl_" + hashlib.blake2b(name.encode(), digest_size=16).hexdigest()


def use_password_of(url: str) -> None:
    """Let this process use the password in the setting STORE_URL for crawls that remember their URL without one.

    Raises BadInput when it is not the URL of a PostgreSQL server."""
    if url:
        _urls_with_password[_shown(url)] = url


def open_store(
    directory: Path, url: str = "", *, name: str = "", create: bool = False, read_only: bool = False,
    patience: float = BUSY_SECONDS,
) -> Database:  # fmt: skip
    """The store of a crawl directory. `url`: the setting STORE_URL, for a crawl that is new (`create`), or with the password
    that the directory does not remember. `patience`: most seconds to wait for the lock of an SQLite file. Raises BadInput when
    it cannot be used or is another one than remembered."""
    known = remembered(directory)
    if known is None and url and not (directory / SQLITE_FILE).exists():
        known = _new_location(directory, url, name)
    elif known is None:
        if url:
            raise BadInput(
                f"the crawl in {directory} has its store there; `scrapy frontier copy` takes it to {_shown(url)},"
                " or leave STORE_URL away"
            )
        return connect_sqlite(directory / SQLITE_FILE, read_only=read_only, patience=patience)
    postgres = _postgres()
    if url and postgres.without_password(url) != known.url:
        raise BadInput(
            f"the crawl in {directory} has its store at {known.url}, but STORE_URL is {_shown(url)}; leave out STORE_URL,"
            " or take the crawl there by `scrapy frontier copy`"
        )
    given = url or _urls_with_password.get(known.url, known.url)
    db: Database = postgres.connect(given, known.schema, read_only=read_only, create=create)
    if create and not (directory / POINTER).exists():
        remember(directory, known)
    return db


def open_at(location: StoreLocation, *, read_only: bool = False) -> Database:
    """Open the store at this location. Raises BadInput when it cannot be used."""
    db: Database = _postgres().connect(
        _urls_with_password.get(location.url, location.url), location.schema, read_only=read_only, create=False
    )
    return db


def locations(url: str) -> list[StoreLocation]:
    """The crawls of the database that STORE_URL names. Raises BadInput when it cannot be used."""
    postgres = _postgres()
    return [StoreLocation(_shown(url), schema) for schema in postgres.schemas(url)]


def is_of(location: StoreLocation, url: str) -> bool:
    """Whether a location is in the database that STORE_URL names."""
    return location.url == _shown(url)


def open_if_there(directory: Path, url: str = "", name: str = "") -> Database | None:
    """The store, for reading, if there is one already. Nothing is created, and a file that another worker is just making a
    store does not count yet. Raises BadInput as `open_store` does, also when the server of a new crawl cannot be used."""
    if remembered(directory) is None and url and not (directory / SQLITE_FILE).exists():
        location = _new_location(directory, url, name)
        if not _postgres().is_there(url, location.schema):
            return None
        db: Database = _postgres().connect(url, location.schema, read_only=True)
        return db
    if not has_store(directory) or (not (directory / POINTER).exists() and is_empty(directory / SQLITE_FILE)):
        return None
    return open_store(directory, url, name=name, read_only=True)


def _new_location(directory: Path, url: str, name: str) -> StoreLocation:
    return StoreLocation(_postgres().without_password(url), schema_of(name or directory.name))


def _shown(url: str) -> str:
    return str(_postgres().without_password(url))


def _postgres() -> Any:
    """Loaded when it is first needed: SQLite needs no driver."""
    try:
        from focuscrawl.store.engines import postgres
    except ModuleNotFoundError as error:
        raise BadInput(f"PostgreSQL needs the package psycopg ({error}); install it: make setup EXTRAS=postgresql") from error
    return postgres


@dataclass(slots=True, frozen=True)
class Crawl:
    name: str
    directory: Path
    location: StoreLocation | None = None
    """Where the store is, if the crawl has no directory on this machine."""

    def open(self, *, write: bool = False) -> Database:
        """A connection, by default for reading only; the crawl may be running. Raises BadInput if it cannot be used."""
        if self.location:
            return open_at(self.location, read_only=not write)
        return open_store(self.directory, read_only=not write)

    @contextmanager
    def at_one_moment(self) -> Iterator[Database]:
        """A connection for reading that sees the store as it is now, whatever workers store meanwhile. Raises BadInput as
        `open`."""
        with closing(self.open()) as db:
            db.dialect.begin_reading(db)
            yield db


def all_crawls(crawls_dir: Path) -> list[Crawl]:
    """The crawls below a directory, by name."""
    if not crawls_dir.is_dir():
        return []
    return [Crawl(path.name, path) for path in sorted(crawls_dir.iterdir()) if has_store(path)]


def crawls_of_database(url: str, crawls_dir: Path, known: Collection[Crawl]) -> list[Crawl]:
    """The crawls of a PostgreSQL database that are not among the `known`, by name: other machines work on them.

    Args:
        url: The setting STORE_URL.
        crawls_dir: Where this machine would have their directories.
        known: What `all_crawls` gave.

    Raises:
        BadInput: The server cannot be used, or a directory of a known crawl cannot be read.
    """
    here = {place.schema for crawl in known if (place := remembered(crawl.directory)) and is_of(place, url)}
    names = ((place.schema.removeprefix("crawl_"), place) for place in locations(url) if place.schema not in here)
    return [Crawl(name, crawls_dir / name, place) for name, place in names]


def crawl_named(crawls_dir: Path, name: str) -> Crawl:
    """The crawl of this name. Raises BadInput, with the nearest existing name, if there is none."""
    crawls = {crawl.name: crawl for crawl in all_crawls(crawls_dir)}
    if name in crawls:
        return crawls[name]
    if near := close_match(name, crawls):
        raise BadInput(f"there is no crawl {name!r} in {crawls_dir}; did you mean {near!r}?")
    known = ", ".join(list(crawls)[:8]) + (", …" if len(crawls) > 8 else "")
    what = f"known: {known}" if crawls else "it holds no crawl yet"
    raise BadInput(f"there is no crawl {name!r} in {crawls_dir}; {what}")


def latest_crawl(
    crawls_dir: Path,
    skipped: Callable[[str], None] = lambda problem: None,
    preferred: Callable[[Database], bool] = lambda db: False,
) -> Crawl:
    """The crawl with the newest start, of those that are preferred if there are any.

    Args:
        skipped: Called for each store that cannot be read.
        preferred: Tells whether a crawl is, from its store.

    Raises:
        BadInput: There is no crawl that can be read.
    """
    found: list[tuple[bool, float, Crawl]] = []
    for crawl in all_crawls(crawls_dir):
        try:
            with closing(crawl.open()) as db:
                (started_at,) = db.execute("select max(started_at) from run").fetchone()
                found.append((preferred(db), started_at or 0.0, crawl))
        except (BadInput, *ERRORS) as error:
            skipped(str(error))
    if not found:
        raise BadInput(f"there is no crawl in {crawls_dir}; start one, or give the folder of crawls with -s CRAWLS_DIR=…")
    return max(found, key=lambda each: each[:2])[2]


def choose(crawls_dir: Path, name: str = "") -> Crawl:
    """The named crawl, or the latest one without a name."""
    return crawl_named(crawls_dir, name) if name else latest_crawl(crawls_dir)
