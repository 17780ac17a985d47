"""`scrapy report NAME`: writes the report of a stored crawl at any time."""

from __future__ import annotations

import argparse

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.errors import BadInput


class Command(ProjectCommand):
    """Exit codes: 0, also for a crawl without pages; 1 the file cannot be written; 2 bad input."""

    summary = "Write the report of a crawl: one HTML file that needs no network"

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        add = parser.add_argument
        add("name", metavar="NAME", help="the crawl; it may be running")
        add("--recrawl", action="store_true", help="the report of the last recrawl instead of the last crawl")
        add("--language", default="", metavar="zh|en", help="language of the report (default: REPORT_LANGUAGE, en)")
        add(
            "-o",
            "--output",
            default="",
            metavar="FILE",
            help="write to FILE; - is standard output (default: the crawl's folder)",
        )

    def execute(self, options: argparse.Namespace) -> int:
        from focuscrawl.command_line.context import Failure
        from focuscrawl.command_line.output import check_target, target
        from focuscrawl.config.options import read_options
        from focuscrawl.inspect.reporting import last_run, report_name, report_of, write_reports
        from focuscrawl.report.terminal import report_line
        from focuscrawl.report.translation import LANGUAGES
        from focuscrawl.store.crawls import crawl_named

        language = options.language or read_options(self.context.settings).report_language
        if language not in LANGUAGES:
            raise BadInput(f"there is no report in {language!r}; use --language zh or --language en")
        spoken = self.context.language
        if options.output:
            check_target(options.output)
        crawl = crawl_named(self.context.crawls_dir, options.name)
        run = last_run(crawl, recrawl=options.recrawl)
        if options.output:
            page = report_of(crawl, run, language)
            with target(options.output) as out:
                out.write(page.encode("utf-8", "replace"))
        else:
            try:
                write_reports(crawl, run, language=language)
            except OSError as error:
                raise Failure(f"{error.filename}: {error.strerror}; -o FILE writes the report elsewhere") from error
        if options.output != "-":
            path = options.output or crawl.directory / report_name(options.recrawl)
            print(report_line(str(path), spoken))
        return 0
