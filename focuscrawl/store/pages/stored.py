"""The stored pages, one after the other: reading a crawl of any size in constant memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace

from focuscrawl.items import Content, Hash64, Names, PackedText, Page, Terms, whole_text
from focuscrawl.store.engines.database import IS_GONE, IS_OWN, UNREAD, Database
from focuscrawl.store.engines.page_record import CONTENTS, PAGES, WarcLocation, record_of
from focuscrawl.store.engines.records import decoder, unpacked_text
from focuscrawl.store.pages.links import Anchors
from focuscrawl.store.pages.page_texts import BEST_TEXT
from focuscrawl.store.pages.verdicts import relevant_topics, topics_of
from focuscrawl.text.blocks import Outline
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.key import url_key

BATCH = 200
"""Pages read at once. No transaction stays open between two batches, so that a running crawl can tidy its files."""


@dataclass(slots=True, frozen=True, kw_only=True)
class StoredPage:
    """A stored page with what other tables say of it. Its fields are those of the export, in their order, less the first two.

    What is not in `OTHERWISE` is the column of `PageRecord` with its name."""

    page_id: int
    run: int
    url: str
    status: int
    title: str
    text: PackedText
    """The best text that there is."""
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
    """To the original; 0 where there is none."""
    simhash: Hash64
    digest: bytes
    summary: str
    description: str
    keywords: str
    kind: str
    content_type: str
    charset: str
    threshold: float
    terms: Terms
    site: str
    """Registered domain."""
    noindex: bool
    topics: Terms = ()
    """In a crawl of several: the topics that it is relevant to, with its relevance, best first."""
    weight: float = 0.0
    """By in-degree, parents, copies and directory depth, in (0, 1); 0: it was not worked out yet. So is `in_degree`."""
    in_degree: int = 0
    """Stored pages that link to it, over redirects too; none of those that are gone."""
    inlinks: int = 0
    """Stored pages that link to it."""
    anchors: Names = ()
    """In which words they do, the most frequent first: see `store.pages.links`."""
    gone: bool
    """It was confirmed that it is gone, or has moved."""
    changed_at: float
    """When its last change was observed; 0: none was."""
    checked_at: float
    """When it was last known to be as stored, whether its body was read or not."""
    warc_file: str = ""
    """Name of the file with its response; empty when it was not archived."""
    warc_offset: int = 0
    warc_length: int = 0
    etag: str = ""
    last_modified: str = ""
    # What follows is `focuscrawl.items.Content`; empty until the page was read whole.
    outline: Outline = ()
    author: str = ""
    published: str = ""
    modified: str = ""
    canonical: str = ""
    site_name: str = ""
    category: str = ""
    licence: str = ""
    reserved: Names = ()
    languages: Names = ()
    words: int = 0
    characters: int = 0
    code_share: float = 0.0
    link_share: float = 0.0
    quality: float = 0.0
    signals: dict[str, float] = field(default_factory=dict)
    template: str = ""
    extractor: str = ""


OTHERWISE = {
    "page_id": "p.page_id",
    "text": BEST_TEXT,
    "language": "coalesce(nullif(c.language, ''), p.language)",
    "parent": "coalesce(q.url, '')",
    "duplicate_of": "coalesce(o.url, '')",
    "similarity": "p.original_similarity",
    "site": "coalesce(h.site, '')",
    "gone": f"p.{IS_GONE}",
    "changed_at": "coalesce(w.changed_at, 0)",
    "checked_at": "coalesce(nullif(w.checked_at, 0), p.fetched_at)",
    "warc_file": "p.warc",
    "weight": "coalesce(s.weight, 0)",
    "in_degree": "coalesce(s.in_degree, 0)",
    "inlinks": "(select count(*) from inlink i where i.hid=p.hid and i.uid=p.uid)",
}
"""Fields of `StoredPage` that are not columns of `page`."""
BY_TOPIC = ("relevance", "relevant", "threshold", "terms")
"""Fields that each topic of a crawl of several has of its own."""
SOURCE = """page p left join body b on b.page_id=p.page_id left join content c on c.page_id=p.page_id
    left join standing s on s.page_id=p.page_id left join page q on q.page_id=p.parent
    left join page o on o.page_id=p.original left join host h on h.hid=p.hid
    left join revisit w on w.hid=p.hid and w.uid=p.uid"""
LATER = ("topics", "anchors")
"""Fields that are read with statements of their own, after the row of a page."""
SELECTED = tuple(each.name for each in fields(StoredPage) if each.name not in LATER)
OTHERWISE |= {name: f"coalesce(c.{name}, {CONTENTS.literal(Content(), name)})" for name in CONTENTS.columns
    if name in SELECTED and name not in OTHERWISE}  # fmt: skip
# Pages that were not read whole have no row in `content`: their fields have the defaults of `Content`.
SHARED = tuple(name for name in SELECTED if name not in OTHERWISE)
"""Fields that `StoredPage` shares with `PageRecord`."""
assert set(SHARED) <= set(PAGES.columns), set(SHARED) - set(PAGES.columns)
REASON = f"""case when p.{IS_GONE} then 'gone' when {{}}.relevant=0 then 'irrelevant'
    when p.original is not null then 'duplicate' when p.noindex=1 then 'noindex' else '' end"""
"""Why a page is not kept, or irrelevant; empty for one of the collection. `gone` comes first, because totals leave out what is
gone."""
_JUDGED = " join verdict v on v.page_id=p.page_id and v.topic=?"
_decoded = decoder(StoredPage, SELECTED)


def stored_pages(db: Database, *, everything: bool = False, topic: str = "") -> Iterator[StoredPage]:
    """The pages in the order of storing.

    Args:
        db: The crawl's store.
        everything: All with status 200; else the relevant ones that repeat no other, may be indexed and are not gone.
        topic: One of the topics of a crawl of several: relevance, threshold and terms are then those for it.
    """
    several, last, anchors = bool(topics_of(db)), 0, Anchors(db)
    statement, values = _statement(everything, by_topic=bool(topic)), (topic,) if topic else ()
    while rows := db.execute(statement, (*values, last, BATCH)).fetchall():
        topics = relevant_topics(db, [row[0] for row in rows]) if several else {}
        last = rows[-1][0]
        for row in rows:
            yield _whole(_decoded(row), topics, anchors)


def stored_pages_of(db: Database, page_ids: Sequence[int], topic: str = "") -> dict[int, StoredPage]:
    """These pages by `page_id`, whatever they are; those that are there. `topic`: as for `stored_pages`."""
    if not page_ids:
        return {}
    marks = ",".join("?" * len(page_ids))
    statement = f"{_selected(bool(topic))} where p.page_id in ({marks})"
    found = map(_decoded, db.execute(statement, ((topic, *page_ids) if topic else page_ids)).fetchall())
    several = bool(topics_of(db))
    topics = relevant_topics(db, page_ids) if several else {}
    anchors = Anchors(db)
    return {page.page_id: _whole(page, topics, anchors) for page in found}


def _whole(page: StoredPage, topics: Mapping[int, Terms], anchors: Anchors) -> StoredPage:
    """The page with the fields in `LATER` set."""
    if page.page_id not in topics and not page.inlinks:
        return page
    return replace(page, topics=topics.get(page.page_id, ()), anchors=anchors.of(page.page_id) if page.inlinks else ())


def pages_by_reason(db: Database, topic: str = "") -> dict[str, int]:
    """Pages with status 200 by the first reason why `stored_pages` leaves them out: gone, irrelevant, duplicate, noindex; those
    that it gives under the empty string."""
    judged, values = (_JUDGED, (topic,)) if topic else ("", ())
    statement = f"select {REASON.format('v' if topic else 'p')}, count(*) from page p{judged} where p.status=200 group by 1"
    return dict(db.execute(statement, values).fetchall())


def count_unread(db: Database) -> int:
    """Kept pages that were not read whole yet, of all workers."""
    return int(db.execute(f"select count(*) from page where {UNREAD}").fetchone()[0])


def oldest_unread(db: Database) -> float | None:
    """When the oldest kept page was fetched that was not read whole yet, epoch seconds; None where all were."""
    found = db.execute(f"select min(fetched_at) from page where {UNREAD}").fetchone()[0]
    return None if found is None else float(found)


def newest_archived(db: Database) -> tuple[str, int] | None:
    """WARC file and offset of the page that was stored last and is in the archive; None where there is none."""
    row = db.execute("select warc, warc_offset from page where warc<>'' order by page_id desc limit 1").fetchone()
    return (str(row[0]), int(row[1])) if row else None


def fetched_page(page: Page, parent: str = "", duplicate_of: str = "") -> StoredPage:
    """What `stored_pages` will say of a page that was just fetched.

    Args:
        page: With its verdict, fingerprint and duplicate.
        parent: URL of the page that led here; by default the lease's.
        duplicate_of: URL of the original; by default the duplicate's.
    """
    record, duplicate = record_of(page, WarcLocation()), page.duplicate
    shared = {name: getattr(record, name) for name in SHARED}
    return StoredPage(
        **shared,
        page_id=0,
        text=page.text,
        language=page.language,
        parent=parent or page.lease.parent,
        duplicate_of=duplicate_of or (duplicate.url if duplicate else ""),
        similarity=record.original_similarity,
        site=registered_domain(host_name(page.url)),
        topics=tuple((name, verdict.relevance) for name, verdict in page.verdicts.items() if verdict.relevant),
        gone=False,
        changed_at=0.0,
        checked_at=page.fetched_at,
    )


def last_page_id(db: Database) -> int:
    """The number of the page that was stored last; 0: none was."""
    return int(db.execute("select coalesce(max(page_id), 0) from page").fetchone()[0])


def has_pages(db: Database) -> bool:
    """Whether anything was stored yet."""
    return db.execute("select 1 from page limit 1").fetchone() is not None


def texts_of(db: Database, urls: Iterable[str]) -> list[tuple[str, str]]:
    """(URL, title and main text) of those of the URLs that are stored as pages, in their order."""
    found = []
    for url in urls:
        row = db.execute(
            "select p.title, b.text from page p join body b on b.page_id=p.page_id where p.hid=? and p.uid=? and p.status=200",
            url_key(url).url_id,
        ).fetchone()
        if row:
            found.append((url, whole_text(row[0], unpacked_text(row[1]))))
    return found


def _statement(everything: bool, by_topic: bool) -> str:
    wanted = "" if everything else f" and {'v' if by_topic else 'p'}.relevant=1 and {IS_OWN}"
    return f"{_selected(by_topic)} where p.page_id>? and p.status=200{wanted} order by p.page_id limit ?"


def _selected(by_topic: bool) -> str:
    columns = [OTHERWISE.get(name) or f"{'v' if by_topic and name in BY_TOPIC else 'p'}.{name}" for name in SELECTED]
    return f"select {', '.join(columns)} from {SOURCE}{_JUDGED if by_topic else ''}"
