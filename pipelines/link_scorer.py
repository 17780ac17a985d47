"""Which of the page's links are worth fetching, and how much? Every link gets a score with its parts and a priority, or the
rule that refused it. The order strategy sees every fetch here, failures too."""

from __future__ import annotations

from collections import Counter
from time import thread_time
from typing import Any

from scrapy.crawler import Crawler

from focuscrawl.crawl.process import CrawlProcess
from focuscrawl.frontier.outcome import REDIRECT_REFUSED, UNFETCHED
from focuscrawl.items import SOFT404_PROBE, Page
from focuscrawl.scrapy_side.crawl_runner import crawl_of


class LinkScorerPipeline:
    """Runs after relevance and dedup: a duplicate does not expand (`Duplicate.hides_links`), an off-topic page only as
    tunnelling allows."""

    def __init__(self, crawl: CrawlProcess) -> None:
        self._crawl = crawl
        self._rules = crawl.link_rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LinkScorerPipeline:
        return cls(crawl_of(crawler))

    async def process_item(self, item: Any) -> Any:
        if isinstance(item, Page):
            if item.error not in UNFETCHED:
                await self._crawl.leases.turns.score(item.lease)
            if item.redirect and (rule := self._rules.redirect_rule(item)):
                item.error = REDIRECT_REFUSED + rule
            if not (item.error in UNFETCHED or item.unmodified or item.lease.kind == SOFT404_PROBE):
                self._score(item)
        return item

    def _score(self, page: Page) -> None:
        start = thread_time()
        if not page.ok:
            page.links = []
        if page.verdict:
            self._crawl.ordering.tunnelling.see(page)  # before the rules: they ask whether this page's links are followed
        if page.links:
            self._rules.refuse(page)
        self._crawl.ordering.see(page)
        self._count(page)
        page.timings["links_scored"] = 1000 * (thread_time() - start)

    def _count(self, page: Page) -> None:
        """Count the page's links, by the rule that refused them. To be called when the order strategy, which may refuse links
        too, has seen the page."""
        for rule, count in Counter([link.refused for link in page.links]).items():
            self._crawl.counting.inc(f"links/refused_count/{rule}" if rule else "links/scored_count", count)
