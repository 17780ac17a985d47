"""A collection of pages whose changes are known: skewed change rates, skewed weights, hosts of very different size."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from focuscrawl.recrawl.columns import Flags, Numbers
from focuscrawl.recrawl.marginal_value import HUB_MOST, IRRELEVANT
from focuscrawl.recrawl.marginal_value import LEAST_WEIGHT as LEAST
from tools.eval.freshness.setting import Setting

MEDIAN, SIGMA = 1 / 30, 1.8
"""Of log-normal rates, changes per day."""
PARETO_LEAST, PARETO_SHAPE = 1 / 100, 1.2
MOST_RATE = 50.0
NOISY = 0.25
"""Share of pages that look another at every fetch, byte by byte."""
MOST_MINOR = 3.0
"""Edits of a few words come up to so many times as often as changes."""
RELEVANT, HUBS = 0.5, 0.03


@dataclass(frozen=True)
class Pages:
    """What is true of each page; the crawler sees only what visits show."""

    rate: Numbers
    jumped: Numbers
    """Rate after the jump."""
    own: Numbers
    """Weight without links."""
    hub: Numbers
    host: NDArray[np.int64]
    minor: Numbers
    """Rate of edits that change hardly a word."""
    noisy: Flags
    told: Flags
    """It has Last-Modified, and its host a sitemap that tells of its changes."""
    first: Numbers
    """Time of the first fetch, as a share of the mean period."""

    @property
    def weight(self) -> Numbers:
        return self.own + self.hub

    def digest(self) -> str:
        """Of all parameters, to six figures."""
        whole = hashlib.sha256()
        for column in fields(self):
            for value in getattr(self, column.name).tolist():
                whole.update(f"{value:.6g}\n".encode())
        return whole.hexdigest()[:16]


def make_pages(setting: Setting) -> Pages:
    """The same pages for the same setting."""
    random = np.random.default_rng(setting.seed)
    count = setting.pages
    rate = _rates(random, setting.rates, count)
    other = _rates(random, setting.rates, count)
    jumps = random.random(count) < setting.jumping
    relevance = random.beta(5.0, 2.0, count)
    relevant = random.random(count) < RELEVANT
    hub = np.where(random.random(count) < HUBS, random.uniform(0.3, HUB_MOST, count), 0.0)
    sizes = 1.0 / np.arange(1, setting.hosts + 1)
    return Pages(
        rate=rate,
        jumped=np.where(jumps, other, rate),
        own=np.maximum(np.where(relevant, relevance, IRRELEVANT * 0.5 * relevance), LEAST),
        hub=hub,
        host=random.choice(setting.hosts, count, p=sizes / sizes.sum()).astype(np.int64),
        minor=rate * random.uniform(0.0, MOST_MINOR, count),
        noisy=random.random(count) < NOISY,
        told=random.random(count) < setting.told,
        first=random.random(count),
    )


def _rates(random: np.random.Generator, kind: str, count: int) -> Numbers:
    if kind == "pareto":
        rates = PARETO_LEAST * (1.0 - random.random(count)) ** (-1.0 / PARETO_SHAPE)
    else:
        rates = MEDIAN * np.exp(SIGMA * random.standard_normal(count))
    bounded: Numbers = np.minimum(rates, MOST_RATE)
    return bounded
