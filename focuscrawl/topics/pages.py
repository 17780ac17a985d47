"""The pages of one's own crawls as texts for a topic. Reads only; the crawl may be running."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import all_crawls
from focuscrawl.store.engines.database import Database
from focuscrawl.topics.paths import replace_text
from focuscrawl.url.key import url_key

# The texts of a topic's pages, beside its file, so that terms and training need neither the crawl nor the network.
#
# JSON lines, one page each. Pages that were only found are forgotten when there are many; picked and judged ones stay.


KEPT_FOUND = 300
"""Pages that are kept though nobody picked or judged them: the newest."""
LONGEST = 100_000
"""Characters of a text."""


@dataclass(frozen=True, slots=True)
class PageText:
    url: str
    title: str
    text: str
    language: str = ""
    source: str = ""
    """Where it came from: `crawl NAME`, `searx`, `list`, `file`."""

    @property
    def whole(self) -> str:
        """Title and text, as pages are judged."""
        return f"{self.title}\n{self.text}"


def read_texts(path: Path) -> dict[str, PageText]:
    """By URL, oldest first; empty when there is no file. Raises BadInput, naming the line, for anything else."""
    try:
        lines = path.read_text("utf-8").split("\n")
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}.") from None
    found: dict[str, PageText] = {}
    for number, line in enumerate(lines, 1):
        if line.strip():
            page = _page(line, f"{path}, line {number}")
            found[page.url] = page
    return found


def write_texts(path: Path, pages: Iterable[PageText], kept: Collection[str]) -> None:
    """Replace the file: those whose URLs are in `kept`, and the newest of the others."""
    pages = list(pages)
    others = [page.url for page in pages if page.url not in kept]
    wanted = {*kept, *others[-KEPT_FOUND:]}
    rows = (json.dumps(_row(page), ensure_ascii=False) for page in pages if page.url in wanted)
    replace_text(path, "".join(f"{row}\n" for row in rows))


def _row(page: PageText) -> dict[str, str]:
    row = asdict(page) | {"text": page.text[:LONGEST]}
    return {key: value.encode("utf-8", "replace").decode() for key, value in row.items()}


def _page(line: str, where: str) -> PageText:
    try:
        row = json.loads(line)
        return PageText(**{key: str(row[key]) for key in ("url", "title", "text", "language", "source")})
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{where}: this is no page as `scrapy topic` writes it; delete the line or the file.") from None


BATCH = 200
PAGE = """select p.page_id, p.url, p.title, p.language, b.text, p.fetched_at from page p join body b on b.page_id=p.page_id
    where p.status=200"""
IS_OWN = "p.original is null and p.noindex=0 and p.gone<2"
"""Neither a copy of another page, nor does it want not to be indexed, nor is it gone."""
OWN = f"{PAGE} and {IS_OWN} and p.page_id>? order by p.page_id limit ?"
LAST = "select page_id from page where status=200 order by page_id desc limit 1 offset ?"


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
    """The last pages stored, at most so many."""
    row = db.execute(LAST, (most,)).fetchone()
    return list(crawled_pages(db, name, row[0] if row else 0))


def page_numbered(db: Database, name: str, page_id: int) -> PageText | None:
    """The page of this number, None if it is not there, or gone by now."""
    row = db.execute(f"{PAGE} and p.gone<2 and p.page_id=?", (page_id,)).fetchone()
    return _crawled(row, name).page if row else None


def own_page(db: Database, name: str, page_id: int) -> CrawledPage | None:
    """The page of this number, if it is one of `crawled_pages`."""
    row = db.execute(f"{PAGE} and {IS_OWN} and p.page_id=?", (page_id,)).fetchone()
    return _crawled(row, name) if row else None


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


def _crawled(row: tuple[int, str, str, str, bytes, float], crawl: str) -> CrawledPage:
    page_id, url, title, language, body, fetched_at = row
    text = zlib.decompress(body).decode("utf-8", "replace")
    return CrawledPage(page_id, PageText(url, title, text, language, f"crawl {crawl}"), fetched_at)
