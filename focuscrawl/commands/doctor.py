"""`scrapy doctor [NAME]`: checks whether everything that a crawl needs is there, and whether the crawl NAME is sound."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.errors import BadInput

if TYPE_CHECKING:
    from focuscrawl.report.translation import Language


class Command(ProjectCommand):
    """Exit codes: 0 no problem, but possibly warnings; 1 a problem; 2 an unknown name."""

    summary = "Check versions, dictionaries, disk, clock, name servers and stores"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default="", metavar="NAME", help="check only this crawl, and thoroughly")
        parser.add_argument("--json", action="store_true", help="one JSON object per line instead of a table")

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.crawls import chosen_crawls
        from focuscrawl.command_line.doctor.examination import examine
        from focuscrawl.command_line.doctor.finding import Level, findings_table
        from focuscrawl.command_line.output import print_json_line, print_parts
        from focuscrawl.report.plain import plural

        crawls = chosen_crawls(self.context, options.name)
        found = list(examine(self.context, crawls, thorough=bool(options.name)))
        problems = sum(each.level is Level.PROBLEM for each in found)
        if options.json:
            for each in found:
                print_json_line(each)
        else:
            warnings = sum(each.level is Level.WARNING for each in found)
            end, language = f"{plural(problems, 'problem')}, {plural(warnings, 'warning')}.", self._language()
            print_parts([findings_table(found, language), end], language)
        return 1 if problems else 0

    def _language(self) -> Language:
        """The language of the table: English if that is what is wrong with the settings."""
        from focuscrawl.report.translation import ENGLISH

        try:
            return self.context.language
        except BadInput:
            return ENGLISH
