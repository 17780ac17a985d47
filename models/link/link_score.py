"""How promising is a link? LinkScore = URLScore + AnchorScore, in [0, 1].

URLScore is the relevance of the context that carries the link: the page, what it is called, and the text around the link.
AnchorScore is the relevance of the words that name the target: the anchor text and the words of the address. All by
equation 2 on their own words. The parts, as added up, are the recorded reason.
"""

from __future__ import annotations

from collections.abc import Callable

from focuscrawl.items import Link, Page
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.readable import url_text
from models.topic.vsm import TopicModel

SEED_SCORE = 1.0
"""Seeds name the topic themselves: nothing that a link says can be worth more."""
WEIGHTS = {"page": 0.26, "context": 0.22, "anchor": 0.30, "url": 0.22}
"""Sum 1. No part alone is enough (mean area on the two recorded webs, in an early prototype: page alone 0.49 and 0.38,
anchor and address alone 0.53 and 0.32, all four 0.76 and 0.52)."""
TITLE_WEIGHT, ADDRESS_WEIGHT = 0.05, 0.2
"""Of the part `source`: title and address of the page that carries the link. Lists of what somebody filed under the topic
are called by its name (mean area of best-first on the two recorded webs, in an early prototype: 0.785 and 0.533 without,
0.813 and 0.529 to 0.806 and 0.547 with weights of 0 to 0.1 and 0.1 to 0.2)."""
CACHED = 50_000
"""Texts whose similarity is remembered, for each part."""
DIGITS = 5
"""Decimal places of parts and scores: enough to add the parts up, and a third of the room of full floats."""


class LinkScorer:
    """Scores the links of pages that were judged. Similarities are cached until the topic is refreshed."""

    def __init__(self, topic: TopicModel, segmenter: Segmenter) -> None:
        self._topic, self._segmenter = topic, segmenter
        self._revision = topic.revision
        self._known: dict[str, dict[str, float]] = {"context": {}, "anchor": {}, "url": {}}
        self._source = ("", 0.0)
        """The page that was asked for last, and its part."""

    def score(self, link: Link, page: Page) -> None:
        """Set `link.score` and `link.parts` (`page`, `source`, `context`, `anchor`, `url`: the weighted parts)."""
        if self._revision != self._topic.revision:
            self._forget()
        parts = {
            "page": round(WEIGHTS["page"] * self._page_similarity(page), DIGITS),
            "source": self._source_part(page),
            "context": self._part("context", link.context or link.anchor),
            "anchor": self._part("anchor", link.anchor),
            "url": self._part("url", link.url, url_text),
        }
        link.parts = parts
        link.score = min(1.0, round(sum(parts.values()), DIGITS))

    def _page_similarity(self, page: Page) -> float:
        """A sitemap or feed has no words of its own: its host's pages speak for it."""
        return page.verdict.similarity if page.verdict else page.share * self._topic.own_threshold if page.share else 0.0

    def _source_part(self, page: Page) -> float:
        if self._source[0] != page.url:
            title = self._topic.short_similarity(self._segmenter.terms(page.title))
            address = self._topic.short_similarity(self._segmenter.terms(url_text(page.url)))
            self._source = page.url, round(TITLE_WEIGHT * title + ADDRESS_WEIGHT * address, DIGITS)
        return self._source[1]

    def _part(self, name: str, text: str, words_of: Callable[[str], str] | None = None) -> float:
        known = self._known[name]
        value = known.get(text)
        if value is None:
            if len(known) >= CACHED:
                known.clear()
            terms = self._segmenter.terms(words_of(text) if words_of else text)
            value = known[text] = round(WEIGHTS[name] * self._topic.short_similarity(terms), DIGITS)
        return value

    def _forget(self) -> None:
        self._revision = self._topic.revision
        self._source = ("", 0.0)
        for known in self._known.values():
            known.clear()
