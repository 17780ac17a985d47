"""How likely does a link lead to a relevant page, now or soon? A logistic regression that learns from every fetch.

    log odds = b + c x + sum of the weights of the link's groups        x = log(LinkScore + 0.01) + 2.5

It starts as LinkScore alone (all weights 0). Steps are those of AdaGrad (Duchi, Hazan, Singer 2011), so that a group that is
met for the first time learns fast and one that is met often slowly; each fetch also repeats some earlier ones. O(groups).
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

# Which links behave alike? The groups that a link belongs to, as numbers: what the learned order learns yields of.
#
# - address: the host, each directory, each beginning of the file name up to a separator (`twisted.names` of
#   `twisted.names.client.html`), the names of the query's parameters. Sites put what belongs together under one beginning.
# - position: links at the same place (path of tags and classes) of the same kind of page of a host behave alike.
# - siblings: links at the same place of one page do so even more.
# - words: of anchor and address; the only ones that hold from one host to another.
#
# Numbers are hashes (CRC-32), the same in every process; groups that fall together share a weight.


KINDS = ("address", "position", "siblings", "words")
SIZE = 1 << 20
"""Numbers are below this; 0 stands for no group."""
WORDS_FROM = SIZE // 2
"""Words have the numbers from here on, other groups those below."""
MOST_PARTS = 5
"""Beginnings of a file name."""
MOST_DIRECTORIES = 12
_part = re.compile(r"[^\W_]+[\W_]|[a-z](?=[A-Z])")


@lru_cache(maxsize=65536)
def address_groups(url: str) -> tuple[int, ...]:
    """The groups of a normal URL's address, widest first."""
    parts = urlsplit(url)
    path = parts.netloc
    groups = [_number(path)]
    *directories, name = parts.path.strip("/").split("/")
    for directory in directories[:MOST_DIRECTORIES]:
        path += "/" + directory
        groups.append(_number(path))
    groups += [
        _number(f"{path}/{name[: match.end()]}") for match, _ in zip(_part.finditer(name), range(MOST_PARTS), strict=False)
    ]
    if parts.query:
        names = "&".join(pair.partition("=")[0] for pair in parts.query.split("&"))
        groups.append(_number(f"{path}?{names}"))
    return tuple(groups)


def position_group(host: str, page_kind: str, position: str) -> int:
    return _number(f"{host} {page_kind} {position}")


def sibling_group(page: str, position: str) -> int:
    return _number(f"{page} {position}")


def word_groups(terms: Iterable[str]) -> list[int]:
    return [WORDS_FROM + zlib.crc32(term.encode("utf-8", "replace")) % WORDS_FROM for term in terms]


def _number(name: str) -> int:
    return 1 + zlib.crc32(name.encode("utf-8", "replace")) % (WORDS_FROM - 1)


Groups = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

START = (-1.5, 1.0)
LEAST_SLOPE = 0.2
"""LinkScore never loses all its say: a page judge that is wrong would teach to ignore it."""
RATE = 0.1
WORD_SCALE = 0.2
"""A word says less than a place; and there are more of them."""
FIRST_SQUARES = 0.11
REPEATS = 8
KEPT = 4000
"""Fetches that may be repeated; older ones make room."""


class ExpectedYield:
    """Groups of a link come as one row of numbers, filled up with 0."""

    def __init__(self, random_seed: int = 0, rate: float = RATE) -> None:
        self._rate = rate
        self._weights = np.zeros(SIZE, np.float32)
        self._squares = np.full(SIZE, FIRST_SQUARES, np.float32)
        self._base = np.array(START)
        self._base_squares = np.ones(2)
        self._random = np.random.RandomState(random_seed)
        self._kept: list[tuple[Groups, float, float]] = []
        self._seen = 0

    def prior(self, scores: Floats) -> Floats:
        """Probabilities by LinkScore alone."""
        return probability(self._base[0] + self._base[1] * evidence(scores))

    def log_odds(self, groups: Groups, scores: Floats) -> Floats:
        """Of links: rows of groups and their LinkScores."""
        weights = self._weights[groups]
        weights[groups >= WORDS_FROM] *= WORD_SCALE
        learned: Floats = weights.sum(axis=1, dtype=np.float64)
        odds: Floats = self._base[0] + self._base[1] * evidence(scores) + learned
        return odds

    def learn(self, groups: Groups, score: float, outcome: float) -> None:
        """A link was followed; `outcome` in [0, 1]: how relevant its page, or what that leads to, is."""
        own = groups[groups > 0].copy()
        x = float(evidence(np.array([score]))[0])
        self._step(own, x, outcome)
        if len(self._kept) < KEPT:
            self._kept.append((own, x, outcome))
        else:
            self._kept[self._seen % KEPT] = (own, x, outcome)
        self._seen += 1
        if len(self._kept) > REPEATS // 2:
            for number in self._random.randint(0, len(self._kept), REPEATS):
                self._step(*self._kept[number])

    def _step(self, groups: Groups, x: float, outcome: float) -> None:
        scale = np.where(groups >= WORDS_FROM, WORD_SCALE, 1.0)
        odds = float(self._base[0] + self._base[1] * x + (self._weights[groups] * scale).sum())
        error = outcome - float(probability(np.array(odds)))
        slope = error * scale
        self._squares[groups] += slope * slope
        self._weights[groups] += self._rate * slope / np.sqrt(self._squares[groups])
        base = np.array([error, error * x])
        self._base_squares += base * base
        self._base += self._rate * base / np.sqrt(self._base_squares)
        self._base[1] = max(LEAST_SLOPE, self._base[1])


def evidence(scores: Floats) -> Floats:
    """LinkScores, which crowd near 0, on the scale of log odds."""
    return np.log(scores + 0.01) + 2.5


def probability(odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))
