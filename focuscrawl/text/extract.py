"""The main text in two tiers: fast for scoring every page, best for the pages that are kept.

Fast is resiliparse (0.3-0.8 ms a page); where it finds next to nothing (lists of links, galleries) all text without
navigation. Best is readability-lxml for Chinese and trafilatura for the rest: 10-50 ms, both imported when first needed.
Measured elsewhere on article pages (F1): trafilatura 0.960, resiliparse 0.898; on Chinese news readability 0.973,
trafilatura 0.818, resiliparse 0.636.
"""

from __future__ import annotations

import logging
from functools import lru_cache
from typing import TYPE_CHECKING

from resiliparse.extract.html2text import extract_plain_text

from focuscrawl.text import clean
from focuscrawl.text.complexity import is_heavy
from focuscrawl.text.document import parse

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_TEXT = 200_000
"""Characters of main text that are kept."""
MAX_BEST_HTML = 400_000
MAX_BEST_TAGS = 6_000
"""Pages above these keep the fast text: the best tier takes seconds on them."""
_ENOUGH = 50
"""Characters of main text below which all text is looked at."""
_NAVIGATION = [
    "nav", "header", "footer", "aside", "form", "button", "select", "#header", "#footer", "#nav", "#sidebar", "#menu",
    ".header", ".footer", ".nav", ".navbar", ".sidebar", ".menu", ".breadcrumb",
]  # fmt: skip
_ADVERTISEMENTS = [".ad", ".ads", ".advert", ".advertisement", ".advertising", ".sponsored", "#ad", "#ads", "ins.adsbygoogle"]
"""They stand in the middle of a text and are others at each visit."""


def fast_text(html: str) -> str:
    """The main text, one block a line. Cubic in nesting depth: for pages that `is_heavy` passes only."""
    main = _main(html)
    if len(main) >= _ENOUGH:
        return main
    everything = clean.lines(_plain(html, skip_elements=[*_NAVIGATION, *_ADVERTISEMENTS]), MAX_TEXT)
    return everything if len(everything) > 2 * len(main) else main or parse(html).text(MAX_TEXT)


def best_text(html: str, language: str = "", url: str = "", fast: str = "") -> str:
    """The main text by the slow extractor of the language, one block a line.

    Takes 10-50 ms, so the caller chooses the pages. `fast` is the text already had: it is kept where the slow extractor
    finds next to nothing and on pages too large or hostile for it. Never raises for odd markup.
    """
    if len(html) > MAX_BEST_HTML or html.count("<") > MAX_BEST_TAGS or is_heavy(html):
        return fast
    text = _best_chinese(html, url) if language == "zh" else _by_trafilatura(html, url)
    return text if len(text) >= _ENOUGH or len(text) > len(fast) else fast


def _best_chinese(html: str, url: str) -> str:
    """Readability's article. On manuals it takes one section for the article; then the three extractors vote by length."""
    article, main = _by_readability(html), _main(html)
    if 2 * len(article) >= len(main):
        return article
    return sorted((article, main, _by_trafilatura(html, url)), key=len)[1]


def _main(html: str) -> str:
    return clean.lines(_plain(html, main_content=True, skip_elements=_ADVERTISEMENTS), MAX_TEXT)


def _plain(html: str, *, main_content: bool = False, skip_elements: list[str] | None = None) -> str:
    text: str = extract_plain_text(
        html,
        preserve_formatting=True,
        main_content=main_content,
        list_bullets=False,
        alt_texts=False,
        skip_elements=skip_elements,
    )
    return text


def _by_trafilatura(html: str, url: str) -> str:
    found = _trafilatura()(html, url=url or None, include_comments=False, include_formatting=False)
    return clean.lines(found or "", MAX_TEXT)


@lru_cache(maxsize=1)
def _trafilatura() -> Callable[..., str | None]:
    from trafilatura import extract

    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)  # it reports every page without text as an error
    found: Callable[..., str | None] = extract
    return found


def _by_readability(html: str) -> str:
    from readability import Document
    from readability.readability import Unparseable

    logging.getLogger("readability").setLevel(logging.CRITICAL)
    try:
        article: str = Document(html).summary(html_partial=True)
    except Unparseable:
        return ""
    return clean.lines(_plain(article), MAX_TEXT)
