"""The parts of a link's score in words: the name of each, what it means, and the reason for a fetch that it gives.

Apart from `report.score`, which reads the store: the help of `scrapy why` needs these words alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ScorePart(NamedTuple):
    words: str
    meaning: str
    reason: str = ""
    """What follows `because` if this part counts most; empty if it is not a reason by itself."""


TEXTS, LEARNED, EXPLORATION, OPERATOR = "LinkScore", "learned", "exploration", "operator"
MOVED, NAMED, OTHERWISE = "moved", "named", "otherwise"
SEARCH, ANNOUNCED = "search", "announced"
"""First parts of URLs that no page led to: a search of the web, or a sitemap or feed, did."""
PARTS: dict[str, ScorePart] = {
    "page": ScorePart(
        "the page it is on", "how relevant the page is that has the link", "the page that links to it is about the topic"
    ),
    "source": ScorePart(
        "the name of that page",
        "title and URL of the page that has the link: a list of such pages is often named after the topic",
        "the page that links to it has the topic in its title or URL",
    ),
    "context": ScorePart(
        "the text around it",
        "how much the text around the link is about the topic",
        "the text around the link is about the topic",
    ),
    "anchor": ScorePart("its anchor", "the words of the link that one clicks on", "its anchor is about the topic"),
    "url": ScorePart("its URL", "the words in the URL itself", "the words of its URL are about the topic"),
    ANNOUNCED: ScorePart(
        "that its host announced it",
        "by the share of relevant pages on its host, because a sitemap or feed has no relevance of its own",
        "a sitemap or feed of its host announced it",
    ),
    SEARCH: ScorePart(
        "that a search found it",
        "as much as the relevance of a page counts that just reaches the threshold, because a search engine found the topic's"
        " words",
        "a search of the web found it",
    ),
    "snippet": ScorePart(
        "the snippet",
        "the text that the search engine showed of it",
        "the text that the search engine showed is about the topic",
    ),
    "title": ScorePart(
        "the title in the results", "the title that the search engine gave", "the title in the results is about the topic"
    ),
    LEARNED: ScorePart(
        "what links like it brought",
        "a correction by this crawl's own record: links of the same host, directory, list or words brought more, or less, than"
        " they promised",
        "links like it have brought relevant pages",
    ),
    TEXTS: ScorePart(
        "the page and the words together", "the chance that the first five parts give, by what such links have brought"
    ),
    EXPLORATION: ScorePart(
        "to get to know the place",
        "added on purpose: a host, directory or list of which little was known; relevant pages may lie behind it",
    ),
    "overlap": ScorePart("good for several topics, counted once", "what the topics' parts add up to above the score"),
    OPERATOR: ScorePart("given by an operator", "the score that `scrapy frontier add` gave", "an operator has asked for it"),
    MOVED: ScorePart(
        "that a page has moved there",
        "the most, because a page of the crawl has its place there now",
        "a stored page has moved there",
    ),
    NAMED: ScorePart(
        "that a page names it as its own",
        "the most, because a page of the crawl says that this is its URL (`rel=canonical`)",
        "a relevant page names it as its own URL",
    ),
    OTHERWISE: ScorePart(
        "that a URL like it failed",
        "the most, because a page failed or is gone that should be here, too",
        "a page failed or is gone that had another URL like it",
    ),
    "weight": ScorePart(
        "page weight", "the prior by in-degree, parents, mirrors and directory depth, whatever the topic", "it is well linked"
    ),
    "bayes": ScorePart(
        "its words, by naive Bayes",
        "how often links with such words led to relevant pages in this crawl",
        "links with such words led to relevant pages",
    ),
    "authority": ScorePart("authority", "how many hubs link to it, each by how much it lists", "good lists link to it"),
    "inherited": ScorePart("what flows in along links", "the relevance that pages pass on to it", "relevant pages lead to it"),
    "relevance": ScorePart(
        "the best link to it", "the link score of the best link that leads to it", "the best link to it is about the topic"
    ),
    "indegree": ScorePart("its links in", "how many pages link to it", "many pages link to it"),
    "parents": ScorePart(
        "the links in of its parents", "how well linked the pages are that link to it", "well-linked pages link to it"
    ),
    "mirrors": ScorePart("its mirrors", "how many hosts have the same page", "it has mirrors"),
    "depth": ScorePart("its directory depth", "the fewer directories in its URL, the more", "its URL has few directories"),
}
"""The parts by the names that the store keeps."""
FIRST, LAST = "first score", "last score"
"""Names of the sum of the parts: when the link was found, and after what was learned later."""
FIRST_TITLES = {
    SEARCH: "First score, when a search found it",
    ANNOUNCED: "First score, when a sitemap or feed announced it",
}
FIRST_TITLE, LAST_TITLE = "First score, when the link was found", "Last score, after what was learned since"
LESS = "links like it have brought less than it promises"
MUCH_LESS = -0.1
"""If the part `learned` is below this, it is mentioned."""


def topic_and_words(name: str) -> tuple[str, str]:
    """The topic and the words of a part: `("", "its anchor")`, or in a crawl of several topics `("topic", "its anchor")` for
    `topic/anchor`. A name without words stands for itself."""
    topic, _, part = name.rpartition("/")
    return topic, PARTS[part].words if part in PARTS else part


def meaning(name: str) -> str:
    """What a part means; empty if its name says all."""
    part = name.rpartition("/")[2]
    return PARTS[part].meaning if part in PARTS else ""


def because(parts: Mapping[str, float]) -> str:
    """The reason by the part that counts most, and by the second if it has at least half of its value; empty if none
    counts."""
    values = {PARTS[key].reason: value for name, value in parts.items() if (key := name.rpartition("/")[2]) in PARTS}
    best = sorted((reason for reason in values if reason and values[reason] > 0), key=lambda reason: -values[reason])[:2]
    if not best:
        return ""
    words = " and ".join(best if values[best[-1]] >= values[best[0]] / 2 else best[:1])
    return f"{words}; {LESS}" if parts.get(LEARNED, 0.0) < MUCH_LESS else words
