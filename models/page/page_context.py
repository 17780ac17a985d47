"""What a page model is given of a page beside the terms of its text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.text.segment import Segmenter
from focuscrawl.url.readable import url_text


@dataclass(frozen=True, slots=True)
class PageContext:
    """Terms of the title and of the URL; each may be missing."""

    title_terms: Sequence[str] = ()
    url_terms: Sequence[str] = ()


NO_CONTEXT = PageContext()


def page_context(title: str, url: str, segmenter: Segmenter) -> PageContext:
    """The context of a page with this title and URL (0.02 ms)."""
    return PageContext(segmenter.terms(title), segmenter.terms(url_text(url)))
