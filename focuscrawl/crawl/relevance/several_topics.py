"""Several topics in one crawl: each page is fetched and read once, and judged for every topic.

Invariant: no page is judged before every topic has its model; until then pages are held back, as in `crawl.relevance.topic`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.relevance.stored_page_judging import judge_stored_pages
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.errors import BadInput
from focuscrawl.items import Page, Verdict
from focuscrawl.reading.worker import WorkerProcess
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.pages.verdicts import best_of, set_topics
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.hosts import host_name, registered_domain


class SeveralTopics:
    """Does for several topics what `SingleTopic` does for one. `by_name`: the single topics by their names."""

    def __init__(self, job: CrawlJob, options: Options) -> None:
        self.segmenter = Segmenter.of(job.vocabulary, options.relevance_segmenter)
        self.by_name = {part.name: SingleTopic(part, options, part.name, self.segmenter) for part in job.parts}
        self._examples = _Examples(job)
        self._named = {part.name: frozenset((*part.seeds, *part.topic.examples)) for part in job.parts}
        self._held: list[Page] = []
        self._ready = asyncio.Event()
        self._store: CrawlStore
        self._worker: WorkerProcess

    @property
    def kind_wanted(self) -> int:
        """The only kind of URLs to lease while models are being made; 0: any kind."""
        return max(topic.kind_wanted for topic in self.by_name.values())

    @property
    def held(self) -> int:
        """How many pages are held back. Their leases last until they are judged and committed."""
        return len(self._held)

    @property
    def waits_for_other(self) -> bool:
        """Whether nothing is leased because another worker fetches the pages that define a topic, or because stored pages are
        being judged for a new one. Raises the error that ended the wait."""
        for name, topic in self.by_name.items():
            with _naming(name):
                topic.raise_failure()
        return self.busy and not self.kind_wanted

    @property
    def busy(self) -> bool:
        """Whether pages cannot be judged yet: models are being made, or judge the stored pages first, here or elsewhere."""
        return not self._ready.is_set()

    async def prepare(self, store: CrawlStore, worker: WorkerProcess) -> None:
        """Load the models, or make them, or ask for pages to make them from. `worker` makes them one by one, and may be ended
        when `held_pages` has returned. Raises BadInput when one cannot be used."""
        self._store, self._worker = store, worker
        for name, topic in self.by_name.items():
            with _naming(name):
                await topic.prepare(store, worker)

    def hold(self, page: Page) -> bool:
        """Hold a page back while models are being made; returns whether it was held. An example helps to make the topics that
        name it."""
        self._examples.follow(page)
        if not self.busy or not page.ok:
            return False
        for name in self._examples.owners(page):
            self.by_name[name].hold(page)
        self._held.append(page)
        return True

    async def held_pages(self) -> list[Page]:
        """Wait for the models, let new ones judge the stored pages, then return the pages that were held back."""
        for topic in self.by_name.values():
            await topic.held_pages()
        await self._worker.close()  # judging the stored pages may take minutes
        # Not before: where a new topic cannot be made, a crawl of one topic stays one.
        await self._store.call(set_topics, list(self.by_name))
        for name, topic in self.by_name.items():
            await judge_stored_pages(self._store, name, topic, self._in_scope)
        self._ready.set()
        held, self._held = self._held, []
        return held

    def finish_start(self) -> None:
        """Begin to make the topics that still want pages from those that are there."""
        for topic in self.by_name.values():
            if topic.kind_wanted:
                topic.finish_start()

    def judge(self, page: Page) -> Verdict:
        """Set the page's verdicts and return the best of them; every topic learns from its own.

        Outside of a topic's own scope only the seeds and examples that it names, and pages that a person says belong to it, are
        relevant to it."""
        owners = self._examples.owners(page) if page.lease.example else ()
        verdicts = {}
        for name, topic in self.by_name.items():
            verdict = topic.judge(page, name in owners)
            verdicts[name] = verdict if name in owners else self._in_scope(name, page.url, verdict)
        page.verdicts, page.verdict = verdicts, best_of(verdicts)
        return page.verdict

    def _in_scope(self, name: str, url: str, verdict: Verdict) -> Verdict:
        by_person = url in self._named[name] or url in self.by_name[name].labels
        if not verdict.relevant or by_person or not self.by_name[name].job.scope.refuses(url):
            return verdict
        return replace(verdict, relevant=False)

    def similarity(self, text: str) -> float:
        """How similar a short text is to the topic that it is nearest to, in [0, 1]."""
        return max(topic.similarity(text) for topic in self.by_name.values())

    async def exchange(self) -> None:
        """Share what was learned with other workers and the next run, and take over what they have learned."""
        for topic in self.by_name.values():
            await topic.exchange()

    async def close(self) -> None:
        """Stop waiting for another worker."""
        for topic in self.by_name.values():
            await topic.close()


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Let a BadInput that is raised inside name its topic."""
    try:
        yield
    except BadInput as error:
        raise BadInput(f"Topic {name}: {error}") from error


CrawlTopic = SingleTopic | SeveralTopics


def topic_of(job: CrawlJob, options: Options) -> CrawlTopic:
    """What judges the pages of this job's crawl."""
    return SeveralTopics(job, options) if job.parts else SingleTopic(job, options)


class _Examples:
    """Knows by its URL which topics a page is an example of, and follows redirects of examples."""

    def __init__(self, job: CrawlJob) -> None:
        self._names: dict[str, tuple[str, ...]] = {}
        for part in job.parts:
            for url in part.topic.examples:
                self._names[url] = (*self._names.get(url, ()), part.name)
        self._sites = {registered_domain(host_name(url)): names for url, names in self._names.items()}

    def follow(self, page: Page) -> None:
        """Note the target if an example redirects."""
        names = self._names.get(page.lease.url)
        if page.redirect and names:
            self._names[page.redirect] = tuple(dict.fromkeys((*self._names.get(page.redirect, ()), *names)))

    def owners(self, page: Page) -> tuple[str, ...]:
        """The topics that this page is an example of. Where only an earlier run saw the redirect that led here, these are the
        topics with an example on its site."""
        return self._names.get(page.lease.url) or self._sites.get(registered_domain(host_name(page.lease.url)), ())
