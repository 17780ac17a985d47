"""Stored pages that are judged again, because what their verdicts rest on has changed. What a person labelled, and examples,
stay as they are. Nothing is learned from them.

- **Languages.** Where the topic of a crawl of one asks for others than in the last run, pages in those for which the answer has
  changed are judged again before anything is fetched.
- **Names of sites.** A keyword in the name of a site does not count on its pages (`models.page.site_words`). The first pages of
  a site are judged before its name is known, and those that were called relevant once more when it is, with the next exchange.
  Links that they led to keep their scores.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from focuscrawl.items import Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.store.revisits.later_verdicts import JudgeablePage
from focuscrawl.text.language_labels import asks_for
from models.topic.vsm import TopicModel

logger = logging.getLogger(__name__)

BATCH = 50
"""Stored pages judged and written in one operation."""
JudgeAgain = Callable[[Page], None]
"""Replaces the verdict of a stored page."""


async def follow_languages(store: CrawlStore, topic: TopicModel, judge_again: JudgeAgain) -> None:
    """Judge the stored pages again of which the topic takes another view by their language. After a crash the next start does
    it from the beginning, and where workers start at once each does it, with the same result."""
    before = await store.call(later_verdicts.followed_languages)
    if before == topic.languages:
        return
    written = await store.call(later_verdicts.written_languages)
    others = [language for language in written if asks_for(before, language) != topic.asks_for(language)]
    pages = partial(later_verdicts.pages_in, languages=others)
    count, relevant = await _judge(store, "", pages, judge_again) if others else (0, 0)
    if count:
        asked = ", ".join(topic.languages) or "any"
        logger.info("languages of the topic: %s; %d stored pages judged again, relevant now %d", asked, count, relevant)
    await store.call(partial(later_verdicts.follow_languages, languages=topic.languages))


async def judge_without_name(store: CrawlStore, topic: str, host: str, judge_again: JudgeAgain) -> None:
    """Judge the stored pages of this host again that count as relevant to the topic, now that the name of the site is known.

    `topic`: its name in a crawl of several."""
    pages = partial(later_verdicts.relevant_on_host, topic=topic, host=host)
    count, relevant = await _judge(store, topic, pages, judge_again)
    if left := count - relevant:
        logger.info("%s: a keyword is in the name of the site; %d of its pages are not relevant any more", host, left)


async def _judge(
    store: CrawlStore, topic: str, pages_behind: Callable[..., list[JudgeablePage]], judge_again: JudgeAgain
) -> tuple[int, int]:
    """Judge stored pages again, batch by batch; returns how many, and how many of them are relevant now.

    `pages_behind`: a function of the store's connection, `after` and `count`."""
    last = count = relevant = 0

    def next_pages(db: Database) -> list[JudgeablePage]:
        return pages_behind(db, after=last, count=BATCH)

    while pages := await store.call(next_pages):
        verdicts = []
        for page_id, page in pages:
            judge_again(page)
            assert page.verdict is not None
            verdicts.append((page_id, page.verdict))
            relevant += page.verdict.relevant
            await asyncio.sleep(0)
        last, count = pages[-1].page_id, count + len(pages)
        await store.call(partial(later_verdicts.store_again, topic=topic, verdicts=verdicts, run=store.run, now=store.clock()))
    return count, relevant
