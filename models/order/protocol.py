"""What an order strategy is: it sees every fetch that has ended, and sets the priorities of the waiting URLs.

To add one: a module here with a class that implements `Order`, and a line in `models.order.strategies`.

No order is saved. All that it knows follows from the pages that it has seen, and these are in the store: a resumed crawl shows
them to it again, in the order of their commits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from focuscrawl.items import Page
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import UrlId
from models.link.link_score import LinkScorer
from models.topic.vsm import TopicModel


class Change(NamedTuple):
    """A waiting URL that is to have another priority from now on."""

    key: UrlId
    priority: float
    parts: tuple[tuple[str, float], ...] = ()
    """The parts of the new priority by name; empty: those before stay."""


@dataclass(frozen=True, slots=True)
class OrderContext:
    """What a strategy may use in one crawl."""

    topic: TopicModel
    scorer: LinkScorer
    segmenter: Segmenter
    seeds: Sequence[str] = ()
    """Normal URLs of the seeds."""
    important: Sequence[str] = ()
    """Hosts or registered domains that the user named as important. Their URLs come first."""
    weight_prior: float = 0.0
    """Share of the page weight that is added to every priority, 0 to 1."""
    first_number: int = 0
    """The number after which discovery numbers go on, so that the order continues over runs."""
    random_seed: int = 0
    topics: int = 1
    """How many topics share the crawl's fetches, each with an order of its own."""
    most_per_host: int = 0
    """How many pages of a host are stored at most; 0: any number …"""
    most_per_site: int = 0
    """… and how many of a site, all its hosts together."""
    held: Callable[[], frozenset[str]] = frozenset
    """The origins that operators hold now: nothing is fetched there."""
    aside: Callable[[], Set[UrlId]] = frozenset
    """URLs that wait no longer because an operator or a rule has put them aside."""


class Order(Protocol):
    """One strategy in one crawl."""

    focused: bool
    """Whether the strategy chooses by score. If so, tunnelling and yield limits apply, and a better link lifts a waiting URL.
    If not, every link in scope is followed, so that the set of pages does not depend on the order."""

    def see(self, page: Page) -> None:
        """Learn from a fetch that has ended, well or not (`page.ok`, `page.verdict`, `page.duplicate`, `page.redirect`). Then
        set `score` (in [0, 1]), `parts` and `priority` (larger first) of those of the page's links that are not refused.

        A page that is shown `again` brings further links to set these of, and nothing else that is new. It may have been seen
        before with its other links, or not.

        Costs O(links of the page)."""
        ...

    def changes(self) -> list[Change]:
        """The waiting URLs whose priorities have changed since the last call. Their number is bounded by the links seen since
        then."""
        ...
