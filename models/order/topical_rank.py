"""The strategy `topicalrank`: TopicalRank of the adaptive crawler by incremental learning. Relevance flows along links, and is
kept up to date while the graph grows.

    TopicalRank_j(v) = α Σ_{u→v} TopicalRank_j(u) / O(u) + β R_j(v)        α = β = 0.5

Here u are the fetched pages that link to v, O(u) is the number of targets of u, and R_j(v) is the relevance of the best link to
v by the link classifier, or 1 for a seed.

Costs at most EDGES_PUSHED edges a page beside its links, and 2.4 KB for each URL met. It does not forget: what an early page
passed on stays. If anchors say much and relevant pages do not link to each other, the link score alone does better.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Sequence

from focuscrawl.items import Link, Page
from focuscrawl.url.key import url_key
from models.link.link_classifier import LinkClassifier
from models.link.link_score import DIGITS
from models.naive_bayes import probability
from models.order.crawl_graph import UrlNumbers, edges
from models.order.protocol import Change, OrderContext
from models.order.waiting_urls import WaitingUrls


class LinkRelevance:
    """R_j(v), the relevance of a link: by the link classifier once it is trained, by the link score until then."""

    def __init__(self, context: OrderContext) -> None:
        self._scorer = context.scorer
        self._classifier = LinkClassifier(context.segmenter)

    def see(self, page: Page) -> None:
        """Learn from the page's verdict. To be called before its links are scored."""
        self._classifier.see(page)

    def __call__(self, link: Link, page: Page) -> float:
        """The relevance of the link, in [0, 1]. Sets `link.score` and `link.parts` as the link scorer does."""
        self._scorer.score(link, page)
        return probability(self._classifier.log_odds(link)) if self._classifier.trained else link.score


class RankPush:
    """Keeps the fixed point of  x(v) = α Σ_{u→v} x(u) / O(u) + β r(v)  up to date on a growing graph, by pushing residuals.

    The residual of a node is what its value lacks of the right side. Only nodes with out-links have one. Residuals are pushed
    to the targets in the order in which they arose, over a bounded number of edges at a time. Those that were not pushed yet
    are pushed later, so that the values always converge to the fixed point (after Gauss and Southwell; for PageRank: Andersen,
    Chung, Lang 2006).

    Nodes are numbers from 0, which exist once they are named. α + β should be at most 1: then values stay in [0, Σ r].
    """

    def __init__(self, alpha: float, beta: float, tolerance: float) -> None:
        self._alpha, self._beta, self._tolerance = alpha, beta, tolerance
        self._value, self._residual, self._source = array("d"), array("d"), array("d")
        """By node: the estimate of x, its residual, and r."""
        self._targets: dict[int, array[int]] = {}
        self._queue: deque[int] = deque()
        """The nodes whose residuals are to be pushed; `_queued` are the same as a set."""
        self._queued: set[int] = set()
        self._touched: dict[int, None] = {}
        """The nodes whose value has changed since the last `settle`, in order."""

    def value(self, node: int) -> float:
        """The present estimate of x(node)."""
        return self._value[node] if node < len(self._value) else 0.0

    def inherited(self, node: int) -> float:
        """The part of the value that comes along links."""
        return max(0.0, self.value(node) - self._beta * (self._source[node] if node < len(self._source) else 0.0))

    def set_source(self, node: int, value: float) -> None:
        """Set r(node)."""
        self._grow(node)
        self._add(node, self._beta * (value - self._source[node]))
        self._source[node] = value

    def raise_source(self, node: int, value: float) -> None:
        """Set r(node) if this value is larger than the present one."""
        self._grow(node)
        if value > self._source[node]:
            self.set_source(node, value)

    def set_targets(self, node: int, targets: Sequence[int]) -> None:
        """Replace the out-links of a node. A target counts as often as it occurs."""
        self._grow(max((node, *targets)))
        if old := self._targets.get(node):
            self._spread(old, -self._value[node])
            del self._targets[node]
            self._value[node] += self._residual[node]
            self._residual[node] = 0.0
        if targets:
            self._targets[node] = array("Q", targets)
            self._spread(targets, self._value[node])

    def settle(self, edges: int) -> list[int]:
        """Push residuals over about this many edges. Returns the nodes without out-links whose value has changed since the last
        call."""
        while self._queue and edges > 0:
            node = self._queue.popleft()
            self._queued.discard(node)
            targets = self._targets.get(node)
            if targets is None:
                continue
            residual, self._residual[node] = self._residual[node], 0.0
            self._value[node] += residual
            self._spread(targets, residual)
            edges -= len(targets)
        touched = [node for node in self._touched if node not in self._targets]
        self._touched = {}
        return touched

    def _spread(self, targets: Sequence[int], amount: float) -> None:
        """Divide α times an amount among the targets of a node."""
        share = self._alpha * amount / max(1, len(targets))
        for target in targets:
            self._add(target, share)

    def _add(self, node: int, amount: float) -> None:
        """Add to the right side of a node's equation: to its value if it has no out-links, else to its residual."""
        if node not in self._targets:
            self._value[node] += amount
            self._touched[node] = None
            return
        self._residual[node] += amount
        if abs(self._residual[node]) > self._tolerance and node not in self._queued:
            self._queued.add(node)
            self._queue.append(node)

    def _grow(self, node: int) -> None:
        missing = node + 1 - len(self._value)
        if missing > 0:
            for values in (self._value, self._residual, self._source):
                values.extend([0.0] * missing)


ALPHA = BETA = 0.5
"""The paper's values."""
TOLERANCE = 5e-4
"""Residuals below this are not pushed. It is far below the margin from which priorities are published."""
EDGES_PUSHED = 1500
"""Edges over which residuals are pushed for each page (0.5 to 1 ms)."""


class TopicalRankOrder:
    """Highest TopicalRank first. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext) -> None:
        self._numbers, self._waiting = UrlNumbers(), WaitingUrls()
        self._rank = RankPush(ALPHA, BETA, TOLERANCE)
        self._relevance = LinkRelevance(context)
        for url in context.seeds:
            self._rank.set_source(self._numbers.of(url_key(url).url_id), 1.0)

    def see(self, page: Page) -> None:
        if not page.again:
            self._relevance.see(page)
        self._waiting.close(page.lease.url_id)
        targets = {self._numbers.of(key): links for key, links in edges(page).items()}
        if targets and not page.again:
            self._rank.set_targets(self._numbers.of(page.lease.url_id), list(targets))
        for number, links in targets.items():
            for link in links:
                if not link.refused:
                    self._rank.raise_source(number, self._relevance(link, page))
        for number in self._rank.settle(EDGES_PUSHED):
            self._waiting.move(self._numbers.key(number), self._rank.value(number))
        self._set_priorities(page)

    def changes(self) -> list[Change]:
        return self._waiting.changes()

    def _set_priorities(self, page: Page) -> None:
        for link in page.links:
            if link.refused:
                continue
            key = link.key.url_id
            number = self._numbers.of(key)
            link.priority = self._rank.value(number)
            link.score = round(min(1.0, link.priority), DIGITS)
            inherited = round(self._rank.inherited(number), DIGITS)
            link.parts = {"inherited": inherited, "relevance": round(link.score - inherited, DIGITS)}
            self._waiting.offer(key, link.priority)
