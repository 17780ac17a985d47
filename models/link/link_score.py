"""The score of a link: LinkScore = URLScore + AnchorScore, in [0, 1].

URLScore is the similarity of what carries the link with the topic: the page, its title and URL, and the text around the link.
AnchorScore is the similarity of the words that name the target: the anchor text and the words of its URL. All are computed by
equation 2 from their own words. The parts of the sum are recorded as its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from focuscrawl.items import Link, Page
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.readable import url_text
from models.topic.vsm import TopicModel

WEIGHTS = {"page": 0.26, "context": 0.22, "anchor": 0.30, "url": 0.22}
"""The weights of the parts, which sum to 1. No part alone is enough (mean area on the two recorded webs, in an early prototype:
page alone 0.49 and 0.38, anchor and URL alone 0.53 and 0.32, all four 0.76 and 0.52)."""
SOURCE_TITLE_WEIGHT, SOURCE_URL_WEIGHT = 0.05, 0.2
"""The weights of title and URL of the page that carries the link, in the part `source`. Lists of pages that somebody filed
under the topic are called by its name (mean area of best-first on the two recorded webs, in an early prototype: 0.785 and 0.533
without, 0.813 and 0.529 to 0.806 and 0.547 with weights of 0 to 0.1 and 0.1 to 0.2)."""
CACHED = 10_000
"""Texts whose similarity is cached, for each part, 0.2 to 0.3 kB each. Those of navigation are on every page of a site; of the
others, few are met again."""
REMEMBERED = 4096
"""Texts whose terms are cached, and URLs: those of the last pages, 300 bytes each. Twice as many take 2 MB more."""
DIGITS = 5
"""Decimal places of parts and scores: enough to add the parts up, and a third of the room of full floats."""


PARTS = ("page", "source", "context", "anchor", "url")
"""Names of the parts of a score, in the order in which `LinkScorer.parts` gives them."""


class LinkScorer:
    """Scores the links of judged pages. Similarities are cached until the topic is refreshed."""

    def __init__(self, topic: TopicModel, segmenter: Segmenter) -> None:
        self._topic = topic
        self.words = LinkWords(segmenter)
        """The terms of titles, anchors and URLs, which an order strategy may need, too."""
        self._revision = topic.revision
        self._of_text = _Parts(topic, self.words.of_text, ("context", "anchor"))
        self._of_url = _Parts(topic, self.words.of_url, ("url",))
        self._source = ("", 0.0)
        """The URL of the last page, and the part `source` of its links, which are scored one after another."""

    def score(self, link: Link, page: Page) -> None:
        """Set `link.score` and `link.parts`, the weighted parts by name."""
        row = self._row(link, *self._of_page(page))
        link.parts = dict(zip(PARTS, row, strict=True))
        link.score = min(1.0, round(sum(row), DIGITS))

    def parts(self, links: Sequence[Link], page: Page) -> list[tuple[float, ...]]:
        """The parts of these links of a page, in the order of `PARTS`. The links are not changed."""
        of_page = self._of_page(page)
        return [self._row(link, *of_page) for link in links]

    def _row(self, link: Link, page: float, source: float) -> tuple[float, ...]:
        """The parts of a link in the order of `PARTS`, given those that all links of its page share."""
        context, _ = self._of_text[link.context or link.anchor]
        _, anchor = self._of_text[link.anchor]
        (url,) = self._of_url[link.url]
        return page, source, context, anchor, url

    def _of_page(self, page: Page) -> tuple[float, float]:
        """The parts that all links of a page share: (page, source)."""
        if self._revision != self._topic.revision:
            self._forget()
        return round(WEIGHTS["page"] * self._page_similarity(page), DIGITS), self._source_part(page)

    def _page_similarity(self, page: Page) -> float:
        """The similarity of the page. A sitemap or feed has no words of its own, so the share of relevant pages on its host
        counts for it."""
        if page.verdict:
            return page.verdict.similarity
        return page.share * self._topic.own_threshold if page.share else 0.0  # the threshold is costly to compute

    def _source_part(self, page: Page) -> float:
        if self._source[0] != page.url:
            title = self._topic.short_similarity(self.words.of_text(page.title))
            url = self._topic.short_similarity(self.words.of_url(page.url))
            self._source = page.url, round(SOURCE_TITLE_WEIGHT * title + SOURCE_URL_WEIGHT * url, DIGITS)
        return self._source[1]

    def _forget(self) -> None:
        self._revision = self._topic.revision
        self._source = ("", 0.0)
        self._of_text.clear()
        self._of_url.clear()


class _Parts(dict[str, tuple[float, ...]]):
    """Remembers what texts of a kind count for: by text, the parts of a score with these names."""

    def __init__(self, topic: TopicModel, terms_of: Callable[[str], Iterable[str]], names: Sequence[str]) -> None:
        self._topic, self._terms_of, self._weights = topic, terms_of, [WEIGHTS[name] for name in names]
        self._nothing = (0.0,) * len(self._weights)

    def __missing__(self, text: str) -> tuple[float, ...]:
        if len(self) >= CACHED:
            self.clear()
        similarity = self._topic.short_similarity(self._terms_of(text))
        parts = tuple([round(weight * similarity, DIGITS) for weight in self._weights]) if similarity else self._nothing
        self[text] = parts
        return parts


class LinkWords:
    """Cuts short texts and URLs into terms and caches them, because scores and learned groups use the same words, and the
    anchors of a site's navigation are on all of its pages. The same lists are returned again, so they must not be changed."""

    def __init__(self, segmenter: Segmenter) -> None:
        self.of_text = lru_cache(REMEMBERED)(segmenter.terms)
        self.of_url = lru_cache(REMEMBERED)(lambda url: segmenter.terms(url_text(url)))
