"""Does `similarity` find the pages' own periods? Without a bandwidth: each page is fetched when its period is over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from focuscrawl.recrawl.columns import Flags, Numbers, PolicyInput
from focuscrawl.recrawl.policies import Similarity
from focuscrawl.recrawl.settings import RecrawlSettings
from tools.eval.freshness.web import MOST_BITS, SIZE, WRONG

VISITS = 200
KINDS = ("regular", "random")


@dataclass(frozen=True)
class Settled:
    """Of pages with changes at regular or random (Poisson) times; arrays have one row a page, `periods` a column a visit."""

    kind: str
    true: Numbers
    """Days between two changes (mean)."""
    periods: Numbers

    @property
    def ratio(self) -> Numbers:
        """Geometric mean of the period over the second half of the visits, as a share of the true one."""
        late: Numbers = np.log(self.periods[:, VISITS // 2 :]).mean(axis=1)
        mean: Numbers = np.exp(late) / self.true
        return mean


def settle(pages: int = 300, seed: int = 1) -> list[Settled]:
    """Pages that change every half day to every 60 days, all begun at the setting's first period."""
    random = np.random.default_rng(seed)
    true = np.exp(np.linspace(np.log(0.5), np.log(60.0), pages))
    return [Settled(kind, true, _periods(kind == "regular", true, random)) for kind in KINDS]


def _periods(regular: bool, true: Numbers, random: np.random.Generator) -> Numbers:
    settings = RecrawlSettings(policy="similarity")
    policy = Similarity(settings)
    count = len(true)
    none, least = np.zeros(count), np.full(count, settings.least_period)
    outlook = PolicyInput(none, none, none, 1 / true, none + 1, none, none, least, none, none)
    outlook.period = policy.begin(outlook)
    now = random.uniform(0.0, true)
    periods = []
    for _ in range(VISITS):
        later = now + outlook.period
        changed = (
            np.floor(later / true) > np.floor(now / true) if regular else random.random(count) < -np.expm1((now - later) / true)
        )
        now = later
        outlook.distance = _bits(changed, random)
        outlook.period = policy.period(outlook)
        periods.append(outlook.period)
    return np.asarray(periods).T


def _bits(changed: Flags, random: np.random.Generator) -> Numbers:
    """As the web of the simulation has it."""
    much = np.minimum(4.0 + np.floor(random.exponential(SIZE, len(changed))), MOST_BITS)
    wrong = random.random(len(changed)) < WRONG
    bits: Numbers = np.where(changed, np.where(wrong, 2.0, much), 0.0)
    return bits
