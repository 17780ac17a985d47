"""What the calibrated page model has seen of a crawl without labels: words of URLs, the recent share of relevant pages, a
sample of the pages and what sites say on every page (`models.page.seen_pages`), and which words of the examples count by them.

Sites sort their pages: sections, categories and file names say what a page is about, in words that no example has. For each
word of URLs this keeps the mean probability of the pages that it led to, shrunk towards the mean of all pages. That is the
probability by a page's text alone, not that of the whole model, so that an early error cannot confirm itself.

Crawls meet relevant pages in runs, and each worker has runs of its own, on hosts of its own. So the recent share stays with the
worker that met the pages; how well it predicts the next page is learned by all together. A worker that has met no page begins
with the share of the worker that knew most pages.

Cost: O(words of the URL) a page.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from focuscrawl.shared_counts import Part, sliced
from models.page.calibration import log_odds
from models.page.seen_pages import SeenPages
from models.topic.evidence import Emphasis

SHRINKAGE = 4.0
"""Average pages that are added to every word. With fewer, a word that led to two relevant pages by chance counts too much; with
more, the words of small sections never count."""
LEAST_PAGES = 2
"""Pages that a word must have led to before it counts."""
FIRST_SHARE, FIRST_PAGES = 0.15, 10
"""The share of relevant pages that is assumed before any was seen, and how many pages that assumption counts for."""
KEPT_WORDS, KEPT_SHARE = 50_000, 0.75
"""Words remembered, and the share of them, the most frequent ones, that is left when there are more. Of words
met once those met last are left: the others have had their time to come again."""
RECENT = 0.98
"""Weight of the recent share when the next page is added to it: it looks back on about fifty pages."""
USUAL_SHARE = 0.12
"""The recent share that speaks neither for the next page nor against it."""
FIRST_RUNS = 0.1
"""Before any page was seen, the recent share is assumed to predict the next page fully, with the weight of ten pages whose
share was 0.1 away from the usual one."""
LEAST_SHARE, MOST_SHARE = 0.01, 0.97
"""Bounds of the recent share: its log odds must be finite, and a run must be able to end."""
SAMPLED = 300
"""Pages in the sample (5 MB at most). With 500 average precision is .01 higher where there are many, and a fit takes twice as
long; with 120 it is .02 lower."""
DIGITS = 6
"""Decimal places of sums that are shared."""


class CrawlRecord(SeenPages):
    """Words of URLs, runs of pages, words of sites, a sample, and which words of the examples count. Implements
    `focuscrawl.shared_counts.Learned`."""

    def __init__(self) -> None:
        super().__init__(SAMPLED)
        self.url_words = UrlWords()
        self._runs = [0.0, 0.0]
        """How well the recent share predicts the next page: sums of x·y and of x·x, where x is the recent share and y the next
        page's probability, both as distances from the usual share."""
        self._new_runs = [0.0, 0.0]
        """What `take` has not handed out yet of these sums."""
        self._recent = USUAL_SHARE
        """The recent share of relevant pages."""
        self._is_own = False
        """Whether `_recent` is of pages that this worker met."""
        self._latest = (0, USUAL_SHARE)
        """Of the worker that knew most pages: their number, and its recent share."""
        self._chosen = (0, Emphasis.ALL.value)
        """The choice that followed from most pages: their number, and the name of the emphasis."""

    @property
    def emphasis(self) -> Emphasis:
        """Which words of the examples count, by the latest choice of all workers and runs."""
        return Emphasis(self._chosen[1])

    def choose(self, emphasis: Emphasis) -> None:
        """Note what was chosen by the pages seen so far."""
        self._chosen = (self.url_words.pages, emphasis.value)

    def learn(self, words: Iterable[str], probability: float, alone: float) -> None:
        """Learn from a page whose URL has these words, and which is relevant with this probability; `alone`: that by its
        text."""
        self.url_words.learn(words, probability)
        distance = self._recent - USUAL_SHARE
        for runs in (self._runs, self._new_runs):
            runs[0] += distance * (alone - USUAL_SHARE)
            runs[1] += distance * distance
        self._recent = min(MOST_SHARE, max(LEAST_SHARE, RECENT * self._recent + (1 - RECENT) * alone))
        self._is_own = True
        self._latest = (self.url_words.pages, self._recent)

    def recent_odds(self) -> float:
        """Log odds of the recent share against the usual one, times how well it has predicted pages so far (the slope of a
        regression): if relevant pages do not come in runs, this is 0."""
        slope = max(0.0, min(1.0, (self._runs[0] + FIRST_RUNS) / (self._runs[1] + FIRST_RUNS)))
        return slope * (log_odds(self._recent) - log_odds(USUAL_SHARE))

    def take(self) -> Iterator[Part]:
        runs, self._new_runs = self._new_runs, [0.0, 0.0]
        return chain(_with_runs(self._runs_part(runs), self.url_words.take()), super().take())

    def add(self, part: Part) -> None:
        if "addresses" not in part:
            super().add(part)
            return
        # Only the first part of several has runs, the recent share and the emphasis.
        products, squares = map(float, part.get("runs", (0.0, 0.0)))
        pages, recent = part.get("lately", self._latest)
        pages, recent = int(pages), float(recent)
        of_pages, emphasis = part.get("emphasis", self._chosen)  # earlier versions wrote none
        chosen = (int(of_pages), Emphasis(emphasis).value)
        if not (squares >= 0 and math.isfinite(products) and LEAST_SHARE <= recent <= MOST_SHARE):
            raise ValueError(f"runs of {products} and {squares}, or a share of {recent}")
        self.url_words.add(part["addresses"])
        self._runs = [self._runs[0] + products, self._runs[1] + squares]
        self._latest = max(self._latest, (pages, recent))  # that of the worker that knows more pages
        self._chosen = max(self._chosen, chosen)
        if not self._is_own:
            self._recent = self._latest[1]

    def whole(self) -> Iterator[Part]:
        runs = self._runs_part(self._runs)
        return chain(_with_runs(runs, self.url_words.whole()), super().whole())

    def restart(self) -> None:
        super().restart()
        self.url_words.restart()
        self._runs = list(self._new_runs)

    def state(self) -> dict[str, Any]:
        """All of it, as plain data for the file of a trained model. Files and shared parts call the URLs' words `addresses` and
        the recent share `lately`."""
        own = {"lately": self._recent, "runs": self._runs, "addresses": self.url_words.state(), "emphasis": self._chosen[1]}
        return {**own, "hosts": self.site_words.state(), "pages": self.sample.pages}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> CrawlRecord:
        """The record as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        record = cls()
        chosen = [0, state.get("emphasis", Emphasis.ALL)]
        record.add({"lately": [0, state["lately"]], "runs": state["runs"], "addresses": state["addresses"], "emphasis": chosen})
        record._latest = (0, float(state["lately"]))
        record._recent = record._latest[1]
        record.site_words.add({"hosts": state.get("hosts", {})})
        record.sample.add({"pages": state.get("pages", ())})
        return record

    def _runs_part(self, runs: list[float]) -> Part:
        return {"runs": list(runs), "lately": list(self._latest), "emphasis": list(self._chosen)}


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
        if len(self.words) > KEPT_WORDS:  # makes room, so that words met later can be learned, too
            often = sorted(self.words.items(), key=lambda item: item[1][1])  # of equals the one met last comes last
            self.words = dict(often[-int(KEPT_SHARE * KEPT_WORDS) :])

    def copy(self) -> _WordSums:
        copy = _WordSums()
        copy.total, copy.pages = self.total, self.pages
        copy.words = {word: [total, pages] for word, (total, pages) in self.words.items()}
        return copy

    def parts(self) -> Iterator[Part]:
        """Parts to share. Each has some of the words; `sum` and `pages` of all pages are in the first, and 0 in the others."""
        for number, piece in enumerate(sliced(self.words) if self.pages else ()):
            words = {word: [round(total, DIGITS), pages] for word, (total, pages) in piece.items()}
            total, pages = (0.0, 0) if number else (round(self.total, DIGITS), self.pages)
            yield {"sum": total, "pages": pages, "words": words}


class UrlWords:
    """For each word of URLs, the sum of the probabilities of the pages it led to, and their number. Belongs to
    `CrawlRecord`."""

    def __init__(self) -> None:
        self._seen = _WordSums()
        self._new = _WordSums()
        """What `take` has not handed out yet."""

    @property
    def pages(self) -> int:
        """Pages seen, by all workers whose parts were added."""
        return self._seen.pages

    def learn(self, words: Iterable[str], probability: float) -> None:
        """Learn from a page whose URL has these words, and which is relevant with this probability."""
        different = set(words)
        self._seen.learn(different, probability)
        self._new.learn(different, probability)

    def log_odds(self, words: Iterable[str]) -> dict[str, float]:
        """Log odds of each known word against the mean of all pages."""
        mean = (self._seen.total + FIRST_SHARE * FIRST_PAGES) / (self._seen.pages + FIRST_PAGES)
        of_all, odds = log_odds(mean), {}
        for word in set(words):
            entry = self._seen.words.get(word)
            if entry and entry[1] >= LEAST_PAGES:
                share = (entry[0] + SHRINKAGE * mean) / (entry[1] + SHRINKAGE)
                odds[word] = log_odds(share) - of_all
        return odds

    def take(self) -> Iterator[Part]:
        new, self._new = self._new, _WordSums()
        return new.parts()

    def add(self, part: Part) -> None:
        total, pages = float(part["sum"]), int(part["pages"])
        words = {str(word): (float(its), int(n)) for word, (its, n) in part["words"].items()}
        if not 0 <= total <= pages or any(not 0 <= its <= n for its, n in words.values()):
            raise ValueError("sums of probabilities beyond the number of pages")
        self._seen.add(total, pages, words)

    def whole(self) -> Iterator[Part]:
        return self._seen.copy().parts()

    def restart(self) -> None:
        self._seen = self._new.copy()

    def state(self) -> dict[str, Any]:
        """Plain data for the file of a trained model. Words met once are left out."""
        kept = {word: [round(entry[0], 4), entry[1]] for word, entry in self._seen.words.items() if entry[1] > 1}
        return {"sum": self._seen.total, "pages": self._seen.pages, "words": kept}


def _with_runs(runs: Part, parts: Iterator[Part]) -> Iterator[Part]:
    """The parts of the URLs' words, with the runs in the first of them. There is one whenever a page was seen."""
    for part in parts:
        yield {"addresses": part, **runs}
        runs = {}
