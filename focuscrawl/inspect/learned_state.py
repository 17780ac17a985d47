"""Rebuilds what a crawl decides by, its link rules and its order strategy, with all that they have learned.

A crawl's process keeps both in memory (`crawl.order`, `crawl.link_rules`). Here they are made again for a process that only
reads: with the strategy, scope and depth of the stored job, the tunnelling of the settings, and the yields of parts of the web
from their shared log. The fetches in the crawl's log are shown to strategy and tunnelling as a resumed crawl would show them.
"""

from __future__ import annotations

from collections.abc import Mapping

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options
from focuscrawl.crawl.link_rules import YIELDS_LOG, link_rules_of
from focuscrawl.crawl.order import in_crawl, tunnelling_of
from focuscrawl.crawl.relevance.stored_topic import logged_pages
from focuscrawl.crawl.relevance.topic import judge_again
from focuscrawl.crawl.sharing import take_over
from focuscrawl.crawl.start.stored_job import stored_job
from focuscrawl.errors import BadInput
from focuscrawl.frontier.outcome import will_retry
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import Page
from focuscrawl.report.plain import plural
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits.labels import labels_by_url
from focuscrawl.store.workers.status import store_now
from focuscrawl.text.segment import Segmenter
from models.link.link_score import LinkScorer
from models.order.combined import Combined
from models.order.protocol import Order, OrderContext
from models.order.strategies import STRATEGIES, learns, make_order
from models.page.page_model import PageModel


class LearnedState:
    """Rules and order of one stored crawl. Both know nothing until `learn` is called."""

    def __init__(
        self, db: Database, name: str, options: Options, models: Mapping[str, PageModel], segmenter: Segmenter
    ) -> None:
        """The crawl as its next run would begin.

        Args:
            db: its store, which is only read.
            name: of the crawl.
            options: the present settings, which the stored job of the crawl overrides.
            models: the page model of each topic by name; the only one of a crawl of one topic has an empty name.
            segmenter: cuts words for those topics.
        """
        job = last_job(db, name)
        arguments = job.arguments if job else CrawlArguments()
        self._db, self._options, self._segmenter = db, options, segmenter
        self._judge = models.get("")
        """None in a crawl of several topics."""
        self._labels = labels_by_url(db, "")
        self.strategy = arguments.strategy
        self.tunnelling = tunnelling_of(options)
        self._yields = YieldLimit(options.frontier_barren_share, follows=arguments.fetches_all)
        self._learns = learns(self.strategy, options.frontier_weight_prior, arguments.important)
        self.knows_job = job is not None
        """Whether the store has the crawl's job, which it writes once its topic is made. Without it scope and depth are not
        known."""
        self.rules = link_rules_of(
            job,
            options.reading_documents,
            focused=STRATEGIES[self.strategy].focused,
            tunnelling=self.tunnelling,
            yields=self._yields,
        )
        seeds = {part.name: part.seeds for part in job.parts} if job and job.parts else {"": job.seeds if job else ()}
        orders = {}
        for name, model in models.items():
            scorer = LinkScorer(model.topic, segmenter)
            context = OrderContext(model.topic, scorer, segmenter, seeds.get(name, ()), topics=len(models))
            orders[name] = make_order(self.strategy, in_crawl(context, arguments, options))
        self.order: Order = Combined(orders) if len(orders) > 1 else next(iter(orders.values()))

    def learn(self) -> int:
        """Take over what the crawl has learned. Returns the number of fetches that strategy and tunnelling were shown. Reading
        takes 0.3 ms a fetch, and learning as long as the strategy takes (`learned`: 3 ms)."""
        take_over(self._db, YIELDS_LOG, self._yields, store_now(self._db))
        shown = 0
        for page in logged_pages(self._db, self._options.linkscore_replay_pages):
            shown += 1
            if page.text and self._judge:
                judge_again(page, self._judge, self._segmenter, self._labels)
            self._show(page)
        return shown

    def summary(self, shown: int) -> str:
        """A sentence on what decides, and what it has learned from this many fetches."""
        strategy, policy = STRATEGIES[self.strategy], self._options.linkscore_tunnelling
        decides = f"strategy {self.strategy}" + (f", tunnelling {policy}" if strategy.focused else "")
        learned = f"learned from {plural(shown, 'fetch', 'fetches')}" if shown else "nothing was learned yet"
        if not self._learns and not (strategy.focused and policy == "learned"):
            learned = "nothing of it learns"
        return "; ".join((decides, learned, *([] if self.knows_job else ["the crawl's scope is not known"])))

    def _show(self, page: Page) -> None:
        """Show a page as the crawl shows pages that other workers have committed. Links are marked as they were there."""
        if page.verdict:
            self.tunnelling.see(page)
        if self._learns and not will_retry(page, self._options.frontier_retry_delays):
            self.order.see(page)
            self.order.changes()


def last_job(db: Database, name: str) -> CrawlJob | None:
    """The job with which the crawl was last run; None if it has none yet."""
    try:
        return stored_job(db, CrawlArguments(name=name, mode="recrawl"))
    except BadInput:
        return None
