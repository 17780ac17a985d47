"""A short-lived cache of answers: ten readers cost as much as one, and expensive pages are made less often."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

LEAST_SECONDS = 1.0
SHARE = 0.05
"""The share of one processor that a constantly requested page may use: an answer that took 0.2 s is kept for 4 s. A crawl of
one process uses one processor fully, so twice this share would be noticeable on a machine with one."""
LONGEST_SECONDS = 60.0
MOST = 200
"""The largest number of answers that are kept."""


@dataclass(slots=True)
class _Answer:
    lock: threading.Lock = field(default_factory=threading.Lock)
    value: Any = None
    good_until: float = 0.0


class Cache:
    """Thread-safe. A request for an answer that another thread is making waits for that answer."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any], keep: float = 0.0) -> Any:
        """The kept answer if it is still valid, else the result of `make`. `keep`: the least number of seconds for which it
        stays valid. Exceptions of `make` are raised and not kept."""
        with self._lock:
            answer = self._answers.setdefault(key, _Answer())
            self._answers.move_to_end(key)
            if len(self._answers) > MOST:
                self._answers.popitem(last=False)
        with answer.lock:
            began = time.monotonic()
            if began >= answer.good_until:
                answer.value = make()
                ended = time.monotonic()
                answer.good_until = ended + max(keep, min(max((ended - began) / SHARE, LEAST_SECONDS), LONGEST_SECONDS))
            return answer.value

    def forget(self) -> None:
        """Drop all answers; called after a change, so that its author sees the result."""
        with self._lock:
            self._answers.clear()
