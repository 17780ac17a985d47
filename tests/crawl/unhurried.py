"""Scrapy's command line where no answer loses its turn, however late it comes: for a machine with much else to do."""

from __future__ import annotations

import sys

from tests.patience import PATIENCE


def main() -> None:
    from focuscrawl.crawl import long_work, turns

    for module, name in ((turns, "ROBOTS_SECONDS"), (turns, "SLOW_SECONDS"), (long_work, "SLOW_SECONDS")):
        vars(module)[name] = PATIENCE
    from scrapy.cmdline import execute

    execute(["scrapy", *sys.argv[1:]])


if __name__ == "__main__":
    main()
