"""`scrapy resume NAME`: a crawl that was paused or stopped may run again."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand


class Command(ProjectCommand):
    """Exit codes: 0 done, 1 the store is busy, 2 an unknown name."""

    summary = "Let a crawl run that was paused or stopped"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", metavar="NAME", help="the crawl")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.steering import steer
        from focuscrawl.store.workers.control import Wanted

        return steer(self.context, options.name, Wanted.RUN)
