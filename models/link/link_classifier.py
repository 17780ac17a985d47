"""The online link classifier of the adaptive crawler: naive Bayes on anchor, URL and DOM context of links.

An example is a link on a relevant page, with the verdict on its target once that was fetched. The classifier is used as soon as
there are ENOUGH relevant pages. (In the paper these are 2 000, whose links are the training set, and every further relevant
page corrects it.) It consists of counts alone, which are kept from the first page on. So when there are enough pages, the
counts are those that a batch over the links of all these pages would give, and nothing has to be trained at once.
"""

from __future__ import annotations

from array import array
from collections import OrderedDict
from collections.abc import Callable
from itertools import islice

from focuscrawl.items import Link, Page
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.key import UrlId
from focuscrawl.url.readable import url_text
from models.naive_bayes import NaiveBayes

ENOUGH = 200
"""Relevant pages before the classifier is used. Most crawls of a few thousand pages never have the paper's 2 000."""
EXAMPLES = 4
"""Most links to one URL that are learned. A site's navigation is on all of its pages and would outweigh the rest."""
REMEMBERED = 200_000
"""Most waiting URLs whose links are remembered until they are fetched, at about 300 bytes each. Beyond that the oldest is
forgotten."""
CACHED = 20_000
"""Texts whose terms are remembered, for each field."""
GONE = (404, 410)
"""Statuses of a missing page, which is an example of an irrelevant one."""
FOLLOWABLE = ("", "tunnel", "yield")
"""Rules whose refused links still count as links, because they were refused for their page or their part of the web, not for
what they are; "" stands for links that no rule refused."""


class LinkClassifier:
    """p(relevant | link), learned from a crawl's own fetches; time O(links of a page)."""

    def __init__(self, segmenter: Segmenter) -> None:
        self._segmenter = segmenter
        self.bayes = NaiveBayes()
        self._relevant_pages = 0
        self._outcome: dict[UrlId, list[int]] = {}
        """For each fetched URL, [whether it is relevant, how many examples were learned]."""
        self._waiting: OrderedDict[UrlId, list[tuple[array[int], bool]]] = OrderedDict()
        """For each waiting URL, in the order in which they are scored again, the links to it, and whether each is an example
        (its page is relevant)."""
        self._texts: dict[str, dict[str, array[int]]] = {"anchor": {}, "url": {}, "context": {}}

    @property
    def trained(self) -> bool:
        """Whether there were enough relevant pages, and examples of both classes."""
        return self._relevant_pages >= ENOUGH and all(self.bayes.examples)

    def see(self, page: Page) -> None:
        """Learn what the links to this page led to, and remember its own links."""
        if not page.ok and page.status not in GONE:
            return  # not the page itself: it is tried again, or its redirect is followed
        relevant = page.in_collection
        key = page.lease.url_id
        if key not in self._outcome:
            self._outcome[key] = [int(relevant), 0]
            self._relevant_pages += relevant
            for numbers, teaches in self._waiting.pop(key, ()):
                if teaches:
                    self._learn(key, numbers)
        if page.ok and not page.duplicate:
            for link in page.links:
                if link.refused in FOLLOWABLE:
                    self._remember(link, relevant)

    def log_odds(self, link: Link) -> float:
        """log p(relevant | link) - log p(irrelevant | link)."""
        return self.bayes.log_odds(self._numbers(link))

    def rescored(self, count: int) -> list[tuple[UrlId, float]]:
        """The next `count` waiting URLs in turn, with the log odds of the best link to each."""
        scores = []
        for key in list(islice(self._waiting, count)):
            self._waiting.move_to_end(key)
            scores.append((key, max(self.bayes.log_odds(numbers) for numbers, _ in self._waiting[key])))
        return scores

    def _remember(self, link: Link, teaches: bool) -> None:
        """Remember a link until its URL is fetched, or learn from it if that was fetched already. `teaches`: whether the link
        is an example."""
        key = link.key.url_id
        outcome = self._outcome.get(key)
        if outcome is not None:
            if teaches and outcome[1] < EXAMPLES:
                self._learn(key, self._numbers(link))
            return
        links = self._waiting.get(key)
        if links is None:
            links = self._waiting[key] = []
            if len(self._waiting) > REMEMBERED:
                self._waiting.popitem(last=False)
        example = (self._numbers(link), teaches)
        if len(links) < EXAMPLES and example not in links:
            links.append(example)

    def _learn(self, key: UrlId, numbers: array[int]) -> None:
        outcome = self._outcome[key]
        outcome[1] += 1
        self.bayes.learn(numbers, bool(outcome[0]))

    def _numbers(self, link: Link) -> array[int]:
        numbers = self._field("anchor", link.anchor)
        numbers = numbers + self._field("url", link.url, url_text)
        return numbers + self._field("context", link.context)

    def _field(self, field: str, text: str, words_of: Callable[[str], str] | None = None) -> array[int]:
        """The numbers of the terms of a text. The same word in another field is another term."""
        cache = self._texts[field]
        numbers = cache.get(text)
        if numbers is None:
            if len(cache) >= CACHED:
                cache.clear()
            terms = self._segmenter.terms(words_of(text) if words_of else text)
            numbers = cache[text] = self.bayes.numbers(f"{field[0]}:{term}" for term in terms)
        return numbers
