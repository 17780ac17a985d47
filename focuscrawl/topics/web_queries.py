"""What a crawl types into a web search: its topic's own words, in the order in which a person would try them. Pure.

First all keywords together, then two or three of the strongest words, then what is left of the results: further pages of them.
Words of the two scripts are never mixed, because hardly a page is written in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, zip_longest
from typing import NamedTuple

from focuscrawl.text.segment import has_han
from focuscrawl.topics.searxng import LONGEST_QUERY

MOST_WORDS = 8
"""Most words of a query. Search engines want all of them on a page."""
STRONGEST = 6
"""Words and phrases of which two or three are put together: 35 queries."""
MOST_COMPANIONS = 6
"""Words of the crawl's pages that are put beside the strongest word of the topic."""
RESULT_PAGES = 3
"""Pages of results that are asked for; what stands farther behind is hardly on the topic."""


@dataclass(frozen=True, slots=True)
class TopicWords:
    """The words of one topic as people write them, no stems, the strongest first."""

    keywords: tuple[str, ...] = ()
    """Words and phrases that the user gave."""
    terms: tuple[str, ...] = ()
    """Other words of the topic."""
    companions: tuple[str, ...] = ()
    """Words that go with the topic in this crawl."""

    def of_script(self, han: bool) -> TopicWords:
        """Only those with Chinese characters, or only those without."""
        lists = (self.keywords, self.terms, self.companions)
        return TopicWords(*(tuple(word for word in words if has_han(word) == han) for words in lists))


class WebSearch(NamedTuple):
    """One request to a search engine."""

    query: str
    page: int = 1
    """Page of the results, from 1."""

    @property
    def key(self) -> str:
        """What tells this search from others: two with the same words, in whatever order, and the same page have one key."""
        return f"{self.page} {' '.join(sorted(self.query.casefold().split()))}"


def web_searches(topics: Sequence[TopicWords]) -> list[WebSearch]:
    """All searches for these topics, the best first, each once. Topics and scripts take turns."""
    lists = [_queries(words.of_script(han)) for words in topics for han in (False, True)]
    once: dict[str, str] = {}
    for query in filter(None, chain.from_iterable(zip_longest(*lists))):
        once.setdefault(WebSearch(query).key, query)
    return [WebSearch(query, page) for page in range(1, RESULT_PAGES + 1) for query in once.values()]


def _queries(words: TopicWords) -> Iterator[str]:
    strongest = list(dict.fromkeys([*words.keywords, *words.terms]))[:STRONGEST]
    if words.keywords or len(strongest) == 1:
        yield _together(words.keywords or strongest)
    yield from map(_joined, _strongest_first(strongest, 2))
    yield from (_joined((first, companion)) for first in strongest[:1] for companion in words.companions[:MOST_COMPANIONS])
    yield from map(_joined, _strongest_first(strongest, 3))


def _together(keywords: Sequence[str]) -> str:
    """As many of the keywords, from the first on, as make a query."""
    kept = [keywords[0]]
    for keyword in keywords[1:]:
        if len(_joined([*kept, keyword]).split()) > MOST_WORDS:
            break
        kept.append(keyword)
    return _joined(kept)


def _strongest_first(words: Sequence[str], size: int) -> list[tuple[str, ...]]:
    """All combinations of `size` of the words, by the sum of their ranks."""
    ranks = sorted(combinations(range(len(words)), size), key=lambda places: (sum(places), places))
    return [tuple(words[place] for place in places) for places in ranks]


def _joined(parts: Iterable[str]) -> str:
    """The words of these words and phrases, each once, as one query."""
    once: dict[str, str] = {}
    for word in " ".join(parts).split():
        once.setdefault(word.casefold(), word)
    return " ".join(once.values())[:LONGEST_QUERY]
