"""The tables of a crawl, once for every engine (SQLAlchemy Core); hot statements are hand-written beside their use.

Keys: `hid` numbers an origin (scheme, host, port), `uid` a URL (focuscrawl.url.hosts), `page_id` a stored page. Times are
seconds since the epoch. The row in `url` is the seen-set: there is no other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import MISSING, fields
from typing import Any, get_type_hints

import sqlalchemy
from sqlalchemy import (
    BigInteger,
    Column,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    Table,
    Text,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.schema import CreateIndex, CreateTable

from focuscrawl.graph.page_weight import Standing
from focuscrawl.recrawl.state import RevisitRecord, SiteProfile
from focuscrawl.store.engines.database import ENDED, SHORT_REDIRECT, UNREAD
from focuscrawl.store.engines.page_record import ContentRecord, PageRecord
from focuscrawl.store.engines.records import COLUMN_TYPES, annotation

tables = MetaData()
"""All tables of a crawl."""


def columns_of(record: type[Any], keys: Collection[str] = ()) -> list[Column[Any]]:
    """The columns of a record's table, in the order of its fields.

    Args:
        record: A dataclass whose annotations are in `COLUMN_TYPES`.
        keys: Names of the columns of the primary key, which the program makes itself.
    """
    hints, made = get_type_hints(record, include_extras=True), []
    for field in fields(record):
        own, nullable = annotation(hints[field.name])
        kept_as, is_key = COLUMN_TYPES[own], field.name in keys
        options: dict[str, Any] = {"primary_key": True, "autoincrement": False} if is_key else {}
        if field.default is not MISSING and field.default is not None and not is_key:
            default = kept_as.to_store(field.default) if kept_as.to_store else field.default
            if not isinstance(default, bytes):  # the engines write bytes in different ways
                options["server_default"] = str(default)
        made.append(Column(field.name, getattr(sqlalchemy, kept_as.type), nullable=nullable, **options))
    return made


revisit = Table("revisit", tables, *columns_of(RevisitRecord, ("hid", "uid")), sqlite_with_rowid=False)
Index("revisit_due", revisit.c.due_at, revisit.c.hid, revisit.c.uid)
Index("revisit_value", revisit.c.value.desc(), sqlite_where=revisit.c.value > 0, postgresql_where=revisit.c.value > 0)

site_profile = Table("site_profile", tables, *columns_of(SiteProfile, ("hid",)))

version = Table(
    "version",
    tables,
    Column("page_id", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="1, 2 … of the versions that were replaced"),
    Column("read_at", Float, nullable=False, comment="when it was read"),
    Column("replaced_at", Float, nullable=False, comment="when the next one was read"),
    Column("title", Text, nullable=False),
    Column("text", LargeBinary, nullable=False, comment="zlib of the main text, fast tier"),
    Column("distance", SmallInteger, nullable=False, comment="bits between the SimHashes of this and the next version"),
    Column("words_added", Integer, nullable=False),
    Column("words_gone", Integer, nullable=False),
    Column("links_added", Text, nullable=False, comment="JSON: URLs"),
    Column("links_gone", Text, nullable=False, comment="JSON: URLs"),
    sqlite_with_rowid=False,
)

change = Table(
    "change",
    tables,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
    Column("run", Integer, nullable=False),
    Column("kind", Text, nullable=False, comment="new, changed, suspect, gone, moved, back"),
    Column("hid", BigInteger, nullable=False),
    Column("uid", BigInteger, nullable=False),
    Column("page_id", Integer, nullable=False),
    Column("url", Text, nullable=False),
    Column("distance", SmallInteger, nullable=False, server_default="0", comment="changed: bits between the SimHashes"),
    Column(
        "version", Integer, nullable=False, server_default="0", comment="changed: the version that was replaced; 0: not kept"
    ),
    Column(
        "detail",
        Text,
        nullable=False,
        server_default="",
        comment="moved: where to; gone: the status, or `removed`; changed and back: see store.revisits.change_log",
    ),
    sqlite_autoincrement=True,
)
Index("change_at", change.c.at)
Index("change_page", change.c.hid, change.c.uid, change.c.id)


__all__ = ["change", "revisit", "site_profile", "tables", "version"]

meta = Table("meta", tables, Column("key", Text, primary_key=True), Column("value", Text, nullable=False))

run = Table(
    "run",
    tables,
    Column("id", Integer, primary_key=True, comment="one start of `scrapy crawl topic`"),
    Column("started_at", Float, nullable=False),
    Column("ended_at", Float),
    Column("reason", Text, comment="why it stopped; null while running or after a crash"),
    Column("why", Text, nullable=False, server_default="", comment="the same as a sentence with figures"),
    Column("arguments", Text, nullable=False, server_default="{}", comment="JSON"),
    Column("stats", Text, nullable=False, server_default="{}", comment="JSON, the closing stats"),
)

worker = Table(
    "worker",
    tables,
    Column("id", Integer, primary_key=True, comment="one crawl process; also the fencing token of its leases"),
    Column("run", Integer, nullable=False),
    Column("machine", Text, nullable=False),
    Column("process_id", Integer, nullable=False),
    Column("process_started", Float, nullable=False, comment="start time of the process, against reused pids"),
    Column("beat_at", Float, nullable=False),
    Column("state", Text, nullable=False, comment="live, gone (ended cleanly) or dead (taken back)"),
    Column("warc", Text, nullable=False, server_default="", comment="file being written"),
    Column("warc_length", BigInteger, nullable=False, server_default="0", comment="bytes of it that are committed"),
    Column("directory_id", Text, nullable=False, server_default="", comment="number of the crawl directory with its files"),
    Column(
        "warc_cut", SmallInteger, nullable=False, server_default="0", comment="1: its last WARC file ends with its last commit"
    ),
    Column("stats", Text, nullable=False, server_default="{}", comment="JSON, as of the last heartbeat: see store.workers"),
    sqlite_autoincrement=True,
)

host = Table(
    "host",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("origin", Text, nullable=False),
    Column("name", Text, nullable=False, comment="host name: rows of one name keep one pace"),
    Column("site", Text, nullable=False, comment="registered domain"),
    Column("best_priority", Float, comment="priority of the best queued URL; null: nothing queued"),
    Column("ready_at", Float, nullable=False, server_default="0", comment="may be asked from then on"),
    Column("ip_address", Text, nullable=False, server_default=""),
    Column("pace", Text, nullable=False, server_default="", comment="JSON of politeness.pace.Pace"),
    Column("robots_until", Float, nullable=False, server_default="0", comment="the rules in `robots` hold until then"),
    Column("found_at", Float, nullable=False, server_default="0", comment="when its first URL was found"),
    Column("requests", Integer, nullable=False, server_default="0"),
    Column("pages", Integer, nullable=False, server_default="0", comment="stored with status 200"),
    Column("relevant", Integer, nullable=False, server_default="0", comment="of these, as they were judged last"),
    Column("duplicates", Integer, nullable=False, server_default="0"),
    Column("errors", Integer, nullable=False, server_default="0"),
    Column("links", Integer, nullable=False, server_default="0", comment="links read on its pages"),
    Column("held", SmallInteger, nullable=False, server_default="0", comment="1: an operator holds the host name"),
    Column("bucket", SmallInteger, nullable=False, server_default="0", comment="static allocation: frontier.partition"),
    sqlite_with_rowid=True,
)
WAITING = host.c.best_priority.isnot(None)
Index(
    "host_best", host.c.best_priority.desc(), text(f"({ENDED})"), text("(robots_until=0)"), host.c.ready_at,
    sqlite_where=WAITING, postgresql_where=WAITING,
)  # fmt: skip
Index("host_held", host.c.name, sqlite_where=host.c.held == 1, postgresql_where=host.c.held == 1)
Index("host_name", host.c.name)
Index("host_site", host.c.site)

ip_pace = Table(
    "ip_pace",
    tables,
    Column("ip_address", Text, primary_key=True),
    Column("ready_at", Float, nullable=False, server_default="0"),
    Column("pace", Text, nullable=False, server_default=""),
)

robots = Table(
    "robots",
    tables,
    Column("origin", Text, primary_key=True),
    Column("state", Text, nullable=False, comment="rules, allow, wait: politeness.robots_state"),
    Column("status", Integer, nullable=False, server_default="0"),
    Column("body", LargeBinary, nullable=False),
    Column("fetched_at", Float, nullable=False),
    Column("expires_at", Float, nullable=False),
    Column("error", Text, nullable=False, server_default="", comment="why no answer came"),
)

url = Table(
    "url",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("uid", BigInteger, primary_key=True, autoincrement=False),
    Column("state", SmallInteger, nullable=False, server_default="0", comment="frontier.states.State"),
    Column("priority", Float, nullable=False, comment="priority under the strategy"),
    Column("due_at", Float, nullable=False, server_default="0", comment="WAIT: next try"),
    Column("depth", Integer, nullable=False, server_default="0"),
    Column("distance", SmallInteger, nullable=False, server_default="0"),
    Column("tries", SmallInteger, nullable=False, server_default="0"),
    Column("crashes", SmallInteger, nullable=False, server_default="0"),
    Column("hops", SmallInteger, nullable=False, server_default="0"),
    Column(
        "kind",
        SmallInteger,
        nullable=False,
        server_default="0",
        comment="items.LINK, SEED, EXAMPLE, SITEMAP, FEED, SOFT404_PROBE",
    ),
    Column("parent", BigInteger, nullable=False, server_default="0", comment="page_id of the page whose link counts"),
    Column("status", SmallInteger, nullable=False, server_default="0", comment="last HTTP status"),
    Column("error", Text, nullable=False, server_default="", comment="why it is in an error state or waits"),
    Column("path", Text, nullable=False, comment="URL after the origin"),
    Column(
        "priority_parts",
        Text,
        nullable=False,
        server_default="",
        comment="JSON pairs: parts of a priority that was changed since",
    ),
    Column("bucket", SmallInteger, nullable=False, server_default="0", comment="as in host; used by the grain `path` alone"),
    sqlite_with_rowid=False,
)
Index("url_q", url.c.hid, url.c.priority.desc(), sqlite_where=text("state = 0"), postgresql_where=text("state = 0"))
Index("url_due", url.c.due_at, sqlite_where=text("state = 2"), postgresql_where=text("state = 2"))

lease = Table(
    "lease",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("uid", BigInteger, primary_key=True, autoincrement=False, comment="0: the robots.txt of the origin"),
    Column("worker", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("ip_address", Text, nullable=False, server_default=""),
    Column("leased_at", Float, nullable=False),
    Column("in_flight", SmallInteger, nullable=False, server_default="1", comment="1 until the answer is there"),
    sqlite_with_rowid=False,
)

page = Table("page", tables, Column("page_id", Integer, primary_key=True), *columns_of(PageRecord), sqlite_autoincrement=True)
Index("page_url", page.c.hid, page.c.uid, unique=True)
Index("page_gone", page.c.hid, page.c.uid, sqlite_where=page.c.gone >= 2, postgresql_where=page.c.gone >= 2)
Index("page_digest", page.c.digest, sqlite_where=text("original IS NULL"), postgresql_where=text("original IS NULL"))

COPY = page.c.original.isnot(None)
Index("page_original", page.c.original, sqlite_where=COPY, postgresql_where=COPY)

fetch = Table(
    "fetches",
    tables,
    Column("id", Integer, primary_key=True, comment="fetches in the order in which they ended"),
    Column("worker", Integer, nullable=False),
    Column("hid", BigInteger, nullable=False),
    Column("uid", BigInteger, nullable=False),
    Column("page_id", Integer, nullable=False, comment="the stored page; 0: nothing was stored"),
    Column("at", Float, nullable=False),
    Column("status", SmallInteger, nullable=False),
    Column("error", Text, nullable=False, server_default=""),
    Column("redirect", Text, nullable=False, server_default=""),
    Column("priority", Float, nullable=False, comment="as of its lease, like what follows"),
    Column("depth", Integer, nullable=False),
    Column("distance", SmallInteger, nullable=False),
    Column("tries", SmallInteger, nullable=False),
    Column("hops", SmallInteger, nullable=False),
    Column("kind", SmallInteger, nullable=False),
    Column("parent", BigInteger, nullable=False),
    Column("tx", BigInteger, nullable=False, server_default="0", comment="order in which it became visible: store.dialect"),
    sqlite_autoincrement=True,
)
Index("fetch_tx", fetch.c.tx, fetch.c.id)
Index("fetch_redirect", fetch.c.redirect, sqlite_where=text(SHORT_REDIRECT), postgresql_where=text(SHORT_REDIRECT))

verdict = Table(
    "verdict",
    tables,
    Column("page_id", Integer, primary_key=True, autoincrement=False),
    Column("topic", Text, primary_key=True, comment="name; there are rows only in a crawl of several topics"),
    Column("relevance", Float, nullable=False),
    Column("relevant", SmallInteger, nullable=False),
    Column("threshold", Float, nullable=False),
    Column("terms", Text, nullable=False, comment="JSON, as in page"),
    Column("similarity", Float, nullable=False, server_default="0", comment="as in page"),
    sqlite_with_rowid=False,
)

model = Table(
    "model",
    tables,
    Column("name", Text, primary_key=True, comment="topic, page model, background: what all workers share"),
    Column("version", Integer, nullable=False, comment="counts the writes: readers ask for what is newer"),
    Column("at", Float, nullable=False),
    Column("worker", Integer, nullable=False, comment="who wrote it"),
    Column("body", LargeBinary, nullable=False, comment="zlib of JSON"),
)

Index("page_unread", page.c.page_id, sqlite_where=text(UNREAD), postgresql_where=text(UNREAD))

content = Table("content", tables, *columns_of(ContentRecord, ("page_id",)))

standing = Table("standing", tables, *columns_of(Standing, ("page_id",)))

body = Table(
    "body",
    tables,
    Column("page_id", Integer, primary_key=True, autoincrement=False),
    Column("text", LargeBinary, nullable=False, comment="zlib of the main text, fast tier: what is judged and compared"),
    Column("links", LargeBinary, nullable=False, comment="zlib of JSON: see store.links"),
)

band = Table(
    "band",
    tables,
    Column("key", BigInteger, primary_key=True, autoincrement=False, comment="see dedup.bands"),
    Column("page_id", Integer, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

inlink = Table(
    "inlink",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("uid", BigInteger, primary_key=True, autoincrement=False),
    Column("page_id", Integer, primary_key=True, autoincrement=False, comment="page that links there"),
    sqlite_with_rowid=False,
)

refused = Table(
    "refused",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("uid", BigInteger, primary_key=True, autoincrement=False),
    Column("rule", Text, nullable=False),
    Column("page_id", Integer, nullable=False, comment="page that links there"),
    sqlite_with_rowid=False,
)

SITE_VIEW = """create view site as select
    site as name, min(origin) as url, count(*) as hosts,
    case when max(best_priority) is null then 'done' else 'waiting' end as state, sum(pages) as pages,
    sum(relevant) as relevant, sum(links) as links from host group by site"""
"""The table of sites: one row for each registered domain."""


def creation(dialect: Dialect) -> Iterator[str]:
    """The statements that make an empty store."""
    for table in tables.sorted_tables:
        yield str(CreateTable(table).compile(dialect=dialect))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            yield str(CreateIndex(index).compile(dialect=dialect))
    yield SITE_VIEW
