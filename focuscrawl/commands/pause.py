"""`scrapy pause NAME`: every worker of the crawl finishes what is on the way and waits, also one that starts later."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand


class Command(ProjectCommand):
    """Exit codes: 0 done, 1 the store is busy, 2 an unknown name."""

    summary = "Let all workers of a crawl wait"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.steering import steer
        from focuscrawl.store.workers.control import Wanted

        return steer(self.context, options.name, Wanted.PAUSE)
