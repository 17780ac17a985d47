"""A topic that joins a crawl later: the pages that are stored already are judged for it, without the network."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Collection
from functools import partial

from focuscrawl.engine.topic import TopicMaker
from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.store import judging
from focuscrawl.store.crawl import CrawlStore
from focuscrawl.store.discover import Found
from focuscrawl.store.judging import Judged, StoredText
from focuscrawl.text.segment import Segmenter
from models.order.combined import DIGITS, merged

logger = logging.getLogger(__name__)

BATCH = 50
OWNER = "topic_judging"
InScope = Callable[[str, str, Verdict], Verdict]
"""(topic, URL, verdict) -> the verdict as the topic's scope leaves it."""


class Judging:
    """One process's part: the first that asks judges, the others go on."""

    def __init__(self, store: CrawlStore, segmenter: Segmenter) -> None:
        self._store = store
        self._segmenter = segmenter

    async def judge(self, name: str, topic: TopicMaker, examples: Collection[str], in_scope: InScope) -> None:
        """Judge all stored pages that have no verdict for the topic as it is defined now; links of those that are relevant
        enter the frontier, or are lifted there. A crash in between loses nothing: the next start goes on."""
        if not await self._store.claim(OWNER):
            return
        await self._store.call(partial(judging.begin, topic=name, definition=topic.definition))
        last = count = relevant = new = 0
        while pages := await self._store.call(partial(judging.unjudged, topic=name, after=last, count=BATCH)):
            judged = []
            for page in pages:
                judged.append(self._one(name, topic, in_scope, page, page.url in examples))
                await asyncio.sleep(0)
            last = pages[-1].pid
            new += await self._store.call(partial(judging.store, topic=name, pages=judged, now=self._store.clock()))
            count += len(judged)
            relevant += sum(each.verdict.relevant for each in judged)
        if count:
            logger.info("topic %s: %d stored pages judged, relevant %d, new links %d", name, count, relevant, new)

    def _one(self, name: str, topic: TopicMaker, in_scope: InScope, stored: StoredText, example: bool) -> Judged:
        page = Page(Lease(0, 0, stored.url, depth=stored.depth), stored.url, 200, title=stored.title, text=stored.text)
        page.words = self._segmenter.terms(f"{stored.title}\n{stored.text}")
        verdict = in_scope(name, stored.url, topic.judge(page, example))
        judged = Judged(stored.pid, verdict)
        if verdict.relevant and not stored.duplicate:
            page.links = judged.links = stored.links
            judged.found = [found for link in stored.links if (found := _lifted(link, name, topic, page))]
        return judged


def _lifted(link: Link, name: str, topic: TopicMaker, page: Page) -> Found | None:
    """The link with its score for the new topic added, unless another rule than tunnelling refuses it."""
    if link.refused not in ("", "tunnel"):
        return None
    before, parts = link.score, link.parts
    if link.refused:
        before, parts = 0.0, {}
    topic.scorer.score(link, page)
    own = link.score
    link.parts = {**parts, **{f"{name}/{part}": value for part, value in link.parts.items()}}
    link.score, link.refused = round(merged((before, own)), DIGITS), ""
    return Found(link.url, link.score, page.lease.depth + 1)
