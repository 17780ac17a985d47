"""Static allocation: whose is this URL, when the web is split among n workers before they start?

A key (what the grain takes of a URL) falls into one of 1024 buckets, and a bucket belongs to the worker that has the
highest hash with it: rendezvous or highest random weight hashing (Thaler and Ravishankar 1998). One more worker takes
1/(n+1) of the buckets, evenly from all others, and no bucket moves between the others. Keyed BLAKE2b: the same answers
in every process, on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from focuscrawl.errors import BadInput
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.normalize import split

BUCKETS = 1024
MOST_WORKERS = 64
"""With that many workers, the smallest part still has 6 buckets and the largest 25."""
GRAINS = ("host", "domain", "address", "path")
"""What stays together: a host name, a registered domain, an address range, the pages of a host below one path segment."""
FOREIGN = ("forward", "drop", "fetch")
"""What becomes of a URL of another worker (Cho and Garcia-Molina 2002, section 3): left to its owner, not followed
(firewall mode), or fetched when nothing of one's own is ready (cross-over mode)."""
RANGE_BITS = {4: 24, 6: 48}
"""Length of the address ranges, by version of the protocol."""

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
        """Those of this part, rising."""
        return buckets_of(self.number, self.count)

    def owns(self, bucket: int) -> bool:
        return owner(bucket, self.count) == self.number


def parse_part(text: str) -> tuple[int, int]:
    """`2/4` -> (2, 4). Raises BadInput, one sentence."""
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
    """What stays together under a grain, of a normal URL or origin. `ip`: the host's IP address, as far as known;
    a host without one stands for itself."""
    name = host_name(url)
    if grain == "domain":
        return registered_domain(name)
    if grain == "address":
        return range_of(ip) or name
    if grain == "path":
        return f"{name}/{first_segment(split(url)[1])}"
    return name


def bucket_of(key: str) -> int:
    """0 … 1023."""
    digest = _KEY.copy()
    digest.update(key.encode("utf-8", "surrogatepass"))
    return int.from_bytes(digest.digest(), "big") % BUCKETS


def owner(bucket: int, count: int) -> int:
    """The worker, of 1 … `count`, to whom a bucket belongs."""
    return _owners(count)[bucket]


@lru_cache(maxsize=64)
def buckets_of(number: int, count: int) -> tuple[int, ...]:
    """All buckets of worker `number` of `count`, rising."""
    return tuple(bucket for bucket, one in enumerate(_owners(count)) if one == number)


def first_segment(tail: str) -> str:
    """The site column: `news` of `/news/2026/1.html` and of `/news?page=2`."""
    path = tail.partition("?")[0]
    return path.split("/", 2)[1] if path.startswith("/") else ""


def range_of(ip: str) -> str:
    """The /24 of an IPv4 address, the /48 of an IPv6 one; empty for what is no address."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(ip)
    except ValueError:
        return ""
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped:
        parsed = parsed.ipv4_mapped
    return str(ip_network((parsed, RANGE_BITS[parsed.version]), strict=False))


@lru_cache(maxsize=MOST_WORKERS)
def _owners(count: int) -> tuple[int, ...]:
    """The owner of each bucket; 1 ms a worker."""
    best = [(_weight(bucket, 1), 1) for bucket in range(BUCKETS)]
    for number in range(2, count + 1):
        best = [max(one, (_weight(bucket, number), number)) for bucket, one in enumerate(best)]
    return tuple(number for _, number in best)


def _weight(bucket: int, number: int) -> int:
    digest = _WEIGHT.copy()
    digest.update(b"%d/%d" % (bucket, number))
    return int.from_bytes(digest.digest(), "big")
