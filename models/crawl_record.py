"""What the calibrated page model has seen of a crawl: words of addresses, and in which runs pages come.

Crawls meet relevant pages in runs, and each worker has runs of its own, on hosts of its own. So `lately` stays with the
worker that met the pages; how far it foretells the next page is learned by all together. A worker that has met none
begins with what the one that knew most said last.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from focuscrawl.learned import Part
from models.address_record import AddressRecord

LATELY = 0.98
"""What the share of relevant pages keeps from one page to the next: it looks back on about fifty."""
USUAL_SHARE = 0.12
FIRST_RUNS = 0.1
"""What is thought of that before pages were seen: that it foretells fully, at the weight of ten pages 0.1 away."""
LEAST_SHARE, MOST_SHARE = 0.01, 0.97


class CrawlRecord:
    """Learns without labels, from the probability that a page's text alone gives. Implements `focuscrawl.learned.Learned`."""

    def __init__(self) -> None:
        self.addresses = AddressRecord()
        self._runs = [0.0, 0.0]
        """How far the share lately foretells the next page: sums of x·y and of x·x, both as distances from the usual share."""
        self._new_runs = [0.0, 0.0]
        self._lately = USUAL_SHARE
        self._own = False
        """Whether `lately` is of pages that were met here."""
        self._latest = (0, USUAL_SHARE)
        """Of the worker that knew most pages: their number, its `lately`."""

    def learn(self, address: Iterable[str], probability: float, alone: float) -> None:
        """A page at an address of these words is relevant with this probability; `alone`: what its text says."""
        self.addresses.learn(address, probability)
        distance = self._lately - USUAL_SHARE
        for runs in (self._runs, self._new_runs):
            runs[0] += distance * (alone - USUAL_SHARE)
            runs[1] += distance * distance
        self._lately = min(MOST_SHARE, max(LEAST_SHARE, LATELY * self._lately + (1 - LATELY) * alone))
        self._own = True
        self._latest = (self.addresses.pages, self._lately)

    def lately_odds(self) -> float:
        """Log odds of the share lately against the usual, weighed by how far it foretold so far (a regression's slope): pages
        in no order make it count for nothing."""
        slope = max(0.0, min(1.0, (self._runs[0] + FIRST_RUNS) / (self._runs[1] + FIRST_RUNS)))
        return slope * (_log_odds(self._lately) - _log_odds(USUAL_SHARE))

    def take(self) -> Iterator[Part]:
        """See `focuscrawl.learned`."""
        runs, self._new_runs = self._new_runs, [0.0, 0.0]
        return _joined(self._runs_part(runs), self.addresses.take())

    def add(self, part: Part) -> None:
        """See `focuscrawl.learned`."""
        products, squares = map(float, part.get("runs", (0.0, 0.0)))
        pages, lately = part.get("lately", self._latest)
        pages, lately = int(pages), float(lately)
        if not (squares >= 0 and math.isfinite(products) and LEAST_SHARE <= lately <= MOST_SHARE):
            raise ValueError(f"runs of {products} and {squares}, or a share of {lately}")
        self.addresses.add(part["addresses"])
        self._runs = [self._runs[0] + products, self._runs[1] + squares]
        self._latest = max(self._latest, (pages, lately))
        if not self._own:
            self._lately = self._latest[1]

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.learned`."""
        return _joined(self._runs_part(self._runs), self.addresses.whole())

    def restart(self) -> None:
        """See `focuscrawl.learned`."""
        self.addresses.restart()
        self._runs = list(self._new_runs)

    def state(self) -> dict[str, Any]:
        """All of it, as plain data for the file of a trained model."""
        return {"lately": self._lately, "runs": self._runs, "addresses": self.addresses.state()}

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> CrawlRecord:
        """The record as `state` gave it. Raises KeyError, TypeError, ValueError or AttributeError for other data."""
        record = cls()
        record.add({"lately": [0, state["lately"]], "runs": state["runs"], "addresses": state["addresses"]})
        record._latest = (0, float(state["lately"]))
        record._lately = record._latest[1]
        return record

    def _runs_part(self, runs: list[float]) -> Part:
        return {"runs": list(runs), "lately": list(self._latest)}


def _joined(first: Part, parts: Iterator[Part]) -> Iterator[Part]:
    for part in parts:
        yield {"addresses": part, **first}
        first = {}


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))
