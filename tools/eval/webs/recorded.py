"""Recorded webs in one SQLite file, as the harvest evaluation reads them.

    page(url, status, headers (JSON), body (zlib), labels (JSON list))    meta(key, value (JSON))

URLs are canonical: http, lower-case host, no fragment. `meta` has `name`, `pages`, `redirects`, `hosts`, `homes`,
`licences`, `sources`, `digest` (of all pages) and `topics` (see topics.py).
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

WEBS = Path(os.environ.get("FOCUSCRAWL_WEBS", Path(__file__).resolve().parents[3] / "../shared/webs"))
"""The folder of recorded webs, beside the repository."""


@dataclass(frozen=True)
class WebPage:
    """A page with status 200."""

    url: str
    body: bytes
    content_type: str = "text/html; charset=utf-8"
    labels: tuple[str, ...] = ()


def write_web(file: Path, pages: Iterable[WebPage], facts: dict[str, Any]) -> int:
    """Write a web without topics in one step; returns the number of its pages. `facts` go into `meta`."""
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(".part")
    part.unlink(missing_ok=True)
    digest, hosts, number = hashlib.blake2b(digest_size=8), set[str](), 0
    db = sqlite3.connect(part)
    with db:
        db.execute("create table page(url text primary key, status int, headers text, body blob, labels text)")
        db.execute("create table meta(key text primary key, value text)")
        for page in pages:
            headers = json.dumps({"Content-Type": page.content_type})
            labels = json.dumps(sorted(page.labels))
            db.execute("insert into page values(?, 200, ?, ?, ?)", (page.url, headers, zlib.compress(page.body, 6), labels))
            digest.update(page.url.encode() + page.body)
            hosts.add(page.url.split("/")[2])
            number += 1
        known = {"name": file.stem, "pages": number, "redirects": 0, "hosts": sorted(hosts), "topics": [], **facts}
        _set_meta(db, known | {"digest": digest.hexdigest()})
    db.close()
    part.replace(file)
    return number


def copy_web(source: Path, target: Path) -> None:
    """The same web in another file, under the name of that file and without its topics."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    part.write_bytes(source.read_bytes())
    db = sqlite3.connect(part)
    with db:
        digest = hashlib.blake2b(digest_size=8)
        for url, body in db.execute("select url, body from page order by url"):
            digest.update(url.encode() + (body or b""))
        _set_meta(db, {"name": target.stem, "digest": digest.hexdigest()})
    set_topics(db, [], {})
    db.close()
    part.replace(target)


def set_topics(db: sqlite3.Connection, topics: Sequence[dict[str, Any]], members: Mapping[str, Sequence[str]]) -> None:
    """Replace the web's topics; `members` are the relevant pages of each, examples among them. Other labels stay."""
    of_page: dict[str, list[str]] = {}
    for topic, urls in members.items():
        for url in urls:
            of_page.setdefault(url, []).append(f"topic:{topic}")
    with db:
        rows = db.execute("select url, labels from page where status = 200").fetchall()
        for url, text in rows:
            before = json.loads(text or "[]")
            after = sorted([label for label in before if not label.startswith("topic:")] + of_page.get(url, []))
            if after != before:
                db.execute("update page set labels = ? where url = ?", (json.dumps(after), url))
        _set_meta(db, {"topics": list(topics)})


def opened(web: Path | str) -> closing[sqlite3.Connection]:
    """A recorded web, or that of this name in `WEBS`, for reading; nobody may write to it meanwhile."""
    file = WEBS / f"{web}.sqlite" if isinstance(web, str) else web
    return closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True))


def urls_of(db: sqlite3.Connection) -> list[str]:
    """Of all pages, sorted."""
    return [url for (url,) in db.execute("select url from page where status = 200 order by url")]


def body_of(db: sqlite3.Connection, url: str) -> bytes:
    """Of the page at this URL, which the web must have."""
    (body,) = db.execute("select body from page where url = ?", (url,)).fetchone()
    return zlib.decompress(body)


def meta(db: sqlite3.Connection, key: str) -> Any:
    """A fact of the web; None if it has none of that name."""
    row = db.execute("select value from meta where key = ?", (key,)).fetchone()
    return json.loads(row[0]) if row else None


def pages(db: sqlite3.Connection) -> Iterator[tuple[str, bytes]]:
    """URL and body of each page, by URL."""
    for url, body in db.execute("select url, body from page where status = 200 order by url"):
        yield url, zlib.decompress(body)


def redirects(db: sqlite3.Connection) -> dict[str, str]:
    """URLs that lead elsewhere, one hop."""
    rows = db.execute("select url, headers from page where status between 300 and 399")
    return {url: json.loads(headers).get("Location", "") for url, headers in rows}


def _set_meta(db: sqlite3.Connection, facts: dict[str, Any]) -> None:
    db.executemany(
        "insert or replace into meta values(?, ?)", [(k, json.dumps(v, ensure_ascii=False)) for k, v in facts.items()]
    )
