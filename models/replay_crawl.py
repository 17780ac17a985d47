"""A finished crawl once more, under other strategies and page models: how early would each have found what there is?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from focuscrawl.items import Verdict
from focuscrawl.report.harvest import area, found_curve
from focuscrawl.text.segment import Segmenter
from models.clues import clues_of
from models.link_score import LinkScorer
from models.order.protocol import OrderContext
from models.order.strategies import make_order
from models.page_model import PageModel, make
from models.replay import Content, Fetch, Judge, Replay, Tally
from models.stored_web import StoredWeb
from models.tunnelling import Tunnelling, make_tunnelling
from models.vsm import TopicModel

STORED = "stored"
"""Instead of a page model: the verdicts of the crawl."""


@dataclass(frozen=True, slots=True)
class Setup:
    """What all runs over one crawl share."""

    web: StoredWeb
    segmenter: Segmenter
    topic: Callable[[], TopicModel]
    """A fresh model for link scores (and for pages, where no stored verdicts are used)."""
    truth: frozenset[int]
    """Groups (`Stored.group`) of the pages that are to be found."""
    budget: int
    tunnelling: Callable[[], Tunnelling] = lambda: make_tunnelling("learned")
    in_flight: int = 1
    host_share: float = 1.0
    important: Sequence[str] = ()
    random_seed: int = 0


@dataclass(slots=True)
class Run:
    """One line of the comparison."""

    strategy: str
    model: str
    found: list[int]
    """Relevant pages found after 1, 2, … fetches."""
    area: float
    tally: Tally = field(default_factory=Tally)
    seconds: float = 0.0

    @property
    def name(self) -> str:
        """For legends and tables."""
        return self.strategy if self.model in ("", STORED) else f"{self.strategy}, {self.model}"


def replayed(setup: Setup, strategy: str, model: str = STORED, tick: Callable[[int], None] = lambda pages: None) -> Run:
    """Crawl the stored web under a strategy; `tick` is told the number of pages after each. Raises KeyError for a strategy
    that does not exist, BadInput for such a page model."""
    topic, began = setup.topic(), time.perf_counter()
    scorer, seeds = LinkScorer(topic, setup.segmenter), setup.web.seeds
    context = OrderContext(topic, scorer, setup.segmenter, seeds, setup.important, random_seed=setup.random_seed)
    judge = stored_judge(topic, setup.web) if model == STORED else model_judge(make(model, topic), setup.segmenter)
    replay = Replay(
        setup.web, make_order(strategy, context), judge, setup.budget, setup.tunnelling(), setup.in_flight, setup.host_share
    )
    found = found_curve(hits(setup, _ticked(replay, tick)))
    whole = len(setup.truth)
    return Run(strategy, model, found, area(found, whole, setup.budget), replay.tally, time.perf_counter() - began)


def as_crawled(setup: Setup) -> Run:
    """The order in which the crawl itself stored its pages."""
    found = found_curve(_new_hits(setup, setup.web.pages))
    found = found[: setup.budget]
    return Run("as crawled", "", found, area(found, len(setup.truth), setup.budget))


def hits(setup: Setup, fetches: Iterator[Fetch]) -> Iterator[bool]:
    """For each fetch: did it bring a relevant text for the first time?"""
    return _new_hits(setup, (fetch.number for fetch in fetches))


def _new_hits(setup: Setup, numbers: Iterable[int]) -> Iterator[bool]:
    met: set[int] = set()
    for number in numbers:
        group = setup.web.pages[number].group
        yield group in setup.truth and group not in met
        met.add(group)


def _ticked(replay: Replay, tick: Callable[[int], None]) -> Iterator[Fetch]:
    for pages, fetch in enumerate(replay, 1):
        yield fetch
        tick(pages)


def stored_judge(topic: TopicModel, web: StoredWeb) -> Judge:
    """The crawl's own verdicts; the document frequencies behind the link scores are learned as in a crawl."""

    def judge(number: int, content: Content) -> Verdict:
        verdict = web.pages[number].verdict
        topic.learn(content.words, verdict.relevant)
        return verdict

    return judge


def model_judge(model: PageModel, segmenter: Segmenter) -> Judge:
    """The model's verdicts; it learns as in a crawl."""

    def judge(_: int, content: Content) -> Verdict:
        clues = clues_of(content.title, content.url, segmenter)
        verdict = model.judge(content.words, clues)
        model.learn(content.words, verdict.relevant, clues)
        return verdict

    return judge


def judged_by(model: PageModel, segmenter: Segmenter, web: StoredWeb) -> frozenset[int]:
    """Groups of the pages that a model calls relevant, after it has seen all of them."""
    learning = model_judge(model, segmenter)
    for number in web.pages:
        learning(number, web.read(number))
    groups = set()
    for number, page in web.pages.items():
        content = web.read(number)
        if model.judge(content.words, clues_of(content.title, content.url, segmenter)).relevant:
            groups.add(page.group)
    return frozenset(groups)
