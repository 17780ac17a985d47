"""Which of the page's links are worth fetching, and how much? Every link gets a score with its parts and a priority, or the
rule that refused it. The order strategy sees every fetch here, failures too."""

from __future__ import annotations

from collections import Counter
from time import perf_counter

from scrapy.crawler import Crawler

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.crawl.session import CrawlSession, session_of
from focuscrawl.frontier.outcome import REDIRECT_REFUSED, UNFETCHED
from focuscrawl.items import SOFT404_PROBE, Page


class LinkScorerPipeline:
    """Runs after relevance and dedup: a duplicate never expands, an off-topic page only as tunnelling allows."""

    def __init__(self, session: CrawlSession, rules: LinkRules) -> None:
        self._session = session
        self._rules = rules

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LinkScorerPipeline:
        session = session_of(crawler)
        return cls(session, session.link_rules)

    def process_item(self, page: Page) -> Page:
        if page.redirect and (rule := self._rules.redirect_rule(page)):
            page.error = REDIRECT_REFUSED + rule
        if page.error in UNFETCHED or page.unmodified or page.lease.kind == SOFT404_PROBE:
            return page
        start = perf_counter()
        if not page.ok:
            page.links = []
        if page.verdict:
            self._session.ordering.tunnelling.see(page)
        if page.links:
            self._rules.refuse(page)
        self._session.ordering.see(page)
        self._count(page)
        page.timings["links_scored"] = 1000 * (perf_counter() - start)
        return page

    def _count(self, page: Page) -> None:
        """After the order strategy has seen the page: it may refuse links, too."""
        for rule, count in Counter(link.refused for link in page.links).items():
            self._session.inc(f"links/refused_count/{rule}" if rule else "links/scored_count", count)
