"""In which places does a URL lie: directory, host, site? And does it look like the URL of a page that lists others?

Places are numbered by a hash of their names, so that arrays can count what was fetched there. Sites without directories number
their lists in file names or parameters; what stands before the last number counts as a directory (`directory_number`).
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache
from typing import NamedTuple

from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.normalize import split

PLACES = 1 << 18
"""Numbers of places are below this: an array of counts takes 1 MB. Names with the same hash share a number."""
_hub = re.compile(
    r"(?:/|(?<![a-z])index(?![a-z])[^/]*"
    r"|/(?:contents?|toc|archives?|categor[a-z]*|tags?|sitemap|modules?|genindex|py-modindex)[^/]*)$",
    re.IGNORECASE,
)
"""Matches the end of the path of a page that lists others, from its last slash on: `index` as a word, not `reindex`."""
_index = re.compile(r"/(?:index(?:\.[a-z]+)?)?$", re.IGNORECASE)
"""Matches the end of the path of a directory or of its index page."""
_numbers = re.compile(r"(?:/\d+)+$")
"""Matches the years, months and page numbers at the end of a directory."""
_last_number = re.compile(r"(?<=[-_])\d+(?:\.[a-z]+)?$", re.IGNORECASE)
"""Matches the number at the end of a file name, with the ending."""
_DATE = "0123456789-_"
"""Characters of a file name that is a date."""
_digit = re.compile(r"\d")
"""Matches the number of a list, as in `list_3_`: a name without one, such as `list_`, says no more than its directory."""


def directory_number(url: str) -> int:
    """The number of the URL's directory, without the years, months and page numbers at its end: another month
    of the same list is not a new place. Where file names or parameters do what directories do elsewhere, all before the last
    number or parameter counts as one: `/list_3_` of `/list_3_2.html`, `/list?id=3&` of `/list?id=3&page=2`. But
    `/news/list_2.html` lies in `/news`, like everything there."""
    if "?" in url:
        path, _, query = url.partition("?")
        return place_number(f"{path}?{query[: query.rfind('&') + 1]}")
    directory, _, name = url.rpartition("/")
    number = _last_number.search(name)
    beginning = name[: number.start()] if number else ""
    # 8: behind the scheme
    names_place = beginning and (_digit.search(beginning) or "/" not in directory[8:]) and beginning.strip(_DATE)
    return _number_of_directory(directory, beginning if names_place else "")


@lru_cache(maxsize=8192)
def _number_of_directory(directory: str, beginning: str) -> int:
    place = _numbers.sub("", directory)
    return place_number(f"{place}/{beginning}" if beginning else place)


class HostNumbers(NamedTuple):
    """The numbers of the places that belong to an origin."""

    host: int
    """Of the host with its port."""
    origin: int
    """Origins are counted apart because a host that answers http may be silent on https."""
    site: int


@lru_cache(maxsize=8192)
def host_numbers(origin: str) -> HostNumbers:
    """The numbers of host, origin and site of the URLs of this origin."""
    site = registered_domain(host_name(origin))
    return HostNumbers(place_number(authority_of(origin)), place_number(origin), place_number(site))


def place_number(name: str) -> int:
    """The number of a directory, host, origin or site of this name."""
    return zlib.crc32(name.encode("utf-8", "replace")) % PLACES


def authority_of(url: str) -> str:
    """Host and port."""
    return split(url)[0].partition("://")[2]


def looks_like_hub(url: str) -> bool:
    """Whether the URL looks like that of a page that lists others."""
    path = url.partition("?")[0] if "?" in url else url
    return bool(_hub.search(path, path.rfind("/")))


def is_index_page(url: str) -> bool:
    """Whether the URL is that of a directory or of its index page, but not that of one page of a longer list."""
    return "?" not in url and bool(_index.search(url)) and not _numbers.search(url.rpartition("/")[0])
