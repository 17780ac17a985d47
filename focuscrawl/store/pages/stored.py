"""The stored pages, one after the other: reading a crawl of any size in constant memory."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import relevant_topics, term_pairs, topics_of
from focuscrawl.store.warc.file import read_record
from focuscrawl.url.key import url_key

BATCH = 200
"""Pages read at once. No transaction stays open between two batches, so that a running crawl can tidy its files."""

MASK = (1 << 64) - 1
"""Makes the store's signed numbers unsigned."""

COLUMNS = """p.page_id, p.url, p.status, p.title, coalesce(b.best, b.text), p.language, p.fetched_at, p.relevance,
    p.relevant, p.depth, q.url, o.url, p.original_similarity, p.simhash, p.digest, p.summary, p.description, p.keywords, p.kind,
    p.charset, p.threshold, p.terms, h.site, p.noindex, p.run, p.gone>=2, coalesce(w.changed_at, 0),
    coalesce(nullif(w.checked_at, 0), p.fetched_at)"""
SOURCE = """page p left join body b on b.page_id=p.page_id left join page q on q.page_id=p.parent
    left join page o on o.page_id=p.original left join host h on h.hid=p.hid
    left join revisit w on w.hid=p.hid and w.uid=p.uid"""
KEPT = "p.original is null and p.noindex=0 and p.gone<2"
ALL = f"select {COLUMNS} from {SOURCE} where p.page_id>? and p.status=200 order by p.page_id limit ?"
RELEVANT = ALL.replace("p.status=200", f"p.status=200 and p.relevant=1 and {KEPT}")
JUDGED = re.sub(r"p\.(relevance|relevant|threshold|terms)", lambda name: f"v.{name[1]}", COLUMNS)
OF_TOPIC = f"""select {JUDGED} from {SOURCE} join verdict v on v.page_id=p.page_id and v.topic=? where p.page_id>? and
    p.status=200
    order by p.page_id limit ?"""
RELEVANT_TO = OF_TOPIC.replace("p.status=200", f"p.status=200 and v.relevant=1 and {KEPT}")


@dataclass(slots=True, frozen=True)
class StoredPage:
    page_id: int
    url: str
    status: int
    title: str
    text: str
    language: str
    fetched_at: float
    relevance: float
    relevant: bool
    depth: int
    parent: str
    """URL of the page whose link led here; empty for a seed."""
    duplicate_of: str
    """URL of the original; empty when the page repeats no other."""
    similarity: float
    simhash: int
    """64 bits, unsigned."""
    digest: bytes
    summary: str
    description: str
    keywords: str
    kind: str
    charset: str
    threshold: float
    terms: tuple[tuple[str, float], ...]
    site: str
    noindex: bool
    run: int
    gone: bool
    """It was confirmed that it is gone, or has moved."""
    changed_at: float
    """When its last change was seen; 0: none was."""
    checked_at: float
    """When it was looked at last, whether its body was read or not."""
    topics: tuple[tuple[str, float], ...] = ()
    """In a crawl of several: the topics that it is relevant to, with its scores, best first."""


def stored_pages(db: Database, *, everything: bool = False, topic: str = "") -> Iterator[StoredPage]:
    """In the order of storing: relevant pages that repeat no other, may be indexed and are not gone, or all with status 200.

    `topic`: relevant to this one, of a crawl of several; relevance, threshold and terms are then those for it."""
    several = bool(topics_of(db))
    statement, last = (ALL if everything else RELEVANT), 0
    values: tuple[str, ...] = ()
    if topic:
        statement, values = OF_TOPIC if everything else RELEVANT_TO, (topic,)
    while rows := db.execute(statement, (*values, last, BATCH)).fetchall():
        topics = relevant_topics(db, rows[0][0], rows[-1][0]) if several else {}
        last = rows[-1][0]
        for row in rows:
            yield _page(row, topics.get(row[0], ()))


def _page(row: tuple[object, ...], topics: tuple[tuple[str, float], ...]) -> StoredPage:
    page = dict(zip(StoredPage.__slots__, (*row, topics), strict=True))
    text = page["text"]
    page["text"] = zlib.decompress(text).decode("utf-8", "replace") if isinstance(text, bytes) else ""
    page["parent"] = page["parent"] or ""
    page["duplicate_of"] = page["duplicate_of"] or ""
    page["site"] = page["site"] or ""
    page["relevant"] = bool(page["relevant"])
    page["noindex"] = bool(page["noindex"])
    page["gone"] = bool(page["gone"])
    page["simhash"] = page["simhash"] & MASK if isinstance(page["simhash"], int) else 0
    page["terms"] = term_pairs(str(page["terms"]))
    return StoredPage(**page)  # type: ignore[arg-type]


def texts_of(db: Database, urls: Iterable[str]) -> list[tuple[str, str]]:
    """(URL, title and main text) of those of the URLs that are stored as pages, in their order."""
    found = []
    for url in urls:
        row = db.execute(
            "select p.title, b.text from page p join body b on b.page_id=p.page_id where p.hid=? and p.uid=? and p.status=200",
            url_key(url).url_id,
        ).fetchone()
        if row:
            found.append((url, f"{row[0]}\n{zlib.decompress(row[1]).decode('utf-8')}"))
    return found


# The second tier of main text: pages that are kept get the best extractor's text after their commit.
#
# The queue is the store itself (pages in UNREFINED), so that a crash loses nothing and the next run, or an export, goes on.


@dataclass(slots=True, frozen=True)
class Unrefined:
    """A kept page that has only the fast text, and where its body lies."""

    page_id: int
    url: str
    content_type: str
    language: str
    warc: str
    offset: int

    def body(self, directory: Path) -> bytes | None:
        """The stored body; None when the WARC file is not there or cannot be read."""
        try:
            return read_record(directory / "warc" / self.warc, self.offset).body
        except (OSError, ValueError):
            return None


def unrefined(db: Database, count: int, where: str) -> list[Unrefined]:
    """The oldest pages whose best text was not tried yet, of workers with their files at `where` (see `workers.place`)."""
    from focuscrawl.store.engines.schema import UNREFINED  # late: it brings SQLAlchemy, which an export does not need

    rows = db.execute(
        f"""select page_id, url, content_type, language, warc, warc_offset from page
        where {UNREFINED} and worker in (select id from worker where place=?) order by page_id limit ?""",
        (where, count),
    )
    return [Unrefined(*row) for row in rows]


def refine(db: Database, page_id: int, text: str) -> None:
    """Keep the best text; an empty one means that there is none. It is not tried again."""
    if text:
        db.execute("update body set best=? where page_id=?", (zlib.compress(text.encode("utf-8", "replace"), 1), page_id))
    db.execute("update page set tier=1 where page_id=?", (page_id,))
