"""The key by which the store knows a URL. It is computed once and carried with the URL."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from focuscrawl.url.hosts import hid_of, uid_of
from focuscrawl.url.normalize import split

UrlId = tuple[int, int]
"""(hid, uid): how the tables and the order strategies identify a URL."""
LEAST_NUMBER = -(1 << 63)
BEFORE_ALL: UrlId = (LEAST_NUMBER, LEAST_NUMBER)
"""No hid and no uid is less: before the first row, where a pass in the order of keys begins."""


class UrlKey(NamedTuple):
    """A canonical URL in two parts, and the two numbers that stand for it in every table."""

    origin: str
    """`scheme://host[:port]`."""
    path: str
    """The rest of the URL, from the first slash of the path on."""
    hid: int
    """Number of the origin: signed, 64 bits."""
    uid: int
    """Number of the URL: signed, 64 bits; URLs of one directory lie together."""

    @property
    def url_id(self) -> UrlId:
        """The two numbers alone."""
        return self.hid, self.uid


@lru_cache(maxsize=4096)  # the links of a site's navigation are on all of its pages
def url_key(url: str) -> UrlKey:
    """The key of a canonical URL."""
    origin, path = split(url)
    return UrlKey(origin, path, hid_of(origin), uid_of(url))
