"""Stored pages follow the languages that the topic of a crawl of one asks for: those for which the answer has changed since the
last run are judged again, before anything is fetched. What a person labelled, and examples, stay as they are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from focuscrawl.items import Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.text.language_labels import asks_for
from models.topic.vsm import TopicModel

logger = logging.getLogger(__name__)

BATCH = 50
"""Stored pages judged and written in one operation."""


async def follow_languages(store: CrawlStore, topic: TopicModel, judge_again: Callable[[Page], None]) -> None:
    """Judge the stored pages again of which the topic takes another view by their language. Nothing is learned from them. After
    a crash the next start does it from the beginning, and where workers start at once each does it, with the same result.

    `judge_again`: replaces the verdict of a stored page."""
    before = await store.call(later_verdicts.followed_languages)
    if before == topic.languages:
        return
    written = await store.call(later_verdicts.written_languages)
    others = [language for language in written if asks_for(before, language) != topic.asks_for(language)]
    last = count = relevant = 0
    while others and (pages := await store.call(partial(later_verdicts.pages_in, languages=others, after=last, count=BATCH))):
        verdicts = []
        for page_id, page in pages:
            judge_again(page)
            assert page.verdict is not None
            verdicts.append((page_id, page.verdict))
            relevant += page.verdict.relevant
            await asyncio.sleep(0)
        last, count = pages[-1].page_id, count + len(pages)
        await store.call(partial(later_verdicts.replace_verdicts, verdicts=verdicts, run=store.run, now=store.clock()))
    await store.call(partial(later_verdicts.follow_languages, languages=topic.languages))
    if count:
        asked = ", ".join(topic.languages) or "any"
        logger.info("languages of the topic: %s; %d stored pages judged again, relevant now %d", asked, count, relevant)
