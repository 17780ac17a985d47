"""Topics that are being made in the browser: each has a desk, on which lies what is not on disk.

A topic itself is its files (`focuscrawl.topics`), which `scrapy topic` changes too: a desk is cleared when they have changed
behind its back. What is lost with the dashboard's process is the list of pages found last, the pages that wait to be labelled
(both are found again), and what can be taken back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from focuscrawl.config.options import Options
from focuscrawl.crawl.rescoring import Rescoring
from focuscrawl.dashboard.stores import Stores
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database
from focuscrawl.store.pages.page_texts import PageText, latest_pages
from focuscrawl.store.workers.runs import last_crawl_arguments
from focuscrawl.topics.page_sources import AT_HAND, Fetcher, Reach
from focuscrawl.topics.paths import TopicPaths, existing, topic_names
from focuscrawl.topics.rounds import Changes, PagesAtHand, compared
from focuscrawl.topics.training import sample
from focuscrawl.topics.workspace import Workspace

POOL = 1_000
"""Pages of the crawl that are offered for labelling: those stored last."""
QUEUED = 20
"""Pages that are chosen at once, for the choice takes a second or two; then the labels so far count in the next choice."""
MOST_UNDONE = 50
"""Answers that can be taken back."""
FRESH_SECONDS = 60.0
"""That the pages of a crawl which may be running are read again after."""
Stamp = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Answered:
    """A page of the queue, and what was said of it: yes, no, or skipped (None)."""

    page: PageText
    relevant: bool | None


@dataclass(slots=True)
class Desk:
    """One topic's."""

    workspace: Workspace
    crawl: str = ""
    """Whose pages are at hand, are searched and labelled; empty: none."""
    chosen: bool = False
    """By the user, so that it stays."""
    at_hand: PagesAtHand = field(default_factory=lambda: PagesAtHand([]))
    found: list[PageText] = field(default_factory=list)
    """Pages found last, best first."""
    queries: str = ""
    """What was searched for."""
    queue: list[PageText] = field(default_factory=list)
    """Pages to be labelled, the next one first."""
    answered: list[Answered] = field(default_factory=list)
    """The last ones last; they can be taken back."""
    skipped: set[str] = field(default_factory=set)
    rescoring: Rescoring | None = None
    """The last one."""
    notes: list[str] = field(default_factory=list)
    """What did not go well in fetching, of the last change."""
    pages_read_at: float = float("-inf")
    stamp: Stamp = ()
    """Of the files, when they were read or changed last from here."""

    def use(self, crawl: str) -> None:
        """Work with the pages of this crawl from now on."""
        if crawl != self.crawl:
            self.crawl, self.at_hand, self.pages_read_at = crawl, PagesAtHand([]), float("-inf")
            self.queue, self.found = [], []


@dataclass(slots=True)
class Training:
    """All desks, and what working at them takes."""

    topics_dir: Path
    stores: Stores
    options: Options
    fetch: Fetcher
    searx: str = ""
    """The setting SEARCH_SEARXNG_URL."""
    _desks: dict[str, Desk] = field(default_factory=dict)
    _locks: dict[str, threading.Lock] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def names(self) -> list[str]:
        return topic_names(self.topics_dir)

    @contextmanager
    def desk(self, name: str) -> Iterator[Desk]:
        """The desk of this topic, for one at a time. Raises BadInput, with the nearest name, if there is no such topic."""
        paths = existing(self.topics_dir, name.removesuffix(".toml"))
        with self._lock:
            lock = self._locks.setdefault(paths.name, threading.Lock())
        with lock:
            desk = self._desks.get(paths.name)
            if desk is None or desk.stamp != _stamp(paths):
                chosen = desk.crawl if desk and desk.chosen else ""
                desk = Desk(Workspace(paths, _today(), self.options.relevance_min_term_weight), chosen, bool(chosen))
                self._desks[paths.name] = desk
            if not desk.chosen:
                desk.use(self._likely_crawl(paths))
            desk.workspace.day = _today()
            try:
                yield desk
            finally:
                desk.stamp = _stamp(paths)

    def reach(self, desk: Desk) -> Reach:
        """Where texts come from; what goes wrong is noted on the desk."""
        desk.notes.clear()
        return Reach(self.stores.crawls_dir, self.fetch, desk.notes.append)

    def refresh(self, desk: Desk) -> None:
        """Read the pages at hand again, where that is due: those of the topic, and the crawl's last ones."""
        if time.monotonic() - desk.pages_read_at > FRESH_SECONDS:
            desk.at_hand.add(self.latest(desk.crawl, AT_HAND))
            desk.pages_read_at = time.monotonic()
        desk.at_hand.add(desk.workspace.texts.values())

    def latest(self, crawl: str, most: int) -> list[PageText]:
        """The pages that a crawl has stored last; none of a crawl that cannot be read now."""
        with suppress(BadInput, *ERRORS), closing(self.stores.named(crawl).open()) as db:
            return [found.page for found in latest_pages(db, crawl, most)] if crawl else []
        return []

    @contextmanager
    def changing(self, desk: Desk) -> Iterator[list[Changes]]:
        """What is changed inside, compared on the pages at hand: one entry afterwards."""
        self.refresh(desk)
        before, told = desk.at_hand.snapshot(desk.workspace), list[Changes]()
        yield told
        desk.at_hand.add(desk.workspace.texts.values())
        told.append(compared(before, desk.at_hand.snapshot(desk.workspace)))

    def next_page(self, desk: Desk) -> PageText | None:
        """To be labelled: the least certain first, one in five at random; None when all are."""
        desk.queue = [page for page in desk.queue if page.url not in desk.workspace.labels]
        if not desk.queue:
            known = {page.url: page for page in (*desk.workspace.texts.values(), *self.latest(desk.crawl, POOL))}
            desk.queue = sample(desk.workspace, list(known.values()), QUEUED, desk.skipped)
        return desk.queue[0] if desk.queue else None

    def crawls_of(self, paths: TopicPaths) -> list[str]:
        """Crawls that were last started with this topic's file."""
        return [crawl.name for crawl in self.stores.crawls() if str(paths.toml.resolve()) in self._seeds(crawl)]

    def _seeds(self, crawl: Crawl) -> Sequence[str]:
        with suppress(BadInput, *ERRORS):
            found: Sequence[str] = self.stores.read(crawl, _seeds_of, {})
            return found
        return ()

    def _likely_crawl(self, paths: TopicPaths) -> str:
        """One of the topic itself as soon as there is one, first that which has its name; else any."""
        offered = self.crawls_of(paths) or [crawl.name for crawl in self.stores.crawls()]
        return paths.name if paths.name in offered else next(iter(offered), "")


def _seeds_of(crawl: Crawl, db: Database, query: object) -> list[str]:
    """The topic files of the last crawl's argument `seeds`."""
    parts = str(last_crawl_arguments(db).get("seeds", "")).split(",")
    return [str(Path(part).resolve()) for part in parts if part.endswith(".toml")]


def _stamp(paths: TopicPaths) -> Stamp:
    """Changes with the files that a desk has read."""
    stats = []
    for path in (paths.toml, paths.labels, paths.pages):
        with suppress(OSError):
            found = path.stat()
            stats.append((found.st_mtime_ns, found.st_size))
    return tuple(stats)


def _today() -> str:
    return datetime.fromtimestamp(time.time(), UTC).date().isoformat()
