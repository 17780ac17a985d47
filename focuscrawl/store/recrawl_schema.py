"""The tables of freshness: when each page is visited again, what its host is like, and what has changed. See `store.schema`."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, Float, Index, Integer, LargeBinary, MetaData, SmallInteger, Table, Text

tables = MetaData()
"""All tables of a crawl."""

visit = Table(
    "visit",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("uid", BigInteger, primary_key=True, autoincrement=False),
    Column("kind", SmallInteger, nullable=False, server_default="0", comment="as in url"),
    Column("due_at", Float, nullable=False, comment="when to look again"),
    Column("value", Float, nullable=False, server_default="0", comment="among what is due, in (0, 1); 0: not ranked"),
    Column("first_at", Float, nullable=False, server_default="0", comment="first fetched"),
    Column(
        "checked_at", Float, nullable=False, server_default="0", comment="last time that it was looked at, 304 and headers too"
    ),
    Column("read_at", Float, nullable=False, server_default="0", comment="last time that its body was read"),
    Column("changed_at", Float, nullable=False, server_default="0", comment="last change of more than 3 bits that was seen"),
    Column("visits", Integer, nullable=False, server_default="0", comment="without the first fetch"),
    Column("changes", Integer, nullable=False, server_default="0", comment="visits that saw a change of more than 3 bits"),
    Column("unread", SmallInteger, nullable=False, server_default="0", comment="visits in a row without a body"),
    Column("shape", Float, nullable=False, server_default="0", comment="of the Gamma distribution of its change rate"),
    Column("exposure", Float, nullable=False, server_default="0", comment="the same: days"),
    Column("period", Float, nullable=False, server_default="0", comment="days, of policies that keep one"),
    Column("weight", Float, nullable=False, server_default="0", comment="what its freshness is worth: relevance and hub value"),
    Column("hub", Float, nullable=False, server_default="0", comment="expected promise of the new links of a visit"),
    Column("magnitude", Float, nullable=False, server_default="0", comment="mean size of its changes, 0 to 1"),
    Column(
        "signal",
        Float,
        nullable=False,
        server_default="0",
        comment="what signals since the last visit add to its expected changes",
    ),
    Column("signal_at", Float, nullable=False, server_default="0", comment="time of change that the last signal told"),
    Column("signal_kind", SmallInteger, nullable=False, server_default="0", comment="kind of the URL that told it"),
    Column("gone", SmallInteger, nullable=False, server_default="0", comment="visits that missed it in a row, recrawl.gone"),
    Column("gone_at", Float, nullable=False, server_default="0", comment="the first of them"),
    Column("mark", BigInteger, nullable=False, server_default="0", comment="SimHash of its words, numbers and dates apart"),
    Column("words", LargeBinary, nullable=False, comment="digest of the same words; empty: none were read"),
    Column("length", BigInteger, nullable=False, server_default="-1", comment="Content-Length of its last body; -1: not told"),
    Column("etag", Text, nullable=False, server_default="", comment="of a sitemap or feed; pages have theirs in `page`"),
    Column("modified", Text, nullable=False, server_default="", comment="the same: Last-Modified"),
    Column("rest", SmallInteger, nullable=False, server_default="3", comment="state of the URL before it was woken"),
    sqlite_with_rowid=False,
)
Index("visit_due", visit.c.due_at, visit.c.hid, visit.c.uid)
Index("visit_value", visit.c.value.desc(), sqlite_where=visit.c.value > 0, postgresql_where=visit.c.value > 0)

habit = Table(
    "habit",
    tables,
    Column("hid", BigInteger, primary_key=True, autoincrement=False),
    Column("changes", Float, nullable=False, server_default="0", comment="of all its pages, as estimated"),
    Column("exposure", Float, nullable=False, server_default="0", comment="days over which they were seen or not"),
    Column(
        "threshold",
        Float,
        nullable=False,
        server_default="0",
        comment="crawl value of a visit, where politeness binds; 0: the crawl's",
    ),
    Column("agreed", Integer, nullable=False, server_default="0", comment="headers said the same, and the body was"),
    Column("lied", Integer, nullable=False, server_default="0", comment="headers said the same, and the body was another"),
    Column("sitemap_right", Integer, nullable=False, server_default="0", comment="signals behind which there was a change"),
    Column("sitemap_wrong", Integer, nullable=False, server_default="0"),
    Column("feed_right", Integer, nullable=False, server_default="0"),
    Column("feed_wrong", Integer, nullable=False, server_default="0"),
    Column(
        "failing",
        Float,
        nullable=False,
        server_default="0",
        comment="share of its last fetches that failed, the latest count most",
    ),
    Column(
        "sorry", BigInteger, comment="SimHash of what it says to an address that cannot be; null: it says 404, or was not asked"
    ),
    Column("sorry_at", Float, nullable=False, server_default="0", comment="when it was asked"),
)

version = Table(
    "version",
    tables,
    Column("pid", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False, comment="1, 2 … of the versions that were replaced"),
    Column("read_at", Float, nullable=False, comment="when it was read"),
    Column("replaced_at", Float, nullable=False, comment="when the next one was read"),
    Column("title", Text, nullable=False),
    Column("text", LargeBinary, nullable=False, comment="zlib of the main text, fast tier"),
    Column("distance", SmallInteger, nullable=False, comment="bits between the SimHashes of this and the next version"),
    Column("words_added", Integer, nullable=False),
    Column("words_gone", Integer, nullable=False),
    Column("links_added", Text, nullable=False, comment="JSON: addresses"),
    Column("links_gone", Text, nullable=False, comment="JSON: addresses"),
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
    Column("pid", Integer, nullable=False),
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
        comment="moved: where to; gone: the status; changed and back: see store.net_change",
    ),
    sqlite_autoincrement=True,
)
Index("change_at", change.c.at)
Index("change_page", change.c.hid, change.c.uid, change.c.id)
