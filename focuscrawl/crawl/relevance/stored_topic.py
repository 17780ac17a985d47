"""The topic of a crawl in its store: made by one worker, the same for all, and read by the commands.

The row `topic` (`topic/NAME` for each of several) says what the topic is made of, `page-model` what it was taught by labels.
What the workers have learned since stands in logs (`store.workers.shared_logs`) whose names hold a digest of topic and
definition, so that a run with another definition neither reads nor adds to them.

Stored pages follow what a person labels them (`store.revisits.labels`), and are judged again when the topic says something
else, or the name of their site becomes known (`stored_page_judging`). They keep the verdicts of another page model; an order
strategy that is shown them again learns from what the present one says of them (`judged_by_former`, `judge_again`).
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from focuscrawl.crawl.sharing import take_over
from focuscrawl.errors import BadInput
from focuscrawl.items import Page
from focuscrawl.shared_counts import Learned
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.fetch_log import before_last, ended
from focuscrawl.store.pages.page_texts import text_and_links
from focuscrawl.store.pages.verdicts import set_judge
from focuscrawl.store.revisits.later_verdicts import judged_by_former, note_former
from focuscrawl.store.workers import models, shared_logs
from focuscrawl.store.workers.lifecycle import NOBODY
from models.page import page_model
from models.page.calibrated import CalibratedModel
from models.page.crawl_record import CrawlRecord
from models.page.page_model import PAGE_MODELS, PageModel
from models.topic import json_file
from models.topic.background import Background
from models.topic.evidence import Emphasis
from models.topic.json_file import sealed
from models.topic.vsm import TopicModel

logger = logging.getLogger(__name__)

BACKGROUND = "background"
BATCH = 100
"""Fetches read from the log at once."""


@dataclass(frozen=True, slots=True)
class StoredTopic:
    """The rows of one topic as plain data. `label`: the topic's name in a crawl of several."""

    label: str
    content: Any
    taught: Any
    """The page model that was taught by labels; None without any."""

    @property
    def topic_digest(self) -> str:
        """Digest of what the user had said when it was made."""
        return str(self.content.get("definition", "")) if isinstance(self.content, dict) else ""

    def topic(self, background: Background) -> TopicModel:
        """The topic as it was made, with these document frequencies. Raises BadInput when it cannot be read."""
        return json_file.read(self.content, background, _row(_topic(self.label)))

    def judge(self, kind: str) -> PageModel:
        """The page model of this kind, before it has seen a page of the crawl; its topic is a new one, too. Raises BadInput
        when the topic cannot be read."""
        topic = self.topic(Background())
        if isinstance(self.taught, dict) and self.taught.get("model") == kind:
            try:
                return page_model.from_plain(self.taught, topic, _row(_page_model(self.label)))
            except BadInput as error:
                logger.warning("%s The page model begins from nothing.", error)
        return page_model.make(kind, topic)

    def logs(self, judge: PageModel) -> list[tuple[str, Learned]]:
        """What learns of the crawl's pages, with the names of the logs."""
        mark = _mark(self.label, self.topic_digest)
        return [(f"{BACKGROUND}/{mark}", judge.topic.background), (f"{judge.name}/{mark}", judge.learned)]


def load_topic(db: Database, label: str) -> StoredTopic | None:
    """None as long as it has not been made. Raises BadInput for a damaged row."""
    content = _read(db, _topic(label))
    return None if content is None else StoredTopic(label, content, _read(db, _page_model(label)))


def judge_of(db: Database, label: str, kind: str, now: float) -> PageModel | None:
    """The page model with all that was learned, for a process that only reads; its topic is `judge.topic`. None as long as
    there is no topic. Raises BadInput when it cannot be read."""
    stored = load_topic(db, label)
    if stored is None:
        return None
    judge = stored.judge(kind)
    for name, learned in stored.logs(judge):
        take_over(db, name, learned, now)
    if judge.topic.due:
        judge.refresh()
    return judge


def of_kind(db: Database, labels: Sequence[str], now: float) -> bool:
    """Whether a crawl with the calibrated page model found one of these topics (none: its only one) to be a kind of page
    (`models.page.emphasis`). A topic that cannot be read is none."""
    return any(_emphasis(db, label, now) is not Emphasis.ALL for label in labels or ("",))


def _emphasis(db: Database, label: str, now: float) -> Emphasis:
    """The last choice of the crawl's workers."""
    record = CrawlRecord()
    try:
        if stored := load_topic(db, label):
            take_over(db, f"{CalibratedModel.name}/{_mark(label, stored.topic_digest)}", record, now)
    except BadInput:  # reported where the topic judges pages
        return Emphasis.ALL
    return record.emphasis


def publish(db: Database, label: str, model: TopicModel, taught: PageModel | None, worker: int, now: float) -> bool:
    """Make this the topic of the crawl, unless another worker has made one of the same definition: then that one holds.
    True if it took the place of an older definition; what was learned under that is deleted."""
    body, name = models.pack([sealed(json_file.to_plain(model))]), _topic(label)
    while True:
        before = models.load(db, name)
        old = _digest_of(before)
        if before and old == model.topic_digest:
            return False
        if models.save(db, name, body, before.version if before else 0, worker, now):
            break
    models.delete(db, _page_model(label))
    if taught is not None:
        models.save(db, _page_model(label), models.pack([page_model.to_plain(taught)]), 0, worker, now)
    for kind in (BACKGROUND, *PAGE_MODELS) if before else ():
        shared_logs.delete(db, f"{kind}/{_mark(label, old)}")
    if before and not label:
        note_former(db)
    return before is not None


def begin_judging(db: Database, label: str, model: str) -> str:
    """Note which page model judges from now on; returns the former one if it was another, else an empty text. What that one has
    judged is on another scale."""
    former = set_judge(db, model)
    if former and not label:
        note_former(db)
    return former


def logged_pages(db: Database, last: int) -> Iterator[Page]:
    """The `last` fetches of a crawl as pages, in the order in which they ended. Those that are to be judged again, because a
    former definition of the topic has judged them, have their texts (`crawl.relevance.topic.judge_again`). 0.3 ms each."""
    after, former = before_last(db, NOBODY, last), judged_by_former(db)
    while True:
        batch, after = ended(db, after, NOBODY, BATCH)
        for fetch in batch:
            page = fetch.page()
            if page.verdict and fetch.page_id <= former:
                page.text = text_and_links(db, fetch.page_id)[0]
            yield page
        if len(batch) < BATCH:
            return


def _digest_of(row: models.StoredModel | None) -> str:
    if row is None:
        return ""
    try:
        return StoredTopic("", next(models.unpack(row.body)), None).topic_digest
    except (ValueError, StopIteration):
        return ""


def _read(db: Database, name: str) -> Any:
    row = models.load(db, name)
    if row is None:
        return None
    try:
        return next(models.unpack(row.body))
    except (ValueError, StopIteration) as error:
        raise BadInput(f"{_row(name)} cannot be read ({error}); delete it, and it is made again.") from error


def _topic(label: str) -> str:
    return f"topic/{label}" if label else "topic"


def _page_model(label: str) -> str:
    return f"page-model/{label}" if label else "page-model"


def _row(name: str) -> str:
    return f"Row {name} of table model in the store"


def _mark(label: str, digest: str) -> str:
    """What the names of a topic's logs end with: a digest of fixed length, so that no name is the beginning of another."""
    return hashlib.blake2b(f"{label}\0{digest}".encode(), digest_size=16).hexdigest()
