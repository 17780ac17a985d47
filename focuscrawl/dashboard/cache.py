"""Answers that are kept for a moment: ten readers cost a crawl what one does, and a costly page is made more rarely."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any

LEAST_SECONDS = 1.0
SHARE = 0.05
"""Of one processor, that a page may take which is always asked for: an answer that took 0.2 s is kept for 4 s. A crawl of one
process takes one processor whole, so that twice as much would be felt on a machine with one."""
LONGEST_SECONDS = 60.0
MOST = 200
"""Answers."""


@dataclass(slots=True)
class _Answer:
    lock: threading.Lock = field(default_factory=threading.Lock)
    value: Any = None
    good_until: float = 0.0


class Cache:
    """Safe for use from many threads. Who asks for what is just being made waits for it."""

    def __init__(self) -> None:
        self._answers: OrderedDict[Hashable, _Answer] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Any], keep: float = 0.0) -> Any:
        """The kept answer, or a new one. What `make` raises is not kept. `keep`: seconds that it is good for at least."""
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
        """After a change, its author is to see what has become of it."""
        with self._lock:
            self._answers.clear()
