"""Where is a crawl's store? In its directory, or in the PostgreSQL schema that a file there names.

The file never holds a password: later commands take it from the environment (PGPASSWORD) or from PGPASSFILE.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from focuscrawl.errors import BadInput
from focuscrawl.store.engines.database import Database
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
            f"the crawl in {directory} has its store at {known.url}, and STORE_URL says {_shown(url)}; leave STORE_URL away,"
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
