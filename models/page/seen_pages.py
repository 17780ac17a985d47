"""What a page model keeps of the pages that a crawl has seen, whatever it makes of them: a sample (`models.page.page_sample`),
and what sites say on every page (`models.page.site_words`).
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from focuscrawl.shared_counts import Part
from models.page.page_sample import PageSample
from models.page.site_words import SiteWords


class SeenPages:
    """A sample of at most `size` pages, and the words of sites. Implements `focuscrawl.shared_counts.Learned`."""

    def __init__(self, size: int) -> None:
        self.sample = PageSample(size)
        self.site_words = SiteWords()

    def take(self) -> Iterator[Part]:
        return chain(self.site_words.take(), self.sample.take())

    def add(self, part: Part) -> None:
        if "hosts" in part:
            self.site_words.add(part)
        else:
            self.sample.add(part)

    def whole(self) -> Iterator[Part]:
        return chain(self.site_words.whole(), self.sample.whole())

    def restart(self) -> None:
        self.site_words.restart()
        self.sample.restart()
