from __future__ import annotations

import numpy as np

from tools.eval.freshness.choice import Chooser, largest
from tools.eval.freshness.setting import Setting


def test_the_largest_are_chosen_and_of_equal_ones_the_first() -> None:
    keys = np.asarray([1.0, 5.0, 3.0, 3.0, 3.0, 9.0])
    assert sorted(largest(keys, 4).tolist()) == [1, 2, 3, 5]
    assert sorted(largest(keys, 6).tolist()) == [0, 1, 2, 3, 4, 5]


def test_fractions_of_a_fetch_are_kept() -> None:
    chooser = Chooser(Setting("", bandwidth=0.1, pages=30, hosts=1, step=1 / 12), np.zeros(30, dtype=np.int64))
    chosen = [len(chooser.choose(np.arange(30.0))) for _ in range(12 * 10)]
    assert sum(chosen) in (29, 30)
    assert max(chosen) == 1


def test_no_host_gives_more_than_its_cap() -> None:
    setting = Setting("", bandwidth=1.0, pages=100, hosts=4, step=1 / 12, host_share=1.2)
    host = np.asarray([0] * 70 + [1] * 10 + [2] * 10 + [3] * 10)
    chooser = Chooser(setting, host)
    key = np.where(host == 0, 1.0, 0.5)
    days = 30
    chosen = [page for _ in range(12 * days) for page in chooser.choose(key).tolist()]
    assert len(set(chosen[:20])) > 1
    of_hosts = np.bincount(host[chosen], minlength=4) / days
    assert chooser.cap == 30.0
    assert of_hosts[0] <= 30.1
    assert of_hosts.sum() > 95
