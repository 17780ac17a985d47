"""Static allocation: to which of n workers a URL belongs if the web is divided among them before they start.

A key (the part of a URL that the grain selects) falls into one of 1024 buckets, and a bucket belongs to the worker that has the
highest hash with it: rendezvous or highest random weight hashing (Thaler and Ravishankar 1998). One more worker takes 1/(n+1)
of the buckets, evenly from all others, and no bucket moves between the others. The hash is a personalized BLAKE2b, so that the
answers are the same in every process and on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal

from focuscrawl.errors import BadInput
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.normalize import split

BUCKETS = 1024
MOST_WORKERS = 64
"""With that many workers, the smallest part still has 6 buckets and the largest 25."""
Grain = Literal["host", "domain", "address", "path"]
"""What stays together under each grain: the pages of a host name, of a registered domain, of a range of IP addresses, or those
of a host below one path segment."""
Foreign = Literal["forward", "drop", "fetch"]
"""What a worker does with a URL of another one (Cho and Garcia-Molina 2002, section 3): leave it to its owner, not follow it
(firewall mode), or fetch it when none of its own URLs is ready (cross-over mode)."""
RANGE_BITS = {4: 24, 6: 48}
"""Prefix length of the ranges of IP addresses, by version of the protocol."""

# The texts below decide which worker owns what: with others, a crawl that resumes would be divided differently.
_KEY = blake2b(digest_size=8, person=b"focuscrawl part")
_WEIGHT = blake2b(digest_size=8, person=b"focuscrawl rank")


@dataclass(slots=True, frozen=True)
class Partition:
    """Part `number` (from 1) of `count`, under the crawl's grain."""

    number: int
    count: int
    grain: str = "host"
    foreign: str = "forward"

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @property
    def buckets(self) -> tuple[int, ...]:
        """The buckets of this part, rising."""
        return buckets_of(self.number, self.count)

    def owns(self, bucket: int) -> bool:
        return owner(bucket, self.count) == self.number


def parse_part(text: str) -> tuple[int, int]:
    """(number, count) of a text such as `2/4`, here (2, 4). Raises BadInput, in one sentence, for other texts."""
    number, slash, count = (part.strip() for part in text.partition("/"))
    parts = [int(part) for part in (number, count) if part.isascii() and part.isdigit() and len(part) < 6]
    if not slash or len(parts) != 2 or not 1 <= parts[0] <= parts[1] <= MOST_WORKERS:
        shown = repr(text if len(text) <= 40 else text[:39] + "…")
        raise BadInput(
            f"partition: {shown} is not i/n (i from 1 to n, n at most {MOST_WORKERS}); the second of four workers is"
            " -a partition=2/4."
        )
    return parts[0], parts[1]


def key_of(grain: str, url: str, ip: str = "") -> str:
    """The key of a normal URL or origin under a grain; URLs with the same key stay together. `ip`: the host's IP address, if
    known. Under the grain `address` the key of a host without one is its name."""
    name = host_name(url)
    if grain == "domain":
        return registered_domain(name)
    if grain == "address":
        return range_of(ip) or name
    if grain == "path":
        return f"{name}/{first_segment(split(url)[1])}"
    return name


def bucket_of(key: str) -> int:
    """The bucket of a key, 0 to 1023."""
    digest = _KEY.copy()
    digest.update(key.encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest(), "big") % BUCKETS


def owner(bucket: int, count: int) -> int:
    """The number of the worker, 1 to `count`, to which a bucket belongs."""
    return _owners(count)[bucket]


@lru_cache(maxsize=64)
def buckets_of(number: int, count: int) -> tuple[int, ...]:
    """All buckets of worker `number` of `count`, rising."""
    return tuple(bucket for bucket, one in enumerate(_owners(count)) if one == number)


def first_segment(tail: str) -> str:
    """The first segment of a path: `news` for `/news/2026/1.html` and for `/news?page=2`."""
    path = tail.partition("?")[0]
    return path.split("/", 2)[1] if path.startswith("/") else ""


def range_of(ip: str) -> str:
    """The /24 of an IPv4 address or the /48 of an IPv6 address; empty if the text is neither."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(ip)
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    return str(ip_network((parsed, RANGE_BITS[parsed.version]), strict=False))


@lru_cache(maxsize=MOST_WORKERS)
def _owners(count: int) -> tuple[int, ...]:
    """The owner of each bucket. Takes 1 ms for each worker."""
    best = [(_weight(bucket, 1), 1) for bucket in range(BUCKETS)]  # (weight, number) of each bucket's best worker so far
    for number in range(2, count + 1):
        best = [max(one, (_weight(bucket, number), number)) for bucket, one in enumerate(best)]
    return tuple(number for _, number in best)


def _weight(bucket: int, number: int) -> int:
    digest = _WEIGHT.copy()
    digest.update(b"%d/%d" % (bucket, number))
    return int.from_bytes(digest.digest(), "big")
