"""The second tier of reading in the store: which kept pages were not read whole yet, and what was read of the others.

The queue is the store itself (pages in `UNREAD`), so that a crash loses nothing: the next run, or `scrapy extract`, resumes it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from focuscrawl.items import CONTENT_VERSION, Content
from focuscrawl.store.engines.database import THERE, UNREAD, Database
from focuscrawl.store.engines.page_record import CONTENTS, content_record
from focuscrawl.store.engines.records import unpacked_text

BATCH = 200
NEXT = """select page_id, url, content_type, language, warc, warc_offset from page where {wanted}
    and page_id>? and {whose} order by page_id limit ?"""
OF_DIRECTORY = "worker in (select id from worker where directory_id=?)"
LEFT_TO = """(worker=? or (worker in (select id from worker where directory_id=? and state<>'live')
    and ?=(select min(id) from worker where directory_id=? and state='live')))"""
"""Pages that a worker has stored itself; and for the oldest of those at work in a directory, what others have left there."""
MISSING = f"(content_version<>{CONTENT_VERSION} or not exists (select 1 from content where content.page_id=page.page_id))"
"""SQL: pages that were not read whole by this version, or could not be: what they could not be read for may be over."""

NOTE_READ = "update page set content_version=? where page_id=? and warc=? and warc_offset=?"
TEXT_OF = """select c.text from page p left join content c on c.page_id=p.page_id
    where p.page_id=? and p.warc=? and p.warc_offset=?"""


OF_SITE = f"""select page_id, url, content_type, language, warc, warc_offset from page p
    where p.hid=(select hid from page where page_id=?) and {OF_DIRECTORY} and p.status=200 and p.warc<>''
    and p.content_version>0 and exists (select 1 from content c where c.page_id=p.page_id) order by p.hid, p.uid limit ?"""
"""The number of a URL is a hash: these are any pages of the site, the same ones as long as the site does not grow."""


@dataclass(slots=True, frozen=True)
class ArchivedPage:
    """A stored page, and where its archived response is."""

    page_id: int
    url: str
    content_type: str
    language: str
    warc: str
    offset: int


def unread(db: Database, count: int, where: str, worker: int) -> list[ArchivedPage]:
    """The oldest pages that were not read whole yet and that this worker is to read: each page is left to one of the workers
    whose files lie at `where` (`worker.directory_id`)."""
    statement = NEXT.format(wanted=UNREAD, whose=LEFT_TO)
    return [ArchivedPage(*row) for row in db.execute(statement, (0, worker, where, worker, where, count))]


def read_before(db: Database, page_id: int, where: str, count: int) -> list[ArchivedPage]:
    """Pages of the origin of this page that were read whole, and whose responses lie at `where`."""
    return [ArchivedPage(*row) for row in db.execute(OF_SITE, (page_id, where, count))]


def archived_pages(db: Database, where: str, *, everything: bool = False, missing: bool = False) -> Iterator[ArchivedPage]:
    """The kept pages whose responses lie at `where`, in the order of storing.

    `everything`: all pages with status 200. `missing`: only those that were not read whole by this version, or could not be."""
    wanted = f"status=200 and {THERE} and warc<>''" + ("" if everything else " and relevant=1 and original is null")
    wanted += f" and {MISSING}" if missing else ""
    last = 0
    while rows := db.execute(NEXT.format(wanted=wanted, whose=OF_DIRECTORY), (last, where, BATCH)).fetchall():
        last = rows[-1][0]
        yield from (ArchivedPage(*row) for row in rows)


def store_content(db: Database, page: ArchivedPage, content: Content | None) -> None:
    """Store what was read of a page; None if it cannot be read. In both cases the crawl does not try it again.

    If the page was fetched again in the meantime, `page` is a former version, and nothing is written."""
    if db.execute(NOTE_READ, (CONTENT_VERSION, page.page_id, page.warc, page.offset)).rowcount and content is not None:
        db.execute(CONTENTS.upsert, CONTENTS.to_row(content_record(page.page_id, content)))


def replace_content(db: Database, page: ArchivedPage, content: Content) -> bool:
    """Store what was read again of a page, and return whether its text is different now.

    If the page was fetched again in the meantime, `page` is a former version, and nothing is written."""
    row = db.execute(TEXT_OF, (page.page_id, page.warc, page.offset)).fetchone()
    if row is None:
        return False
    store_content(db, page, content)
    return unpacked_text(row[0]) != content.text


def content_of(db: Database, page_id: int) -> Content | None:
    """What was read of a page, without its text; None if it was not read whole."""
    row = db.execute(f"select {CONTENTS.selected('c')} from content c where c.page_id=?", (page_id,)).fetchone()
    return replace(CONTENTS.from_row(row), text="", outline=()) if row else None


def read_whole(db: Database, page_ids: Sequence[int]) -> list[int]:
    """Those of these pages that were read whole. There must be at least one number."""
    statement = f"select page_id from content where page_id in ({', '.join('?' * len(page_ids))}) order by page_id"
    return [page_id for (page_id,) in db.execute(statement, page_ids)]


def forget_content(db: Database, page_id: int) -> None:
    """Delete what was read of a page, because it belongs to a former version."""
    db.execute("delete from content where page_id=?", (page_id,))
