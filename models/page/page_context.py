"""What a page model is given of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from focuscrawl.items import Link
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.hosts import bare_host
from focuscrawl.url.readable import url_text
from models.page.tags import tag_lines

TAG_TIMES = 3
"""A page's tags count as if its text said them so often: that decides of a text of two sentences, and not of a long one.
Measured in docs/experiments.md, *Other signals*."""
_TITLE_PARTS = re.compile(r"\s+[-–—|_·•»«:/\\<>~]+\s+|\s?[|_»—：]\s?|: |(?<=[\u3400-\u9fff？！”》）])-")
"""Matches what separates the parts of a title."""


@dataclass(frozen=True, slots=True)
class PageContext:
    """Terms of the title and of the URL, and what names the page's site; each may be missing."""

    title_terms: Sequence[str] = ()
    url_terms: Sequence[str] = ()
    host: str = ""
    host_terms: Sequence[str] = ()
    """Terms of the host."""
    outer_parts: Sequence[Sequence[str]] = ()
    """Terms of the first and of the last part of the title. One of them may be the site's name; between them stand its
    sections, which do say what a page is about."""


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
    title_terms, url_terms = segmenter.terms(title), segmenter.terms(url_text(url))
    if "://" not in url:  # a file
        return PageContext(title_terms, url_terms)
    host, parts = bare_host(url), _TITLE_PARTS.split(title)
    outer_parts = [segmenter.terms(part) for part in dict.fromkeys((parts[0], parts[-1]))]
    return PageContext(title_terms, url_terms, host, segmenter.terms(url_text(f"http://{host}/")), outer_parts)


def model_input(page: ReadPage, words: Sequence[str], segmenter: Segmenter) -> tuple[Sequence[str], PageContext]:
    """What `PageModel.judge` and `learn` are to be given of a page whose title and main text are these terms: the terms, with
    those of its tags behind them, and its context."""
    tags = tag_lines(page.kind, page.links)
    return with_tags(words, tags, segmenter), page_context(page.title, page.url, segmenter)


def with_tags(words: Sequence[str], tags: str, segmenter: Segmenter) -> Sequence[str]:
    """The terms of a page's title and main text, with those of its tags (a line each) behind them, as it is judged."""
    terms = segmenter.terms(tags)
    return [*words, *TAG_TIMES * terms] if terms else words
