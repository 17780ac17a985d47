"""What following a link has brought: how relevant its page is, or what the links of that page are expected to bring.

The worth of a page follows from the odds of its score. It is one half at the threshold, so a page that was narrowly misjudged
teaches little. At first the odds count as they are: the threshold may be too high for all pages of a topic, and the pages
nearest to it are then the best to learn from. With each relevant page the threshold is trusted more; in the end the odds are
squared. Otherwise a few misses of medium score on each new host would keep places alive where nothing relevant lies.

Three kinds of pages are worth less. A list by month, tag, category or author is worth only what is new in it, because several
such lists name the same posts. Lists of a host count only as far as the host has shown relevant content pages, because the
lists of a link farm lead to lists. A page that names the topic in its title alone may be a view of another page.
"""

from __future__ import annotations

import numpy as np

from focuscrawl.items import Page, Verdict, only_in_title
from focuscrawl.url.groups import names_list
from focuscrawl.url.normalize import split
from models.order.expected_yield import Floats
from models.order.places import PLACES, host_numbers

LIST_WORTH = 0.7
"""Weight of a relevant index page relative to a content page. With half of it the mean area of the exam on the synthetic web
falls from 0.749 to 0.683, with half of DISCOUNT to 0.739."""
FIRST_LISTS = 3
"""Relevant lists of a host that count in full before it has shown a relevant content page, because a site begins with lists.
Measured in docs/experiments.md, *Sites of ten further shapes*."""
TITLE_WORTH = 0.3
"""Weight of a page that names the topic in its title alone, relative to one that says more of it: most such pages are views of
a record, which repeat its title above a form. Measured in docs/experiments.md, *Views of one record*."""
BEST_LINKS = 5
"""The mean expected yield of this many best new links is what a page leads to. With more, navigation would drown them."""
DISCOUNT = 0.8
"""Weight of an expected page relative to one already fetched. At 1, hubs that lead to hubs would count as much as what they
lead to."""
SURE = 10
"""Relevant pages after which half of the doubt in the page model's scores is gone (`FetchWorth`)."""
LEAST_SCORE = 1e-4
"""Scores of the page model are kept at least this far from 0 and 1, so that their log odds are finite."""


class FetchWorth:
    """Says what following a link has brought, as a value in [0, 1]."""

    def __init__(self, hubs: bool = True) -> None:
        """`hubs`: whether the links of a page count, too."""
        self._hubs = hubs
        self._found = 0
        """Relevant pages to which links have led."""
        self._lists, self._contents = np.zeros(PLACES, np.int32), np.zeros(PLACES, np.int32)
        """By the number of a host, how many of these were lists, and how many were content pages."""

    def of(self, page: Page, expected: Floats) -> float:
        """What the fetch of a page has brought.

        Args:
            page: as it was judged. A failure, a page without a verdict, a duplicate and what must not be indexed are worth
                nothing themselves.
            expected: the expected yields of its new links.
        """
        later = DISCOUNT * sum(sorted(expected.tolist())[-BEST_LINKS:]) / BEST_LINKS if self._hubs else 0.0
        return max(self._own(page, len(expected)), later)

    def _own(self, page: Page, new: int) -> float:
        """What a page is worth itself. `new`: how many of its links are new."""
        verdict = page.verdict
        if not page.ok or verdict is None or page.duplicate is not None or page.noindex:
            return 0.0
        self._found += page.in_collection
        worth = self._by_verdict(verdict)
        named, host = names_list(page.url), host_numbers(split(page.url)[0]).host
        if not named and page.kind != "index":
            self._contents[host] += page.in_collection
            return worth
        self._lists[host] += page.in_collection
        shown = float((self._contents[host] + FIRST_LISTS) / max(1, self._lists[host]))
        worth *= LIST_WORTH * min(1.0, shown)
        return worth * min(1.0, new / BEST_LINKS) if named else worth

    def _by_verdict(self, verdict: Verdict) -> float:
        """What a page is worth by its verdict alone. That may differ from the score: it does for an example, and for a page out
        of scope."""
        steepness = 1.0 + self._found / (self._found + SURE)
        odds: float = (_odds(verdict.relevance) / _odds(verdict.threshold)) ** steepness
        worth = odds / (1.0 + odds)
        if not verdict.relevant:
            return min(0.5, worth)
        return max(0.5, worth) * (TITLE_WORTH if only_in_title(verdict.terms) else 1.0)


def _odds(score: float) -> float:
    kept = min(1.0 - LEAST_SCORE, max(LEAST_SCORE, score))
    return kept / (1.0 - kept)
