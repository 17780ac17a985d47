"""The three extractors that vote on the pieces of a kept page. They are imported on first use."""

from __future__ import annotations

import logging
from array import array
from bisect import bisect_left
from collections.abc import Callable
from functools import cache, lru_cache

_ADVERTISEMENTS = [".ad", ".ads", ".advert", ".advertisement", ".advertising", ".sponsored", "#ad", "#ads", "ins.adsbygoogle"]


def by_resiliparse(html: str, url: str = "") -> str:
    """The main content by resiliparse. Cubic in nesting depth."""
    return _plain(html, main_content=True)


def by_trafilatura(html: str, url: str = "") -> str:
    return _trafilatura()(html, url=url or None, include_comments=False, include_formatting=False) or ""


def by_readability(html: str, url: str = "") -> str:
    from readability.readability import Unparseable

    from focuscrawl.text.article import ArticleDocument

    logging.getLogger("readability").setLevel(logging.CRITICAL)
    try:
        article: str = ArticleDocument(html).summary(html_partial=True)
    except Unparseable:
        return ""
    return _plain(article)


EXTRACTORS: dict[str, Callable[[str, str], str]] = {
    "resiliparse": by_resiliparse, "readability": by_readability, "trafilatura": by_trafilatura,
}  # fmt: skip
"""Each takes a page's source and URL. They are in the order of their cost: 3, 15 and 25 ms."""


def _plain(html: str, *, main_content: bool = False) -> str:
    from resiliparse.extract.html2text import extract_plain_text

    text: str = extract_plain_text(
        html,
        preserve_formatting=True,
        main_content=main_content,
        list_bullets=False,
        alt_texts=False,
        skip_elements=_ADVERTISEMENTS if main_content else None,
    )
    return text


class _StopWords:
    """The stop words of all languages, by which justext tells sentences from lists: 150 000 words as sorted hashes, in 1 MB (11
    MB while they are read, which takes 0.16 s, when the first word is asked for). A set of them takes 16 MB. One of 10¹⁴
    other words counts as a stop word, too."""

    def __contains__(self, word: str) -> bool:
        wanted, hashes = hash(word), _stop_hashes()
        at = bisect_left(hashes, wanted)
        return at < len(hashes) and hashes[at] == wanted


@cache
def _stop_hashes() -> array[int]:
    from justext.utils import get_stoplist, get_stoplists

    return array("q", sorted({hash(word) for language in get_stoplists() for word in get_stoplist(language)}))


@lru_cache(maxsize=1)
def _trafilatura() -> Callable[..., str | None]:
    from justext import core
    from trafilatura import external, extract, utils

    from focuscrawl.text.article import ONE_CLASS

    utils.HTML_PARSER.set_element_class_lookup(ONE_CLASS)
    vars(external)["JT_STOPLIST"] = _StopWords()
    vars(core)["define_stoplist"] = lambda words: words  # justext's own makes a set of them
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it reports every page without text as an error
    extractor: Callable[..., str | None] = extract
    return extractor
