"""Which pages are fetched in a step: as many as the bandwidth allows, the best first, and from no host more than it allows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from focuscrawl.recrawl.columns import Numbers
from tools.eval.freshness.setting import Setting


class Chooser:
    """Every policy spends the same: fractions of a fetch are kept for the next step."""

    def __init__(self, setting: Setting, host: NDArray[np.int64]) -> None:
        self._host = host
        self._per_step = setting.bandwidth * setting.pages * setting.step
        self._credit = 0.0
        self.cap = setting.host_share * setting.bandwidth * setting.pages / setting.hosts
        """Fetches of a host per day; 0: any number."""
        self._host_step = self.cap * setting.step
        self._host_credit = np.zeros(setting.hosts)

    def choose(self, key: Numbers) -> NDArray[np.int64]:
        """Pages with the largest keys."""
        self._credit += self._per_step
        count = min(int(self._credit), len(key))
        self._credit -= count
        if not count:
            return np.empty(0, dtype=np.int64)
        if self.cap:
            return self._capped(key, count)
        return largest(key, count)

    def _capped(self, key: Numbers, count: int) -> NDArray[np.int64]:
        self._host_credit = np.minimum(self._host_credit + self._host_step, np.maximum(1.0, 2.0 * self._host_step))
        order = np.lexsort((-key, self._host))
        hosts = self._host[order]
        begins = np.flatnonzero(np.r_[True, hosts[1:] != hosts[:-1]])
        place = np.arange(len(order)) - np.repeat(begins, np.diff(np.r_[begins, len(order)]))
        allowed = order[place < np.floor(self._host_credit)[hosts]]
        if len(allowed) > count:
            allowed = allowed[largest(key[allowed], count)]
        np.subtract.at(self._host_credit, self._host[allowed], 1.0)
        return allowed


def largest(key: Numbers, count: int) -> NDArray[np.int64]:
    """Places of the `count` largest keys; of equal ones the first."""
    least = np.partition(key, len(key) - count)[len(key) - count]
    above, equal = np.flatnonzero(key > least), np.flatnonzero(key == least)
    return np.concatenate((above, equal[: count - len(above)]))
