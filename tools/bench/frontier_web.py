"""A web by numbers for `tools.bench.frontier`: hosts of Zipf sizes, their URLs, and the links of a page, in any quantity.

URL k of host i is made from the two numbers, so that what the store knows need not be kept here.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass

from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.url.hosts import hid_of, uid_of

DIRECTORY = 200
"""URLs in one directory: they are neighbors in the index."""
BITS = 44
WORDS = (
    "the",
    "frontier",
    "decides",
    "what",
    "a",
    "crawl",
    "asks",
    "for",
    "next",
    "and",
    "why",
    "each",
    "page",
    "was",
    "fetched",
)


@dataclass(slots=True, frozen=True)
class Mix:
    """What a page links to. Shares in [0, 1]."""

    links: int = 80
    same_host: float = 0.75
    new: float = 0.38
    """Never seen before."""
    new_host: float = 0.01
    """Of the new links to other hosts, those to a host never seen before."""
    better: float = 0.05
    """Of the known links, those that lift the waiting URL."""


class Web:
    """`sizes[i]` URLs of host i are known. `token` names what is new in this run, other than in runs before."""

    def __init__(self, urls: int, hosts: int, token: str, mix: Mix, seed: int = 1) -> None:
        harmonic = sum(1 / rank for rank in range(1, hosts + 1))
        self.sizes = [max(1, round(urls / (harmonic * rank))) for rank in range(1, hosts + 1)]
        self._weights = list(itertools.accumulate(1 / rank for rank in range(1, hosts + 1)))
        self._hosts = range(hosts)
        self._random = random.Random(f"{seed} {token}")
        self.token, self._mix = token, mix
        self._fresh = itertools.count()
        self.by_hid = {hid_of(origin(host)): host for host in self._hosts}

    @property
    def urls(self) -> int:
        """All that a full store knows."""
        return sum(self.sizes)

    def some_host(self) -> int:
        """By the number of its pages."""
        return self._random.choices(self._hosts, cum_weights=self._weights)[0]

    def known(self, host: int) -> str:
        return url(host, self._random.randrange(self.sizes[host]))

    def page_links(self, host: int) -> list[DiscoveredUrl]:
        """The links of a page of `host`, each URL once. Half of those within the host are neighbors of one another."""
        mix, draw = self._mix, self._random
        page = draw.randrange(self.sizes[host])
        urls = dict[str, bool]()
        for _ in range(mix.links):
            new = draw.random() < mix.new
            urls.setdefault(self._same(host, page, new) if draw.random() < mix.same_host else self._other(new), new)
        while len(urls) < mix.links:  # a small host has not so many pages
            urls.setdefault(self.known(self.some_host()), False)
        return [self._found(link, new) for link, new in urls.items()]

    def raw_links(self) -> list[DiscoveredUrl]:
        """The same mix without new hosts, for the statement that everything is measured by."""
        return [each for each in self.page_links(self.some_host()) if each.key.hid in self.by_hid]

    def _same(self, host: int, page: int, new: bool) -> str:
        if new:
            return self._new(host, page)
        if self._random.random() < 0.5:
            return self.known(host)
        first = page // DIRECTORY * DIRECTORY
        return url(host, min(first + self._random.randrange(DIRECTORY), self.sizes[host] - 1))

    def _other(self, new: bool) -> str:
        host = self.some_host()
        if not new:
            return self.known(host)
        if self._random.random() < self._mix.new_host:
            return f"https://www.new{self.token}-{next(self._fresh)}.example/"
        return self._new(host, self._random.randrange(self.sizes[host]))

    def _new(self, host: int, near: int) -> str:
        return f"{origin(host)}/section-{near // DIRECTORY:05d}/page-{self.token}-{next(self._fresh):08d}-with-a-title.html"

    def _found(self, link: str, new: bool) -> DiscoveredUrl:
        found = DiscoveredUrl(link, 0.0, depth=4)
        found.priority = score_of(found.key.uid)
        if not new and self._random.random() < self._mix.better:
            found.priority += 0.05
        return found


def origin(host: int) -> str:
    return f"https://www.host{host:05d}.example"


def url(host: int, number: int) -> str:
    """URL of a page; 47 characters behind the origin."""
    return f"{origin(host)}/section-{number // DIRECTORY:05d}/page-{number:09d}-with-a-title.html"


def score_of(uid: int) -> float:
    """The same URL is promising or not wherever the link stands; uniform in [0, 1)."""
    return (uid & (1 << BITS) - 1) / (1 << BITS)


def rows_of(web: Web, part: int, parts: int) -> Iterator[tuple[int, list[tuple[int, float, str]]]]:
    """One of `parts` parts of the known URLs, a bit of each host: (hid, rows of (uid, score, tail)) in key order."""
    for hid in sorted(web.by_hid):
        host = web.by_hid[hid]
        start = len(origin(host))
        rows = []
        for number in range(part, web.sizes[host], parts):
            link = url(host, number)
            uid = uid_of(link)
            rows.append((uid, score_of(uid), link[start:]))
        if rows:
            yield hid, sorted(rows)


def page_of(lease: Lease, found: list[DiscoveredUrl], now: float) -> Page:
    """A fetched and judged page: 2 KB of text; `found` with anchors and contexts as its links."""
    text = " ".join(random.Random(lease.uid).choices(WORDS, k=400))
    links = [
        Link(each.url, "an anchor", "an anchor and some words around it", "body/div.main/ul/li/a", score=each.priority)
        for each in found
    ]
    verdict = Verdict(0.7, True, 0.5, (("frontier", 0.4), ("crawl", 0.3)), 0.4)
    page = Page(lease, lease.url, 200, now, 0.1, "192.0.2.1", text=text, links=links, verdict=verdict)
    page.title, page.kind, page.language, page.charset, page.content_type = "A title", "content", "en", "utf-8", "text/html"
    return page
