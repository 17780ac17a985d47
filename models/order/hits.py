"""The strategy `hits`: HITS on the crawled graph. Good hubs link to good authorities, and each page counts by its relevance.

    a(v) = Σ_{u→v} h(u) r(u)        h(u) = Σ_{u→v} a(v) r(v)        largest value 1

Source: Kleinberg 1999, with the relevance weights of Bharat and Henzinger 1998. All values are computed again when the graph
has grown by half, with one step of the iteration for each page that is seen, and are published in small portions, so that no
page takes long. In between a new page adds its share to the authorities of the URLs that it links to.

Costs O(links of the page) a page and, while it computes, O(edges) a step (20 ms for a million); 0.7 KB for each URL met. It
does not damp, so that the navigation of a dense site may drown everything else. Until FIRST_EDGES edges are known the link
score decides.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

from focuscrawl.items import Page
from models.link.link_score import DIGITS
from models.order.crawl_graph import UrlNumbers, edges
from models.order.protocol import Change, OrderContext
from models.order.waiting_urls import WaitingUrls

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Values = NDArray[np.float64]
    Numbers = NDArray[np.uint32]

FIRST_EDGES = 500
"""Edges before the first computation: in a smaller graph the seeds are the only hubs."""
GROWTH = 1.5
"""Factor by which the graph must have grown before the next computation, so that all together cost three times the last."""
STEPS = 20
"""Steps of one computation."""
MAX_EDGES = 1_000_000
"""Most edges that are kept. Pages that come later only add their share. One step over so many edges takes about 20 ms."""
PUBLISHED_AT_ONCE = 20_000
"""Most new authorities that are published for each page, if a computation has changed many (5 ms)."""
MOVED = 0.3
"""Share by which an authority must have changed to be published. Less is within the margin of priorities."""
DECADES = 8.0
"""Powers of ten over which authorities are spread: the priority is 1 + log10(a) / DECADES, at least 0."""


def authorities(
    sources: Numbers, targets: Numbers, relevance: Values, steps: int = STEPS
) -> Iterator[tuple[Values, float, float]]:
    """Yield after each step (authority by node, the largest sum of h r, the largest sum of a r). The sums are those before
    scaling. sources[i] links to targets[i]; `relevance`: by node."""
    import numpy as np

    size = len(relevance)
    authority: Values = np.ones(size)
    for _ in range(steps):
        hub = np.bincount(sources, (authority * relevance)[targets], size).astype(np.float64)
        hub_scale = float(hub.max()) or 1.0
        authority = np.bincount(targets, (hub / hub_scale * relevance)[sources], size).astype(np.float64)
        scale = float(authority.max()) or 1.0
        authority = authority / scale
        yield authority, scale, hub_scale


def priority(authority: float) -> float:
    """The priority of an authority, in [0, 1]. It is logarithmic because authorities fall off so steeply that most would be
    nearly 0."""
    return min(1.0, max(0.0, 1.0 + math.log10(authority) / DECADES)) if authority > 0 else 0.0


class HitsOrder:
    """Highest authority first; highest link score until the graph is large enough. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext) -> None:
        self._scorer = context.scorer
        self._numbers, self._waiting = UrlNumbers(), WaitingUrls()
        self._sources, self._targets = array("I"), array("I")
        self._relevance, self._authority = array("d"), array("d")
        self._fetched: set[int] = set()
        """Numbers of the pages whose links are in the graph."""
        self._scale = self._hub_scale = 1.0
        """The largest sums of the last computation before scaling, on whose scale later pages add their share."""
        self._known = False
        """Whether a computation has ended, so that authorities are known."""
        self._next = FIRST_EDGES
        """Edges from which on the next computation begins."""
        self._steps: Iterator[tuple[Values, float, float]] | None = None
        """The computation that is going on, and below the result of its last step."""
        self._last: tuple[Values, float, float] | None = None
        self._meanwhile: list[tuple[int, list[int]]] = []
        """Pages seen since the present computation began, as (number, numbers of their targets)."""
        self._unpublished = array("q")
        """Numbers of the URLs whose new authority has not been published yet."""

    def see(self, page: Page) -> None:
        own = self._numbers.of(page.lease.url_id)
        targets = [self._numbers.of(key) for key in edges(page)]
        self._waiting.close(page.lease.url_id)
        self._grow()
        self._weigh(own, page)
        if targets and own not in self._fetched and not page.again:
            self._fetched.add(own)
            self._add(own, targets)
        self._compute()
        self._publish()
        for link in page.links:
            if not link.refused:
                key = link.key.url_id
                link.priority = link.score
                if self._known:
                    link.priority = priority(self._authority[self._numbers.of(key)])
                    link.score = round(link.priority, DIGITS)
                    link.parts = {"authority": link.score}
                self._waiting.offer(key, link.priority)

    def changes(self) -> list[Change]:
        return self._waiting.changes()

    def _weigh(self, own: int, page: Page) -> None:
        """Set the relevance by which pages count: the verdict's score of a fetched page, the best link score of a URL that was
        not fetched."""
        if page.ok and page.verdict:
            self._relevance[own] = page.verdict.relevance
        for link in page.links:
            if not link.refused:
                self._scorer.score(link, page)
                number = self._numbers.of(link.key.url_id)
                if number not in self._fetched:
                    self._relevance[number] = max(self._relevance[number], link.score)

    def _add(self, own: int, targets: list[int]) -> None:
        """Add the edges of a page to the graph."""
        if len(self._sources) + len(targets) <= MAX_EDGES:
            self._sources.extend([own] * len(targets))
            self._targets.extend(targets)
        if self._steps is not None:
            self._meanwhile.append((own, targets))
        if self._known:
            self._share(own, targets)

    def _share(self, own: int, targets: list[int]) -> None:
        """Let a page that the last computation did not know add its share to the authorities of its targets."""
        hub = sum(self._authority[target] * self._relevance[target] for target in targets) / self._hub_scale
        share = min(1.0, hub) * self._relevance[own] / self._scale
        for target in targets:
            self._authority[target] += share
            self._waiting.move(self._numbers.key(target), priority(self._authority[target]))

    def _compute(self) -> None:
        """Make one step of the present computation, or begin one if the graph has grown enough."""
        import numpy as np

        if self._steps is None:
            if len(self._sources) < self._next:
                return
            self._next = int(GROWTH * len(self._sources))
            self._steps = authorities(np.array(self._sources), np.array(self._targets), np.array(self._relevance))
        step = next(self._steps, None)
        if step is not None:
            self._last = step
        elif self._last is not None:
            self._install(*self._last)

    def _install(self, authority: Values, scale: float, hub_scale: float) -> None:
        """Take over the authorities of a finished computation, and note which have to be published."""
        import numpy as np

        before = np.array(self._authority)[: len(authority)]
        self._authority[: len(authority)] = array("d", authority.tobytes())
        moved = np.abs(authority - before) > MOVED * before if self._known else np.ones(len(authority), bool)
        moved[np.frombuffer(self._unpublished, np.int64)] = True
        self._unpublished = array("q", np.flatnonzero(moved).astype(np.int64).tobytes())
        self._scale, self._hub_scale, self._known, self._steps, self._last = scale, hub_scale, True, None, None
        for own, targets in self._meanwhile:
            self._share(own, targets)
        self._meanwhile = []

    def _publish(self) -> None:
        """Publish some of the authorities that the last computation changed."""
        for number in self._unpublished[-PUBLISHED_AT_ONCE:]:
            self._waiting.move(self._numbers.key(number), priority(self._authority[number]))
        del self._unpublished[-PUBLISHED_AT_ONCE:]

    def _grow(self) -> None:
        """Make room in the arrays for all numbers."""
        missing = len(self._numbers) - len(self._relevance)
        self._relevance.extend([0.0] * missing)
        self._authority.extend([0.0] * missing)
