"""The textbook's weight(p) = f(indegree(p), indegree(parents), mirror degree(p), directory depth(p)); important sites first.

    f = s / (1 + s)      s = (1 + log2 indegree + mean level of parents / 2 + log2 mirror degree / 2) / (1 + depth)

Larger in-degrees and mirror degrees raise it, depth lowers it. Before the graph is known every in-degree is 1, the
bracket is 1, and depth alone serves. A parent's level is floor(log2 indegree), so that a page tells its links of a new
level only when its own in-degree has doubled.

Source: the textbook's criteria; the formula that joins them is ours. O(links of the page), 0.4 KB for each URL met. It does not
look at the topic: every link in scope is followed, and `focused` is False.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable
from urllib.parse import urlsplit

from focuscrawl.items import Link, Page
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.key import UrlId, url_key
from models.link.link_score import DIGITS
from models.order.crawl_graph import UrlNumbers, edges, key_of
from models.order.protocol import Change, OrderContext
from models.order.published import WaitingUrls

IMPORTANT = 1.0
"""Added to the priority of URLs on important sites; weights are below 1."""


def directory_depth(url: str) -> int:
    """How many directories the path names: 0 for `/` and `/a.html`, 2 for `/a/b/` and `/a/b/c.html`."""
    return max(0, urlsplit(url).path.count("/") - 1)


def weight(indegree: int, parents: float, mirrors: int, depth: int) -> tuple[float, dict[str, float]]:
    """Weight in (0, 1) and its parts, which add up to it. `parents` is the mean level; `mirrors` counts the page itself."""
    terms = {
        "depth": 1.0,
        "indegree": math.log2(max(1, indegree)),
        "parents": parents / 2,
        "mirrors": math.log2(max(1, mirrors)) / 2,
    }
    total = sum(terms.values())
    strength = total / (1 + depth)
    value = strength / (1 + strength)
    return value, {name: value * term / total for name, term in terms.items()}


class Degrees:
    """In-degrees and the summed levels of parents of numbered URLs, as pages are fetched."""

    def __init__(self) -> None:
        self.indegree, self.parent_levels = array("I"), array("Q")
        self._targets: dict[int, array[int]] = {}

    def set_targets(self, node: int, targets: Iterable[int]) -> set[int]:
        """The out-links of a node, in place of earlier ones. Returns the nodes whose figures changed."""
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


class WeightOrder:
    """Highest weight first, whatever the topic. Implements `Order`."""

    focused = False

    def __init__(self, context: OrderContext) -> None:
        self._numbers, self._waiting, self._degrees = UrlNumbers(), WaitingUrls(), Degrees()
        self._depth: dict[int, int] = {}
        self._important = frozenset(name.lower() for name in context.important)
        self._bonus: dict[int, float] = {}
        self._mirrors: dict[int, set[int]] = {}

    def see(self, page: Page) -> None:
        own = key_of(page)
        self._waiting.close(own)
        self._find_mirror(page)
        for link in page.links:
            if not link.refused:
                self._note(link)
        if page.ok or page.redirect:
            targets = [self._numbers.of(key) for key in edges(page)]
            for number in self._degrees.set_targets(self._numbers.of(own), targets):
                if number in self._depth:
                    key = self._numbers.key(number)
                    self._waiting.move(key, self._weight(key)[0] + self._bonus[key[0]])
        for link in page.links:
            if not link.refused:
                self._set_priority(link)

    def changes(self) -> list[Change]:
        return self._waiting.changes()

    def _note(self, link: Link) -> None:
        key = link.key.url_id
        self._depth.setdefault(self._numbers.of(key), directory_depth(link.url))
        if key[0] not in self._bonus:
            self._bonus[key[0]] = IMPORTANT if self._important and self._is_important(host_name(link.url)) else 0.0

    def _is_important(self, host: str) -> bool:
        return host in self._important or registered_domain(host) in self._important

    def _set_priority(self, link: Link) -> None:
        key = link.key.url_id
        value, parts = self._weight(key)
        link.score = round(value, DIGITS)
        link.parts = {name: round(part, DIGITS) for name, part in parts.items()}
        link.priority = value + self._bonus[key[0]]
        self._waiting.offer(key, link.priority)

    def _weight(self, key: UrlId) -> tuple[float, dict[str, float]]:
        number = self._numbers.of(key)
        indegree, parents = self._degrees.figures(number)
        mirrors = 1 + len(self._mirrors.get(key[0], ()))
        return weight(indegree, parents, mirrors, self._depth[number])

    def _find_mirror(self, page: Page) -> None:
        """Two hosts are mirrors once a page of one was found to repeat that with the same path of the other."""
        if page.duplicate is None:
            return
        _, tail, host, _ = url_key(page.url)
        _, other_tail, other, _ = url_key(page.duplicate.url)
        if host != other and tail == other_tail and tail.strip("/"):
            self._mirrors.setdefault(host, set()).add(other)
            self._mirrors.setdefault(other, set()).add(host)
