"""The parts of a link's score in words: what each is called, what it means, and which reason it is for a fetch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class ScorePart(NamedTuple):
    words: str
    meaning: str
    reason: str = ""
    """What follows `because` where this part counts most; empty where it is no reason by itself."""


TEXTS, LEARNED, EXPLORATION, OPERATOR = "LinkScore", "learned", "exploration", "operator"
PARTS: dict[str, ScorePart] = {
    "page": ScorePart(
        "the page it is on", "how relevant the page is that has the link", "the page that links to it is about the topic"
    ),
    "source": ScorePart(
        "the name of that page",
        "title and address of the page that has the link: a list of such pages is often named after the topic",
        "the page that links to it has the topic in its title or address",
    ),
    "context": ScorePart(
        "the text around it",
        "how much the text around the link is about the topic",
        "the text around the link is about the topic",
    ),
    "anchor": ScorePart("its anchor", "the words of the link that one clicks on", "its anchor is about the topic"),
    "url": ScorePart("its address", "the words in the URL itself", "the words of its address are about the topic"),
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
    "depth": ScorePart(
        "its directory depth", "the fewer directories in its address, the more", "its address has few directories"
    ),
}
"""By the names that the store keeps."""
FIRST, LAST = "first score", "last score"
"""What the parts add up to: when the link was found, and after what was learned later."""
FIRST_TITLE, LAST_TITLE = "First score, when the link was found", "Last score, after what was learned since"
LESS = "links like it have brought less than it promises"
MUCH_LESS = -0.1
"""A part `learned` below this is told."""


def topic_and_words(name: str) -> tuple[str, str]:
    """`("", "its anchor")`, or `("topic", "its anchor")` of `topic/anchor` in a crawl of several; other names are their own
    words."""
    topic, _, part = name.rpartition("/")
    return topic, PARTS[part].words if part in PARTS else part


def meaning(name: str) -> str:
    """What a part is; empty where the name says all."""
    part = name.rpartition("/")[2]
    return PARTS[part].meaning if part in PARTS else ""


def because(parts: Mapping[str, float]) -> str:
    """The part that counts most as a reason, and the second where that has half of its value or more; empty where none
    counts."""
    values = {PARTS[key].reason: value for name, value in parts.items() if (key := name.rpartition("/")[2]) in PARTS}
    best = sorted((reason for reason in values if reason and values[reason] > 0), key=lambda reason: -values[reason])[:2]
    if not best:
        return ""
    told = " and ".join(best if values[best[-1]] >= values[best[0]] / 2 else best[:1])
    return f"{told}; {LESS}" if parts.get(LEARNED, 0.0) < MUCH_LESS else told
