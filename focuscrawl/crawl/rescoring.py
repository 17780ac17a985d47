"""Give a trained topic to a crawl that nobody works on, and score its waiting URLs again.

The crawl's own order strategy is shown the log of fetches, each page judged by the new topic, and says what the waiting URLs
are worth now. A worker that begins with another strategy does the same (`crawl.read_back`). The topic is stored as the next run
would store it, so that the next run goes on with it. Like that one, it judges the pages of the log again that a former topic
has judged, in their order, and learns from each; those that the present one has judged keep their verdicts.

Stored pages follow what a person labelled them. Not changed are their other verdicts, which the next run changes; the
priorities of seeds, of example pages, of URLs that an operator added and of those to which no page in the log links; and
everything if the strategy does not use relevance (breadth-first).
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass

import orjson

from focuscrawl.config.arguments import ONLY_OF_RECRAWL, parse_arguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.order import in_crawl, row_of
from focuscrawl.crawl.relevance.pretrained_topic import trained_beside
from focuscrawl.crawl.relevance.stored_topic import begin_judging, judge_of, logged_pages, publish
from focuscrawl.crawl.relevance.topic import SingleTopic, judge_again
from focuscrawl.crawl.start.crawl_lock import CrawlLock, already_running
from focuscrawl.crawl.start.stored_job import job_for
from focuscrawl.errors import BadInput
from focuscrawl.frontier.lanes import LANE
from focuscrawl.frontier.outcome import will_retry
from focuscrawl.items import Page
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import OPERATOR, Database
from focuscrawl.store.frontier.discover import Rescored, rescore, waiting_scores
from focuscrawl.store.frontier.operator_changes import change
from focuscrawl.store.revisits.change_log import NO_RUN
from focuscrawl.store.revisits.labels import follow_labels, labels_by_url
from focuscrawl.store.workers.runs import last_crawl_arguments
from focuscrawl.store.workers.status import OccupiedError, check_alone, store_now
from focuscrawl.text.segment import Segmenter
from focuscrawl.topics.crawl_labels import labels_of_file
from focuscrawl.url.key import UrlId
from models.link.link_score import LinkScorer
from models.order.protocol import Change, Order, OrderContext
from models.order.strategies import STRATEGIES, make_order
from models.page.page_model import PageModel

WRITTEN = 500
"""URLs in one transaction."""
MOVED = 0.005
"""A smaller change of priority does not count as a move, as in the default strategy (`models.order.learned.MARGIN`)."""
NAMED = 8
"""How many of the URLs that moved farthest are named, in each direction."""


@dataclass(frozen=True, slots=True)
class Move:
    url: str
    before: float
    now: float


@dataclass(frozen=True, slots=True)
class Rescoring:
    """What scoring again has changed."""

    crawl: str
    waiting: int
    scored: int
    """Waiting URLs that were given a score by the new topic."""
    moved: int
    up: int
    down: int
    pages: int
    """Stored pages of the log that a former topic had judged, and that were judged again, to score their links."""
    newly_relevant: int
    """Of these, the pages that were irrelevant and are relevant by the new topic."""
    no_longer_relevant: int
    risen: tuple[Move, ...]
    """The URLs that moved farthest up."""
    fallen: tuple[Move, ...]
    unscored: str = ""
    """The crawl's order strategy, if that does not choose by score, so that nothing is scored."""


def job_of_last_run(db: Database, options: Options) -> CrawlJob:
    """The job of the crawl's last run, with its files read again. Raises BadInput when it has none."""
    stored = last_crawl_arguments(db).items()
    given = {name: value for name, value in stored if value not in ("", None, []) and name not in ONLY_OF_RECRAWL}
    if not given.get("seeds"):
        raise BadInput("the crawl was not started with a topic file yet")
    return job_for(parse_arguments(given | {"mode": "crawl"}), options)


def rescore_crawl(crawl: Crawl, options: Options) -> Rescoring:
    """Make the trained topic the crawl's, and score its waiting URLs by it. Takes 3 to 5 ms for each fetch in the log.

    Raises:
        BadInput: The crawl has several topics, or no topic file, or the file changed since it was trained.
        AlreadyRunning: A worker is working on the crawl.
    """
    with closing(crawl.open(write=True)) as db, _alone(crawl, db):
        job = job_of_last_run(db, options)
        judge, segmenter = _publish(db, job, options)
        scores = _Scores(job, options, judge, segmenter, _labels(db, job))
        focused = STRATEGIES[job.arguments.strategy].focused
        if focused:
            scores.read_log(db, options)
        waiting, rows, moves = _compare(db, scores)
        for start in range(0, len(rows), WRITTEN):
            change(db, rescore, scores=rows[start : start + WRITTEN], now=store_now(db))
    up = [move for move in moves if move.now > move.before]
    down = [move for move in moves if move.now < move.before]
    return Rescoring(
        crawl=crawl.name,
        waiting=waiting,
        scored=len(rows),
        moved=len(moves),
        up=len(up),
        down=len(down),
        pages=scores.pages,
        newly_relevant=scores.newly_relevant,
        no_longer_relevant=scores.no_longer_relevant,
        risen=tuple(heapq.nlargest(NAMED, up, _distance)),
        fallen=tuple(heapq.nlargest(NAMED, down, _distance)),
        unscored="" if focused else job.arguments.strategy,
    )


@contextmanager
def _alone(crawl: Crawl, db: Database) -> Iterator[None]:
    """Make sure that no worker runs, and that none starts meanwhile. Raises AlreadyRunning."""
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
    trained, crawl_topic = trained_beside(job), SingleTopic(job, options)
    if trained is None:
        raise BadInput(
            "the topic has changed since it was trained, or was not trained yet; train it, then score the waiting URLs"
        )
    topic = trained.load()
    topic.topic_digest = crawl_topic.topic_digest
    taught = trained.load_page_model(topic)
    now = store_now(db)

    def as_the_next_run(db: Database) -> None:
        publish(db, "", topic, taught, 0, now)
        begin_judging(db, "", options.relevance_model)

    change(db, as_the_next_run)
    judge = judge_of(db, "", options.relevance_model, now)
    assert judge is not None
    return judge, crawl_topic.segmenter


def _labels(db: Database, job: CrawlJob) -> dict[str, bool]:
    """What a person says of pages, which the stored ones follow from now on."""
    given = labels_of_file(job.topic.file) if job.topic.file else None
    change(db, follow_labels, topic="", given=given, run=NO_RUN, now=store_now(db))
    return labels_by_url(db, "")


def _compare(db: Database, scores: _Scores) -> tuple[int, list[Rescored], list[Move]]:
    """(how many URLs wait, the new scores of those that have one, those that move)."""
    waiting, rows, moves = 0, list[Rescored](), list[Move]()
    for url in waiting_scores(db):
        waiting += 1
        rescored = scores.by_url.get(url.url_id)
        if rescored is None or url.kind or abs(url.priority) >= LANE or _by_operator(url.parts):
            continue
        rows.append(rescored)
        if abs(rescored.priority - url.priority) >= MOVED:
            moves.append(Move(url.url, round(url.priority, 4), round(rescored.priority, 4)))
    return waiting, rows, moves


def _distance(move: Move) -> float:
    return abs(move.now - move.before)


def _by_operator(parts: str) -> bool:
    return OPERATOR in dict(orjson.loads(parts)) if parts else False


class _Scores:
    """What the strategy says of each URL to which the pages in the log link."""

    def __init__(
        self, job: CrawlJob, options: Options, judge: PageModel, segmenter: Segmenter, labels: dict[str, bool]
    ) -> None:
        self._judge, self._segmenter, self._labels = judge, segmenter, labels
        scorer = LinkScorer(judge.topic, segmenter)
        context = OrderContext(judge.topic, scorer, segmenter, job.seeds)
        self._order: Order = make_order(job.arguments.strategy, in_crawl(context, job.arguments, options))
        self.by_url: dict[UrlId, Rescored] = {}
        self.pages = self.newly_relevant = self.no_longer_relevant = 0

    def read_log(self, db: Database, options: Options) -> None:
        """See the pages in the log of fetches."""
        for page in logged_pages(db, options.linkscore_replay_pages):
            if not will_retry(page, options.frontier_retry_delays):
                self._see(page)

    def _see(self, page: Page) -> None:
        """Judge the page again, and score its links."""
        if (was := page.verdict) and page.text:
            judge_again(page, self._judge, self._segmenter, self._labels, teaches=True)
            assert page.verdict is not None
            self.pages += 1
            self.newly_relevant += page.verdict.relevant and not was.relevant
            self.no_longer_relevant += was.relevant and not page.verdict.relevant
        self._order.see(page)
        for link in page.links:
            key = link.key.url_id
            best = self.by_url.get(key)
            if not link.refused and (best is None or link.priority > best.priority):
                self.by_url[key] = row_of(Change(key, link.priority, tuple(link.parts.items())))
        self.by_url.update((change.key, row_of(change)) for change in self._order.changes())
