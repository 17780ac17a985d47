"""Which crawls are there? A crawl is a directory below CRAWLS_DIR that holds a store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.errors import BadInput, close_match
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.location import StoreLocation, has_store, is_of, locations, open_at, open_store, remembered


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
        raise BadInput(f"there is no crawl in {crawls_dir}; start one, or say where with -s CRAWLS_DIR=…")
    return max(found, key=lambda each: each[:2])[2]


def choose(crawls_dir: Path, name: str = "") -> Crawl:
    """The named crawl, or the latest one without a name."""
    return crawl_named(crawls_dir, name) if name else latest_crawl(crawls_dir)
