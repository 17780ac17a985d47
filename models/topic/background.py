"""Says how common a term is, by document frequencies bundled with the project and blended with the crawl's own.

The bundled frequencies are those in running text. A document of L terms holds a term of frequency f with the probability
P = 1 - exp(-f L) (Poisson), so that `idf = log(D/h) = -log P`, the logarithm in the paper's equation 1.

The crawl's own counts are of pages that were seen. A focused crawl meets its topic far more often than the web does, so plain
counts would make the topic's own words look common. Therefore irrelevant and relevant pages are counted apart, and their shares
are weighed as if relevant pages were rare (`RELEVANT_SHARE`).
"""

from __future__ import annotations

import gzip
import hashlib
import math
import random
import zlib
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import accumulate

from focuscrawl.shared_counts import Part, sliced
from focuscrawl.text.segment import URL_WORDS

DOCUMENT_LENGTH = 200
"""Terms in the typical document. Poisson overstates how widely a word is spread, which a short document compensates."""
UNKNOWN_FREQUENCY = 1e-7
"""Frequency of a word that is not among the 140 000 bundled ones: about that of the rarest of these."""
NUMBER_FREQUENCY = 1e-3
"""Frequency of a number: dates and counts stand on most pages, whatever these are about."""
URL_WORD_FREQUENCY = 1e-4
"""Frequency of keywords that are words of URLs, which no texts were counted with."""
RELEVANT_SHARE = 0.1
"""Share of the web's pages that are assumed to be relevant."""
CRAWL_SHARE = 0.5
"""Weight of the crawl's own counts once many pages were seen …"""
HALF_WAY = 100
"""… and the number of pages at which they have half that weight."""
COUNTED_TERMS = 300_000
"""If more terms than this are counted, the rarest are forgotten, so that memory stays bounded …"""
KEPT_SHARE = 0.75
"""… until at most this share of the limit is left."""

Counts = dict[str, int]


class Frequencies:
    """Frequencies by term. This takes 2 MB, where a dictionary would take 15: each term stands with its level in one of some
    thousand short pieces of bytes, which its checksum selects, and is searched for there (0.5 µs)."""

    PIECES = 4096

    def __init__(self, levels: Iterable[tuple[int, Sequence[str]]]) -> None:
        """`levels`: the terms of each level. Terms are without blanks, and no two are the same.

        A level is stored as one byte, so it is at most 255, and at least 11, because a tab (9) or a line feed (10) would
        look like the end of an entry."""
        pieces = [bytearray() for _ in range(self.PIECES)]
        self._count = 0
        for level, terms in levels:
            for encoded in map(str.encode, terms):
                pieces[zlib.crc32(encoded) % self.PIECES] += b"\n%b\t%c" % (encoded, level)
            self._count += len(terms)
        self._pieces = [bytes(piece) for piece in pieces]
        self._by_level = [_frequency(level) for level in range(256)]

    def __len__(self) -> int:
        """The number of terms."""
        return self._count

    def get(self, term: str, unknown: float) -> float:
        """The frequency of a term; `unknown` if the term is not there."""
        encoded = term.encode("utf-8", "surrogatepass")
        _, found, level = self._pieces[zlib.crc32(encoded) % self.PIECES].partition(b"\n%b\t" % encoded)
        return self._by_level[level[0]] if found else unknown


@cache
def bundled() -> tuple[Frequencies, str]:
    """(frequencies in running text by term, the digest of the data file in 32 hex digits)."""
    packed = _packed()
    return Frequencies(_levels(gzip.decompress(packed))), hashlib.blake2b(packed, digest_size=16).hexdigest()


@cache
def function_word_frequencies() -> dict[str, float]:
    """Frequencies in running text of words that are terms only as keywords: `the` stands in all documents, `go` in some. Among
    the bundled ones are only rare forms with the same stem (`others`)."""
    data = files("models").joinpath("data", "function_words.txt").read_bytes()
    return {word: _frequency(level) for level, words in _levels(data) for word in words}


def _packed() -> bytes:
    return files("models").joinpath("data", "background.txt.gz").read_bytes()


def _levels(raw: bytes) -> Iterator[tuple[int, Sequence[str]]]:
    """The terms of each level."""
    for line in raw.splitlines():
        if not line.startswith(b"#"):
            level, *terms = line.decode().split()
            yield int(level), terms


def _frequency(level: int) -> float:
    """The frequency that a level of the data file stands for."""
    return math.exp(-level / 10)


def document_share(term: str) -> float:
    """The share of documents of `DOCUMENT_LENGTH` terms that hold the term, by the bundled frequencies; in (0, 1)."""
    frequency, of_function_words = bundled()[0].get(term, 0.0), function_word_frequencies()
    if term in of_function_words:
        frequency = max(frequency, of_function_words[term])
    return -math.expm1(-(frequency or _frequency_of_uncounted(term)) * DOCUMENT_LENGTH)


def _frequency_of_uncounted(term: str) -> float:
    """An assumed frequency of a term that is not among the bundled ones."""
    if term.isdecimal():
        return NUMBER_FREQUENCY
    return URL_WORD_FREQUENCY if term in URL_WORDS else UNKNOWN_FREQUENCY


class _IdfTable(dict[str, float]):
    """Maps terms to idf, computed on first use. It is emptied when it is full."""

    def __init__(self, share: Callable[[str], float]) -> None:
        super().__init__()
        self._share = share

    def __missing__(self, term: str) -> float:
        if len(self) >= COUNTED_TERMS:
            self.clear()
        idf = self[term] = max(0.0, -math.log(self._share(term)))
        return idf


class _Seen:
    """Counts pages, and for each term the pages that hold it. Both are lists with two elements: for irrelevant pages (0) and
    for relevant ones (1)."""

    __slots__ = ("counts", "pages")

    def __init__(self) -> None:
        self.pages = [0, 0]
        self.counts: list[Counter[str]] = [Counter(), Counter()]

    def count(self, kind: int, terms: Iterable[str]) -> None:
        self.counts[kind].update(terms)
        self.pages[kind] += 1
        self._bound(kind)

    def add(self, kind: int, pages: int, counts: Counts) -> None:
        mine = self.counts[kind]
        for term, n in counts.items():
            mine[term] = mine.get(term, 0) + n
        self.pages[kind] += pages
        self._bound(kind)

    def copy(self) -> _Seen:
        copy = _Seen()
        copy.pages, copy.counts = list(self.pages), [counts.copy() for counts in self.counts]
        return copy

    def parts(self) -> Iterator[Part]:
        for kind, (pages, counts) in enumerate(zip(self.pages, self.counts, strict=True)):
            for number, piece in enumerate(sliced(counts) if pages else ()):
                yield {"relevant": kind, "pages": 0 if number else pages, "counts": piece}

    def _bound(self, kind: int) -> None:
        """Forget the rarest terms if there are too many."""
        counts, least = self.counts[kind], 1
        if len(counts) <= COUNTED_TERMS:
            return
        while len(counts) > KEPT_SHARE * COUNTED_TERMS:
            least += 1
            counts = Counter({term: n for term, n in counts.items() if n >= least})
        self.counts[kind] = counts


class Background:
    """The document frequencies of one crawl. `idf` does not change between two calls of `refresh`."""

    def __init__(self) -> None:
        self._seen = _Seen()
        self._new = _Seen()
        """The counts that `take` has not handed out."""
        self._idf = _IdfTable(self._share)
        self.idf: Callable[[str], float] = self._idf.__getitem__
        """log(D/h) of a term by the blended document frequencies; at least 0, about 11 for a word never met."""
        self._used = 0
        """How many pages had been counted at the last `refresh`: how much the crawl's counts weigh until the next."""

    @property
    def pages(self) -> int:
        """How many pages were counted, here and by the workers whose parts were added."""
        return sum(self._seen.pages)

    def observe(self, terms: Iterable[str], relevant: bool = False) -> None:
        """Count one page. It has an effect from the next `refresh` on."""
        different = set(terms)
        self._seen.count(relevant, different)
        self._new.count(relevant, different)

    def refresh(self) -> None:
        """Let the pages counted so far take effect in `idf`."""
        self._used = self.pages
        self._idf.clear()

    def _share(self, term: str) -> float:
        """The blended share of documents that hold a term."""
        share = document_share(term)
        if not self._used or self._seen.pages == [0, 0]:
            return share
        weight = CRAWL_SHARE * self._used / (self._used + HALF_WAY)
        return (1 - weight) * share + weight * self._crawl_share(term)

    def _crawl_share(self, term: str) -> float:
        """The share of a term among the counted pages, with relevant ones weighed as rare. A class of pages that was never met
        does not count.

        Both numbers are those of now, not those of the last `refresh`: counts of now by pages of then would make a term look up
        to twice as common, the later it is asked for."""
        (others, relevant), (of_others, of_relevant) = self._seen.pages, self._seen.counts
        share = weight = 0.0
        if others:
            share, weight = (1 - RELEVANT_SHARE) * (of_others.get(term, 0) / others), 1 - RELEVANT_SHARE
        if relevant:
            share += RELEVANT_SHARE * (of_relevant.get(term, 0) / relevant)
            weight += RELEVANT_SHARE
        return min(1.0, share / weight)

    def take(self) -> Iterator[Part]:
        new, self._new = self._new, _Seen()
        return new.parts()

    def add(self, part: Part) -> None:
        """Add what another worker counted. It has an effect from the next `refresh` on. Raises as
        `focuscrawl.shared_counts.Learned.add`."""
        kind, pages = int(part["relevant"]), int(part["pages"])
        counts = {str(term): int(n) for term, n in part["counts"].items()}
        if kind not in (0, 1) or pages < 0 or min(counts.values(), default=0) < 0:
            raise ValueError("counts of pages below 0, or of no class of pages")
        self._seen.add(kind, pages, counts)

    def whole(self) -> Iterator[Part]:
        """See `focuscrawl.shared_counts`. The call takes 10 ms for 300 000 terms, before the first part is read."""
        return self._seen.copy().parts()

    def restart(self) -> None:
        """See `focuscrawl.shared_counts`; `idf` stays until the next `refresh`."""
        self._seen = self._new.copy()


@cache
def _table(han: bool) -> tuple[str, Sequence[int], Sequence[float]]:
    """(the terms of one script as one text, where each term begins in it, their cumulated frequencies). This takes a tenth of
    the memory of lists. `han`: the Chinese terms, else the others."""
    rows = [
        (term, _frequency(level))
        for level, terms in _levels(gzip.decompress(_packed()))
        for term in terms
        if term.isascii() != han
    ]
    begins = array("I", accumulate((len(term) for term, _ in rows), initial=0))
    return "".join(term for term, _ in rows), begins, array("d", accumulate(frequency for _, frequency in rows))


def draw(rng: random.Random, han_share: float, length: int = DOCUMENT_LENGTH) -> list[str]:
    """The terms of a made-up page about nothing: `length` words drawn by frequency, of which `han_share` are Chinese."""
    han = round(length * han_share)
    drawn: list[str] = []
    for is_han, size in ((True, han), (False, length - han)):
        if size:
            text, begins, cumulated = _table(is_han)
            indexes = rng.choices(range(len(cumulated)), cum_weights=cumulated, k=size)
            drawn += [text[begins[index] : begins[index + 1]] for index in indexes]
    return drawn
