"""`scrapy workers [NAME]`: lists the worker processes of crawls, with their rates and problems."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand

RECENT_SECONDS = 3600.0
"""How long workers that have ended are shown without --all."""


class Command(ProjectCommand):
    """Exit codes: 0, also if no worker is running; 2 for an unknown name, or if the store of NAME cannot be read. Without NAME
    such a store is reported and skipped."""

    summary = "List the worker processes of all crawls, or of one"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", metavar="NAME", help="the crawl (default: all)")
        parser.add_argument("--all", action="store_true", help="also workers that ended more than an hour ago")
        parser.add_argument("--json", action="store_true", help="one JSON object per line instead of a table")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.crawls import read_each
        from focuscrawl.command_line.output import note, print_json_line, print_parts
        from focuscrawl.report.workers import WorkerLine, as_json, worker_status, workers_parts
        from focuscrawl.store.workers.status import RUNNING

        found, unread = read_each(self.context, options.name, worker_status)
        lines = [
            WorkerLine(status.crawl, row)
            for status in found
            for row in status.workers
            if options.all or row.health in RUNNING or row.silence < RECENT_SECONDS
        ]
        if options.json:
            for line in lines:
                print_json_line(as_json(line))
            return 0
        sentences = [sentence for status in found for sentence in status.sentences(named=bool(options.name))]
        print_parts([*sentences, *(workers_parts(lines, with_crawl=not options.name) if lines else [])], self.context.language)
        if not lines:
            note(self.context.language("no worker is at work" + (", as far as stores can be read" if unread else "")))
        return 0
