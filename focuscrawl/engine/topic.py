"""From a job to the topic's model: from keywords and texts at once, or from the first pages fetched.

Invariant: while `kind_wanted` is not 0 the frontier leases only those URLs (seeds or examples) and their pages are held
back; there is no model yet. Afterwards there is one, and every page goes through the pipelines under it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import orjson

from focuscrawl.definition import definition_of
from focuscrawl.engine import page_models
from focuscrawl.engine.options import Options
from focuscrawl.engine.trained import trained_beside
from focuscrawl.errors import BadInput
from focuscrawl.items import Page, Verdict
from focuscrawl.links.reading import read_page
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.text.segment import Segmenter
from focuscrawl.topicfile import Job
from models import page_model
from models.background import Background
from models.clues import clues_of
from models.link_score import LinkScorer
from models.page_model import PageModel
from models.topic_json import load, save
from models.vsm import TopicModel, preload

logger = logging.getLogger(__name__)

SEED_KIND, EXAMPLE_KIND = 1, 2
MOST_PAGES = 30
"""Seed pages that define a topic at most; a list of 50 000 seeds starts after so many."""
MOST_SEEDS = 1000
"""Seeds that are looked for among the stored pages when a topic is made anew."""
DEFINITION, OWNER, BACKGROUND = "topic_definition", "topic_owner", "topic_background"
WAIT_SECONDS = 1.0
LONGEST_LABEL = 200
"""Bytes of a topic's name in a file name; a longer one is shortened to a digest."""
Text = tuple[str, str]
"""Source (address or file) and text."""


class TopicMaker:
    """The topic of one crawl: `model`, `page_model`, which judges by it, and `scorer`, once they are there.

    `label`: the topic's name in a crawl of several, which share a segmenter; see `engine.topics`."""

    def __init__(
        self, job: Job, directory: Path, options: Options, label: str = "", segmenter: Segmenter | None = None
    ) -> None:
        self._job = job
        self._path = directory / state_file(label)
        self._suffix = f"/{label}" if label else ""
        self._options = options
        self._held: list[Page] = []
        self._stored: list[Text] = []
        """Of pages that define the topic and were fetched by an earlier run."""
        self._ready = asyncio.Event()
        self._waiting: asyncio.Task[None] | None = None
        self._store: CrawlStore
        self._trained = trained_beside(job)
        self.segmenter = segmenter or Segmenter(job.topic.keywords, synonyms=job.topic.synonyms)
        self.kind_wanted = 0
        self.model: TopicModel
        self.page_model: PageModel
        self.scorer: LinkScorer

    @property
    def held(self) -> int:
        """Pages held back; their leases go on until they are committed under the model."""
        return len(self._held)

    @property
    def waits_for_other(self) -> bool:
        """Another worker fetches the pages that define the topic: this one leases nothing until then.

        Raises what has ended the wait, such as a model that cannot be read."""
        if self._waiting and self._waiting.done():
            self._waiting.result()
        return self.busy and not self.kind_wanted

    @property
    def job(self) -> Job:
        """What the user said."""
        return self._job

    @property
    def definition(self) -> str:
        """Digest of what the user said about the topic and of what was trained: when it changes, the model is made anew."""
        said = definition_of(self._job.topic, self._job.seeds)
        return f"{said} {self._trained.mark}" if self._trained else said

    @property
    def busy(self) -> bool:
        """The model is being made, here or by another worker."""
        return not self._ready.is_set()

    async def prepare(self, store: CrawlStore) -> None:
        """Load the crawl's model, or make it from what the job says, or ask for pages to make it of.

        Raises BadInput when the job or the stored model cannot be used."""
        self._store = store
        background = await self._background(store)
        if await self._is_made():
            model = load(self._path, background)
            if model.segmenter_name != self.segmenter.name:
                logger.warning("the topic was cut by %s, pages are now cut by %s", model.segmenter_name, self.segmenter.name)
            self._use(model)
            return
        if self._trained:
            self._keep(self._trained.load(background))
            return
        topic = self._job.topic
        self.kind_wanted = EXAMPLE_KIND if topic.examples else SEED_KIND if not self._says_something() else 0
        if self.kind_wanted:
            urls = topic.examples if self.kind_wanted == EXAMPLE_KIND else self._job.seeds[:MOST_SEEDS]
            self._stored = await store.texts_of(urls)
            preload(self.segmenter)  # now, while nothing is on the way: loading takes two seconds
        if not self.kind_wanted:
            self._make([], background)
        elif not await store.claim(OWNER):
            self.kind_wanted = 0
            self._waiting = asyncio.ensure_future(self._wait_for_other(store, background))

    async def _is_made(self) -> bool:
        """Whether the file holds the model of what this job says."""
        return self._path.exists() and await self._store.meta(DEFINITION + self._suffix) == self.definition

    def _says_something(self) -> bool:
        return bool(self._job.topic.keywords or self._job.topic.example_files)

    def hold(self, page: Page) -> bool:
        """Keep a page back while the topic is being made; True if it was. Redirects and failures need no topic."""
        if not self.busy or not page.ok:
            return False
        self._held.append(page)
        if self.kind_wanted == SEED_KIND and len(self._held) >= MOST_PAGES:
            self._make(self._texts(), Background())
        return True

    async def started(self) -> list[Page]:
        """The pages that were held back, as soon as there is a model for them."""
        await self._ready.wait()
        held, self._held = self._held, []
        return held

    def finish_start(self) -> str:
        """No further page can be had now: make the topic of what is there. Returns why that is impossible, or nothing."""
        try:
            self._make(self._texts(), Background())
        except BadInput as error:
            self.kind_wanted = 0
            return f"{error} None of the pages that were to define it gave text."
        return ""

    def judge(self, page: Page, example: bool | None = None) -> Verdict:
        """Set and return the page's verdict, and learn from it; example pages are relevant by definition. `example`: whether
        it is one; None: what its lease says."""
        clues = clues_of(page.title, page.url, self.segmenter)
        verdict = self.page_model.judge(page.words, clues)
        if page.lease.example if example is None else example:
            verdict = replace(verdict, relevant=True)
        page.verdict = verdict
        if self.page_model.learn(page.words, verdict.relevant, clues):  # teaches the topic, too
            self._renew()
        return verdict

    async def keep_learned(self) -> None:
        """Keep what was learned for the next run."""
        if not self.busy:
            self._renew()
            state = orjson.dumps(self.model.background.state()).decode()
            await self._store.set_meta(BACKGROUND + self._suffix, state)

    async def close(self) -> None:
        """Wait for no other worker any more."""
        if self._waiting:
            self._waiting.cancel()

    def _renew(self) -> None:
        try:
            save(self.model, self._path)
            page_model.save(self.page_model, page_models.path_beside(self._path))
        except OSError as error:
            logger.warning("the topic file cannot be renewed now (%s); it is tried again", error)

    async def _background(self, store: CrawlStore) -> Background:
        state = await store.meta(BACKGROUND + self._suffix)
        return Background.restore(orjson.loads(state)) if state else Background()

    def _texts(self) -> list[Text]:
        return [*self._stored, *((page.url, f"{page.title}\n{page.text}") for page in self._held)]

    def _make(self, pages: list[Text], background: Background) -> None:
        topic = self._job.topic
        model = TopicModel.fit(
            self.segmenter,
            [*_read_files(topic.example_files), *pages],
            topic.keywords,
            negatives=_read_files(topic.negative_example_files),
            seeds=self._job.seeds[:100],
            background=background,
            min_weight=self._options.min_term_weight,
            threshold=topic.threshold,
            made=datetime.now(UTC).date().isoformat(),
            given_weights=topic.weights,
            negative_terms=topic.negative_terms,
        )
        self._keep(model)

    def _keep(self, model: TopicModel) -> None:
        page_models.path_beside(self._path).unlink(missing_ok=True)  # it was learned for another topic
        save(model, self._path)
        # Behind the file and before any commit of a page judged by it: a crash in between makes the topic once more.
        self._store.put_meta(DEFINITION + self._suffix, self.definition)
        name = self._suffix.removeprefix("/")
        what = f"topic {name}" if name else "topic"
        logger.info("%s of %d terms; threshold %s", what, len(model.weights), model.threshold.explanation)
        self._use(model)

    def _use(self, model: TopicModel) -> None:
        paths = [page_models.path_beside(self._path), *([self._trained.page_model] if self._trained else [])]
        self.model = model
        self.page_model = page_models.page_model_of(self._options.relevance_model, model, paths)
        self.scorer = LinkScorer(model, self.segmenter)
        self.kind_wanted = 0
        self._ready.set()

    async def _wait_for_other(self, store: CrawlStore, background: Background) -> None:
        """Another worker makes the topic; if it dies, this one takes over."""
        while not await self._is_made():
            await asyncio.sleep(WAIT_SECONDS)
            if await store.claim(OWNER) and not await self._is_made():
                self.kind_wanted = EXAMPLE_KIND if self._job.topic.examples else SEED_KIND
                return
        self._use(load(self._path, background))


def state_file(label: str) -> str:
    """Name of the file that keeps a topic. `label`: its name in a crawl of several topics."""
    if not label:
        return "topic.json"
    short = label if len(label.encode()) <= LONGEST_LABEL else hashlib.blake2b(label.encode(), digest_size=16).hexdigest()
    return f"topic-{short}.json"


def _read_files(paths: tuple[Path, ...]) -> list[Text]:
    """The texts of local example files: read as web pages, for their text only."""
    texts = []
    for path in paths:
        page = read_page(path.read_bytes(), "", path.absolute().as_uri())
        texts.append((path.name, f"{page.title}\n{page.text}"))
    return texts
