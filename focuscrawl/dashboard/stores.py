"""Which crawls there are, and reading one of them: a short-lived read-only connection for each answer, with a limit of time."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from focuscrawl.dashboard.cache import Cache
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl, all_crawls, crawl_named, crawls_of_database
from focuscrawl.store.engines.database import Database

READ_SECONDS = 20.0
"""That an answer may take: more, and a read holds up the tidying of a SQLite store's log, which then grows."""

View = Callable[[Crawl, Database, Mapping[str, str]], Any]


@dataclass(slots=True)
class Stores:
    crawls_dir: Path
    store_url: str = ""
    """The setting STORE_URL: its database may hold crawls that other machines work on."""
    cache: Cache = field(default_factory=Cache)

    def crawls(self) -> list[Crawl]:
        """By name. Those of a server that cannot be reached are left out."""
        here = all_crawls(self.crawls_dir)
        if self.store_url:
            with suppress(BadInput):
                elsewhere = self.cache.get("database", lambda: crawls_of_database(self.store_url, self.crawls_dir, here))
                here = sorted([*here, *elsewhere], key=lambda crawl: crawl.name)
        return here

    def named(self, name: str) -> Crawl:
        """Raises BadInput, with the nearest name, when there is no such crawl."""
        found = next((crawl for crawl in self.crawls() if crawl.name == name), None)
        return found or crawl_named(self.crawls_dir, name)

    def read(self, crawl: Crawl, view: View, query: Mapping[str, str], keep: float = 0.0) -> Any:
        """What the view gives, which may be some seconds old. `keep`: seconds that it is good for at least.

        Raises:
            BadInput: The query cannot be answered, or the store cannot be used.
            ERRORS: The store failed, or took too long.
        """
        return self.cache.get((crawl.name, view, tuple(sorted(query.items()))), lambda: read_now(crawl, view, query), keep)


def read_now(crawl: Crawl, view: View, query: Mapping[str, str]) -> Any:
    """As `Stores.read`, from the store itself."""
    with closing(crawl.open()) as db:
        db.dialect.limit_time(db, READ_SECONDS)
        return view(crawl, db, query)
