"""What the calibrated page model has seen of a crawl, without a label: words of URLs, in which runs relevant pages come, and a
sample of the pages.

Sites sort their pages: sections, categories and file names say what a page is about, in words that no example holds. Each word
of a URL keeps the mean probability that its text alone gave to the pages it led to, shrunk towards the mean of all pages. The
whole model's own probability is not used, so that an early error cannot confirm itself.

Crawls meet relevant pages in runs, and each worker has runs of its own, on hosts of its own. So `lately` stays with the
worker that met the pages; how far it foretells the next page is learned by all together. A worker that has met none
begins with what the one that knew most said last.

Costs O(words of the URL) a page.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from focuscrawl.shared_counts import Part, sliced
from models.page.page_sample import PageSample

SHRINKAGE = 4.0
"""Pages of the mean kind that are added to every word: with fewer, a word that led to two relevant pages by chance speaks too
loudly; with more, the words of small sections never speak."""
LEAST_PAGES = 2
"""Pages that a word must have led to before it speaks: of one page alone nothing follows."""
FIRST_SHARE, FIRST_PAGES = 0.15, 10
"""What is thought of the share of relevant pages before any was seen, and how many pages that counts for."""
KEPT_WORDS = 50_000
"""Words remembered; above that those met once are forgotten."""
LATELY = 0.98
"""What the share of relevant pages keeps from one page to the next: it looks back on about fifty."""
USUAL_SHARE = 0.12
"""What `lately` is compared with: where relevant pages come at this rate, it says nothing."""
FIRST_RUNS = 0.1
"""What is thought of how far `lately` foretells the next page, before any was seen: fully, at the weight of ten pages 0.1
away."""
LEAST_SHARE, MOST_SHARE = 0.01, 0.97
"""`lately` stays in between: its log odds must be finite, and a run must be able to end."""
SAMPLED = 300
"""Pages in the sample (5 MB at most). With 500 average precision is .01 higher where there are many, and a fit takes twice as
long; with 120 it is .02 lower."""
DIGITS = 6
"""Of sums that are handed out."""


class CrawlRecord:
    """Words of URLs, runs of pages, and a sample. Implements `focuscrawl.shared_counts.Learned`."""

    def __init__(self) -> None:
        self.url_words = UrlWords()
        self.sample = PageSample(SAMPLED)
        self._runs = [0.0, 0.0]
        """How far the share lately foretells the next page: sums of x·y and of x·x, both as distances from the usual share."""
        self._new_runs = [0.0, 0.0]
        self._lately = USUAL_SHARE
        self._own = False
        """Whether `lately` is of pages that were met here."""
        self._latest = (0, USUAL_SHARE)
        """Of the worker that knew most pages: their number, its `lately`."""

    def learn(self, words: Iterable[str], probability: float, alone: float) -> None:
        """A page whose URL has these words is relevant with this probability; `alone`: what its text says."""
        self.url_words.learn(words, probability)
        distance = self._lately - USUAL_SHARE
        for runs in (self._runs, self._new_runs):
            runs[0] += distance * (alone - USUAL_SHARE)
            runs[1] += distance * distance
        self._lately = min(MOST_SHARE, max(LEAST_SHARE, LATELY * self._lately + (1 - LATELY) * alone))
        self._own = True
        self._latest = (self.url_words.pages, self._lately)

    def lately_odds(self) -> float:
        """Log odds of the share lately against the usual, weighed by how far it foretold so far (a regression's slope): pages
        in no order make it count for nothing."""
        slope = max(0.0, min(1.0, (self._runs[0] + FIRST_RUNS) / (self._runs[1] + FIRST_RUNS)))
        return slope * (log_odds(self._lately) - log_odds(USUAL_SHARE))

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        runs, self._new_runs = self._new_runs, [0.0, 0.0]
        return chain(_joined(self._runs_part(runs), self.url_words.take()), self.sample.take())

    def add(self, part: Part) -> None:
        """See `focuscrawl.shared_counts`."""
        if "pages" in part:
            self.sample.add(part)
            return
        products, squares = map(float, part.get("runs", (0.0, 0.0)))
        pages, lately = part.get("lately", self._latest)
        pages, lately = int(pages), float(lately)
        if not (squares >= 0 and math.isfinite(products) and LEAST_SHARE <= lately <= MOST_SHARE):
            raise ValueError(f"runs of {products} and {squares}, or a share of {lately}")
        self.url_words.add(part["addresses"])
        self._runs = [self._runs[0] + products, self._runs[1] + squares]
        self._latest = max(self._latest, (pages, lately))
        if not self._own:
            self._lately = self._latest[1]

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        return chain(_joined(self._runs_part(self._runs), self.url_words.whole()), self.sample.whole())

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self.url_words.restart()
        self.sample.restart()
        self._runs = list(self._new_runs)

    def state(self) -> dict[str, Any]:
        """All of it, as plain data for the file of a trained model."""
        own = {"lately": self._lately, "runs": self._runs, "addresses": self.url_words.state()}
        return {**own, "pages": self.sample.pages}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> CrawlRecord:
        """The record as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        record = cls()
        record.add({"lately": [0, state["lately"]], "runs": state["runs"], "addresses": state["addresses"]})
        record._latest = (0, float(state["lately"]))
        record._lately = record._latest[1]
        record.sample.add({"pages": state.get("pages", ())})
        return record

    def _runs_part(self, runs: list[float]) -> Part:
        return {"runs": list(runs), "lately": list(self._latest)}


class _WordSums:
    """Sum of the probabilities of pages, number of pages, and both by word."""

    __slots__ = ("pages", "total", "words")

    def __init__(self) -> None:
        self.total, self.pages = 0.0, 0
        self.words: dict[str, list[float]] = {}

    def learn(self, words: Collection[str], probability: float) -> None:
        self.add(probability, 1, dict.fromkeys(words, (probability, 1)))

    def add(self, total: float, pages: int, words: Mapping[str, Iterable[float]]) -> None:
        self.total += total
        self.pages += pages
        for word, (its_total, its_pages) in words.items():
            entry = self.words.setdefault(word, [0.0, 0])
            entry[0] += its_total
            entry[1] += its_pages
        if len(self.words) > KEPT_WORDS:
            self.words = {word: entry for word, entry in self.words.items() if entry[1] > 1}

    def copy(self) -> _WordSums:
        copy = _WordSums()
        copy.total, copy.pages = self.total, self.pages
        copy.words = {word: [total, pages] for word, (total, pages) in self.words.items()}
        return copy

    def parts(self) -> Iterator[Part]:
        """A part has `sum` and `pages` of the words in it, or of all pages in the first."""
        for number, piece in enumerate(sliced(self.words) if self.pages else ()):
            words = {word: [round(total, DIGITS), pages] for word, (total, pages) in piece.items()}
            total, pages = (0.0, 0) if number else (round(self.total, DIGITS), self.pages)
            yield {"sum": total, "pages": pages, "words": words}


class UrlWords:
    """What each word of URLs has led to: sums of probabilities and numbers of pages. A part of `CrawlRecord`."""

    def __init__(self) -> None:
        self._seen = _WordSums()
        self._new = _WordSums()
        """The part of it that `take` has not handed out."""

    @property
    def pages(self) -> int:
        """Pages seen, by all workers whose parts were added."""
        return self._seen.pages

    def learn(self, words: Iterable[str], probability: float) -> None:
        """A page whose URL has these words is relevant with this probability."""
        different = set(words)
        self._seen.learn(different, probability)
        self._new.learn(different, probability)

    def log_odds(self, words: Iterable[str]) -> dict[str, float]:
        """Log odds of each known word against the mean of all pages."""
        mean = (self._seen.total + FIRST_SHARE * FIRST_PAGES) / (self._seen.pages + FIRST_PAGES)
        whole, odds = math.log(mean / (1 - mean)), {}
        for word in set(words):
            entry = self._seen.words.get(word)
            if entry and entry[1] >= LEAST_PAGES:
                share = (entry[0] + SHRINKAGE * mean) / (entry[1] + SHRINKAGE)
                odds[word] = math.log(share / (1 - share)) - whole
        return odds

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        new, self._new = self._new, _WordSums()
        return new.parts()

    def add(self, part: Part) -> None:
        """See `focuscrawl.shared_counts`."""
        total, pages = float(part["sum"]), int(part["pages"])
        words = {str(word): (float(its), int(n)) for word, (its, n) in part["words"].items()}
        if not 0 <= total <= pages or any(not 0 <= its <= n for its, n in words.values()):
            raise ValueError("sums of probabilities beyond the number of pages")
        self._seen.add(total, pages, words)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`."""
        return self._seen.copy().parts()

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`."""
        self._seen = self._new.copy()

    def state(self) -> dict[str, Any]:
        """Plain data for the file of a trained model. Words met once are left out."""
        kept = {word: [round(entry[0], 4), entry[1]] for word, entry in self._seen.words.items() if entry[1] > 1}
        return {"sum": self._seen.total, "pages": self._seen.pages, "words": kept}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> UrlWords:
        """The record as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        record = cls()
        record.add(dict(state))
        return record


def _joined(first: Part, parts: Iterator[Part]) -> Iterator[Part]:
    for part in parts:
        yield {"addresses": part, **first}
        first = {}


def log_odds(share: float) -> float:
    """Of a share in (0, 1)."""
    return math.log(share / (1 - share))
