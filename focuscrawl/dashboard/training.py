"""Topics that are being made in the browser: each has a session, which holds in memory what is not on disk.

A topic itself is a set of files (`focuscrawl.topics`), which `scrapy topic` changes too: they are read again when they were
changed elsewhere. When the dashboard ends, the last search results and the queue of pages to be labelled are lost (both
can be made again), and so are the answers that can be undone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from focuscrawl.config.job import topic_files
from focuscrawl.config.options import Options
from focuscrawl.crawl.rescoring import Rescoring
from focuscrawl.dashboard.stores import Stores
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.pages.page_texts import PageText, latest_pages
from focuscrawl.store.workers.runs import last_crawl_arguments
from focuscrawl.topics.crawl_labels import pass_on
from focuscrawl.topics.page_sources import AT_HAND, Fetcher, PageLoader
from focuscrawl.topics.paths import TopicPaths, existing, topic_names
from focuscrawl.topics.rounds import Changes, PagesAtHand, compared
from focuscrawl.topics.training import sample
from focuscrawl.topics.workspace import Workspace, today

POOL = 1_000
"""Labelling chooses among this many pages of the crawl: those stored last."""
QUEUED = 20
"""Pages that are chosen at a time, because a choice takes a second or two. The next choice uses the labels so far."""
MOST_UNDONE = 50
"""Answers that can be undone."""
FRESH_SECONDS = 60.0
"""Seconds after which the pages of a crawl are read again, because it may be running."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A page of the queue and the answer: relevant, irrelevant, or skipped (None)."""

    page: PageText
    relevant: bool | None


@dataclass(slots=True)
class TopicSession:
    """The state of one topic's pages in the browser."""

    workspace: Workspace
    crawl: str = ""
    """The crawl whose pages are searched and labelled; empty: none."""
    chosen: bool = False
    """Whether the user has chosen the crawl; else the most likely one is used each time."""
    at_hand: PagesAtHand = field(default_factory=lambda: PagesAtHand([]))
    found: list[PageText] = field(default_factory=list)
    """Results of the last search, best first."""
    queries: str = ""
    """The queries of the last search."""
    queue: list[PageText] = field(default_factory=list)
    """Pages to be labelled, next one first."""
    answered: list[Answered] = field(default_factory=list)
    """Answers that can be undone, latest last."""
    skipped: set[str] = field(default_factory=set)
    rescoring: Rescoring | None = None
    """The result of the last rescoring."""
    notes: list[str] = field(default_factory=list)
    """Problems of the last change while fetching pages."""
    pages_read_at: float = float("-inf")
    passed_on: dict[str, bool] = field(default_factory=dict)
    """The labels that the topic's crawls were given last."""

    def use(self, crawl: str) -> None:
        """Switch to the pages of this crawl."""
        if crawl != self.crawl:
            self.crawl, self.at_hand, self.pages_read_at = crawl, PagesAtHand([]), float("-inf")
            self.queue, self.found = [], []


@dataclass(slots=True)
class Training:
    """All sessions, and what they need: the folder of topics, the crawls, options, and a fetcher."""

    topics_dir: Path
    stores: Stores
    options: Options
    fetch: Fetcher
    searx: str = ""
    """The setting SEARCH_SEARXNG_URL."""
    _sessions: dict[str, TopicSession] = field(default_factory=dict)
    _locks: dict[str, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def names(self) -> list[str]:
        return topic_names(self.topics_dir)

    @contextmanager
    def session(self, name: str) -> Iterator[TopicSession]:
        """The session of this topic, locked for other requests. Raises BadInput, with the nearest name, if there is no such
        topic."""
        paths = existing(self.topics_dir, name.removesuffix(".toml"))
        with self._lock:
            lock = self._locks.setdefault(paths.name, threading.Lock())
        with lock:
            session = self._sessions.get(paths.name)
            if session is None:
                session = TopicSession(Workspace(paths, today(), self.options.relevance_min_term_weight))
                self._sessions[paths.name] = session
            session.workspace.refresh()
            if not session.chosen:
                session.use(self._likely_crawl(paths))
            session.workspace.day = today()
            yield session

    def loader(self, session: TopicSession) -> PageLoader:
        """The source of page texts. Its problems are noted on the session."""
        session.notes.clear()
        return PageLoader(self.stores.crawls_dir, self.fetch, session.notes.append)

    def refresh(self, session: TopicSession) -> None:
        """Update the pages at hand: those of the topic, and after `FRESH_SECONDS` the crawl's latest pages."""
        if time.monotonic() - session.pages_read_at > FRESH_SECONDS:
            session.at_hand.add(self.latest(session.crawl, AT_HAND))
            session.pages_read_at = time.monotonic()
        session.at_hand.add(session.workspace.texts.values())

    def latest(self, crawl: str, most: int) -> list[PageText]:
        """The latest pages of a crawl; none if it cannot be read now."""
        with suppress(BadInput, *ERRORS), closing(self.stores.named(crawl).open()) as db:
            return [found.page for found in latest_pages(db, crawl, most)] if crawl else []
        return []

    @contextmanager
    def changing(self, session: TopicSession) -> Iterator[list[Changes]]:
        """Compare the topic before and after the body on the pages at hand. The yielded list then has the changes as its
        entry."""
        self.refresh(session)
        before, changes = session.at_hand.snapshot(session.workspace), list[Changes]()
        yield changes
        session.at_hand.add(session.workspace.texts.values())
        changes.append(compared(before, session.at_hand.snapshot(session.workspace)))

    def pass_on(self, session: TopicSession) -> None:
        """Let the stored pages of the topic's crawls follow its labels, if these have changed since the last call."""
        labels = {label.url: label.relevant for label in session.workspace.labels.values()}
        if session.passed_on != labels:
            pass_on(self.stores.crawls(), session.workspace)
            session.passed_on = labels

    def next_page(self, session: TopicSession) -> PageText | None:
        """The next page to be labelled: the least certain first, one in five at random. None if all are labelled."""
        session.queue = [page for page in session.queue if page.url not in session.workspace.labels]
        if not session.queue:
            known = {page.url: page for page in (*session.workspace.texts.values(), *self.latest(session.crawl, POOL))}
            session.queue = sample(session.workspace, list(known.values()), QUEUED, session.skipped)
        return session.queue[0] if session.queue else None

    def crawls_of(self, paths: TopicPaths) -> list[str]:
        """Crawls that were last started with this topic's file (recrawls do not count)."""
        return [crawl.name for crawl in self.stores.crawls() if str(paths.toml.resolve()) in self._seeds(crawl)]

    def _seeds(self, crawl: Crawl) -> Sequence[str]:
        with suppress(BadInput, *ERRORS):
            found = self.stores.read(crawl, _seeds_of, {})
            return found
        return ()

    def _likely_crawl(self, paths: TopicPaths) -> str:
        """A crawl of this topic, preferably of the same name; any crawl if there is none."""
        offered = self.crawls_of(paths) or [crawl.name for crawl in self.stores.crawls()]
        return paths.name if paths.name in offered else next(iter(offered), "")


def _seeds_of(crawl: Crawl, db: Database, query: object) -> list[str]:
    """The topic files in the argument `seeds` of the last run that was not a recrawl."""
    return [str(path.resolve()) for path in topic_files(str(last_crawl_arguments(db).get("seeds", "")))]
