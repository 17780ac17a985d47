"""A sample of the pages that a crawl has seen, as term counts, of a bounded size.

The pages with the smallest digests are kept, so the sample depends neither on the order of the pages nor on which worker saw
them. It is uniform over different pages, and the sample of two workers' pages follows from their two samples (bottom-k
sampling; Cohen and Kaplan, "Summarizing data using bottom-k sketches", 2007).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import blake2b

from focuscrawl.shared_counts import Part
from models.page.page_context import PageContext

Counts = dict[str, int]
KEPT_TERMS = 300
"""Most frequent terms of a page that count; all of them give the same average precision within .01."""
TITLE, URL = "title:", "url:"
"""Prefixes of terms of title and URL, which tell them from terms of the text."""
PART_PAGES = 20
"""Pages in one part that is shared."""


def page_counts(counts: Counter[str], context: PageContext) -> Counts:
    """The term counts of a page as they are sampled: at most KEPT_TERMS terms of the text in their order, and those of its
    title and URL with prefixes."""
    kept = dict(counts)
    if len(counts) > KEPT_TERMS:
        most = dict(counts.most_common(KEPT_TERMS))
        kept = {term: n for term, n in counts.items() if term in most}
    return with_fields(kept, context.title_terms, context.url_terms)


def text_of(counts: Mapping[str, int]) -> tuple[Counts, PageContext]:
    """The inverse of `page_counts`, as far as that kept the terms."""
    title = tuple([term.removeprefix(TITLE) for term in counts if ":" in term and term.startswith(TITLE)])
    return {term: n for term, n in counts.items() if ":" not in term}, PageContext(title, url_terms_of(counts))


def url_terms_of(counts: Mapping[str, int]) -> tuple[str, ...]:
    """The terms of its URL."""
    return tuple([term.removeprefix(URL) for term in counts if ":" in term and term.startswith(URL)])


def with_fields(counts: Counts, title: Iterable[str], url: Iterable[str]) -> Counts:
    """The term counts of a text with those of its title and URL, which have prefixes."""
    return counts | {f"{TITLE}{term}": 1 for term in title} | {f"{URL}{term}": 1 for term in url}


class PageSample:
    """At most `size` different pages. Implements `focuscrawl.shared_counts.Learned`."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._kept: dict[int, Counts] = {}
        """The pages by their digests."""
        self._new: set[int] = set()
        """Digests of the pages that `take` has not handed out yet."""

    def __len__(self) -> int:
        return len(self._kept)

    @property
    def pages(self) -> list[Counts]:
        """The pages in the order of their digests."""
        return [self._kept[key] for key in sorted(self._kept)]

    def offer(self, counts: Counts) -> None:
        """Add a page if its digest is small enough. 0.1 ms for 300 terms."""
        if key := self._keep(counts):
            self._new.add(key)

    def take(self) -> Iterator[Part]:
        new, self._new = self._new & self._kept.keys(), set()
        return _parts([self._kept[key] for key in sorted(new)])

    def add(self, part: Part) -> None:
        for counts in [_read(page) for page in part["pages"]]:
            self._keep(counts)

    def whole(self) -> Iterator[Part]:
        return _parts(self.pages)

    def restart(self) -> None:
        self._kept = {key: counts for key, counts in self._kept.items() if key in self._new}

    def _keep(self, counts: Counts) -> int:
        """Keep the page if its digest is small enough. Returns the digest; 0 if it is not kept, or was kept already."""
        key = _number(counts)
        if key in self._kept:
            return 0
        self._kept[key] = counts
        if len(self._kept) > self._size:
            largest = max(self._kept)
            del self._kept[largest]
            if largest == key:
                return 0
        return key


def _number(counts: Mapping[str, int]) -> int:
    plain = json.dumps(sorted(counts.items()))
    return int.from_bytes(blake2b(plain.encode(), digest_size=8).digest(), "big")


def _read(page: Mapping[str, int]) -> Counts:
    counts = {str(term): int(n) for term, n in page.items()}
    if min(counts.values(), default=1) < 1:
        raise ValueError("a page with a term that does not occur")
    return counts


def _parts(pages: list[Counts]) -> Iterator[Part]:
    for start in range(0, len(pages), PART_PAGES):
        yield {"pages": pages[start : start + PART_PAGES]}
