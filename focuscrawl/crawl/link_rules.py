"""Which rule refuses a link? Scope and shape hold for every strategy; the rest is for focused crawling only.

With breadth-first and depth-first every in-scope link is followed, so that the set of pages does not depend on the
order in which they are met.
"""

from __future__ import annotations

from focuscrawl.crawl.session import CrawlSession
from focuscrawl.items import FEED, SOURCES, Link, Page
from focuscrawl.politeness.meta_robots import unfollowed
from focuscrawl.recrawl.entries import source_rule, speaks_for
from focuscrawl.url.filters import refusing_rule
from focuscrawl.url.traps import trap_rule

CACHED = 32_768
"""Addresses whose rule is remembered."""


class LinkRules:
    """Refusal rules by name; the empty string means that the link may enter the frontier."""

    def __init__(self, session: CrawlSession) -> None:
        self._session = session
        self._scope = session.job.scope
        self._max_depth = session.job.arguments.max_depth
        self._known: dict[str, str] = {}

    def page_rule(self, page: Page) -> str:
        """The rule that refuses all links of a page."""
        if page.nofollow:
            return "nofollow"
        if self._max_depth is not None and page.lease.depth + 1 > self._max_depth:
            return "depth"
        if page.lease.kind in SOURCES:
            return ""  # it is no page that could be off the topic
        if not self._session.focused:
            return "duplicate" if page.duplicate and page.duplicate.kind == "exact" else ""
        if page.duplicate:
            return "duplicate"
        return "" if self._session.ordering.tunnelling.follow(page) else "tunnel"

    def redirect_rule(self, page: Page) -> str:
        """The rule that refuses where a redirect leads."""
        if page.lease.kind not in SOURCES:
            return self.address_rule(page.redirect, page)
        return source_rule(self._scope, page.redirect) if speaks_for(FEED, page.url, page.redirect) else "host"

    def link_rule(self, link: Link, page: Page) -> str:
        """The rule that refuses one link."""
        rule = self.address_rule(link.url, page) or (unfollowed(link.rel) if link.rel else "")
        if rule or not self._session.focused:
            return rule
        return "" if self._session.yields.admits(link.url) else "yield"

    def address_rule(self, url: str, page: Page) -> str:
        """What the address alone decides, remembered: the links of a site's navigation stand on all of its pages."""
        rule = self._known.get(url)
        if rule is None:
            if len(self._known) >= CACHED:
                self._known.clear()
            depth = page.lease.depth + 1
            rule = self._scope.refuses(url) or refusing_rule(url) or trap_rule(url, depth, page.fetched_at)
            self._known[url] = rule
        return rule
