"""What an order strategy is: it sees every fetch that has ended and says which waiting URL is worth how much.

To add one: a module here with a class that implements `Order`, and a line in `models.order.strategies`.

Nothing of an order is saved. What it knows follows from the pages it has seen, and those are in the store: a resumed
crawl shows them to it once more, in the order of their commits.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    """What the new score is made of; empty: as it was."""


@dataclass(frozen=True, slots=True)
class OrderContext:
    """What a strategy may use."""

    topic: TopicModel
    scorer: LinkScorer
    segmenter: Segmenter
    seeds: Sequence[str] = ()
    """Normal URLs."""
    important: Sequence[str] = ()
    """Hosts or registered domains that the user named as important: they come first."""
    weight_prior: float = 0.0
    """Share of the page weight that is added to every priority, 0 to 1."""
    first_number: int = 0
    """Discovery numbers begin here, so that the order goes on over runs."""
    random_seed: int = 0


class Order(Protocol):
    """One strategy in one crawl."""

    focused: bool
    """Whether it chooses by score: then tunnelling and yield limits hold, and a better link lifts a waiting URL. Else every
    link in scope is followed, so that the set of pages does not depend on the order."""

    def see(self, page: Page) -> None:
        """A fetch has ended, well or not (`page.ok`, `page.verdict`, `page.duplicate`, `page.redirect`): learn from it, then
        set `score` (in [0, 1]), `parts` and `priority` (larger first) of those of its links that are not refused.

        Costs O(links of the page)."""
        ...

    def changes(self) -> list[Change]:
        """Waiting URLs whose priority moved since the last call; bounded by the links seen since then."""
        ...
