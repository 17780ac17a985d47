"""`scrapy pause NAME`: every worker of the crawl finishes what is on the way and waits, also one that starts later."""

from __future__ import annotations

import argparse

from scrapy.commands import ScrapyCommand

from focuscrawl.commands.steering import crawl_of, steer
from focuscrawl.store.control import Wanted


class Command(ScrapyCommand):
    """Exit codes: 0 done, 1 the store is busy, 2 an unknown name."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return "NAME"

    def short_desc(self) -> str:
        return "Let all workers of a crawl wait"

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        self._crawl = crawl_of("pause", self.settings, args)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        steer("pause", self._crawl, Wanted.PAUSE)
