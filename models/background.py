"""How common is a term? Document frequencies bundled with the project, blended with the crawl's own.

The bundled part holds frequencies in running text. A document of L terms holds a term of frequency f with
P = 1 - exp(-f L) (Poisson), so that `idf = log(D/h) = -log P`, the logarithm in the paper's equation 1.

The crawl's part counts pages that were seen. A focused crawl meets its topic far more often than the web does, and
plain counts would make the topic's own words look common; so the shares among irrelevant and relevant pages are
counted apart and weighed as if relevant pages were rare (`RELEVANT_SHARE`).
"""

from __future__ import annotations

import gzip
import hashlib
import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate
from typing import Any

from focuscrawl.errors import BadInput

DOCUMENT_LENGTH = 200
"""Terms in the typical document. Poisson overstates how widely a word is spread, a short document makes up for it."""
UNKNOWN_FREQUENCY = 1e-7
"""A word outside the 140 000 bundled ones is about as rare as the last of them."""
NUMBER_FREQUENCY = 1e-3
"""Dates and counts stand on most pages, whatever they are about."""
RELEVANT_SHARE = 0.1
CRAWL_SHARE = 0.5
"""What the crawl's own counts weigh once many pages were seen …"""
HALF_WAY = 100
"""… and the number of pages at which they weigh half of that."""
COUNTED_TERMS = 300_000
"""Above this many terms those counted once are forgotten, so that memory stays bounded."""

Counts = dict[str, int]


@cache
def bundled() -> tuple[dict[str, float], str]:
    """Frequencies in running text by term, and the data file's digest (32 hex digits)."""
    raw = files("models").joinpath("data", "background.txt.gz").read_bytes()
    table: dict[str, float] = {}
    for line in gzip.decompress(raw).decode().splitlines():
        if not line.startswith("#"):
            level, *terms = line.split()
            table.update(dict.fromkeys(terms, math.exp(-int(level) / 10)))
    return table, hashlib.blake2b(raw, digest_size=16).hexdigest()


def document_share(term: str) -> float:
    """Share of documents of `DOCUMENT_LENGTH` terms that hold the term, by the bundled frequencies; in (0, 1)."""
    unknown = NUMBER_FREQUENCY if term.isdecimal() else UNKNOWN_FREQUENCY
    return -math.expm1(-bundled()[0].get(term, unknown) * DOCUMENT_LENGTH)


class _IdfTable(dict[str, float]):
    """Term to idf, computed when first asked for; emptied when full."""

    def __init__(self, share: Callable[[str], float]) -> None:
        super().__init__()
        self._share = share

    def __missing__(self, term: str) -> float:
        if len(self) >= COUNTED_TERMS:
            self.clear()
        idf = self[term] = max(0.0, -math.log(self._share(term)))
        return idf


class Background:
    """Document frequencies of one crawl. `idf` is fixed between two calls of `refresh`."""

    def __init__(self) -> None:
        self._pages = [0, 0]
        self._counts: list[Counts] = [{}, {}]
        self._idf = _IdfTable(self._share)
        self.idf: Callable[[str], float] = self._idf.__getitem__
        """log(D/h) of a term by the blended document frequencies; at least 0, about 11 for a word never met."""
        self._used = (0, 0)

    @property
    def pages(self) -> int:
        """Pages seen."""
        return sum(self._pages)

    def observe(self, terms: Iterable[str], relevant: bool = False) -> None:
        """Count one page; takes effect with the next `refresh`."""
        counts = self._counts[relevant]
        for term in set(terms):
            counts[term] = counts.get(term, 0) + 1
        self._pages[relevant] += 1
        if len(counts) > COUNTED_TERMS:
            self._counts[relevant] = {term: n for term, n in counts.items() if n > 1}

    def refresh(self) -> None:
        """Let the pages counted so far count in `idf`."""
        self._used = (self._pages[0], self._pages[1])
        self._idf.clear()

    def _share(self, term: str) -> float:
        share = document_share(term)
        seen = sum(self._used)
        if not seen:
            return share
        weight = CRAWL_SHARE * seen / (seen + HALF_WAY)
        return (1 - weight) * share + weight * self._crawl_share(term)

    def _crawl_share(self, term: str) -> float:
        """Share among the pages seen, with relevant ones weighed as rare; a class that was never met does not count."""
        parts = (1 - RELEVANT_SHARE, RELEVANT_SHARE)
        met = [(part, self._counts[k].get(term, 0) / self._used[k]) for k, part in enumerate(parts) if self._used[k]]
        return min(1.0, sum(part * share for part, share in met) / sum(part for part, _ in met))

    def state(self) -> dict[str, Any]:
        """Plain data for JSON: what `restore` needs to go on. Terms met on one page only are left out."""
        return {
            "version": 1,
            "pages": list(self._pages),
            "counts": [{term: n for term, n in counts.items() if n > 1} for counts in self._counts],
        }

    @classmethod
    def restore(cls, state: Mapping[str, Any]) -> Background:
        """The background as `state` gave it, refreshed. Raises BadInput for anything else."""
        try:
            if state["version"] != 1:
                raise BadInput(f"background counts have version {state['version']!r}, this program reads version 1")
            background = cls()
            background._pages = [int(n) for n in state["pages"]]
            background._counts = [{str(term): int(n) for term, n in counts.items()} for counts in state["counts"]]
            if len(background._pages) != 2 or len(background._counts) != 2:
                raise BadInput("background counts need two classes of pages")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            if isinstance(error, BadInput):
                raise
            raise BadInput(f"background counts cannot be read ({type(error).__name__}: {error})") from error
        background.refresh()
        return background


@cache
def _table(han: bool) -> tuple[Sequence[str], Sequence[float]]:
    rows = [(term, frequency) for term, frequency in bundled()[0].items() if term.isascii() != han]
    return [term for term, _ in rows], list(accumulate(frequency for _, frequency in rows))


def draw(rng: random.Random, han_share: float, length: int = DOCUMENT_LENGTH) -> list[str]:
    """The terms of a made-up page about nothing: `length` words by frequency, a share of them Chinese."""
    han = round(length * han_share)
    drawn: list[str] = []
    for is_han, size in ((True, han), (False, length - han)):
        words, cumulated = _table(is_han)
        drawn += rng.choices(words, cum_weights=cumulated, k=size) if size else []
    return drawn
