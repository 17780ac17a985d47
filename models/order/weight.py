"""The strategy `weight`: highest page weight first (`focuscrawl.graph.page_weight`), kept up to date while the graph grows.
Important sites come before all others.

As long as little of the graph is known, every in-degree is 1 and depth alone decides. The level of a page, which counts for the
URLs that it links to, changes only when its in-degree has doubled. Copies of a URL that was not fetched are not known, so its
mirror degree is that of its host.

Costs O(links of the page) a page, and 0.4 KB for each URL met. The topic does not count: every link in scope is followed, and
`focused` is False.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator

from focuscrawl.graph.page_weight import directory_depth, weight
from focuscrawl.items import Link, Page
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.key import UrlId, url_key
from models.link.link_score import DIGITS
from models.order.crawl_graph import UrlNumbers, edges
from models.order.protocol import Change, OrderContext
from models.order.waiting_urls import WaitingUrls

IMPORTANT = 1.0
"""Added to the priority of URLs on important sites. It puts them first because weights are below 1."""


class Degrees:
    """In-degrees of numbered URLs and the sums of the levels of their parents, kept up to date as pages are fetched. The level
    of a page is the whole part of the binary logarithm of its in-degree."""

    def __init__(self) -> None:
        self.indegree, self.parent_levels = array("I"), array("Q")
        self._targets: dict[int, array[int]] = {}

    def set_targets(self, node: int, targets: Iterable[int]) -> set[int]:
        """Replace the out-links of a node. Returns the nodes whose figures have changed."""
        new, old = set(targets), set(self._targets.get(node, ()))
        self._grow(max((node, *new)))
        changed = new ^ old
        level = self._level(node)
        for target in self._targets.pop(node, ()):
            self.parent_levels[target] -= level
        for target in old - new:
            self._count(target, -1, changed)
        for target in new - old:
            self._count(target, 1, changed)
        if self._level(node) != level:
            changed |= new
        self._targets[node] = array("I", sorted(new))
        for target in new:
            self.parent_levels[target] += self._level(node)
        return changed

    def figures(self, node: int) -> tuple[int, float]:
        """(in-degree, mean level of the parents) of a node."""
        indegree = self.indegree[node] if node < len(self.indegree) else 0
        return indegree, self.parent_levels[node] / indegree if indegree else 0.0

    def _count(self, node: int, step: int, changed: set[int]) -> None:
        """Add to the in-degree of a node. If its level changes, add its targets to `changed`."""
        before = self._level(node)
        self.indegree[node] += step
        moved = self._level(node) - before
        if moved and node in self._targets:
            for target in self._targets[node]:
                self.parent_levels[target] += moved
                changed.add(target)

    def _level(self, node: int) -> int:
        return max(0, self.indegree[node].bit_length() - 1)

    def _grow(self, node: int) -> None:
        missing = node + 1 - len(self.indegree)
        if missing > 0:
            self.indegree.extend([0] * missing)
            self.parent_levels.extend([0] * missing)


class PageWeights:
    """The weights of all URLs that links lead to, kept up to date page by page. O(links of the page) a page, 0.4 KB for each
    URL met."""

    def __init__(self, important: Iterable[str]) -> None:
        """`important`: hosts or registered domains that the user named."""
        self._numbers, self._degrees = UrlNumbers(), Degrees()
        self._depth: dict[int, int] = {}
        """Depth of the directory, by number of a URL to which a link has led."""
        self._important = frozenset(name.lower() for name in important)
        self._on_important: dict[int, bool] = {}
        """Whether a host is important, by its `hid`."""
        self._mirrors: dict[int, set[int]] = {}
        """The mirrors of a host, by its `hid`."""

    def see(self, page: Page) -> Iterator[UrlId]:
        """Learn from a fetch that has ended. Yields the known URLs whose weight it has changed."""
        self._find_mirror(page)
        for link in page.links:
            if not link.refused:
                self._note(link)
        if page.again or not (page.ok or page.redirect):
            return
        targets = [self._numbers.of(key) for key in edges(page)]
        for number in self._degrees.set_targets(self._numbers.of(page.lease.url_id), targets):
            if number in self._depth:
                yield self._numbers.key(number)

    def of(self, key: UrlId) -> tuple[float, dict[str, float]]:
        """The weight of a URL to which a link has led, and its parts by name."""
        number = self._numbers.of(key)
        indegree, parents = self._degrees.figures(number)
        mirrors = 1 + len(self._mirrors.get(key[0], ()))
        return weight(indegree, parents, mirrors, self._depth[number])

    def knows(self, key: UrlId) -> bool:
        """Whether a link has led to this URL."""
        return key[0] in self._on_important and self._numbers.of(key) in self._depth

    def is_important(self, key: UrlId) -> bool:
        """Whether a known URL is on a site that the user named as important."""
        return self._on_important[key[0]]

    def _note(self, link: Link) -> None:
        key = link.key.url_id
        self._depth.setdefault(self._numbers.of(key), directory_depth(link.url))
        if key[0] not in self._on_important:
            self._on_important[key[0]] = bool(self._important) and self._is_named(host_name(link.url))

    def _is_named(self, host: str) -> bool:
        return host in self._important or registered_domain(host) in self._important

    def _find_mirror(self, page: Page) -> None:
        """Note that two hosts are mirrors, if the page repeats one with the same path on another host."""
        if page.duplicate is None:
            return
        own, other = url_key(page.url), url_key(page.duplicate.url)
        if own.hid != other.hid and own.path == other.path and own.path.strip("/"):
            self._mirrors.setdefault(own.hid, set()).add(other.hid)
            self._mirrors.setdefault(other.hid, set()).add(own.hid)


class WeightOrder:
    """Highest weight first, whatever the topic. Implements `Order`."""

    focused = False

    def __init__(self, context: OrderContext) -> None:
        self._waiting, self._weights = WaitingUrls(), PageWeights(context.important)

    def see(self, page: Page) -> None:
        self._waiting.close(page.lease.url_id)
        for key in self._weights.see(page):
            self._waiting.move(key, self._weights.of(key)[0] + self._bonus(key))
        for link in page.links:
            if not link.refused:
                self._set_priority(link)

    def changes(self) -> list[Change]:
        return self._waiting.changes()

    def _bonus(self, key: UrlId) -> float:
        return IMPORTANT if self._weights.is_important(key) else 0.0

    def _set_priority(self, link: Link) -> None:
        key = link.key.url_id
        value, parts = self._weights.of(key)
        link.score = round(value, DIGITS)
        link.parts = {name: round(part, DIGITS) for name, part in parts.items()}
        link.priority = value + self._bonus(key)
        self._waiting.offer(key, link.priority)
