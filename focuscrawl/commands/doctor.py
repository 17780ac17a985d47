"""`scrapy doctor [NAME]`: is everything there that a crawl needs, and is the crawl NAME sound?"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial

import orjson
from scrapy.commands import ScrapyCommand

from focuscrawl.commands.arguments import crawls_dir, positional, refuse
from focuscrawl.commands.checks import configuration, installation, language, machine, stores
from focuscrawl.commands.checks.finding import Finding, Level, problem
from focuscrawl.errors import BadInput
from focuscrawl.politeness.dns_sources import servers_of, system_servers
from focuscrawl.report.plain import plural
from focuscrawl.report.table import Column, Table, show
from focuscrawl.store.crawls import all_crawls, crawl_named
from focuscrawl.store.engines.database import ERRORS, Database

MARKS = {Level.OK: "ok", Level.WARNING: "warning", Level.PROBLEM: "PROBLEM"}


class Command(ScrapyCommand):
    """Exit codes: 0 all is well or there are warnings, 1 there is a problem, 2 an unknown name."""

    requires_project = True
    requires_crawler_process = False
    default_settings = {"LOG_ENABLED": False}  # noqa: RUF012  (typed by the base class)

    def syntax(self) -> str:
        return "[NAME] [--json]"

    def short_desc(self) -> str:
        return "Check versions, dictionaries, disk, clock, name servers and stores"

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--json", action="store_true", help="one JSON object a line instead of a table")

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        super().process_options(args, opts)
        names = positional("doctor", args, ("--json",), "scrapy doctor [NAME] [--json]", 0, 1)
        self._thorough = bool(names)
        folder = crawls_dir(self.settings)
        try:
            self._crawls = [crawl_named(folder, names[0])] if names else all_crawls(folder)
        except BadInput as error:
            refuse("doctor", str(error))

    def run(self, args: list[str], opts: argparse.Namespace) -> None:
        found = list(self._findings())
        problems = sum(each.level is Level.PROBLEM for each in found)
        if opts.json:
            for each in found:
                print(orjson.dumps(asdict(each)).decode())
        else:
            warnings = sum(each.level is Level.WARNING for each in found)
            show([_table(found), f"{plural(problems, 'problem')}, {plural(warnings, 'warning')}."], sys.stdout)
        self.exitcode = 1 if problems else 0

    def _findings(self) -> Iterator[Finding]:
        assert self.settings is not None
        yield from installation.python()
        yield from installation.packages(with_postgresql=self._uses_postgresql())
        yield from installation.foreign_packages()
        yield from configuration.usable(self.settings)
        yield from configuration.contact(self.settings)
        yield from language.dictionaries()
        yield from language.suffixes()
        yield from machine.disk(crawls_dir(self.settings))
        yield from self._clock()
        yield from machine.open_files()
        yield from self._name_servers()
        for crawl in self._crawls:
            yield from stores.store(crawl, self._thorough)

    def _uses_postgresql(self) -> bool:
        assert self.settings is not None
        return bool(self.settings.get("STORE_URL")) or any(stores.is_elsewhere(crawl) for crawl in self._crawls)

    def _clock(self) -> Iterator[Finding]:
        """Against the server of the first crawl that has one."""
        for crawl in filter(stores.is_elsewhere, self._crawls):
            try:
                db = crawl.open()
            except (BadInput, *ERRORS):
                continue  # `stores` tells it
            try:
                yield from machine.clock(partial(_server_time, db))
            finally:
                db.close()
            return
        yield from machine.clock()

    def _name_servers(self) -> Iterator[Finding]:
        assert self.settings is not None
        try:
            servers = servers_of(map(str, self.settings.getlist("DNS_SERVERS")))
        except BadInput as error:
            yield problem("name servers", str(error), "docs/settings.md says how DNS_SERVERS is written")
            return
        yield from machine.name_servers(servers or system_servers())


def _server_time(db: Database) -> float:
    return db.dialect.clock(db) or 0.0


def _table(found: list[Finding]) -> Table:
    rows = [(MARKS[each.level], each.name, each.text + (f" → {each.advice}" if each.advice else "")) for each in found]
    return Table([Column("", whole=True), Column("", width=24, whole=True), Column("")], rows, tight=True)
