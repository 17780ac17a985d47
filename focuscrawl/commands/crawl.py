"""`scrapy crawl`: Scrapy's command, but it refuses bad input before anything starts, and its exit code reports how the crawl
ended."""

from __future__ import annotations

import argparse
import logging
import os
import signal
import time
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from scrapy.commands import BaseRunSpiderCommand

from focuscrawl.command_line.base import ProjectCommand
from focuscrawl.errors import BadInput, close_match, few

if TYPE_CHECKING:
    from scrapy.crawler import Crawler

    from focuscrawl.config.allowed_paths import Roots
    from focuscrawl.config.scrapyd_policy import ScrapydJob
    from focuscrawl.crawl.process import CrawlProcess
    from focuscrawl.crawl.start.preflight import Start

logger = logging.getLogger(__name__)

NEAR_ARGUMENT = 0.8
"""How alike an unknown option and an argument of the spider must be: lower, misspelt options would be taken for arguments."""
TO_BE_LOOKED_AT = 3
"""Exit code of a run that came to its end, but with errors in its log, or of a recrawl with figures past the threshold of a
monitor."""


class Command(ProjectCommand, BaseRunSpiderCommand):
    """`scrapy crawl topic -a seeds=FILE`, or a user's own spider as in any Scrapy project.

    Exit codes of a topic's crawl: 0 planned stop, 1 failure, 2 bad input, 3 planned stop with errors in the log, 75 a recrawl
    is running, 130 or 143 stopped by a signal. With mode=recrawl: 3 also if a monitor's threshold is passed, and 75 if any
    worker is running."""

    summary = "Crawl a topic: scrapy crawl topic -a seeds=FILE"
    usage = "topic -a seeds=FILE [-a NAME=VALUE ...] [-s SETTING=VALUE ...] [-O FILE]"
    requires_crawler_process = True
    default_settings: ClassVar[dict[str, Any]] = {}

    as_options: ClassVar[Sequence[str]] = ()
    """Arguments of the spider that the command takes as options instead of by `-a`."""

    _scrapyd: ScrapydJob | None = None
    _spider = "topic"
    _crawls_topic = True
    _start: Start

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("spider", nargs="*", metavar="topic", help="the spider; give its arguments by -a")

    def nearest_option(self, unknown: str) -> str:
        """Arguments of the spider go by `-a`, also where they are written like options (`--max-pages`)."""
        from focuscrawl.config.arguments import CrawlArguments  # here, for commands to start soon

        fields = () if self.as_options else CrawlArguments.model_fields
        argument = close_match(unknown.lstrip("-").replace("-", "_"), fields, NEAR_ARGUMENT)
        return f"-a {argument}=…" if argument else super().nearest_option(unknown)

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        self._roots = self._begin(opts)
        super().process_options(args, opts)

    def prepare(self, options: argparse.Namespace) -> None:
        from focuscrawl.command_line.log_pipe import wait_for_no_reader
        from focuscrawl.config.arguments import parse_arguments
        from focuscrawl.config.given_settings import refuse_unusable_components
        from focuscrawl.config.options import read_options
        from focuscrawl.crawl.start.preflight import prepare
        from focuscrawl.scrapy_side.log_format import quiet_start

        settings = self.context.settings
        check_log_file(str(settings.get("LOG_FILE") or ""))
        refuse_unusable_components(settings)
        self._crawls_topic = self.crawls_topic(options)
        if not self._crawls_topic:
            return
        arguments = parse_arguments(options.spargs, self.as_options)
        self._start = prepare(arguments, read_options(settings), self._roots, time.time)
        for problem in () if self._scrapyd else few(self._start.job.problems):
            self.context.note(problem)
        wait_for_no_reader()
        if settings.get("LOG_LEVEL") != "DEBUG":
            quiet_start()

    def crawls_topic(self, options: argparse.Namespace) -> bool:
        """Whether the named spider crawls a topic; False for a user's own spider, which is left to Scrapy.

        Raises:
            BadInput: There is no such spider.
        """
        spider: list[str] = options.spider
        if spider == ["topic"]:
            return True
        if spider[:1] == ["recrawl"]:
            raise BadInput("'recrawl' is a command of its own; use: scrapy recrawl NAME")
        from scrapy.spiderloader import get_spider_loader

        loader = get_spider_loader(self.context.settings)
        if len(spider) != 1 or spider[0] not in loader.list():
            what = f"{' '.join(spider)!r} cannot be crawled" if spider else "an argument is missing"
            raise BadInput(f"{what}; use: scrapy crawl topic -a seeds=FILE")
        from spiders.topic import TopicSpider

        self._spider = spider[0]
        return issubclass(loader.load(spider[0]), TopicSpider)

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        # Not as in the base class: an exception from here on is a failure of the program, whose traceback is wanted.
        self.exitcode = self.execute(opts)

    def execute(self, options: argparse.Namespace) -> int:
        assert self.crawler_process
        crawler = self._create_crawler(self._spider)
        self.crawler_process.crawl(crawler, **options.spargs)
        if not self._crawls_topic:
            self.crawler_process.start()
            return int(self.crawler_process.bootstrap_failed)
        for problem in few(self._start.job.problems) if self._scrapyd else ():
            logger.warning("%s", problem)
        try:
            self.crawler_process.start()
        finally:
            self._start.lock.release()
        code = exit_code(crawler) or int(self.crawler_process.bootstrap_failed)
        failed = self.ended(crawler, options)
        return code or failed

    def ended(self, crawler: Crawler, options: argparse.Namespace) -> int:
        """Report on a crawl that has ended. Returns the exit code if that fails, else 0. A crawl needs no report besides its
        closing summary, so this does nothing."""
        return 0

    def refuse(self, message: str, code: int = BadInput.exit_code) -> NoReturn:
        try:
            super().refuse(message, code)
        finally:
            if self._scrapyd:
                self._scrapyd.refuse(message)

    def _begin(self, opts: argparse.Namespace) -> Roots:
        """The folders in which the crawl may use files. A job of Scrapyd is checked here, before its settings are used."""
        from focuscrawl.config.allowed_paths import ANYWHERE
        from focuscrawl.config.scrapyd_policy import is_job

        assert self.settings is not None
        arguments, settings = _pairs(opts.spargs), _pairs(opts.set)
        if not is_job(arguments, os.environ):
            return ANYWHERE
        from focuscrawl.config.scrapyd_policy import ScrapydJob, folders_of_scrapyd

        self._scrapyd = ScrapydJob(settings, folders_of_scrapyd())
        try:
            roots = self._scrapyd.begin(self.settings, os.environ)
        except BadInput as error:
            self.refuse(str(error))
        opts.set.append(f"CRAWLS_DIR={os.path.realpath(settings.get('CRAWLS_DIR', self.settings['CRAWLS_DIR']))}")
        return roots


def check_log_file(path: str) -> None:
    """Raises BadInput if Scrapy could not open its log. Makes no file."""
    folder = os.path.dirname(os.path.abspath(path))
    if not path:
        return
    if not os.path.isdir(folder):
        raise BadInput(f"LOG_FILE={path} cannot be written to: there is no folder {folder}")
    if os.path.isdir(path) or not os.access(path if os.path.exists(path) else folder, os.W_OK):
        raise BadInput(f"LOG_FILE={path} cannot be written to; name a file in a folder that this user may write to")


def _pairs(options: Sequence[str]) -> dict[str, str]:
    """Options `NAME=VALUE` as a dictionary, as Scrapy reads them. One without `=` is refused later."""
    return {name: value for name, _, value in (option.partition("=") for option in options)}


def exit_code(crawler: Crawler) -> int:
    """The exit code for a crawl that has ended."""
    from focuscrawl.recrawl.monitors import Figures, alarms, log_alarms
    from focuscrawl.report.reasons import PLANNED_STOPS
    from focuscrawl.scrapy_side.crawl_runner import crawl_of, has_crawl
    from focuscrawl.store.workers.runs import logged_errors

    if not has_crawl(crawler):
        return 1
    crawl = crawl_of(crawler)
    stopping = crawl.stopping
    if stopping.signal:
        return 128 + int(signal.Signals(stopping.signal))
    if stopping.reason == "running":
        return os.EX_TEMPFAIL
    if stopping.reason not in PLANNED_STOPS:
        return 1
    figures, is_recrawl = crawl.runner.figures(), crawl.job.arguments.is_recrawl
    if not is_recrawl and _without_pages(crawl):
        return 1
    found = alarms(Figures.of(figures), crawl.options.recrawl) if is_recrawl else []
    log_alarms(found)
    return TO_BE_LOOKED_AT if found or logged_errors(figures) else 0


def _without_pages(crawl: CrawlProcess) -> bool:
    """Whether not one page is stored because none of the seeds gave one, which is logged."""
    from focuscrawl.report.reasons import cause
    from focuscrawl.store.overview import why_no_seed_gave_a_page

    if crawl.counting.counts.pages:
        return False
    with closing(crawl.stored_crawl.open()) as db:
        error = why_no_seed_gave_a_page(db)
    if error:
        logger.error("no seed gave a page: %s", cause(error).words)
    return bool(error)
