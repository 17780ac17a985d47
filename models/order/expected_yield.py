"""Where the default order learns: how likely does a link lead to a relevant page, now or soon?

A logistic regression that learns from every fetch, over groups of links that behave alike:

    log odds = b + c x + sum of the weights of the link's groups        x = log(link score + 0.01) + 2.5

It starts as the link score alone (all weights 0). The groups of a link, as numbers:

- url: the host, each directory, each beginning of the file name up to a separator (`twisted.names` of
  `twisted.names.client.html`), the names of the query's parameters. Sites put what belongs together under one beginning.
- position: links at the same place (path of tags and classes) of the same kind of page of a host behave alike.
- siblings: links at the same place of one page do so even more.
- words: of anchor and URL; the only ones that hold from one host to another.

Source: steps are those of AdaGrad (Duchi, Hazan, Singer 2011), so that a group that is met for the first time learns fast
and one that is met often slowly; each fetch also repeats some earlier ones. O(groups) a link; 8 MB of weights. Groups are
hashes (CRC-32), the same in every process; those that fall together share a weight.

What it does not do: no group is ever forgotten, and two groups of a link do not know of each other beyond their sum.

The constants were chosen on recorded webs and are not finely tuned: in the exam on the synthetic web (mean area 0.620; two
random seeds differ by 0.002) WORD_SCALE doubled gives 0.616, REPEATS doubled 0.620.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

KINDS = ("url", "position", "siblings", "words")
SIZE = 1 << 20
"""Numbers are below this; 0 stands for no group."""
WORDS_FROM = SIZE // 2
"""Words have the numbers from here on, other groups those below."""
MOST_DIRECTORIES, MOST_PARTS = 12, 5
"""Directories, and beginnings of a file name, that become groups: those of a URL must leave room for those of the links to
it."""
_part = re.compile(r"[^\W_]+[\W_]|[a-z](?=[A-Z])")
Groups = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

START = (-1.5, 1.0)
"""b and c before anything was learned."""
LEAST_SLOPE = 0.2
"""The link score never loses all its say: a page model that is wrong would teach to ignore it."""
RATE = 0.1
"""Learning rate. In a variant that started from fitted weights 0.04 in its place moved the mean area by +0.05 on one recorded
web and by -0.02 on another: no rate is best everywhere."""
WORD_SCALE = 0.2
"""A word says less than a place; and there are more of them."""
FIRST_SQUARES = 0.11
"""Sum of squared slopes that a weight begins with: the first step of a group is RATE times three times its slope, no more."""
REPEATS = 8
"""Earlier fetches that are learned from again with each new one."""
KEPT = 4000
"""Fetches that may be repeated; older ones make room."""


class ExpectedYield:
    """The regression. Groups of a link come as one row of numbers, filled up with 0."""

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
        """Probabilities by the link scores alone."""
        return probability(self._base[0] + self._base[1] * evidence(scores))

    def log_odds(self, groups: Groups, scores: Floats) -> Floats:
        """Of links: rows of groups (links, WIDTH) and their link scores (links)."""
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
    """Link scores, which crowd near 0, on the scale of log odds."""
    return np.log(scores + 0.01) + 2.5


def probability(odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.clip(odds, -30.0, 30.0)))


@lru_cache(maxsize=65536)
def url_groups(url: str) -> tuple[int, ...]:
    """The groups of a normal URL, widest first."""
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
    """Of links at one place of a host's pages of one kind."""
    return _number(f"{host} {page_kind} {position}")


def sibling_group(page: str, position: str) -> int:
    """Of links at one place of one page."""
    return _number(f"{page} {position}")


def word_groups(terms: Iterable[str]) -> list[int]:
    """Of the terms of an anchor or a URL."""
    return [WORDS_FROM + zlib.crc32(term.encode("utf-8", "replace")) % WORDS_FROM for term in terms]


def _number(name: str) -> int:
    return 1 + zlib.crc32(name.encode("utf-8", "replace")) % (WORDS_FROM - 1)
