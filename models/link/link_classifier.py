"""The online link classifier of the adaptive crawler: naive Bayes on anchor, address and DOM context of links.

An example is a link on a relevant page, with what it led to once that was fetched. The classifier speaks when `enough`
relevant pages are there (the paper: 2 000, and their links are the training set; then every new relevant page corrects
it). Counts only add up, so they are kept from the first page on: at the moment when there are enough, the counts are
those of a batch over these pages' links, and nothing has to be trained in one go.
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
"""Relevant pages before the classifier speaks. Most crawls of a few thousand pages never have the paper's 2 000."""
EXAMPLES = 4
"""Links to one URL that are learned: a site's navigation stands on all of its pages and would outweigh the rest."""
REMEMBERED = 200_000
"""Waiting URLs whose links are remembered until they are fetched, at some 300 bytes each; beyond it the first in turn is
forgotten."""
CACHED = 20_000
"""Texts whose terms are remembered, for each field."""
GONE = (404, 410)


class LinkClassifier:
    """p(relevant | link), learned from a crawl's own fetches; time O(links of a page)."""

    def __init__(self, segmenter: Segmenter, enough: int = ENOUGH) -> None:
        self._segmenter, self._enough = segmenter, enough
        self.bayes = NaiveBayes()
        self._relevant_pages = 0
        self._outcome: dict[UrlId, list[int]] = {}
        """Of fetched URLs: [relevant, examples learned]."""
        self._waiting: OrderedDict[UrlId, list[tuple[array[int], bool]]] = OrderedDict()
        """Of waiting URLs, in the order of their turn: the links to them, and whether these are examples (their page is
        relevant)."""
        self._texts: dict[str, dict[str, array[int]]] = {"anchor": {}, "url": {}, "context": {}}

    @property
    def trained(self) -> bool:
        """Whether there were enough relevant pages, and examples of both classes."""
        return self._relevant_pages >= self._enough and all(self.bayes.examples)

    def see(self, page: Page) -> None:
        """Learn what the links to this page led to, and remember its own links."""
        if not page.ok and page.status not in GONE:
            return  # no word on the page: it will be tried again, or its redirect followed
        relevant = bool(page.ok and page.verdict and page.verdict.relevant and not page.duplicate)
        key = page.lease.url_id
        if key not in self._outcome:
            self._outcome[key] = [int(relevant), 0]
            self._relevant_pages += relevant
            for numbers, teaches in self._waiting.pop(key, ()):
                if teaches:
                    self._learn(key, numbers)
        if page.ok and not page.duplicate:
            for link in page.links:
                if link.refused in ("", "tunnel", "yield"):
                    self._remember(link, relevant)

    def log_odds(self, link: Link) -> float:
        """log p(relevant | link) - log p(irrelevant | link)."""
        return self.bayes.log_odds(self._numbers(link))

    def rescored(self, count: int) -> list[tuple[UrlId, float]]:
        """The next `count` waiting URLs in turn, with the log-odds of the best link to each."""
        found = []
        for key in list(islice(self._waiting, count)):
            self._waiting.move_to_end(key)
            found.append((key, max(self.bayes.log_odds(numbers) for numbers, _ in self._waiting[key])))
        return found

    def _remember(self, link: Link, teaches: bool) -> None:
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
        """The terms of a text; the same word in another field is another term."""
        known = self._texts[field]
        numbers = known.get(text)
        if numbers is None:
            if len(known) >= CACHED:
                known.clear()
            terms = self._segmenter.terms(words_of(text) if words_of else text)
            numbers = known[text] = self.bayes.numbers(f"{field[0]}:{term}" for term in terms)
        return numbers
