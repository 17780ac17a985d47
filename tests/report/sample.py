"""A crawl store filled by the schema, small enough to know by heart and rich enough for every table of a report."""

from __future__ import annotations

import json
import zlib
from contextlib import closing
from pathlib import Path

from focuscrawl.frontier.states import State
from focuscrawl.items import Link
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.schema import tables
from focuscrawl.store.pages.links import encode
from focuscrawl.url.hosts import hid_of, host_name, registered_domain, uid_of
from focuscrawl.url.normalize import split

NOW = 1_790_000_000.0
SEED = "http://news.example.com/"
HOSTILE = "<script>alert(1)</script> \x1b[31mred\u202e [bold]中文标题"
PAGES = (
    # url, title, relevance, relevant, parent, original, language
    (SEED, "News", 0.12, 1, 0, None, "en"),
    ("http://news.example.com/search/a.html", HOSTILE, 0.61, 1, 1, None, "zh"),
    ("http://news.example.com/search/b.html", "=SUM(A1)", 0.58, 1, 2, 2, "zh"),
    ("http://blog.example.org/x?q=1", "Off topic", 0.01, 0, 2, None, "en"),
)
FAILED = "http://blog.example.org/gone"
WAITING = "http://news.example.com/search/c.html"
WAITING_LOW = "http://blog.example.org/low"
RETRIED = "http://down.example.net/"
DENIED = "http://news.example.com/private/1"
REFUSED = "http://blog.example.org/calendar/1890/01"
PARTS = {"url": 0.3, "anchor": 0.25}
LINKS = [
    Link("http://news.example.com/search/a.html", "搜索 引擎", "all about 搜索 引擎", "body/ul/li/a", (), True, 0.55, PARTS),
    Link(WAITING, "crawler", "a focused crawler", "body/ul/li/a", ("nofollow",), True, 0.4, {"url": 0.3, "anchor": 0.1}),
    Link(REFUSED, "1890", "", "body/a", (), False, 0.0, {}, "calendar"),
]


def empty_crawl(directory: Path, url: str = "") -> Database:
    """A new store of `directory`, open for writing. `url`: the setting STORE_URL."""
    directory.mkdir(parents=True, exist_ok=True)
    return open_store(directory, url, name="sample", create=True)


def change(directory: Path, statement: str, *values: object) -> None:
    """Change the store of a crawl by a statement, as a worker would beside those that read it."""
    with closing(open_store(directory)) as db:
        db.execute(statement, values)


def sample_crawl(directory: Path, started_at: float = NOW, url: str = "") -> None:
    """One finished run: two relevant texts, one copy, one off-topic page, one of each kind of trouble."""
    db = empty_crawl(directory, url)
    stats = {"downloader/request_count": 9, "log_count/INFO": 3}
    insert(
        db, "run", id=1, started_at=started_at, ended_at=started_at + 60, reason="max_pages",
        arguments=json.dumps({"seeds": "s.txt"}), stats=json.dumps(stats),
    )  # fmt: skip
    for origin, pages, relevant in (
        ("http://news.example.com", 3, 3), ("http://blog.example.org", 1, 0), ("http://down.example.net", 0, 0),
    ):  # fmt: skip
        add_host(db, origin, pages, relevant)
    for page_id, page in enumerate(PAGES, 1):
        add_page(db, page_id, *page, at=started_at + page_id)
    add_url(db, WAITING, State.QUEUED, priority=0.4, depth=2, parent=1)
    add_url(db, WAITING_LOW, State.QUEUED, priority=0.1, depth=2, parent=2)
    add_url(db, RETRIED, State.WAIT, kind=1, error="timeout", tries=2, due_at=started_at + 3600)
    add_url(db, FAILED, State.GONE, error="http-404", status=404, parent=2)
    add_url(db, DENIED, State.DENIED, error="robots", parent=1)
    insert(db, "refused", hid=hid(REFUSED), uid=uid_of(REFUSED), rule="calendar", page_id=1)
    insert(db, "inlink", hid=hid(WAITING), uid=uid_of(WAITING), page_id=1)
    insert(
        db, "robots", origin="http://news.example.com", state="rules", status=200, fetched_at=started_at,
        body=b"User-agent: *\nDisallow: /private/\n", expires_at=started_at + 86400,
    )  # fmt: skip
    db.close()


def add_host(db: Database, origin: str, pages: int, relevant: int) -> None:
    name = host_name(origin)
    insert(
        db, "host", hid=hid_of(origin), origin=origin, name=name, site=registered_domain(name), requests=pages + 2,
        pages=pages, relevant=relevant, duplicates=int(pages == 3), links=3 * pages, ready_at=NOW + 1, found_at=NOW,
    )  # fmt: skip


def add_url(db: Database, url: str, state: State, priority: float = 0.5, **columns: object) -> None:
    insert(db, "url", hid=hid(url), uid=uid_of(url), state=int(state), priority=priority, path=split(url)[1], **columns)


def add_page(
    db: Database, page_id: int, url: str, title: str, relevance: float, relevant: int, parent: int,
    original: int | None, language: str, *, at: float, text: str = "main text 正文",
) -> None:  # fmt: skip
    """A page with its frontier entry and body."""
    state = State.DONE if original is None else State.DUP
    add_url(db, url, state, relevance, depth=page_id - 1, parent=parent, status=200, kind=int(not parent))
    insert(
        db, "page", page_id=page_id, hid=hid(url), uid=uid_of(url), url=url, run=1, worker=1, status=200, fetched_at=at,
        latency=0.1, ip_address="192.0.2.1", content_type="text/html", charset="utf-8", language=language, length=100,
        truncated="", etag="", last_modified="", title=title, keywords="", description="", summary="A summary.",
        kind="content", relevance=relevance, relevant=relevant, threshold=0.1, terms='[["搜索",0.4],["crawler",0.2]]',
        priority=0.5, depth=page_id - 1, distance=0, parent=parent, example=0, noindex=0,
        digest=(original or page_id).to_bytes(16), simhash=-page_id, features=b"", original=original,
        original_similarity=1.0 if original else 0.0, warc="a.warc.gz", warc_offset=0, warc_length=10, timings="{}",
    )  # fmt: skip
    links = encode(LINKS) if page_id == 1 else encode([])
    insert(db, "body", page_id=page_id, text=zlib.compress(text.encode()), links=links)


def hid(url: str) -> int:
    return hid_of(split(url)[0])


def insert(db: Database, table: str, **values: object) -> None:
    """One row; names are checked against the schema."""
    assert set(values) <= set(tables.tables[table].columns.keys())
    marks = ",".join("?" * len(values))
    db.execute(f"insert into {table}({','.join(values)}) values({marks})", tuple(values.values()))
