"""Judges stored pages without fetching anything.

- **For a topic** that has judged none of them, or that says something else than when it did. The pages teach it, as if they
  were fetched now, in the order in which they were stored. Links of those that are relevant to it enter the frontier, or get a
  higher priority there.
- **By the names of sites.** A keyword in the name of a site does not count on its pages (`models.page.site_words`). Pages that
  were called relevant before it was known to be the name are judged once more then, and those that were judged without it when
  most pages turn out to say it beyond the name. Nothing is learned from them, and links that they led to keep their scores.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Protocol

from focuscrawl.config.job import CrawlJob
from focuscrawl.items import Lease, Link, Page, Verdict
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.store.revisits.later_verdicts import NewlyJudgedPage, StoredText
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.hosts import host_name, registered_domain
from models.link.link_score import DIGITS, LinkScorer
from models.order.combined import merged

logger = logging.getLogger(__name__)

BATCH = 50
"""Stored pages judged and written in one operation."""
OWNER = "topic_judging"
"""Key in `meta`: the worker that judges stored pages for a new topic."""
InScope = Callable[[str, str, Verdict], Verdict]
"""(topic, URL, verdict) -> the verdict, made irrelevant where the URL is outside of the topic's scope."""


class JudgingTopic(Protocol):
    """One topic that has its model (`crawl.relevance.topic.SingleTopic`)."""

    job: CrawlJob
    segmenter: Segmenter
    scorer: LinkScorer

    @property
    def topic_digest(self) -> str: ...

    def judge(self, page: Page, example: bool | None = None) -> Verdict: ...


async def judge_stored_pages(
    store: CrawlStore, name: str, topic: JudgingTopic, in_scope: InScope = lambda name, url, verdict: verdict
) -> None:
    """Judge all stored pages that have no verdict for the topic as it is defined now. `name`: empty in a crawl of one topic.

    The first process that claims the work does it; the others continue without it. After a crash, the next start resumes where
    this one ended in a crawl of several topics, and begins again in a crawl of one."""
    if not await store.claim(OWNER):
        return
    if not await store.call(later_verdicts.begin_topic, topic=name, digest=topic.topic_digest):
        return
    called = f"topic {name}" if name else "the topic"
    examples = topic.job.topic.examples
    sites = {registered_domain(host_name(url)) for url in examples}
    last = count = relevant = new = 0
    while pages := await store.call(later_verdicts.unjudged, topic=name, after=last, count=BATCH):
        if not count:
            logger.info("%s says something else than before, or is new: it judges the stored pages", called)
        judged = []
        for page in pages:
            # Where an example redirects, its target is one: it was stored as such, and may have moved within the site.
            example = page.url in examples or (page.example and registered_domain(host_name(page.url)) in sites)
            judged.append(_judged(name, topic, in_scope, page, example))
            await asyncio.sleep(0)
        last = pages[-1].page_id
        new += await store.call(later_verdicts.store_judged, topic=name, pages=judged, run=store.run, now=store.clock())
        count += len(judged)
        relevant += sum(each.verdict.relevant for each in judged)
    await store.call(later_verdicts.end_topic, topic=name, digest=topic.topic_digest)
    if count:
        logger.info("%s: %d stored pages judged, relevant %d, new links %d", called, count, relevant, new)


def _judged(name: str, topic: JudgingTopic, in_scope: InScope, stored: StoredText, example: bool) -> NewlyJudgedPage:
    page = Page(Lease(0, 0, stored.url, depth=stored.depth), stored.url, 200, title=stored.title, text=stored.text)
    page.language, page.kind, page.links = stored.language, stored.kind, stored.links
    page.words = topic.segmenter.terms(page.whole)
    verdict = in_scope(name, stored.url, topic.judge(page, example))
    judged = NewlyJudgedPage(stored.page_id, verdict, no_example=stored.example and not example)
    if verdict.relevant and not stored.duplicate:
        judged.links = stored.links
        scored = (_scored(link, name, topic.scorer, page) for link in stored.links)
        judged.discovered = [url for url in scored if url]
    return judged


def _scored(link: Link, name: str, scorer: LinkScorer, page: Page) -> DiscoveredUrl | None:
    """The link, scored for the topic, as a URL for the frontier; None if a rule other than tunnelling refuses it. What it was
    worth to other topics of the crawl counts, too; what it was worth to the same one before does not."""
    if link.refused not in ("", "tunnel"):
        return None
    others_score, others_parts = (link.score, link.parts) if name and not link.refused else (0.0, {})
    scorer.score(link, page)
    if name:
        link.parts = {**others_parts, **{f"{name}/{part}": value for part, value in link.parts.items()}}
        link.score = round(merged((others_score, link.score)), DIGITS)
    link.refused = ""
    return DiscoveredUrl(link.url, link.score, page.lease.depth + 1, key=link.key)


async def judge_by_name(
    store: CrawlStore, topic: str, host: str, is_name: Mapping[str, bool], judge_again: Callable[[Page], None]
) -> None:
    """Judge the stored pages of this host again that were judged otherwise, now that it is known of these words whether they
    are in the name of the site. Those that were judged with that known, as by an earlier run, keep their verdicts.

    `topic`: its name in a crawl of several. `judge_again`: replaces the verdict of a stored page."""
    last = count = relevant = 0
    while pages := await store.call(later_verdicts.judged_by_name, topic, host, is_name, after=last, count=BATCH):
        verdicts = []
        for page_id, page in pages:
            judge_again(page)
            assert page.verdict is not None
            verdicts.append((page_id, page.verdict))
            relevant += page.verdict.relevant
            await asyncio.sleep(0)
        count += len(pages)
        last = pages[-1].page_id
        await store.call(later_verdicts.store_again, topic=topic, verdicts=verdicts, run=store.run, now=store.clock())
    if count:
        are = "in" if any(is_name.values()) else "more than"
        logger.info("%s: keywords are %s the name of the site; relevant are %d of %d pages", host, are, relevant, count)
