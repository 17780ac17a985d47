"""Lists the crawls and reads their stores, each time over a short-lived read-only connection with a time limit."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from focuscrawl.dashboard.cache import Cache
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl, all_crawls, crawl_named, crawls_of_database
from focuscrawl.store.engines.database import Database

READ_SECONDS = 20.0
"""Time limit of a read: a longer one would delay the checkpoint of a SQLite store's write-ahead log, which then grows."""

Data = TypeVar("Data")
View = Callable[[Crawl, Database, Mapping[str, str]], Data]


@dataclass(slots=True)
class Stores:
    crawls_dir: Path
    store_url: str = ""
    """The setting STORE_URL. Its database may contain crawls that run on other machines."""
    cache: Cache = field(default_factory=Cache)

    def crawls(self) -> list[Crawl]:
        """All crawls by name, without those of a database that cannot be reached."""
        here = all_crawls(self.crawls_dir)
        if self.store_url:
            with suppress(BadInput):
                elsewhere = self.cache.get("database", lambda: crawls_of_database(self.store_url, self.crawls_dir, here))
                here = sorted([*here, *elsewhere], key=lambda crawl: crawl.name)
        return here

    def named(self, name: str) -> Crawl:
        """The crawl of this name. Raises BadInput, with the nearest name, if there is none."""
        found = next((crawl for crawl in self.crawls() if crawl.name == name), None)
        return found or crawl_named(self.crawls_dir, name)

    def read(self, crawl: Crawl, view: View[Data], query: Mapping[str, str], keep: float = 0.0) -> Data:
        """The data of a view, which may be some seconds old. `keep`: the least number of seconds for which it is cached.

        Raises:
            BadInput: The query is invalid, or the store cannot be used.
            ERRORS: The store failed or took too long.
        """
        key = (crawl.name, view, tuple(sorted(query.items())))
        data: Data = self.cache.get(key, lambda: read_now(crawl, view, query), keep)
        return data


def read_now(crawl: Crawl, view: View[Data], query: Mapping[str, str]) -> Data:
    """As `Stores.read`, without the cache."""
    with crawl.at_one_moment() as db:
        db.dialect.limit_time(db, READ_SECONDS)
        return view(crawl, db, query)
