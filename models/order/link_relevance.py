"""R_j(v): how relevant is a link? By the link classifier once it is trained, by LinkScore until then."""

from __future__ import annotations

from focuscrawl.items import Link, Page
from models.link_bayes import probability
from models.link_classifier import ENOUGH, LinkClassifier
from models.order.protocol import OrderContext


class LinkRelevance:
    """Scores the links of pages that were seen."""

    def __init__(self, context: OrderContext, enough: int = ENOUGH) -> None:
        self._scorer = context.scorer
        self._classifier = LinkClassifier(context.segmenter, enough)

    def see(self, page: Page) -> None:
        """Learn from the page's outcome; before its links are scored."""
        self._classifier.see(page)

    def __call__(self, link: Link, page: Page) -> float:
        """Relevance in [0, 1]; sets `link.score` and `link.parts` as LinkScore does."""
        self._scorer.score(link, page)
        return probability(self._classifier.log_odds(link)) if self._classifier.trained else link.score
