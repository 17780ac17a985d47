"""The adaptive crawler's order: LinkScore at first, then what naive Bayes learned from the crawl's own links."""

from __future__ import annotations

from focuscrawl.items import Link, Page
from focuscrawl.url.key import url_key
from models.link.link_classifier import ENOUGH, LinkClassifier, probability
from models.link.link_score import DIGITS
from models.order.protocol import Change, OrderContext
from models.order.published import WaitingUrls

TEMPERATURE = 10.0
"""Log-odds are divided by this before they become a priority: naive Bayes counts every word of a context as independent
evidence, so its chances are nearly all 0 or 1, and would leave the frontier nothing to choose by. The order is the same."""
RESCORED = 100
"""Waiting URLs scored again after each page (about 10 µs each)."""


class NaiveBayesOrder:
    """Highest log-odds first. Implements `Order`."""

    focused = True

    def __init__(self, context: OrderContext, enough: int = ENOUGH) -> None:
        self._scorer = context.scorer
        self._classifier = LinkClassifier(context.segmenter, enough)
        self._waiting = WaitingUrls()

    def see(self, page: Page) -> None:
        self._classifier.see(page)
        self._waiting.close((page.lease.hid, page.lease.uid))
        for link in page.links:
            if not link.refused:
                self._scorer.score(link, page)
                link.priority = link.score
                if self._classifier.trained:
                    self._judge(link)
                self._waiting.offer(url_key(link.url)[2:], link.priority)

    def changes(self) -> list[Change]:
        if self._classifier.trained:
            for key, log_odds in self._classifier.rescored(RESCORED):
                self._waiting.move(key, probability(log_odds / TEMPERATURE))
        return self._waiting.changes()

    def _judge(self, link: Link) -> None:
        log_odds = self._classifier.log_odds(link)
        link.score = round(probability(log_odds), DIGITS)
        link.parts = {"bayes": link.score}
        link.priority = probability(log_odds / TEMPERATURE)
