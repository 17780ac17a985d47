"""The host and site of a URL, and the 64-bit numbers that stand for a host and a URL in the store.

The numbers are the same in every process and on every machine: BLAKE2b with a name of its own for each use, read as a
signed 64-bit integer, as SQLite and PostgreSQL keep them.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tldextract import TLDExtract

_HOST = blake2b(digest_size=8, person=b"focuscrawl host")
_URL = blake2b(digest_size=8, person=b"focuscrawl url")
_DIRECTORY = blake2b(digest_size=8, person=b"focuscrawl dir")
_URL_BITS = 44
_URL_MASK = (1 << _URL_BITS) - 1
_SHORTEST_MARK = 3
"""Characters; shorter marks (`t` of t.co) lie inside too many foreign names to be searched for as text."""


@lru_cache(maxsize=4096)
def hid_of(origin: str) -> int:
    """The number of an origin `http://host[:port]`: signed, 64 bits."""
    digest = _HOST.copy()
    digest.update(origin.encode())
    return int.from_bytes(digest.digest(), "big", signed=True)


def uid_of(url: str) -> int:
    """The number of a URL: 20 bits of its directory, then 44 bits of the URL, signed.

    So the URLs of one directory lie together in the index. The probability that two of n URLs in one directory have the same
    number is n²/2⁴⁵: 0.03 for a million.
    """
    path = url.partition("?")[0] if "?" in url else url
    directory = path[: path.rfind("/") + 1]
    digest = _URL.copy()
    digest.update(url.encode())
    number = _directory_bits(directory) | (int.from_bytes(digest.digest(), "big") & _URL_MASK)
    return number - (1 << 64) if number >> 63 else number


def host_name(url: str) -> str:
    """The host of a normal URL or origin, without port, IPv6 addresses without brackets."""
    start = url.find("://") + 3
    end = url.find("/", start)
    authority = url[start:] if end < 0 else url[start:end]
    if authority.startswith("["):
        return authority[1 : authority.index("]")]
    return authority.partition(":")[0]


def bare_host(url: str) -> str:
    """The host of a normal URL or origin without `www.`, which hardly ever makes another site of it."""
    return host_name(url).removeprefix("www.")


def registered_domain(host: str) -> str:
    """`news.pku.edu.cn` -> `pku.edu.cn`: the name that was registered under a public suffix. IP addresses stay whole.

    It follows the public suffix list with its private part, so that `a.github.io` and `b.github.io` are two sites. The list is
    bundled with tldextract and never fetched. An unknown last label counts as a suffix (the list's default rule).
    """
    return _site(host)[0]


def has_public_suffix(host: str) -> bool:
    """Whether a host ends in a suffix of the public suffix list, as `.org`, `.co.uk` or `.xn--fiqs8s` (`.中国`)."""
    return bool(_suffixes()(host).suffix)


@lru_cache(maxsize=4096)
def in_site(host: str, page_host: str) -> bool:
    """Whether a link to `host` stays in the site of `page_host`: the host contains the mark of the page's host, which is the
    first label of its registered domain (T-spider's algorithm 2).

    If the mark is shorter than three characters, or the host is an IP address or a public suffix itself, both must have the
    same registered domain instead.
    """
    if host == page_host:
        return True
    domain, mark = _site(page_host)
    if _site(host)[0] == domain:
        return True
    return len(mark) >= _SHORTEST_MARK and mark != domain and mark in host


@lru_cache(maxsize=4096)
def _directory_bits(directory: str) -> int:
    digest = _DIRECTORY.copy()
    digest.update(directory.encode())
    return int.from_bytes(digest.digest(), "big") >> _URL_BITS << _URL_BITS


@lru_cache(maxsize=4096)
def _site(host: str) -> tuple[str, str]:
    """(registered domain, mark) of a host."""
    if ":" in host or host.replace(".", "").isdigit() or "." not in host:
        return host, host
    parts = _suffixes()(host)
    if parts.suffix and parts.domain:
        return f"{parts.domain}.{parts.suffix}", parts.domain
    labels = host.split(".")
    return (host, host) if parts.suffix else (".".join(labels[-2:]), labels[-2])


@lru_cache(maxsize=1)
def _suffixes() -> TLDExtract:
    from tldextract import TLDExtract

    return TLDExtract(cache_dir=None, suffix_list_urls=(), fallback_to_snapshot=True, include_psl_private_domains=True)
