"""The strategy `naive-bayes` of the adaptive crawler: link scores at first, then naive Bayes trained on the crawl's own links.

Once `models.link.link_classifier` has seen enough relevant pages, the priority of a link follows from its log odds of leading
to a relevant page. Waiting URLs are scored again, a few at a time, so that those met early profit from what was learned since.
Costs O(links of the page) and RESCORED waiting links a page, and some 2 KB of memory for each URL met. It does not explore, and
it forgets nothing: early examples count as much as late ones.
"""

from __future__ import annotations

from focuscrawl.items import Link, Page
from models.link.link_classifier import LinkClassifier
from models.link.link_score import DIGITS
from models.naive_bayes import probability
from models.order.protocol import Change, OrderContext
from models.order.waiting_urls import WaitingUrls

TEMPERATURE = 10.0
"""Log odds are divided by this before they become a priority. Naive Bayes counts every word of a context as independent
evidence, so that nearly all its probabilities are 0 or 1 and would leave the frontier nothing to choose by. The order stays
the same."""
RESCORED = 100
"""Waiting URLs scored again after each page (about 10 µs each)."""


class NaiveBayesOrder:
    """Highest log odds first. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext) -> None:
        self._scorer = context.scorer
        self._classifier = LinkClassifier(context.segmenter)
        self._waiting = WaitingUrls()

    def see(self, page: Page) -> None:
        if not page.again:
            self._classifier.see(page)
        self._waiting.close(page.lease.url_id)
        for link in page.links:
            if not link.refused:
                self._scorer.score(link, page)
                link.priority = link.score
                if self._classifier.trained:
                    self._judge(link)
                self._waiting.offer(link.key.url_id, link.priority)

    def changes(self) -> list[Change]:
        if self._classifier.trained:
            for key, log_odds in self._classifier.rescored(RESCORED):
                self._waiting.move(key, probability(log_odds / TEMPERATURE))
        return self._waiting.changes()

    def _judge(self, link: Link) -> None:
        """Set score, parts and priority of a link by the classifier."""
        log_odds = self._classifier.log_odds(link)
        link.score = round(probability(log_odds), DIGITS)
        link.parts = {"bayes": link.score}
        link.priority = probability(log_odds / TEMPERATURE)
