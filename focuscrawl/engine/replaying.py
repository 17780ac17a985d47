"""A finished crawl made ready for replays: its pages and links, its topic or another one, and what is to be found."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from focuscrawl.engine.stored_topic import load_topic
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.database import Database
from focuscrawl.store.topics import topics_of
from focuscrawl.text.remembered import RememberingSegmenter
from focuscrawl.text.segment import Segmenter
from models import page_model
from models.background import Background
from models.page_model import PAGE_MODELS
from models.replay_crawl import Setup, judged_by
from models.stored_web import StoredWeb
from models.tunnelling import Tunnelling
from models.vsm import TopicModel


@dataclass(frozen=True, slots=True)
class Given:
    """A topic to take instead of the crawl's."""

    make: Callable[[], TopicModel]
    """A fresh model."""
    segmenter: Segmenter
    name: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Ready:
    """A crawl to be replayed."""

    setup: Setup
    truth: str
    """What says which pages are relevant."""
    title: str
    """The topic's name for people, else the crawl's."""


def prepare(
    crawl: Crawl,
    db: Database,
    tunnelling: Callable[[], Tunnelling],
    *,
    given: Given | None = None,
    model: str = PAGE_MODELS[0],
    of: str = "",
    labels: Mapping[str, bool] | None = None,
    budget: int = 0,
    in_flight: int = 1,
    host_share: float = 1.0,
    random_seed: int = 0,
) -> Ready:
    """Pages, topic and truth: what the topic's verdicts say, as `labels` (a person's word on pages, by URL) correct them.
    `model`: the page model that judges for a `given` topic.
    `of`: name of the topic, in a crawl of several. `budget` 0: all pages.

    Raises BadInput where the crawl has no pages, or no such topic."""
    label = "" if given else chosen_topic(topics_of(db), of)
    own = given is None
    given = given or from_crawl(db, label, crawl.name)
    web = StoredWeb(db, given.segmenter, label)
    if not web.pages:
        raise BadInput(f"crawl {crawl.name!r} has stored no page yet")
    if own:
        truth, told = frozenset(page.group for page in web.pages.values() if page.verdict.relevant), "by the crawl's verdicts"
    else:
        truth = judged_by(page_model.make(model, given.make()), given.segmenter, web)
        told = f"by the verdicts of topic {given.name}"
    if labels:
        truth, known = _labelled(truth, web, labels)
        told += f", {known} of them labelled by hand"
    limit = min(budget, len(web.pages)) if budget else len(web.pages)
    setup = Setup(web, given.segmenter, given.make, truth, limit, tunnelling, in_flight, host_share, random_seed=random_seed)
    return Ready(setup, told, given.title or given.name)


def chosen_topic(names: Sequence[str], wanted: str) -> str:
    """One of the crawl's topics; empty in a crawl of one. Raises BadInput when it is not said which, or not one of them."""
    if wanted in names or (not names and not wanted):
        return wanted
    raise BadInput(f"the crawl has several topics; say --topic NAME with one of {', '.join(names)}")


def from_crawl(db: Database, label: str, name: str) -> Given:
    """The crawl's topic as it was at its beginning: nothing is known of the pages to come. `name`: the crawl's."""
    stored = load_topic(db, label)
    if stored is None:
        raise BadInput(f"crawl {name!r} has no topic yet; let it fetch its first pages")
    evidence = stored.topic(Background()).evidence

    def make() -> TopicModel:
        topic = stored.topic(Background())
        topic.refresh()
        return topic

    return Given(make, RememberingSegmenter(evidence.keywords, synonyms=evidence.synonyms), label or name)


def _labelled(truth: frozenset[int], web: StoredWeb, labels: Mapping[str, bool]) -> tuple[frozenset[int], int]:
    """The truth as labels correct it, and how many stored pages have one."""
    said = {page.group: labels[page.url] for page in web.pages.values() if page.url in labels}
    yes = {group for group, relevant in said.items() if relevant}
    return (truth - said.keys()) | yes, len(said)
