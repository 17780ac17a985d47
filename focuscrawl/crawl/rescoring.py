"""A crawl that nobody works on gets its topic as it was trained last: its waiting URLs are scored again in place, at once.

The crawl's own order strategy is shown the log of fetches, each page judged by the new topic, and says what the waiting URLs
are worth now: that is what a worker would do that begins with another strategy (`crawl.order`). The topic is put in the store
as the next run would put it there, so that this run goes on with it.

What stays: the verdicts of stored pages, by which they are counted; seeds, example pages and what an operator added; what no
page of the log links to; and everything where the order does not ask how relevant a link is (breadth-first).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import orjson

from focuscrawl.config.arguments import ONLY_OF_RECRAWL, parse_arguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.crawl_lock import CrawlLock, already_running
from focuscrawl.crawl.order import row_of
from focuscrawl.crawl.stored_job import job_for
from focuscrawl.crawl.stored_topic import publish
from focuscrawl.crawl.topic import TopicMaker, trained_beside
from focuscrawl.errors import BadInput
from focuscrawl.frontier.lanes import LANE
from focuscrawl.items import Page
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import Rescored, rescore, waiting_scores
from focuscrawl.store.frontier.operator_changes import PART, changing
from focuscrawl.store.pages.fetch_log import Cursor, before_last, ended
from focuscrawl.store.pages.graph import text_and_links
from focuscrawl.store.workers.recrawl_alone import OccupiedError, check_alone
from focuscrawl.store.workers.runs import last_crawl_arguments
from focuscrawl.store.workers.status import store_now
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import UrlId
from models.link.link_score import LinkScorer
from models.order.protocol import Change, Order, OrderContext
from models.order.strategies import STRATEGIES, make_order
from models.page import page_model
from models.page.page_context import page_context
from models.page.page_model import PageModel

BATCH = 100
"""Fetches read back at once."""
WRITTEN = 500
"""URLs in one transaction."""
MOVED = 0.005
"""A smaller move is none, as to the default strategy (`models.order.learned.MARGIN`)."""
NAMED = 8
"""URLs that moved farthest, of each direction."""
NOBODY = -1
"""A worker that there is not: the log is read whole."""


@dataclass(frozen=True, slots=True)
class Move:
    url: str
    before: float
    now: float


@dataclass(frozen=True, slots=True)
class Rescoring:
    """What has become of what waits."""

    crawl: str
    waiting: int
    scored: int
    """Waiting URLs that were given a score by the new topic."""
    moved: int
    up: int
    down: int
    pages: int
    """Stored pages of the log that were judged again, to score their links."""
    newly_relevant: int
    """Of them: those that the crawl took for irrelevant, and the new topic for relevant."""
    no_longer_relevant: int
    risen: tuple[Move, ...]
    """Those that moved farthest up."""
    fallen: tuple[Move, ...]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def job_of_last_run(db: Database, options: Options) -> CrawlJob:
    """What the crawl was last run with, as its files say it now. Raises BadInput."""
    said = last_crawl_arguments(db).items()
    given = {name: value for name, value in said if value not in ("", None, []) and name not in ONLY_OF_RECRAWL}
    if not given.get("seeds"):
        raise BadInput("the crawl was not started with a topic file yet")
    return job_for(parse_arguments(given | {"mode": "crawl"}), options)


def rescore_crawl(crawl: Crawl, options: Options) -> Rescoring:
    """Make the trained topic the crawl's, and score what waits. 3 to 5 ms for each fetch that is read back.

    Raises:
        BadInput: The crawl is of several topics, or was not started with a topic file, or that was not trained as it is.
        AlreadyRunning: Somebody works on the crawl.
    """
    db = crawl.open(write=True)
    try:
        with _alone(crawl, db):
            job = job_of_last_run(db, options)
            judge, segmenter = _publish(db, job, options)
            return _rescore(db, crawl.name, job, options, judge, segmenter)
    finally:
        db.close()


@contextmanager
def _alone(crawl: Crawl, db: Database) -> Iterator[None]:
    """Nobody begins meanwhile, and nobody is at work."""
    lock = CrawlLock(crawl.directory)
    now = store_now(db)
    if crawl.directory.is_dir():
        lock.take(True, now)
    try:
        check_alone(db, True, now)
        yield
    except OccupiedError as error:
        raise already_running(crawl.name, error.worker) from None
    finally:
        lock.release()


def _publish(db: Database, job: CrawlJob, options: Options) -> tuple[PageModel, Segmenter]:
    if job.parts:
        raise BadInput(f"{job.name!r} is a crawl of several topics: its next run judges the stored pages for a changed one")
    trained, maker = trained_beside(job), TopicMaker(job, options)
    if trained is None:
        raise BadInput("the topic has changed since it was trained, or was not trained yet: train it, then score what waits")
    topic = trained.load()
    topic.definition = maker.definition
    taught = trained.load_page_model(topic)
    with changing(db):
        publish(db, "", topic, taught, 0, store_now(db))
    if taught is None or taught.name != options.relevance_model:
        taught = page_model.make(options.relevance_model, topic)
    return taught, maker.segmenter


def _rescore(db: Database, name: str, job: CrawlJob, options: Options, judge: PageModel, segmenter: Segmenter) -> Rescoring:
    scores = _Scores(job, options, judge, segmenter)
    if STRATEGIES[job.arguments.strategy].focused:
        after = before_last(db, NOBODY, options.linkscore_replay_pages)
        for page in _fetches(db, after, segmenter):
            scores.see(page)
    waiting, moves, rows = 0, list[Move](), list[Rescored]()
    for url in waiting_scores(db):
        waiting += 1
        found = scores.found.get(url.url_id)
        if found is None or url.kind or abs(url.priority) >= LANE or _by_operator(url.parts):
            continue
        rows.append(found)
        if abs(found.priority - url.priority) >= MOVED:
            moves.append(Move(url.url, round(url.priority, 4), round(found.priority, 4)))
    for start in range(0, len(rows), WRITTEN):
        with changing(db):
            rescore(db, rows[start : start + WRITTEN], store_now(db))
    up = [move for move in moves if move.now > move.before]
    down = [move for move in moves if move.now < move.before]
    return Rescoring(
        name, waiting, len(rows), len(moves), len(up), len(down), scores.pages, scores.newly_relevant,
        scores.no_longer_relevant, tuple(heapq.nlargest(NAMED, up, _distance)), tuple(heapq.nlargest(NAMED, down, _distance)),
    )  # fmt: skip


def _distance(move: Move) -> float:
    return abs(move.now - move.before)


def _by_operator(parts: str) -> bool:
    return PART in dict(orjson.loads(parts)) if parts else False


def _fetches(db: Database, after: Cursor, segmenter: Segmenter) -> Iterator[Page]:
    """The log from there, with the terms of stored pages."""
    last = after
    while True:
        batch, behind = ended(db, last, NOBODY, BATCH)
        for one in batch:
            page = one.page()
            if page.verdict:
                page.words = segmenter.terms(f"{page.title}\n{text_and_links(db, one.page_id)[0]}")
            yield page
        if len(batch) < BATCH:
            return
        last = behind


class _Scores:
    """What the strategy says of the URLs that it was shown links to."""

    def __init__(self, job: CrawlJob, options: Options, judge: PageModel, segmenter: Segmenter) -> None:
        self._judge, self._segmenter = judge, segmenter
        topic, arguments = judge.topic, job.arguments
        context = OrderContext(
            topic, LinkScorer(topic, segmenter), segmenter, job.seeds, arguments.important, options.frontier_weight_prior,
            0, options.frontier_random_seed,
        )  # fmt: skip
        self._order: Order = make_order(arguments.strategy, context)
        self.found: dict[UrlId, Rescored] = {}
        self.pages = self.newly_relevant = self.no_longer_relevant = 0

    def see(self, page: Page) -> None:
        """Judge the page again, and score its links."""
        if page.verdict and page.words:
            context = page_context(page.title, page.url, self._segmenter)
            was, page.verdict = page.verdict, self._judge.judge(page.words, context)
            if page.lease.example:
                page.verdict = replace(page.verdict, relevant=True)
            self.pages += 1
            self.newly_relevant += page.verdict.relevant and not was.relevant
            self.no_longer_relevant += was.relevant and not page.verdict.relevant
        self._order.see(page)
        for link in page.links:
            key = link.key.url_id
            known = self.found.get(key)
            if not link.refused and (known is None or link.priority > known.priority):
                self.found[key] = row_of(Change(key, link.priority, tuple(link.parts.items())))
        self.found.update((change.key, row_of(change)) for change in self._order.changes())
