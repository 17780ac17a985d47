"""The learning part of the default order: how likely does a link lead to a relevant page, now or soon?

It is a logistic regression over groups of links that behave alike, and it knows how certain it is:

    log odds = b + c x + sum of the weights of the link's groups        x = log(link score + 0.01) + 2.5

Invariant: each weight has a mean, and a variance that says how far the weight may still be from it. At first all means are 0,
so that the link score alone decides. A fetch moves the weights of its groups in proportion to their variances, and reduces
these. So a group's record counts by its number of fetches (n / (n + k)), and a surprise is attributed to the group of which
least is known: to a list that is met for the first time rather than to its host. Groups are numbers, of these kinds:

- url: the host, each directory, each beginning of the file name up to a separator (`twisted.names` in
  `twisted.names.client.html`), the names of the query's parameters, and each beginning of the query up to a separator
  (`/list?id=3&` in `/list?id=3&page=2`). Sites put what belongs together under one beginning.
- position: links at the same position (path of tags and classes) on pages of one kind of a host behave alike.
- siblings: links at the same position on one page do so even more.
- words: the words of anchor and URL. They are the only groups that hold from one host to another.

Source: Gaussian beliefs with independent weights, one step of an extended Kalman filter a fetch, as in Graepel and others 2010
(adPredictor) and Glickman 1999. O(groups) a link or fetch; 8 MB. Groups are hashes (CRC-32), the same in every process. Groups
with the same hash share a weight.

What it does not do: no group is ever forgotten, and the groups of a link affect each other only through their sum.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from focuscrawl.url.normalize import split

KINDS = ("url", "position", "siblings", "words")
"""The kinds of groups above, each of which can be left out."""
SIZE, SPAN = 1 << 20, 1 << 17
"""Numbers of groups are below SIZE, and 0 stands for no group. Each kind of group has SPAN numbers."""
VARIANCES = {"host": 0.45, "directory": 0.3, "name": 0.22, "position": 0.15, "siblings": 0.25, "word": 0.27}
"""How much groups of a kind differ, as the variance of their weights in log odds, with which each weight begins. At first a
weight takes about as large a share of a surprise. Positions on a page say little, and new ones of which nothing is known come
all the time. With three times as much for positions and siblings, these took the blame for most surprises; with a third for
words, they learned nothing that holds elsewhere (docs/experiments.md). Twice or half of these values for one kind changes
nothing by more than its standard error."""
MOST_DIRECTORIES, MOST_PARTS = 12, 5
"""Most directories, and most beginnings of a file name or a query, that become groups, so that the groups of a URL leave room
for those of the links to it."""
_part = re.compile(rb"(?s:.*?)(?:[^\W_]+[\W_]|[a-z](?=[A-Z]))")
"""Matches a part of a file name up to a separator, or up to a capital letter (`getName`)."""
Groups = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]

START, START_VARIANCES = (-1.5, 1.0), (0.5, 0.1)
"""Means and variances of b and c before anything was learned."""
LEAST_SCORE, SHIFT = 0.01, 2.5
"""The numbers in the formula of x above, which is 0 for a link score of 0.07."""
LEAST_SLOPE = 0.2
"""Least value of c, so that the link score always counts: a page model that is wrong would teach to ignore it."""
LEAST_VARIANCE = 0.1
"""Share of its first variance that a weight keeps however often its group was met, because groups become poorer: the best URLs
of a group are fetched first. In the exam on the synthetic web (areas 0.688 and 0.668) three times as much changes nothing."""
LEAST_INFORMATION = 0.05
"""Least value of p (1 - p), so that one surprise does not change everything when none was expected."""
EXAMPLE_SCORE = 0.3
"""The link score that the URL of an example is assumed to have had."""


class ExpectedYield:
    """What was learned: means and variances of all weights. The groups of a link come as one row of numbers, filled up with
    0."""

    def __init__(self) -> None:
        # Kinds are numbered as in VARIANCES; SIZE leaves room for more kinds than there are, which have the variance 0.
        first_variances = np.zeros(SIZE // SPAN, np.float32)
        first_variances[: len(VARIANCES)] = list(VARIANCES.values())
        self._least_variances = LEAST_VARIANCE * first_variances
        """By kind of group."""
        self._weights = np.zeros(SIZE, np.float32)
        self._variances = np.repeat(first_variances, SPAN)
        self._variances[0] = 0.0  # stands for no group, so nothing is learned for it
        # b and c are plain numbers: in a crawl, an operation of NumPy takes 5 µs once a page, whatever its size.
        self._constant, self._slope = START
        self._constant_variance, self._slope_variance = START_VARIANCES

    def prior(self, scores: Floats) -> Floats:
        """The probabilities by the link scores alone, one for each link."""
        return probability(self._constant + self._slope * evidence(scores))

    def log_odds(self, groups: Groups, scores: Floats) -> Floats:
        """The log odds of links, one for each. `groups`: (links, at most WIDTH); `scores`: link scores, (links,)."""
        learned = np.einsum("ij->i", self._weights.take(groups), dtype=np.float64)  # in a third of the time of `sum`
        odds: Floats = self._constant + self._slope * evidence(scores) + learned
        return odds

    def learn(self, groups: Groups, score: float, outcome: float) -> None:
        """Learn from a link that was followed. `outcome`: how relevant its page is, or what that leads to, in [0, 1]."""
        x, of_constant, of_slope = _evidence_of(score), self._constant_variance, self._slope_variance
        step, shrink = self._step(groups[groups > 0], x, outcome)
        self._constant += step * of_constant
        self._slope = max(LEAST_SLOPE, self._slope + step * of_slope * x)
        least_of_constant, least_of_slope = (LEAST_VARIANCE * variance for variance in START_VARIANCES)
        self._constant_variance = max(least_of_constant, of_constant - shrink * of_constant**2)
        self._slope_variance = max(least_of_slope, of_slope - shrink * (of_slope * x) ** 2)

    def learn_example(self, groups: Groups) -> None:
        """Learn from a page of these groups that is known to be relevant. It says where relevant pages lie, but not how many
        there are, so that b and c stay."""
        self._step(groups, _evidence_of(EXAMPLE_SCORE), 1.0)

    def _step(self, groups: Groups, x: float, outcome: float) -> tuple[float, float]:
        """Move the weights of the groups. Returns (step, shrink): a weight moves by step * variance, and its variance falls by
        shrink * variance²."""
        weights, variances = self._weights[groups], self._variances[groups]
        odds = self._constant + self._slope * x + float(weights.sum(dtype=np.float64))
        expected = 1.0 / (1.0 + math.exp(-min(30.0, max(-30.0, odds))))
        information = max(LEAST_INFORMATION, expected * (1.0 - expected))
        doubt = float(variances.sum(dtype=np.float64)) + self._constant_variance + self._slope_variance * x**2
        step = (outcome - expected) / (1.0 + information * doubt)
        shrink = information / (1.0 + information * doubt)
        self._weights[groups] = weights + step * variances
        self._variances[groups] = np.maximum(variances - shrink * variances**2, self._least_variances[groups // SPAN])
        return step, shrink


def _evidence_of(score: float) -> float:
    """`evidence` of one score, without the cost of NumPy."""
    return math.log(score + LEAST_SCORE) + SHIFT


def evidence(scores: Floats) -> Floats:
    """Link scores, most of which are near 0, on the scale of log odds: x in the formula above."""
    return np.log(scores + LEAST_SCORE) + SHIFT


def probability(odds: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(odds, -30.0), 30.0)))


def url_groups(url: str) -> tuple[int, ...]:
    """The groups of a normal URL, widest first."""
    origin, tail = split(url)
    path, _, query = tail.partition("?") if "?" in tail else (tail, "", "")
    directories, _, name = path.strip("/").rpartition("/")
    directory, checksum, groups = _directory_groups(origin, directories)
    checksums = []
    for part in _part.findall(name.encode("utf-8", "replace"))[:MOST_PARTS]:
        checksum = zlib.crc32(part, checksum)  # goes on from the parts before, so it covers all of them
        checksums.append(checksum)
    if query:
        pairs = query.split("&")
        checksums.append(_checksum(f"{directory}?{'&'.join(pair.partition('=')[0] for pair in pairs)}"))
        checksum = _checksum(f"{directory}/{name}?")
        for pair in pairs[:-1][:MOST_PARTS]:
            checksum = _checksum(f"{pair}&", checksum)
            checksums.append(checksum)
    return (*groups, *_numbers("name", checksums))


@lru_cache(maxsize=8192)
def _directory_groups(origin: str, directories: str) -> tuple[str, int, tuple[int, ...]]:
    """(the host and the directories that count as one path, the checksum of that and a slash, the groups of both, widest
    first)."""
    path = origin.partition("://")[2]
    groups = [_number("host", path)]
    for directory in directories.split("/")[:MOST_DIRECTORIES] if directories else ():
        path += "/" + directory
        groups.append(_number("directory", path))
    return path, _checksum(f"{path}/"), tuple(groups)


def position_group(host: str, page_kind: str, position: str) -> int:
    """The group of links at one position on pages of one kind of a host."""
    return _number("position", f"{host} {page_kind} {position}")


def sibling_group(page: str, position: str) -> int:
    """The group of links at one position on one page."""
    return _number("siblings", f"{page} {position}")


@lru_cache(maxsize=65536)
def word_group(term: str) -> int:
    """The group of a term of an anchor or a URL."""
    return _number("word", term)


_FROM = {kind: number * SPAN for number, kind in enumerate(VARIANCES)}
"""Where the numbers of each kind of group begin."""


def _number(kind: str, name: str) -> int:
    """The number of a group; `kind`: one of VARIANCES."""
    return _numbers(kind, (_checksum(name),))[0]


def _numbers(kind: str, checksums: Iterable[int]) -> list[int]:
    """The numbers of the groups whose names have these checksums, from 1 on, because 0 stands for no group."""
    first = _FROM[kind] + 1
    return [first + checksum % (SPAN - 1) for checksum in checksums]


def _checksum(text: str, before: int = 0) -> int:
    return zlib.crc32(text.encode("utf-8", "replace"), before)
