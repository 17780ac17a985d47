"""Where the default order learns: how likely does a link lead to a relevant page, now or soon?

A logistic regression over groups of links that behave alike, which knows how much it knows:

    log odds = b + c x + sum of the weights of the link's groups        x = log(link score + 0.01) + 2.5

Invariant: of each weight there is a mean and a variance, how far it may still be from the mean. At first all means are 0: the
link score alone decides. A fetch moves the weights of its groups in proportion to their variances, and shrinks those; so a
group's record counts by its number of fetches (n / (n + k)), and a surprise is put down to what is least known: a list that is
met for the first time rather than its host. Groups, as numbers:

- url: the host, each directory, each beginning of the file name up to a separator (`twisted.names` of
  `twisted.names.client.html`), the names of the query's parameters. Sites put what belongs together under one beginning.
- position: links at the same place (path of tags and classes) of the same kind of page of a host behave alike.
- siblings: links at the same place of one page do so even more.
- words: of anchor and URL; the only ones that hold from one host to another.

Source: Gaussian beliefs with independent weights, one step of an extended Kalman filter a fetch, as in Graepel and others 2010
(adPredictor) and Glickman 1999. O(groups) a link or fetch; 8 MB. Groups are hashes (CRC-32), the same in every process; those
that fall together share a weight.

What it does not do: no group is ever forgotten, and two groups of a link do not know of each other beyond their sum.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice

import numpy as np
import numpy.typing as npt

from focuscrawl.url.normalize import split

KINDS = ("url", "position", "siblings", "words")
SIZE, SPAN = 1 << 20, 1 << 17
"""Numbers are below the first; 0 stands for no group. Each kind of group has a span of the second."""
VARIANCES = {"host": 0.45, "directory": 0.3, "name": 0.22, "position": 0.15, "siblings": 0.25, "word": 0.27}
"""How much groups of a kind differ, as variance of their weights in log odds: at first a weight moves by about as much of a
surprise. Places on a page say little, and there is always a new one, which nothing is known of: with three times as much for
positions and siblings they took the blame for most surprises, and with a third for words these learned nothing that holds
elsewhere (docs/strategies.md). From here, twice or half as much for one kind moves nothing by more than its standard error."""
MOST_DIRECTORIES, MOST_PARTS = 12, 5
"""Directories, and beginnings of a file name, that become groups: those of a URL must leave room for those of the links to
it."""
_part = re.compile(r"[^\W_]+[\W_]|[a-z](?=[A-Z])")
Groups = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

START, START_VARIANCES = (-1.5, 1.0), (0.5, 0.1)
"""b and c before anything was learned, and how far they may be from that."""
LEAST_SLOPE = 0.2
"""The link score never loses all its say: a page model that is wrong would teach to ignore it."""
LEAST_VARIANCE = 0.1
"""Part of its first variance that a weight keeps however often its group was met: the best of a group is fetched first, so
groups become poorer. In the exam on the synthetic web (areas 0.688 and 0.668) trebled it moves nothing."""
LEAST_INFORMATION = 0.05
"""p (1 - p) counts at least that much, so that one surprise where none was expected does not turn everything."""
EXAMPLE_SCORE = 0.3
"""The link score that an example's URL is taken to have had."""


class ExpectedYield:
    """The beliefs. Groups of a link come as one row of numbers, filled up with 0."""

    def __init__(self) -> None:
        self._first = np.zeros(SIZE // SPAN, np.float32)
        self._first[: len(VARIANCES)] = list(VARIANCES.values())
        self._weights = np.zeros(SIZE, np.float32)
        self._variances = np.repeat(self._first, SPAN)
        self._variances[0] = 0.0  # no group: nothing is known better by it
        self._base = np.array(START)
        self._base_variances = np.array(START_VARIANCES)

    def prior(self, scores: Floats) -> Floats:
        """Probabilities by the link scores alone."""
        return probability(self._base[0] + self._base[1] * evidence(scores))

    def log_odds(self, groups: Groups, scores: Floats) -> Floats:
        """Of links: rows of groups (links, at most WIDTH) and their link scores (links)."""
        learned = np.einsum("ij->i", self._weights.take(groups), dtype=np.float64)  # in a third of the time of `sum`
        odds: Floats = self._base[0] + self._base[1] * evidence(scores) + learned
        return odds

    def learn(self, groups: Groups, score: float, outcome: float) -> None:
        """A link was followed; `outcome` in [0, 1]: how relevant its page, or what that leads to, is."""
        inputs, variances = _inputs(score), self._base_variances
        step, shrink = self._step(groups[groups > 0], inputs, outcome)
        self._base += step * variances * inputs
        self._base[1] = max(LEAST_SLOPE, self._base[1])
        self._base_variances = np.maximum(
            variances - shrink * (variances * inputs) ** 2, LEAST_VARIANCE * np.array(START_VARIANCES)
        )

    def learn_example(self, groups: Groups) -> None:
        """A page of these groups is known to be relevant. It says where such pages lie, and nothing of how many there are."""
        self._step(groups, _inputs(EXAMPLE_SCORE), 1.0)

    def _step(self, groups: Groups, inputs: Floats, outcome: float) -> tuple[float, float]:
        """Move the groups' weights; returns what the surprise makes of a variance: (step, shrinkage)."""
        weights, variances = self._weights[groups], self._variances[groups]
        odds = float(inputs @ self._base) + float(weights.sum(dtype=np.float64))
        expected = 1.0 / (1.0 + math.exp(-min(30.0, max(-30.0, odds))))
        information = max(LEAST_INFORMATION, expected * (1.0 - expected))
        doubt = float(variances.sum(dtype=np.float64)) + float(self._base_variances @ inputs**2)
        step = (outcome - expected) / (1.0 + information * doubt)
        shrink = information / (1.0 + information * doubt)
        self._weights[groups] = weights + step * variances
        self._variances[groups] = np.maximum(variances - shrink * variances**2, LEAST_VARIANCE * self._first[groups // SPAN])
        return step, shrink


def _inputs(score: float) -> Floats:
    """What b and c are multiplied by."""
    return np.array([1.0, float(evidence(np.array(score)))])


def evidence(scores: Floats) -> Floats:
    """Link scores, which crowd near 0, on the scale of log odds."""
    return np.log(scores + 0.01) + 2.5


def probability(odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(odds, -30.0), 30.0)))


@lru_cache(maxsize=8192)
def url_groups(url: str) -> tuple[int, ...]:
    """The groups of a normal URL, widest first."""
    origin, tail = split(url)
    address, _, query = tail.partition("?")
    directories, _, name = address.strip("/").rpartition("/")
    directory, groups = _directory_groups(origin, directories)
    names, at, checksum = [], 0, _checksum(f"{directory}/")
    for part in islice(_part.finditer(name), MOST_PARTS):
        checksum = _checksum(name[at : part.end()], checksum)  # of all up to there: what went before is in it
        names.append(_numbered("name", checksum))
        at = part.end()
    if query:
        parameters = "&".join(pair.partition("=")[0] for pair in query.split("&"))
        names.append(_number("name", f"{directory}?{parameters}"))
    return (*groups, *names)


@lru_cache(maxsize=8192)
def _directory_groups(origin: str, directories: str) -> tuple[str, tuple[int, ...]]:
    """Host and directories that count, as one path, and the groups of both, widest first."""
    path = origin.partition("://")[2]
    groups = [_number("host", path)]
    for directory in directories.split("/")[:MOST_DIRECTORIES] if directories else ():
        path += "/" + directory
        groups.append(_number("directory", path))
    return path, tuple(groups)


def position_group(host: str, page_kind: str, position: str) -> int:
    """Of links at one place of a host's pages of one kind."""
    return _number("position", f"{host} {page_kind} {position}")


def sibling_group(page: str, position: str) -> int:
    """Of links at one place of one page."""
    return _number("siblings", f"{page} {position}")


def word_groups(terms: Iterable[str]) -> list[int]:
    """Of the terms of an anchor or a URL."""
    return [_word_group(term) for term in terms]


@lru_cache(maxsize=65536)
def _word_group(term: str) -> int:
    return _number("word", term)


_FROM = {kind: number * SPAN for number, kind in enumerate(VARIANCES)}


def _number(kind: str, name: str) -> int:
    return _numbered(kind, _checksum(name))


def _numbered(kind: str, checksum: int) -> int:
    return _FROM[kind] + 1 + checksum % (SPAN - 1)


def _checksum(text: str, before: int = 0) -> int:
    return zlib.crc32(text.encode("utf-8", "replace"), before)
