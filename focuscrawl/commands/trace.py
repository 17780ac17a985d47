"""`scrapy trace URL`: one page through every stage, with milliseconds and what each decided."""

from __future__ import annotations

import argparse
import sys
import time

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse, url_of
from focuscrawl.commands.output import printing
from focuscrawl.errors import BadInput
from focuscrawl.items import Link, Page
from focuscrawl.politeness.robots_state import RobotsAnswer, decide
from focuscrawl.report.table import show
from focuscrawl.report.trace import Trace, TraceEnded, as_json, parts
from focuscrawl.report.why import sentence
from focuscrawl.scrapy_side.fetch import Fetched, Fetches, OnePage, stand_alone
from focuscrawl.store.crawls import Crawl, choose
from focuscrawl.store.pages.explain import RobotsFacts, explain
from focuscrawl.store.pages.links import decode
from focuscrawl.store.warc.file import read_record
from focuscrawl.url.normalize import join, split

USAGE = "scrapy trace URL [--crawl NAME] [--fetch] [--json]"
OPTIONS = ("--crawl", "--fetch", "--json")


class Command(ScrapyCommand):
    """Exit codes: 0 traced, 1 a stage failed, 2 bad input, also when the crawl has not stored the page."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return USAGE.removeprefix("scrapy trace ")

    def short_desc(self) -> str:
        return "Take one page through every stage and show what each decides"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--crawl", default="", metavar="NAME", help="crawl whose topic judges it (default: the latest)")
        parser.add_argument("--fetch", action="store_true", help="fetch the page now instead of reading the archive")
        parser.add_argument("--json", action="store_true", help="one JSON object instead of tables")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        assert self.settings is not None
        url = url_of("trace", positional("trace", args, OPTIONS, USAGE, 1, 1)[0])
        try:
            self._open(url, choose(crawls_dir(self.settings), opts.crawl), opts.fetch)
        except BadInput as error:
            refuse("trace", str(error))
        if opts.fetch:
            stand_alone(self.settings)
            self.requires_crawler_process = True

    def _open(self, url: str, crawl: Crawl, fetch: bool) -> None:
        # Scrapy imports every command to list them: what needs the models is only imported by the one that runs.
        from focuscrawl.inspect import trace as tracing

        assert self.settings is not None
        self._stages = tracing
        self._url, self._crawl, self._db = url, crawl, crawl.open()
        self._tools = tracing.tools_of(crawl, self._db, self.settings)
        self._facts = explain(self._db, url)
        if not fetch and not (self._facts.page and self._facts.page.warc):
            told = sentence(self._facts, time.time(), self._tools.agent)
            raise BadInput(f"crawl {crawl.name!r} has not archived {url}; --fetch fetches it now. {told}")

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        source = "fetched now" if opts.fetch else f"from the archive of crawl {self._crawl.name}"
        trace = Trace(self._url, source)
        try:
            page = self._fetch(trace) if opts.fetch else self._archived(trace)
            self._stages.run(trace, self._tools, page, self._recorded())
        except TraceEnded as end:
            self.exitcode = int(end.__cause__ is not None)
        with printing():
            if opts.json:
                print(orjson.dumps(as_json(trace), option=orjson.OPT_INDENT_2).decode())
            else:
                show(parts(trace), sys.stdout)

    def _archived(self, trace: Trace) -> Page:
        facts, stages = self._facts.page, self._stages
        assert facts is not None
        path = self._crawl.directory / "warc" / facts.warc
        address, latency = self._db.execute("select address, latency from page where pid=?", (facts.pid,)).fetchone()
        stages.admit_url(trace, self._url, facts.fetched_at, archived=True)
        trace.note("dns", f"{address or 'unknown'} when it was fetched")
        if address:
            stages.admit_address(trace, self._tools, self._url, address)
        stages.admit_robots(trace, self._tools, self._url, self._facts.robots, archived=True)
        record = trace.step("archive", lambda: read_record(path, facts.warc_offset), lambda _: path.name)
        size = f"{len(record.body):,} bytes"
        trace.note("fetch", f"status {record.status}, {size} in {1000 * latency:.0f} ms, when it was fetched")
        page: Page = stages.page_of(self._facts, record.status, record.headers, record.body, record.fetched_at)
        return page

    def _fetch(self, trace: Trace) -> Page:
        assert self.crawler_process is not None
        fetches, stages, tools, url, now = Fetches(), self._stages, self._tools, self._url, time.time()
        robots_url, robots = join(split(url)[0], "/robots.txt"), self._facts.robots
        known = robots if robots and robots.expires_at > now else None

        def may_fetch(answer: Fetched) -> bool:
            allowed: bool = stages.allowed_by(_robots_of(answer, now), url, tools.agent)[0]
            return allowed

        stages.admit_url(trace, url, now)
        if known:
            stages.admit_robots(trace, tools, url, known)
        first = "" if known else robots_url
        self.crawler_process.crawl(OnePage, url=url, robots=first, may_fetch=may_fetch, fetches=fetches)
        self.crawler_process.start()
        trace.note("dns and guard", fetches.problem or ", ".join(fetches.addresses), 1000 * fetches.lookup_seconds)
        if fetches.problem:
            raise trace.end("end", "no connection is made to it")
        if asked := fetches.answers.get(robots_url):
            trace.note("robots.txt", asked.error or f"status {asked.status}", 1000 * asked.seconds)
            stages.admit_robots(trace, tools, url, _robots_of(asked, now))
        got = fetches.answers.get(url, Fetched(error="no answer"))
        trace.note("fetch", got.error or f"status {got.status}, {len(got.body):,} bytes", 1000 * got.seconds)
        if got.error or got.status != 200:
            raise trace.end("end", "there is no page to read")
        page: Page = stages.page_of(self._facts, got.status, got.headers, got.body, now)
        return page

    def _recorded(self) -> list[Link]:
        if self._facts.page is None:
            return []
        row = self._db.execute("select links from body where pid=?", (self._facts.page.pid,)).fetchone()
        return decode(row[0]) if row else []


def _robots_of(answer: Fetched, now: float) -> RobotsFacts:
    """What the answer to /robots.txt means; redirects of it are not followed here."""
    state = decide(RobotsAnswer(answer.status, answer.body), now)
    return RobotsFacts(state.state, state.status, state.body, now, state.expires_at)
