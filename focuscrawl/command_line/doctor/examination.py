"""All checks of `scrapy doctor`, in the order in which they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from functools import partial

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.doctor import installation, stores
from focuscrawl.command_line.doctor.finding import Finding, problem
from focuscrawl.errors import BadInput
from focuscrawl.politeness.dns_sources import servers_of, system_servers
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS, Database


def examine(context: Context, crawls: Sequence[Crawl], thorough: bool) -> Iterator[Finding]:
    """Check this machine, the settings, and the stores of `crawls`. `thorough`: read the whole file of a SQLite store."""
    settings = context.settings
    with_postgresql = bool(settings.get("STORE_URL")) or any(stores.is_elsewhere(crawl) for crawl in crawls)
    yield from installation.python()
    yield from installation.packages(with_postgresql)
    yield from installation.foreign_packages()
    yield from installation.usable(settings)
    yield from installation.contact(settings)
    yield from installation.dictionaries()
    yield from installation.suffixes()
    yield from installation.disk(context.crawls_dir)
    yield from _clock(crawls)
    yield from installation.open_files()
    yield from _name_servers(context)
    for crawl in crawls:
        yield from stores.store(crawl, thorough)


def _clock(crawls: Sequence[Crawl]) -> Iterator[Finding]:
    """Against the server of the first crawl that has one."""
    for crawl in filter(stores.is_elsewhere, crawls):
        try:
            db = crawl.open()
        except (BadInput, *ERRORS):
            continue  # `stores` reports it
        with closing(db):
            yield from installation.clock(partial(_server_time, db))
        return
    yield from installation.clock()


def _server_time(db: Database) -> float:
    return db.dialect.clock(db) or 0.0


def _name_servers(context: Context) -> Iterator[Finding]:
    try:
        servers = servers_of(map(str, context.settings.getlist("DNS_SERVERS")))
    except BadInput as error:
        yield problem("name servers", str(error), "docs/settings.md says how DNS_SERVERS is written")
        return
    yield from installation.name_servers(servers or system_servers())
