"""Scrapy's command line at another time: LATER_SECONDS says by how much the wall clock is ahead of the real one.

Timers run by the monotonic clock, which stays: a delay takes as long as ever.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from tests.forked import set_clock, wall_clock

LATER = "LATER_SECONDS"


def later(seconds: float) -> Callable[[], float]:
    """time.time, so much later."""
    wall = wall_clock()
    return lambda: wall() + seconds


def main() -> None:
    set_clock(later(float(os.environ[LATER])))  # before the program is loaded, which keeps the function in default arguments
    from scrapy.cmdline import execute

    execute(["scrapy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
