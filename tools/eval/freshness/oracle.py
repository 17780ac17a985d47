"""Crawlers that know the true change rates: bounds to measure by."""

from __future__ import annotations

import numpy as np

from focuscrawl.recrawl.columns import Numbers
from focuscrawl.recrawl.marginal_value import marginal_value
from tools.eval.freshness.choice import Chooser
from tools.eval.freshness.setting import Setting
from tools.eval.freshness.web import Web


def harmonic(weight: Numbers, rate: Numbers, elapsed: Numbers) -> Numbers:
    """V_h, what `optimal` works by."""
    return marginal_value(weight, rate, rate * elapsed)


def binary(weight: Numbers, rate: Numbers, elapsed: Numbers) -> Numbers:
    """V_b, which maximizes freshness and lets pages that change fast go stale for good (Cho & Garcia-Molina 2003)."""
    expected = rate * elapsed
    value: Numbers = weight / rate * (1.0 - np.exp(-expected) * (1.0 + expected))
    return value


ORACLES = {"oracle": harmonic, "oracle V_b": binary}


class Oracle:
    """At each step it fetches the pages whose visit is worth most at that moment."""

    def __init__(self, name: str, setting: Setting, web: Web) -> None:
        self._value = ORACLES[name]
        self._web = web
        self._chooser = Chooser(setting, web.pages.host)

    def begin(self, at: Numbers) -> None:
        """Nothing has to be learned."""

    def step(self, now: float) -> None:
        web = self._web
        elapsed = np.maximum(now - web.fetched_at, 0.0)
        web.fetch(self._chooser.choose(self._value(web.pages.weight, web.rate, elapsed)), now)

    def day(self, now: float) -> None:
        """Nothing has to be solved."""
