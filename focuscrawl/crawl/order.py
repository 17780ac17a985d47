"""The crawl's order strategy, as the components of one process use it.

It is made as soon as there is a topic, is shown every fetch that has ended, including those of other workers and of earlier
runs (`crawl.read_back`), and says which priorities of waiting URLs are to change.

Invariant: the strategy sees each fetch once, roughly in the order of the commits; its changes are written with a commit. If a
URL is tried several times, it sees only the last try: otherwise a timeout would teach it that links like this one bring
nothing. A page is shown again, with these links only, if some of its links were refused when it was fetched and may be followed
now.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import orjson

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.frontier.outcome import will_retry
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.items import Page
from focuscrawl.store.frontier.discover import Rescored
from focuscrawl.url.key import UrlId
from models.link.tunnelling import Tunnelling, make_tunnelling
from models.order.combined import Combined
from models.order.protocol import Change, Order, OrderContext
from models.order.strategies import STRATEGIES, learns, make_order

BY_DEPTH = frozenset({"breadth-first", "depth-first"})
"""Strategies whose priorities follow from the crawl depth, which is 0 for seeds."""
RUN_BITS = 32
"""The discovery numbers of run n begin at n << RUN_BITS, behind those of earlier runs: room for 4 x 10^9 URLs a run."""
MOST_ASIDE = 50_000
"""URLs that were put aside and are remembered; those forgotten are found again when the order wants one."""


class Ordering:
    """One strategy in one process."""

    def __init__(
        self,
        job: CrawlJob,
        options: Options,
        topic: CrawlTopic,
        cache: UrlCache,
        held: Callable[[], frozenset[str]] = frozenset,
    ) -> None:
        """`held`: the origins that operators hold now."""
        self._job, self._options, self.topic, self._cache, self._held = job, options, topic, cache, held
        self.strategy = job.arguments.strategy
        self.focused = STRATEGIES[self.strategy].focused
        self.learns = learns(self.strategy, options.frontier_weight_prior, job.arguments.important)
        self.tunnelling = tunnelling_of(options)
        self.seen = 0
        """All fetches that ended: this process's own, and those that were read back."""
        self._first_number = 0
        self._order: Order | None = None
        self._aside: set[UrlId] = set()
        """URLs that the strategy wanted to give another priority, but that an operator or a rule had put aside."""
        self._early: list[Page] = []
        """Failures and redirects that ended before there was a topic."""

    def begin_run(self, run: int) -> None:
        """Number what is discovered from now on behind what earlier runs have discovered. To be called before the first fetch
        is seen."""
        self._first_number = run << RUN_BITS

    def start_priority(self, base: float, number: int) -> float:
        """The priority of a seed or example page: `base`, or one above those of all links where priorities follow from depth.

        `number`: its place in the list of seeds or examples, which keep their order."""
        # Seeds have depth 0. A difference smaller than that of any two depths keeps them in the order of their list.
        return base - 1.0 - number * 1e-9 if self.strategy in BY_DEPTH else base

    def see(self, page: Page) -> None:
        """Show the strategy a fetch that has ended, unless its URL is tried again. Its links that no rule refused get score,
        parts and priority."""
        self.seen += 1
        if not will_retry(page, self._options.frontier_retry_delays):
            self.rank(page)

    def rank(self, page: Page) -> None:
        """Show the strategy a page whose links need a priority, without counting the fetch."""
        if self.topic.busy:
            self._early.append(page)
            return
        if self._order is None:  # made only now, because it scores links by the topic
            self._order = self._make()
            for early in self._early:
                self._order.see(early)
            self._early.clear()
        self._order.see(page)

    def take(self) -> list[Rescored]:
        """The changes of waiting URLs since the last call, to be written to the store."""
        changes = self._order.changes() if self._order else []
        return list(map(row_of, {change.key: change for change in changes}.values()))  # the last of each URL counts

    def put_aside(self, urls: Sequence[UrlId]) -> None:
        """Tell the strategy that these URLs do not wait any more and will not be fetched."""
        if len(self._aside) > MOST_ASIDE:
            self.let_any_back()  # costs a look-up for each that the order wants again
        self._aside.update(urls)

    def let_back(self, url: UrlId) -> None:
        """Tell the strategy that this URL, which was put aside, waits again."""
        self._aside.discard(url)

    def let_any_back(self) -> None:
        """Tell the strategy that any URL that was put aside may wait again. Those that do not are found again."""
        self._aside.clear()

    def settle(self, rescored: Sequence[Rescored]) -> None:
        """Tell the cache of known URLs which priorities were written. Links that are no better than what it knows do not reach
        the store, and it would else compare them with the priorities from before."""
        for row in rescored:
            self._cache.rescore(row.url_id[1], row.priority)

    def _make(self) -> Order:
        topics = self.topic.by_name
        orders = {name: self._make_one(topic, len(topics)) for name, topic in topics.items()}
        return orders[""] if "" in orders else Combined(orders)

    def _make_one(self, topic: SingleTopic, topics: int) -> Order:
        context = OrderContext(
            topic.model, topic.scorer, topic.segmenter, topic.job.seeds, first_number=self._first_number, topics=topics,
            held=self._held, aside=lambda: self._aside,
        )  # fmt: skip
        return make_order(self.strategy, in_crawl(context, self._job.arguments, self._options))


def tunnelling_of(options: Options) -> Tunnelling:
    """How far a crawl with these settings follows irrelevant pages."""
    return make_tunnelling(options.linkscore_tunnelling, options.linkscore_tunnel_depth, options.frontier_random_seed)


def ordered_by(arguments: CrawlArguments, options: Options) -> str:
    """What decides about the scale and order of priorities, as text that is the same for the same. Defaults are not named, so
    that what earlier versions have noted is then the same."""
    parts: list[str] = [arguments.strategy]
    if options.frontier_weight_prior:
        parts.append(f"weight prior {options.frontier_weight_prior:g}")
    if options.linkscore_tunnelling == "fixed":
        parts.append(f"at most {options.linkscore_tunnel_depth} irrelevant pages in a row")
    parts += [f"important {site}" for site in sorted(arguments.important)]
    return "\n".join(parts)


def in_crawl(context: OrderContext, arguments: CrawlArguments, options: Options) -> OrderContext:
    """The context with what a crawl's arguments and settings say to an order strategy."""
    return replace(
        context,
        important=arguments.important,
        weight_prior=options.frontier_weight_prior,
        random_seed=options.frontier_random_seed,
        most_per_host=arguments.max_pages_per_host or 0,
        most_per_site=arguments.max_pages_per_site or 0,
    )


def row_of(change: Change) -> Rescored:
    """A change of the strategy as the store takes it."""
    return Rescored(change.key, change.priority, orjson.dumps(change.parts).decode() if change.parts else "")
