"""A pass over the URLs of many hosts, some in each transaction, so that leases and heartbeats need not wait for all of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from focuscrawl.store.engines.database import Database
from focuscrawl.url.key import LEAST_NUMBER, UrlId


class SomeUrls:
    """The next URLs in the order of their keys, host by host."""

    after: UrlId | None
    """Where the pass goes on, once these were iterated over; None: no more are left."""

    def __init__(
        self, db: Database, of_host: str, hosts: Sequence[tuple[int, str]], after: UrlId, most_hosts: int, most_urls: int
    ) -> None:
        """Args:
        of_host: SQL of the rows of a host, in the order of their first column, the uid; its parameters are hid, the uid after
            which they begin, and how many.
        hosts: hid and origin of the hosts from that of `after` on, at most `most_hosts`, in the order of hid.
        """
        self._db, self._of_host, self._hosts, self._begin = db, of_host, hosts, after
        self._most_hosts, self._most_urls = most_hosts, most_urls

    def __iter__(self) -> Iterator[tuple[int, str, Sequence[tuple[Any, ...]]]]:
        """Yields hid, origin and rows of each host."""
        left, (first, uid) = self._most_urls, self._begin
        for hid, origin in self._hosts:
            rows = self._db.execute(self._of_host, (hid, uid if hid == first else LEAST_NUMBER, left)).fetchall()
            yield hid, origin, rows
            left -= len(rows)
            if not left:
                self.after = (hid, rows[-1][0])
                return
        self.after = (self._hosts[-1][0] + 1, LEAST_NUMBER) if len(self._hosts) == self._most_hosts else None
