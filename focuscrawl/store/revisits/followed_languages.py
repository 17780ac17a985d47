"""The languages that the verdicts on the stored pages of a crawl of one topic follow, to be changed when the topic asks for
others. In a crawl of several, the verdicts of a topic that has changed are all made again (`later_topics`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import orjson

from focuscrawl.items import EXAMPLE, LINK, Lease, Page, Verdict
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.pages.links import decode
from focuscrawl.store.revisits.later_verdicts import set_best

KEY = "languages_followed"
"""In `meta`: the languages as a JSON list. Missing: any."""
WRITTEN = "select distinct language from page where language<>''"
PAGES = f"""select p.page_id, p.url, p.title, p.language, p.kind, p.example, b.text, b.links
    from page p join body b on b.page_id=p.page_id
    where p.status=200 and p.{THERE} and p.page_id>? and p.language in ({{}}) order by p.page_id limit ?"""


class PageInLanguage(NamedTuple):
    page_id: int
    page: Page
    """What it is judged by, and whether it is an example."""


def followed(db: Database) -> tuple[str, ...]:
    return tuple(map(str, orjson.loads(read_meta(db, KEY) or "[]")))


def follow(db: Database, languages: Sequence[str]) -> None:
    """Note that the verdicts follow these languages."""
    set_meta(db, KEY, orjson.dumps(languages).decode())


def written(db: Database) -> list[str]:
    """The languages of the stored pages, in one pass."""
    return [language for (language,) in db.execute(WRITTEN)]


def pages_in(db: Database, languages: Sequence[str], after: int, count: int) -> list[PageInLanguage]:
    """The next stored pages in these languages behind `after` (page_id); there must be at least one language."""
    found = []
    rows = db.execute(PAGES.format(", ".join("?" * len(languages))), (after, *languages, count))
    for page_id, url, title, language, kind, example, text, links in rows:
        lease = Lease(0, 0, url, kind=EXAMPLE if example else LINK)
        page = Page(lease, url, 200, title=title, language=language, kind=kind, text=unpacked_text(text), links=decode(links))
        found.append(PageInLanguage(page_id, page))
    return found


def store(db: Database, verdicts: Sequence[tuple[int, Verdict]], run: int, now: float) -> None:
    """Let these verdicts, with the number of the page before each, count from now on."""
    hosts = HostChanges()
    for page_id, verdict in verdicts:
        set_best(db, page_id, verdict, run, now, hosts)
    hosts.write(db, now)
