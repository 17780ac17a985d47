"""What a page model is given of a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from focuscrawl.items import Link
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.readable import url_text
from models.page.tags import tag_lines

TAG_TIMES = 3
"""A page's tags count as if its text said them so often: that decides of a text of two sentences, and not of a long one.
Measured in docs/experiments.md, *Other signals*."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """Terms of the title and of the URL; each may be missing."""

    title_terms: Sequence[str] = ()
    url_terms: Sequence[str] = ()


NO_CONTEXT = PageContext()


class ReadPage(Protocol):
    """A page as it was read, fetched or stored."""

    @property
    def url(self) -> str: ...

    @property
    def title(self) -> str: ...

    @property
    def kind(self) -> str: ...

    @property
    def links(self) -> Sequence[Link]: ...


def page_context(title: str, url: str, segmenter: Segmenter) -> PageContext:
    """The context of a page with this title and URL (0.02 ms)."""
    return PageContext(segmenter.terms(title), segmenter.terms(url_text(url)))


def model_input(page: ReadPage, words: Sequence[str], segmenter: Segmenter) -> tuple[Sequence[str], PageContext]:
    """What `PageModel.judge` and `learn` are to be given of a page whose title and main text are these terms: the terms, with
    those of its tags behind them, and its context."""
    tags = tag_lines(page.kind, page.links)
    return with_tags(words, tags, segmenter), page_context(page.title, page.url, segmenter)


def with_tags(words: Sequence[str], tags: str, segmenter: Segmenter) -> Sequence[str]:
    """The terms of a page's title and main text, with those of its tags (a line each) behind them, as it is judged."""
    terms = segmenter.terms(tags)
    return [*words, *TAG_TIMES * terms] if terms else words
