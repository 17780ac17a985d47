"""From a job to the topic's model: from keywords and texts at once, or from the first pages fetched.

Invariant: while `kind_wanted` is not 0 the frontier leases only those URLs (seeds or examples) and their pages are held
back; there is no model yet. Afterwards there is one, and every page goes through the pipelines under it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from datetime import UTC, datetime
from pathlib import Path

import orjson

from focuscrawl.engine.options import Options
from focuscrawl.errors import BadInput
from focuscrawl.items import Page
from focuscrawl.links.reading import read_page
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.text.segment import Segmenter
from focuscrawl.topicfile import Job
from models.background import Background
from models.link_score import LinkScorer
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
Text = tuple[str, str]
"""Source (address or file) and text."""


class TopicMaker:
    """The topic of one crawl: `model` and `scorer` once they are there."""

    def __init__(self, job: Job, directory: Path, options: Options) -> None:
        self._job = job
        self._path = directory / "topic.json"
        self._options = options
        self._held: list[Page] = []
        self._stored: list[Text] = []
        """Of pages that define the topic and were fetched by an earlier run."""
        self._ready = asyncio.Event()
        self._waiting: asyncio.Task[None] | None = None
        self._store: CrawlStore
        self.segmenter = Segmenter(job.topic.keywords)
        self.kind_wanted = 0
        self.model: TopicModel
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
        return self._path.exists() and await self._store.meta(DEFINITION) == _definition(self._job)

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

    def learn(self, page: Page) -> None:
        """Count a judged page in the document frequencies of the crawl."""
        assert page.verdict is not None
        if self.model.learn(page.words, page.verdict.relevant):
            self._renew()

    async def keep_learned(self) -> None:
        """Keep what was learned for the next run."""
        if not self.busy:
            self._renew()
            state = orjson.dumps(self.model.background.state()).decode()
            await self._store.set_meta(BACKGROUND, state)

    async def close(self) -> None:
        """Wait for no other worker any more."""
        if self._waiting:
            self._waiting.cancel()

    def _renew(self) -> None:
        try:
            save(self.model, self._path)
        except OSError as error:
            logger.warning("the topic file cannot be renewed now (%s); it is tried again", error)

    async def _background(self, store: CrawlStore) -> Background:
        state = await store.meta(BACKGROUND)
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
        )
        save(model, self._path)
        # Behind the file and before any commit of a page judged by it: a crash in between makes the topic once more.
        self._store.put_meta(DEFINITION, _definition(self._job))
        logger.info("topic of %d terms; threshold %s", len(model.weights), model.threshold.explanation)
        self._use(model)

    def _use(self, model: TopicModel) -> None:
        self.model = model
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


def _definition(job: Job) -> str:
    """Digest of what the user said about the topic: when it changes, the model is made anew."""
    topic = job.topic
    said: list[object] = [topic.keywords, topic.examples, topic.negative_examples, topic.threshold, topic.languages]
    said += [[path.read_bytes() for path in files] for files in (topic.example_files, topic.negative_example_files)]
    if not topic.keywords and not topic.examples and not topic.example_files:
        said.append(job.seeds)
    return hashlib.blake2b(repr(said).encode(), digest_size=16).hexdigest()


def _read_files(paths: tuple[Path, ...]) -> list[Text]:
    """The texts of local example files: read as web pages, for their text only."""
    texts = []
    for path in paths:
        page = read_page(path.read_bytes(), "", path.as_uri())
        texts.append((path.name, f"{page.title}\n{page.text}"))
    return texts
