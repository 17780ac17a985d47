"""`scrapy runs [NAME]`: lists the runs of crawls, and how they ended."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand


class Command(ProjectCommand):
    """Exit codes: 0, also if there is no crawl yet; 2 for an unknown name, or if the store of NAME cannot be read. Without NAME
    such a store is reported and skipped."""

    summary = "List the runs of all crawls, or of one"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", metavar="NAME", help="the crawl (default: all)")
        parser.add_argument("--json", action="store_true", help="one JSON object per line instead of a table")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.crawls import read_each
        from focuscrawl.command_line.output import note, print_json_line, print_parts
        from focuscrawl.report.runs import as_json, run_lines, runs_table

        found, _ = read_each(self.context, options.name, run_lines)
        lines = [line for each in found for line in each]
        if options.json:
            for line in sorted(lines, key=lambda line: -line.run.started_at):
                print_json_line(as_json(line))
        elif lines:
            language = self.context.language
            print_parts([runs_table(lines, language)], language)
        else:
            note(self.context.language(f"no run so far in {self.context.crawls_dir}"))
        return 0
