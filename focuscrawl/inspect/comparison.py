"""Replays a finished crawl under other strategies and page models, to see how early each would have found the relevant pages.

`prepare` reads the crawl's pages and links, its topic or another one, and the pages to be found. `replayed` crawls them under
one strategy, and may be called repeatedly.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.link_rules import link_rules_of
from focuscrawl.crawl.order import in_crawl, tunnelling_of
from focuscrawl.crawl.relevance.stored_topic import load_topic
from focuscrawl.errors import BadInput
from focuscrawl.frontier.patience import patience
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.inspect.learned_state import last_job
from focuscrawl.inspect.replay import Judge, Replay, ReplayedFetch, ReplayedPage, model_judge
from focuscrawl.inspect.stored_web import StoredWeb
from focuscrawl.items import Verdict
from focuscrawl.report.charts.curve import area, found_curve
from focuscrawl.report.replays import Line
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import chosen_topic, topics_of
from focuscrawl.text.segment import RememberingSegmenter, Segmenter
from models.link.link_score import LinkScorer
from models.order.protocol import OrderContext
from models.order.strategies import make_order
from models.page.page_context import model_input
from models.page.page_model import PAGE_MODELS, PageModel, make, verdict_on
from models.topic.background import Background
from models.topic.vsm import TopicModel

STORED = "stored"
"""Stands in place of a page model's name for the verdicts of the crawl."""


@dataclass(frozen=True, slots=True)
class ReplaySetup:
    """What all replays of one crawl share."""

    web: StoredWeb
    segmenter: Segmenter
    topic: Callable[[], TopicModel]
    """Makes a new model for link scores (and for pages, if the stored verdicts are not used)."""
    truth: frozenset[int]
    """Groups (`ReplayablePage.group`) of the pages that are to be found."""
    budget: int
    options: Options
    job: CrawlJob | None = None
    """That of the crawl, if it is known."""
    in_flight: int = 1


@dataclass(frozen=True, slots=True)
class TopicSource:
    """A topic for a replay, by default that of the crawl."""

    make: Callable[[], TopicModel]
    """Makes a new model."""
    segmenter: Segmenter
    name: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class PreparedReplay:
    """A crawl to be replayed."""

    setup: ReplaySetup
    truth: str
    """What decides which pages are relevant, in words."""
    title: str
    """The topic's name for people, else the crawl's."""


def prepare(
    crawl: Crawl,
    db: Database,
    options: Options,
    *,
    given: TopicSource | None = None,
    model: str = PAGE_MODELS[0],
    of: str = "",
    labels: Mapping[str, bool] | None = None,
    budget: int = 0,
    in_flight: int = 1,
) -> PreparedReplay:
    """Read pages, topic and truth. The truth is the topic's verdicts as corrected by a person's labels.

    Args:
        crawl: the crawl, whose job (scope, depth, languages) holds for its replays, too.
        db: its store.
        options: the settings of the replays.
        given: a topic to take instead of the crawl's.
        model: the page model that judges for a `given` topic.
        of: name of the topic, in a crawl of several.
        labels: a person's judgements of pages, by URL.
        budget: number of fetches; 0: all pages.
        in_flight: fetches that are in flight at once, at most.

    Raises:
        BadInput: the crawl has no pages, or no such topic.
    """
    label = "" if given else chosen_topic(topics_of(db), of)
    topic = given or from_crawl(db, label, crawl.name)
    web = StoredWeb(db, topic.segmenter, label)
    if not web.pages:
        raise BadInput(f"crawl {crawl.name!r} has stored no page yet")
    if given:
        truth = judged_by(make(model, topic.make()), topic.segmenter, web)
        source = f"by the verdicts of topic {topic.name}"
    else:
        truth = frozenset(page.group for page in web.pages.values() if page.verdict.relevant)
        source = "by the crawl's verdicts"
    if labels:
        truth, known = _labelled(truth, web, labels)
        source += f", {known} of them labelled by hand"
    limit = min(budget, len(web.pages)) if budget else len(web.pages)
    setup = ReplaySetup(web, topic.segmenter, topic.make, truth, limit, options, last_job(db, crawl.name), in_flight)
    return PreparedReplay(setup, source, topic.title or topic.name)


def from_crawl(db: Database, label: str, name: str) -> TopicSource:
    """The crawl's topic as it was at its beginning, before it knew any pages. `name`: of the crawl."""
    stored = load_topic(db, label)
    if stored is None:
        raise BadInput(f"crawl {name!r} has no topic yet; let it fetch its first pages")
    evidence = stored.topic(Background()).evidence

    def make() -> TopicModel:
        topic = stored.topic(Background())
        topic.refresh()
        return topic

    return TopicSource(make, RememberingSegmenter.of(evidence.vocabulary), label or name)


def _labelled(truth: frozenset[int], web: StoredWeb, labels: Mapping[str, bool]) -> tuple[frozenset[int], int]:
    """The truth as corrected by labels, and how many stored pages have a label."""
    answers = {page.group: labels[page.url] for page in web.pages.values() if page.url in labels}
    yes = {group for group, relevant in answers.items() if relevant}
    return (truth - answers.keys()) | yes, len(answers)


def replayed(setup: ReplaySetup, strategy: str, model: str = STORED, tick: Callable[[int], None] = lambda pages: None) -> Line:
    """Crawl the stored web under a strategy.

    Args:
        setup: the crawl to be replayed.
        strategy: one of `models.order.strategies.STRATEGIES`.
        model: the page model that judges, or STORED.
        tick: called with the number of pages after each.

    Raises:
        KeyError: there is no such strategy.
        BadInput: there is no such page model.
    """
    topic, began, options = setup.topic(), time.perf_counter(), setup.options
    arguments = setup.job.arguments if setup.job else CrawlArguments()
    context = OrderContext(topic, LinkScorer(topic, setup.segmenter), setup.segmenter, setup.web.seeds)
    context = in_crawl(context, arguments, options)
    order = make_order(strategy, replace(context, most_per_host=0, most_per_site=0))  # a replay has no such limits
    tunnelling, yields = tunnelling_of(options), YieldLimit(options.frontier_barren_share, follows=arguments.fetches_all)
    replay = Replay(
        setup.web,
        order,
        stored_judge(topic, setup.web) if model == STORED else model_judge(make(model, topic), setup.segmenter),
        setup.budget,
        tunnelling,
        setup.in_flight,
        options.frontier_host_share,
        rules=link_rules_of(setup.job, options.reading_documents, focused=order.focused, tunnelling=tunnelling, yields=yields),
        yields=yields,
        patience=patience(setup.budget, options.frontier_patience),  # as in a crawl that may fetch so many pages
    )
    found = found_curve(hits(setup, _ticked(replay, tick)))
    whole = len(setup.truth)
    name = strategy if model == STORED else f"{strategy}, {model}"
    tally, seconds = replay.tally, time.perf_counter() - began
    return Line(
        name, strategy, model, found, area(found, whole, setup.budget), tally.missing, tally.moved, tally.left, seconds
    )  # fmt: skip


def as_crawled(setup: ReplaySetup) -> Line:
    """The order in which the crawl itself stored its pages."""
    found = found_curve(_new_hits(setup, setup.web.pages))
    found = found[: setup.budget]
    return Line("as crawled", "as crawled", "", found, area(found, len(setup.truth), setup.budget))


def hits(setup: ReplaySetup, fetches: Iterator[ReplayedFetch]) -> Iterator[bool]:
    """For each fetch, whether it brought a relevant text for the first time."""
    return _new_hits(setup, (fetch.number for fetch in fetches))


def _new_hits(setup: ReplaySetup, numbers: Iterable[int]) -> Iterator[bool]:
    met: set[int] = set()
    for number in numbers:
        group = setup.web.pages[number].group
        yield group in setup.truth and group not in met
        met.add(group)


def _ticked(replay: Replay, tick: Callable[[int], None]) -> Iterator[ReplayedFetch]:
    for pages, fetch in enumerate(replay, 1):
        yield fetch
        tick(pages)


def stored_judge(topic: TopicModel, web: StoredWeb) -> Judge:
    """A judge by the crawl's own verdicts. The document frequencies behind the link scores are learned as in a crawl."""

    def judge(number: int, content: ReplayedPage) -> Verdict:
        verdict = web.pages[number].verdict
        if topic.asks_for(content.language):
            topic.learn(content.words, verdict.relevant)
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
        if verdict_on(model, *model_input(content, content.words, segmenter), content.language).relevant:
            groups.add(page.group)
    return frozenset(groups)
