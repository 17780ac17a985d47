"""Lists the crawls and reads their stores, each time over a short-lived read-only connection with a time limit.
Answers are kept for a short time: ten readers cost as much as one, and expensive pages are made less often."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from focuscrawl.errors import BadInput
from focuscrawl.recent import Recent
from focuscrawl.store.crawls import Crawl, all_crawls, crawl_named, crawls_of_database
from focuscrawl.store.engines.database import Database

READ_SECONDS = 20.0
"""Time limit of a read: a longer one would delay the checkpoint of a SQLite store's write-ahead log, which then grows."""

Data = TypeVar("Data")
View = Callable[[Crawl, Database, Mapping[str, str]], Data]
LEAST_SECONDS = 1.0
SHARE = 0.05
"""The share of one processor that a constantly requested page may use: an answer that took 0.2 s is kept for 4 s. A crawl of
one process uses one processor fully, so twice this share would be noticeable on a machine with one."""
LONGEST_SECONDS = 60.0
MOST = 200
"""The largest number of answers that are kept."""


@dataclass(slots=True)
class _Answer:
    lock: threading.Lock = field(default_factory=threading.Lock)
    value: Any = None
    good_until: float = 0.0


class Cache:
    """Thread-safe. A request for an answer that another thread is making waits for that answer."""

    def __init__(self) -> None:
        self._answers: Recent[Hashable, _Answer] = Recent(MOST)
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any], keep: float = 0.0) -> Any:
        """The kept answer if it is still valid, else the result of `make`. `keep`: the least number of seconds for which it
        stays valid. Exceptions of `make` are raised and not kept."""
        with self._lock:
            answer = self._answers.get(key) or _Answer()
            self._answers.note(key, answer)
        with answer.lock:
            began = time.monotonic()
            if began >= answer.good_until:
                answer.value = make()
                ended = time.monotonic()
                answer.good_until = ended + max(keep, min(max((ended - began) / SHARE, LEAST_SECONDS), LONGEST_SECONDS))
            return answer.value

    def forget(self) -> None:
        """Drop all answers; called after a change, so that its author sees the result."""
        with self._lock:
            self._answers.clear()


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
