"""What the next run of a crawl will make of its stored pages, once its topic was trained: which change sides.

That run judges all of them again (`focuscrawl.crawl.relevance.stored_page_judging`). Here a part of them is judged likewise: in
the order of storing, each teaching the page model after its verdict. Nothing is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass

from focuscrawl.errors import BadInput, in_shell
from focuscrawl.report.plain import count, one_line, plural
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.pages.page_texts import page_numbered, spread_pages
from focuscrawl.store.revisits.later_verdicts import follow
from focuscrawl.topics.crawl_labels import topic_in
from focuscrawl.topics.workspace import Workspace
from models.page import page_model
from models.page.page_context import page_context
from models.page.page_model import PageModel, judge_and_learn

MOST = 500
"""Pages of a crawl that are judged, at even distances if it has more. They take 2 s at most."""
MOST_LOST = 0.5
"""If a larger share of what was relevant would no longer be, that is a reason to warn."""


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What a trained topic would make of a crawl's stored pages."""

    crawl: str
    stored: int
    """Pages that the crawl has judged, without copies and those that are gone."""
    pages: int
    """How many of these were judged again."""
    relevant: int
    """How many of those were relevant so far."""
    newly_relevant: int
    no_longer_relevant: int

    @property
    def loses_most(self) -> bool:
        return self.no_longer_relevant > MOST_LOST * self.relevant


def foreseen(crawls: Iterable[Crawl], workspace: Workspace, kind: str) -> list[Foreseen]:
    """What the topic as it was trained would make of the pages of the crawls that were last started with its file alone, unless
    they were judged by it before. A store that cannot be read now is passed over. `kind`: the page model of these crawls."""
    found, file = [], workspace.paths.toml.resolve()
    for crawl in crawls:
        with suppress(BadInput, *ERRORS), closing(crawl.open()) as db:
            if topic_in(db, file) == "" and (judge := _next_judge(db, workspace, kind)):
                found.append(_of(db, crawl.name, workspace, judge))
    return [crawl for crawl in found if crawl.pages]


def _next_judge(db: Database, workspace: Workspace, kind: str) -> PageModel | None:
    """The page model with which the next run begins to judge the stored pages; None if it will not, because they were judged by
    it before."""
    trained = workspace.trained()
    if trained is None or follow(db, workspace.paths.trained_digest(trained.topic.topic_digest)):
        return None
    return trained if trained.name == kind else page_model.make(kind, trained.topic)


def _of(db: Database, crawl: str, workspace: Workspace, judge: PageModel) -> Foreseen:
    said = dict.fromkeys(workspace.topic.examples, True) | {url: label.relevant for url, label in workspace.labels.items()}
    pages = relevant = risen = fallen = 0
    stored, spread = spread_pages(db, MOST)
    for page_id, was_relevant in spread:
        page = page_numbered(db, crawl, page_id)
        if page is None:  # a worker has found that it is gone
            continue
        terms, context = workspace.terms(page), page_context(page.title, page.url, workspace.segmenter)
        now = judge_and_learn(judge, terms, context, page.language, said.get(page.url)).relevant
        pages += 1
        relevant += was_relevant
        risen += now and not was_relevant
        fallen += was_relevant and not now
    return Foreseen(crawl, stored, pages, relevant, risen, fallen)


def foreseen_parts(crawls: Iterable[Foreseen]) -> list[str]:
    """What would become of each crawl's pages, what to do next, and a warning where most would leave."""
    return [part for crawl in crawls for part in _parts(crawl)]


def _parts(found: Foreseen) -> list[str]:
    name, pages = one_line(found.crawl), plural(found.stored, "stored page")
    if found.pages < found.stored:
        pages = f"{count(found.pages)} of {pages}"
    told = [
        f"Crawl {name}, {pages}: {count(found.relevant)} were relevant; {count(found.newly_relevant)} would be newly relevant,"
        f" {count(found.no_longer_relevant)} no longer."
    ]
    if found.loses_most:
        told.append(
            f"Most relevant pages of {name} would leave its collection; if they are on the topic, label some of these yes and"
            " train again first."
        )
    rescore = f"scrapy topic rescore {in_shell(name)}"
    return [*told, f"The next run of {name} judges all stored pages so; `{rescore}` scores its waiting URLs now."]
