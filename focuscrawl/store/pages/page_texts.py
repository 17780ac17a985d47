"""Stored pages as titles and texts: what an index, a label, a model or a replay is made of, and what copied text is known by.
Reads only; the crawl may run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from focuscrawl.errors import BadInput
from focuscrawl.items import EXAMPLE, SEED, UNJUDGED, Link, Verdict, whole_text
from focuscrawl.store.crawls import all_crawls
from focuscrawl.store.engines.database import IS_OWN, THERE, Database
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.pages.links import decode
from focuscrawl.url.key import UrlId, url_key

BATCH = 200
PAGE = """select p.page_id, p.url, p.title, p.language, b.text, p.fetched_at, p.kind, b.links from page p
    join body b on b.page_id=p.page_id
    where p.status=200"""
BEST_TEXT = "coalesce(case when c.outline<>'[]' then c.text end, b.text)"
"""SQL: the text (packed) that was read whole, or else the one of the fast tier, with `content` as c and `body` as b. Only an
empty text has no outline."""
WHOLE = f"""select p.title, b.text from page p join body b on b.page_id=p.page_id
    where p.status=200 and p.{THERE} and p.page_id=?"""
OWN = f"{PAGE} and {IS_OWN} and p.page_id>? order by p.page_id limit ?"
LAST = "select page_id from page where status=200 order by page_id desc limit 1 offset ?"
ENDS = """select page_id from (select page_id from page order by page_id limit ?) one
    union select page_id from (select page_id from page order by page_id desc limit ?) other order by page_id"""
STORED_SINCE = """select page_id, worker from (
    select page_id, worker from page where page_id>? order by page_id desc limit ?) one order by page_id"""
FETCHED = f"""select p.url, b.text, u.kind in ({SEED}, {EXAMPLE}), p.kind='index', p.language from page p
    join body b on b.page_id=p.page_id join url u on u.hid=p.hid and u.uid=p.uid where p.page_id in ({{}}) and p.{THERE}
    order by p.page_id"""
PAGES = """select p.page_id, p.hid, p.uid, p.url, p.kind, p.title, p.fetched_at, p.digest, coalesce(p.original, p.page_id),
    p.language, p.noindex, {verdict} from page p {join} where p.status=200 order by p.page_id"""
JUDGED = f"from page p where p.status=200 and p.original is null and p.{THERE} and not (p.relevance=? and p.threshold=?)"
NUMBER_JUDGED = f"select count(*) {JUDGED}"
SPREAD = f"""select page_id, relevant from (
    select p.page_id, p.relevant, row_number() over (order by p.page_id) - 1 as place {JUDGED}) one
    where place * ? % ? < ? order by page_id"""
BEST = "p.relevance, p.relevant, p.threshold, p.similarity"
OF_TOPIC = "v.relevance, v.relevant, v.threshold, v.similarity"
JOIN = "left join verdict v on v.page_id=p.page_id and v.topic=?"
SEEDS = """select p.url from page p join url u on u.hid=p.hid and u.uid=p.uid where p.status=200 and u.kind>0
    order by u.kind desc, p.page_id"""


class FetchedText(NamedTuple):
    url: str
    text: str
    given: bool
    """Whether the user gave the URL."""
    is_index: bool
    """Whether it is an index page."""
    language: str


@dataclass(frozen=True, slots=True)
class PageText:
    url: str
    title: str
    text: str
    language: str = ""
    source: str = ""
    """Where it came from: `crawl NAME`, `searx`, `list`, `file`."""
    tags: str = ""
    """What it is tagged with, a line each: they count when it is judged (`models.page.tags`)."""

    @property
    def whole(self) -> str:
        """Title and main text."""
        return whole_text(self.title, self.text)


@dataclass(frozen=True, slots=True)
class CrawledPage:
    page_id: int
    page: PageText
    fetched_at: float


def crawled_pages(db: Database, name: str, after: int = 0) -> Iterator[CrawledPage]:
    """The pages of crawl `name` behind this number, in the order of storing and in constant memory."""
    while rows := db.execute(OWN, (after, BATCH)).fetchall():
        after = rows[-1][0]
        for row in rows:
            yield _crawled(row, name)


def latest_pages(db: Database, name: str, most: int) -> list[CrawledPage]:
    """The last pages stored, at most this many."""
    row = db.execute(LAST, (most,)).fetchone()
    return list(crawled_pages(db, name, row[0] if row else 0))


def first_and_last(db: Database, first: int, last: int) -> list[int]:
    """The numbers of the first and of the last pages stored, at most so many, in the order of storing."""
    return [page_id for (page_id,) in db.execute(ENDS, (first, last))]


def stored_since(db: Database, after: int, most: int) -> list[tuple[int, int]]:
    """Number and worker of the pages stored behind this number, at most the last `most`, in the order of storing."""
    return [(int(page_id), int(worker)) for page_id, worker in db.execute(STORED_SINCE, (after, most))]


def fetched_texts(db: Database, page_ids: Sequence[int]) -> list[FetchedText]:
    """These pages as they were read when they were fetched, in the order of storing. There must be at least one number. Pages
    that are gone are left out: if their text comes back, it is no copy."""
    rows = db.execute(FETCHED.format(", ".join("?" * len(page_ids))), page_ids).fetchall()
    return [FetchedText(url, unpacked_text(text), bool(given), bool(index), tongue) for url, text, given, index, tongue in rows]


def page_numbered(db: Database, name: str, page_id: int) -> PageText | None:
    """The page of this number, None if it is not there, or gone by now."""
    row = db.execute(f"{PAGE} and p.{THERE} and p.page_id=?", (page_id,)).fetchone()
    return _crawled(row, name).page if row else None


def whole_text_of(db: Database, page_id: int) -> str:
    """Title and main text of the page of this number; empty if it is not there, or gone by now."""
    row = db.execute(WHOLE, (page_id,)).fetchone()
    return whole_text(row[0], unpacked_text(row[1])) if row else ""


def page_at(db: Database, name: str, url: str) -> PageText | None:
    """The page of this normal URL, None if the crawl has not stored it."""
    row = db.execute(f"{PAGE} and p.hid=? and p.uid=?", url_key(url).url_id).fetchone()
    return _crawled(row, name).page if row else None


def found_in_crawls(crawls_dir: Path, url: str) -> PageText | None:
    """The page of this URL in any crawl; a store that cannot be read is passed over."""
    for crawl in all_crawls(crawls_dir):
        try:
            db = crawl.open()
        except BadInput:
            continue
        try:
            page = page_at(db, crawl.name, url)
        finally:
            db.close()
        if page:
            return page
    return None


def _crawled(row: tuple[int, str, str, str, bytes, float, str, bytes], crawl: str) -> CrawledPage:
    from models.page.tags import tag_lines  # late: commands that read no page's text do without the models

    page_id, url, title, language, body, fetched_at, kind, links = row
    tags = tag_lines(kind, decode(links)) if kind == "content" else ""  # decoding takes 0.1 ms
    return CrawledPage(page_id, PageText(url, title, unpacked_text(body), language, f"crawl {crawl}", tags), fetched_at)


def spread_pages(db: Database, most: int) -> tuple[int, list[tuple[int, bool]]]:
    """How many pages are judged, without copies and those that are gone; and of at most so many of them, at even distances in
    the order of storing, the number, and whether the page is relevant. Takes 0.3 s for 300 000 pages."""
    unjudged = UNJUDGED.relevance, UNJUDGED.threshold
    (pages,) = db.execute(NUMBER_JUDGED, unjudged).fetchone()
    rows = db.execute(SPREAD, (*unjudged, most, pages, most)).fetchall()
    return pages, [(int(page_id), bool(relevant)) for page_id, relevant in rows]


@dataclass(slots=True, frozen=True)
class ReplayablePage:
    """One page as replays follow it: without its text and links, which are read page by page."""

    page_id: int
    url_id: UrlId
    url: str
    kind: str
    title: str
    fetched_at: float
    digest: bytes
    """Of its text; pages with the same one are exact duplicates."""
    group: int
    """page_id of the page that it repeats, else its own."""
    language: str
    noindex: bool
    verdict: Verdict


def replayable_pages(db: Database, topic: str = "") -> Iterator[ReplayablePage]:
    """All pages with status 200 in the order of storing. `topic`: whose verdicts, in a crawl of several; pages that were not
    judged for it are not relevant."""
    sql = PAGES.format(verdict=OF_TOPIC if topic else BEST, join=JOIN if topic else "")
    for page_id, hid, uid, url, kind, title, at, digest, group, language, noindex, *judged in db.execute(
        sql, (topic,) if topic else ()
    ):
        relevance, relevant, threshold, similarity = judged
        verdict = UNJUDGED if relevance is None else Verdict(relevance, bool(relevant), threshold, (), similarity)
        facts = (url, kind, title, at, bytes(digest), group, language, bool(noindex))
        yield ReplayablePage(page_id, (hid, uid), *facts, verdict)


def text_and_links(db: Database, page_id: int) -> tuple[str, list[Link]]:
    """The main text of a page, and its links as fresh objects."""
    text, links = db.execute("select text, links from body where page_id=?", (page_id,)).fetchone()
    return unpacked_text(text), decode(links)


def stored_seeds(db: Database) -> list[str]:
    """The URLs of seeds and example pages that were stored, example pages first."""
    return [url for (url,) in db.execute(SEEDS)]
