"""Which rule refuses a link? One answer for a crawl, for `scrapy trace` and for `scrapy topic replay`.

Scope, shape and barren parts hold for every strategy; the rest is for focused crawling only. With breadth-first and
depth-first every other in-scope link is followed, so that the set of pages does not depend on the order in which they are met.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

from focuscrawl.config.job import CrawlJob
from focuscrawl.frontier.mirrors import to_follow
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import CANONICAL, FEED, FILE, SOURCES, Link, Page
from focuscrawl.politeness.meta_robots import unfollowed
from focuscrawl.reading.documents.formats import PACKED
from focuscrawl.recrawl.entries import may_announce, source_rule
from focuscrawl.text.language_labels import asks_for
from focuscrawl.url.filters import MAX_LENGTH, refusing_rule
from focuscrawl.url.groups import domain_of
from focuscrawl.url.recurring import RecurringDirectories
from focuscrawl.url.scope import REASONS, Scope
from focuscrawl.url.traps import GrowingPaths, trap_rule
from models.link.tunnelling import Tunnelling

YIELDS_LOG = "yields"
"""Name of the shared log (`store.workers.shared_logs`) of what parts of the web have brought, from which every process fills
its `YieldLimit`."""
OF_JOB = frozenset({"depth", "file-type", "language", "mirror", "yield", *REASONS})
"""Rules that follow from what the user asked for: `max_depth`, READING_DOCUMENTS, the topic's languages, FRONTIER_BARREN_SHARE,
the scope. The next run may ask for more."""
BY_PAGE = frozenset({"calendar", "repeat"})
"""Rules that may depend on the page that has the link, so that what they say of a URL is not remembered."""
CACHED = 32_768
"""URLs whose rule is remembered, but for those that are too long to be followed, which takes some MB: the links of a site's
navigation are on all of its pages."""


@dataclass(eq=False)
class LinkRules:
    """Refusal rules by name; the empty string means that the link may enter the frontier. Made of plain values, so that a
    process without a crawl can ask the same rules."""

    scope: Scope
    """What part of the web the user wants; `Scope()` lets everything in."""
    _: KW_ONLY
    focused: bool = True
    """Whether the order strategy chooses by score (`models.order.protocol.Order.focused`). If not, neither tunnelling nor
    near-duplicates refuse."""
    tunnelling: Tunnelling | None = None
    """None follows irrelevant pages without limit."""
    yields: YieldLimit | None = None
    """Refuses barren parts, whatever the strategy. None: no part is barren."""
    max_depth: int | None = None
    """Most clicks from a seed, the argument of the same name; None: no limit."""
    documents: frozenset[str] = PACKED
    """The setting READING_DOCUMENTS: extensions that are not refused."""
    languages: Sequence[str] = ()
    """Codes of the languages that the topic asks for; none: any."""
    _growing: GrowingPaths = field(default_factory=GrowingPaths, init=False)
    _recurring: RecurringDirectories = field(default_factory=RecurringDirectories, init=False)
    _rule_by_url: dict[str, str] = field(default_factory=dict, init=False)

    def refuse(self, page: Page) -> None:
        """Write into each link of a judged page which rule refuses it (`Link.refused`).

        A rule that is already written there stays, unless another one refuses all links of the page: a replay passes links with
        the rules that the crawl itself had recorded. If the page repeats one on another host, in another version of a manual
        or in another section, only some of its links are followed: enough to learn whether it leads to the same pages.
        """
        self._doubt_list(page)
        blanket = self.page_rule(page)
        self._recurring.read(page.url, [link.url for link in page.links])
        for link in page.links:
            link.refused = blanket or link.refused or self.link_rule(link, page)
        if page.duplicate and page.duplicate.hides_most_links(self.focused):
            followed = to_follow(page.url, page.duplicate, (link.url for link in page.links if not link.refused))
            for link in page.links:
                link.refused = link.refused or ("" if link.url in followed else "duplicate")

    def _doubt_list(self, page: Page) -> None:
        """Where lists that repeat another one have led to known pages only, take a further such list for a copy like any
        other."""
        twin = page.duplicate
        if twin and twin.leads_on and twin.own and self.yields and self.yields.lists_lead_to_known(page.url):
            page.duplicate = replace(twin, leads_on=False, own=frozenset())

    def reopen(self, page: Page) -> list[Link]:
        """The links of a page of an earlier run that were refused for what the user asked for then, and that may enter the
        frontier now. Their rule is taken away."""
        links = [link for link in page.links if link.refused in OF_JOB]
        if not links or self.page_rule(page):
            return []
        opened = [link for link in links if not self.link_rule(link, page)]
        for link in opened:
            link.refused = ""
        return opened

    def unwanted(self, url: str, depth: int) -> str:
        """Why the user does not want this normal URL, `depth` clicks from a seed, to be fetched any longer: `depth`, `scope` or
        `url`, which is noted as the error of a URL that waits; empty if the user wants it. For URLs that wait since a run whose
        arguments let them in."""
        if self.max_depth is not None and depth > self.max_depth:
            return "depth"
        if self.scope.refuses(url):
            return "scope"
        return "url" if refusing_rule(url, self.documents) == "file-type" else ""

    def page_rule(self, page: Page) -> str:
        """The rule that refuses all links of a page; empty if none does."""
        if page.nofollow:
            return "nofollow"
        if self.max_depth is not None and page.lease.depth + 1 > self.max_depth:
            return "depth"
        if page.lease.kind in SOURCES:
            return ""  # a sitemap or feed is not a page that could be off the topic
        if page.duplicate and page.duplicate.hides_links(page.url, self.focused):
            return "duplicate"
        return "" if not self.focused or self.tunnelling is None or self.tunnelling.follow(page) else "tunnel"

    def link_rule(self, link: Link, page: Page) -> str:
        """The rule that refuses one link; empty if none does."""
        rule = self.url_rule(link.url, page)
        if not rule and link.rel:
            rule = "file-type" if FILE in link.rel else unfollowed(link.rel)
        if not rule and self.focused and link.language and not asks_for(self.languages, link.language):
            rule = "language"
        if rule or self.yields is None:
            return rule
        self.yields.names(link.url, page.url)
        is_named = CANONICAL in link.rel and page.in_collection
        refusal = self.yields.refusal_of_named if is_named else self.yields.refusal
        return refusal(link.url, page.url)

    def url_rule(self, url: str, page: Page) -> str:
        """The rule that refuses a normal URL for its scope, form or shape; empty if none does."""
        if url in self._rule_by_url:
            return self._rule_by_url[url]
        if len(self._rule_by_url) >= CACHED:
            self._rule_by_url.clear()
        rule = self.scope.refuses(url) or refusing_rule(url, self.documents)
        rule = rule or trap_rule(url, page.fetched_at, page.url)
        if not rule and (self._recurring.recurs(url) or self._growing.grows(url, page.url)):
            rule = "repeat"
        if rule not in BY_PAGE and len(url) <= MAX_LENGTH:
            self._rule_by_url[url] = rule
        return rule

    def redirect_rule(self, page: Page) -> str:
        """The rule that refuses the target of a redirect; empty if none does."""
        if page.lease.kind not in SOURCES:
            rule = self.url_rule(page.redirect, page)
            if rule or self.yields is None or domain_of(page.redirect) == domain_of(page.url):
                return rule
            refusal = self.yields.refusal_of_home if page.lease.revisit else self.yields.refusal
            return refusal(page.redirect, page.lease.parent)
        return source_rule(self.scope, page.redirect) if may_announce(FEED, page.url, page.redirect) else "host"


def link_rules_of(
    job: CrawlJob | None,
    documents: Collection[str],
    *,
    focused: bool,
    tunnelling: Tunnelling | None,
    yields: YieldLimit | None,
) -> LinkRules:
    """The rules of a crawl with this job; without one, its scope, depth and languages are not known. The rest: see
    `LinkRules`."""
    return LinkRules(
        job.scope if job else Scope(),
        focused=focused,
        tunnelling=tunnelling,
        yields=yields,
        max_depth=job.arguments.max_depth if job else None,
        documents=frozenset(documents),
        languages=job.topic.languages if job else (),
    )
