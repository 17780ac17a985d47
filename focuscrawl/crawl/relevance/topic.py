"""From a job to the topic's model: made from keywords and texts at once, or from the first pages that are fetched.

Invariant: while it is `busy` there is no model yet, or it judges stored pages, and fetched ones are held back; only URLs of
the kind `kind_wanted` (seeds or examples) are leased, and none where that is 0. Afterwards there is a model, it is in the
store, and every page is judged by it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.config.topic_file import is_digest_of, topic_digest
from focuscrawl.crawl.relevance.pretrained_topic import trained_beside
from focuscrawl.crawl.relevance.stored_page_judging import judge_by_name, judge_stored_pages
from focuscrawl.crawl.relevance.stored_topic import begin_judging, load_topic, publish
from focuscrawl.crawl.relevance.topic_apart import Text
from focuscrawl.crawl.sharing import Sharing
from focuscrawl.errors import BadInput
from focuscrawl.items import EXAMPLE, SEED, Page, Verdict
from focuscrawl.reading.worker import Job, Limits, WorkerProcess
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.pages.stored import texts_of
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.store.revisits.labels import follow_labels, labels_by_url
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import spellings
from focuscrawl.topics.crawl_labels import labels_of_file
from models.link.link_score import LinkScorer
from models.page.page_context import model_input
from models.page.page_model import PageModel, judge_and_learn, lacking, verdict_on
from models.topic.background import Background
from models.topic.json_file import from_plain
from models.topic.self_test import self_test
from models.topic.vsm import TopicModel

logger = logging.getLogger(__name__)

MOST_PAGES = 30
"""Most seed pages that define a topic: a crawl of 50 000 seeds starts after these."""
MOST_SEEDS = 1000
"""Most seeds that are looked up among the stored pages when a topic is made again."""
OWNER = "topic_owner"
"""Key in `meta`: the worker that makes the topic."""
NO_LIMITS = Limits(0.0, 0)
"""For the process that makes a topic. What the user gave is not hostile. A thousand Chinese examples take 20 s."""
WAIT_SECONDS = 1.0
"""Between checks whether the worker that makes the topic has made it, or has died."""


class SingleTopic:
    """The topic of a crawl, or one of several. Once made, it has a `model`, a `page_model` that judges pages by it, and a link
    `scorer`.

    `label`: its name among several topics, which share a segmenter; see `crawl.relevance.several_topics`."""

    def __init__(self, job: CrawlJob, options: Options, label: str = "", segmenter: Segmenter | None = None) -> None:
        self.job = job
        """What the user wants crawled."""
        self._label = label
        self._options = options
        self._held: list[Page] = []
        self._stored: list[Text] = []
        """Texts of pages that define the topic and were stored by an earlier run."""
        self._made = asyncio.Event()
        """Set when there is a model …"""
        self._ready = asyncio.Event()
        """… and when it may judge fetched pages, because it has judged the stored ones."""
        self._making: asyncio.Task[None] | None = None
        """A task that waits for another worker to make the topic, or makes it."""
        self._store: CrawlStore
        self._worker: WorkerProcess
        self._sharing: Sharing
        self._trained = None if job.topic_digest else trained_beside(job)
        trained = self._trained.topic_digest if self._trained else ""
        self.topic_digest = job.topic_digest or trained or topic_digest(job.topic, job.seeds)
        """Digest of what the user said about the topic and of what was trained. When it changes, the model is made again."""
        self.segmenter = segmenter or Segmenter.of(job.vocabulary, options.relevance_segmenter)
        self.kind_wanted = 0
        """The only kind of URLs to lease while the topic is being made, SEED or EXAMPLE; 0: any kind."""
        self.least_similarity = 0.0
        """The page model learns only from relevant pages that are at least this similar to the topic. Above 0 while the crawl
        has drifted away from its topic, see `crawl.relevance.drift`."""
        self.labels: Mapping[str, bool] = {}
        """What a person says of pages, by URL; it holds whatever the page model says."""
        self.model: TopicModel
        self.page_model: PageModel
        self.scorer: LinkScorer

    @property
    def by_name(self) -> dict[str, SingleTopic]:
        """This one, under the empty name, as `SeveralTopics` has several by their names."""
        return {"": self}

    @property
    def _name(self) -> str:
        return f"topic {self._label}" if self._label else "topic"

    @property
    def held(self) -> int:
        """How many pages are held back. Their leases last until they are judged and committed."""
        return len(self._held)

    @property
    def waits_for_other(self) -> bool:
        """Whether the topic is being made without further pages of this worker, which then leases nothing.

        Raises as `raise_failure` does."""
        self.raise_failure()
        return self.busy and not self.kind_wanted

    def raise_failure(self) -> None:
        """Raise the error that ended the wait for the topic, such as BadInput for a model that cannot be read."""
        if self._making and self._making.done():
            self._making.result()

    @property
    def busy(self) -> bool:
        """Whether pages cannot be judged yet: the model is being made, here or by another worker, or judges the stored ones."""
        return not self._ready.is_set()

    async def prepare(self, store: CrawlStore, worker: WorkerProcess) -> None:
        """Load the crawl's model, or make it from what the job says, or ask for the pages to make it from. `worker` makes it,
        and may be ended when `held_pages` has returned.

        Raises BadInput when the job or the stored model cannot be used."""
        self._store, self._worker, self._sharing = store, worker, Sharing(store)
        await self._follow_labels()
        if await self._take_over():
            return
        if self.job.topic_digest:
            raise BadInput("Another worker has just made the crawl's topic again; start again.")
        if self._trained:
            await self._publish(self._trained.load())
            return
        topic = self.job.topic
        self.kind_wanted = EXAMPLE if topic.examples else SEED if not self._says_something() else 0
        if not self.kind_wanted:
            await self._make([])
            return
        urls = topic.examples if self.kind_wanted == EXAMPLE else self.job.seeds[:MOST_SEEDS]
        self._stored = await store.call(texts_of, urls=urls)
        if await store.claim(OWNER):
            await self._take_over()  # another worker may have made it meanwhile, and ended
        else:
            self.kind_wanted = 0
            self._making = asyncio.ensure_future(self._wait_for_other())

    async def _follow_labels(self) -> None:
        """Let the stored pages follow the labels beside the topic file; without such a file (a recrawl, another machine), those
        in the store."""
        file = self.job.topic.file
        try:
            given = labels_of_file(file) if file else None
        except BadInput as error:
            logger.warning("%s The labels that the crawl knows already hold.", error)
            given = None
        store = self._store
        if changed := await store.call(follow_labels, topic=self._label, given=given, run=store.run, now=store.clock()):
            logger.info("%s: %d stored pages follow what a person labelled them now", self._name, changed)
        await self._read_labels()

    async def _read_labels(self) -> None:
        self.labels = await self._store.call(labels_by_url, topic=self._label)

    def _says_something(self) -> bool:
        return bool(self.job.topic.keywords or self.job.topic.example_files)

    def hold(self, page: Page) -> bool:
        """Hold a page back while the topic is being made; returns whether it was held. Redirects and failures need no topic."""
        if not self.busy or not page.ok:
            return False
        self._held.append(page)
        if self.kind_wanted == SEED and len(self._held) >= MOST_PAGES:
            self.finish_start()
        return True

    async def held_pages(self) -> list[Page]:
        """Wait for the model, let it judge the stored pages if it says something else than before (of several topics,
        `SeveralTopics` sees to that), then return the pages that were held back."""
        await self._made.wait()
        if self.busy:
            await self._worker.close()  # judging the stored pages may take minutes
            await judge_stored_pages(self._store, "", self)
            self._ready.set()
        held, self._held = self._held, []
        return held

    def finish_start(self) -> None:
        """Begin to make the topic from the pages that are there: enough are, or no further one can be fetched now."""
        self.kind_wanted = 0
        self._making = asyncio.ensure_future(self._make(self._texts()))

    def judge(self, page: Page, example: bool | None = None) -> Verdict:
        """Set and return the page's verdict, and learn from it. What a person labelled a page holds; example pages are relevant
        by definition. From other pages in a language that the topic does not ask for nothing is learned.

        `example`: whether the page is one; None: as its lease says."""
        words, context = model_input(page, page.words, self.segmenter)
        label = self.labels.get(page.url, (page.lease.example if example is None else example) or None)
        page.verdict = verdict = verdict_on(self.page_model, words, context, page.language, label)
        is_stray = verdict.relevant and verdict.similarity < self.least_similarity
        teaches = label is not None or (self.model.asks_for(page.language) and not is_stray)
        if teaches and not page.lease.revisit:  # a revisited page was learned from before
            self.page_model.learn(words, verdict.relevant, context)  # teaches the topic, too
        return verdict

    def similarity(self, text: str) -> float:
        """How similar a short text, such as a title, is to the topic, in [0, 1]."""
        return self.model.short_similarity(self.segmenter.terms(text))

    async def exchange(self) -> None:
        """Share what was learned with other workers and the next run, and take over what they have learned, and what people
        have labelled meanwhile. Pages that were judged by another name of their site are judged again."""
        if self.busy:
            return
        await self._read_labels()
        if await self._sharing.exchange() or self.model.due:
            self.page_model.refresh()
        again = partial(judge_again, judge=self.page_model, segmenter=self.segmenter, labels=self.labels)
        for host, is_name in self.page_model.take_renamed().items():
            await judge_by_name(self._store, self._label, host, is_name, again)

    async def close(self) -> None:
        """Stop waiting for another worker."""
        if self._making:
            self._making.cancel()

    def _texts(self) -> list[Text]:
        held = in_given_order(self._held, self.job.topic.examples or self.job.seeds)
        return [*self._stored, *((page.url, page.whole) for page in held)]

    async def _make(self, pages: list[Text]) -> None:
        """Make the topic from what the job says and from these pages. Raises BadInput when that is impossible."""
        try:
            model = await make_apart(self._worker, self.job, self._options, self.segmenter, pages)
        except BadInput as error:
            if not any(text.strip() for _, text in pages) and not self._says_something():
                raise BadInput(f"{error} None of the pages that were to define it gave text.") from error
            raise
        await self._publish(model, spellings(text for _, text in pages))

    async def _publish(self, model: TopicModel, spelling: Mapping[str, str] = {}) -> None:
        """Store the model as the crawl's before any page is judged by it. Another worker may have been quicker: then use its
        model."""
        model.topic_digest = self.topic_digest
        taught = self._trained.load_page_model(model) if self._trained else None
        store = self._store
        if await store.call(publish, self._label, model, taught, worker=store.worker, now=store.clock()):
            logger.info("the topic was made again: the job, or this version, says something else than when it was made first")
        what = self._name
        logger.info("%s of %d terms; threshold %s", what, len(model.weights), model.threshold.explanation)
        if warning := self_test(model, spelling).warning:
            logger.warning("%s: %s", what, warning)
        if not taught and (warning := lacking(self._options.relevance_model, model)):
            logger.warning("%s: %s", what, warning)
        if not await self._take_over():
            raise BadInput("Another worker crawls under the same name with another topic; give one of the two another name.")

    async def _take_over(self) -> bool:
        """Use the stored topic with all that was learned, if it was made from what this job says; returns whether it was."""
        stored = await self._store.call(load_topic, label=self._label)
        if stored is None or not self._is_own(stored.topic_digest):
            return False
        self.topic_digest = stored.topic_digest
        judge = stored.judge(self._options.relevance_model)
        for name, learned in stored.logs(judge):
            await self._sharing.join(name, learned)
        if judge.topic.due:
            judge.refresh()
        self._use(judge)
        if self.job.topic_digest and self.model.evidence.splits(self.segmenter, self.job.topic.vocabulary):
            logger.warning(
                "%s was made by an earlier version, which took words such as `washing machine` apart; `scrapy crawl topic`"
                " with its topic file makes it again", self._name,
            )  # fmt: skip
        if self._label or not await self._store.call(later_verdicts.begin_topic, topic="", digest=self.topic_digest):
            self._ready.set()
        if former := await self._store.call(begin_judging, label=self._label, model=judge.name):
            logger.warning(
                "pages are judged by %s from now on, until now by %s: stored pages keep their verdicts, whose scores are on"
                " another scale", judge.name, former,
            )  # fmt: skip
        return True

    def _is_own(self, digest: str) -> bool:
        """Whether this is the digest of the topic, perhaps as an earlier version wrote it."""
        if self.job.topic_digest or self._trained:
            return digest == self.topic_digest
        return is_digest_of(digest, self.job.topic, self.job.seeds)

    def _use(self, judge: PageModel) -> None:
        self.model, self.page_model = judge.topic, judge
        if self.model.segmenter_name != self.segmenter.name:
            logger.warning("the topic was cut by %s, pages are now cut by %s", self.model.segmenter_name, self.segmenter.name)
        self.scorer = LinkScorer(self.model, self.segmenter)
        self.kind_wanted = 0
        self._made.set()

    async def _wait_for_other(self) -> None:
        """Wait for another worker to make the topic. If that one dies, this worker makes it."""
        while not await self._take_over():
            await asyncio.sleep(WAIT_SECONDS)
            if await self._store.claim(OWNER):
                if not await self._take_over():
                    self.kind_wanted = EXAMPLE if self.job.topic.examples else SEED
                return


async def make_apart(
    worker: WorkerProcess, job: CrawlJob, options: Options, segmenter: Segmenter, pages: Sequence[Text]
) -> TopicModel:
    """The topic of a job, made by the process `worker` with a segmenter like this one: jieba's dictionary takes 80 MB while a
    topic's own texts are cut, and some of it would stay with the crawl. `pages`: texts that are on the topic, beside the job's
    files.

    Raises:
        BadInput: No topic can be made of them, or there is no memory for it.
        RuntimeError: The program has a fault; with the traceback of the process.
    """
    topic = job.topic
    arguments = {
        "user_words": segmenter.user_words,
        "prefer": options.relevance_segmenter,
        "synonyms": segmenter.synonyms,
        "phrases": segmenter.phrases,
        "keywords": topic.keywords,
        "files": [str(path.absolute()) for path in topic.example_files],
        "negative_files": [str(path.absolute()) for path in topic.negative_example_files],
        "pages": pages,
        "seeds": job.seeds,
        "min_weight": options.relevance_min_term_weight,
        "threshold": topic.threshold,
        "given_weights": topic.weights,
        "negative_terms": topic.negative_terms,
        "languages": topic.languages,
    }
    answer = await worker.read(Job("focuscrawl.crawl.relevance.topic_apart:make", b"", arguments, NO_LIMITS))
    if answer.error:
        raise BadInput("The topic cannot be made: the process that should make it ended early, perhaps because memory ran out.")
    if "problem" in answer.result:
        raise BadInput(answer.result["problem"])
    if "traceback" in answer.result:
        raise RuntimeError(f"the topic cannot be made\n{answer.result['traceback']}")
    return from_plain(answer.result, Background())


def judge_again(page: Page, judge: PageModel, segmenter: Segmenter, labels: Mapping[str, bool], teaches: bool = False) -> None:
    """Replace the verdict of a stored page, which has its text and links, by that of another topic.

    `labels`: what a person says of pages, by URL. `teaches`: whether the model learns from the page, because it has seen none
    of the crawl's."""
    words, context = model_input(page, segmenter.terms(page.whole), segmenter)
    judged = judge_and_learn if teaches else verdict_on
    page.verdict = judged(judge, words, context, page.language, labels.get(page.url, page.lease.example or None))


def in_given_order(pages: Iterable[Page], given: Sequence[str]) -> list[Page]:
    """The pages in the order in which the user gave their URLs, not as they came in: that would show in what is learned."""
    places = {url: number for number, url in enumerate(given)}
    return sorted(pages, key=lambda page: (places.get(page.lease.url, len(places)), page.lease.url_id))
