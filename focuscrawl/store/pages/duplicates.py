"""Has this text been seen before, exactly or nearly? And does a host that may be a mirror have the pages of others?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from focuscrawl.dedup.bands import MOST_ROWS
from focuscrawl.dedup.confirm import LEAST_WORDS, THRESHOLD, different_numbers, same_page, says_more
from focuscrawl.dedup.methods import DedupMethod, ranked
from focuscrawl.frontier.mirrors import Compared
from focuscrawl.items import CANONICAL, Duplicate, Fingerprint, Link, Outgrown, Page, whole_text
from focuscrawl.links.series import how_it_repeats
from focuscrawl.store.engines.database import THERE, Database
from focuscrawl.store.engines.records import unpacked_text
from focuscrawl.store.pages.fingerprints import ORIGINAL, stored_fingerprint
from focuscrawl.store.pages.links import stored_links
from focuscrawl.url.hosts import bare_host, hid_of, uid_of
from focuscrawl.url.normalize import join, split

EXACT = f"""select page_id, url, kind from page where digest=? and {ORIGINAL} and page_id>? and noindex<=?
    and not (hid=? and uid=?) order by page_id limit 1"""


class DuplicateFinder:
    """Finds the original of a page by its digest, or else by band keys and fingerprints, confirmed on the texts.

    It works in the writer's thread and therefore compares texts by plain words and single Chinese characters: segmenters belong
    to the event loop."""

    def __init__(self, method: DedupMethod) -> None:
        self._method = method

    def keys(self, fingerprint: Fingerprint) -> list[int]:
        """The band keys of a fingerprint."""
        return self._method.keys(fingerprint)

    def __call__(self, db: Database, page: Page, after: int = 0) -> Duplicate | None:
        """The original among the pages with page_id > `after`; None if there is none. A page that must not be indexed is not
        the original of one that may be, which would be hidden behind it. Nor is a page the original of one that says more, or
        that it names as its own URL: `page.outgrown` gets such pages."""
        fingerprint, hid, uid, noindex = page.fingerprint, page.lease.hid, page.lease.uid, int(page.noindex)
        if not fingerprint.digest:
            return None
        exact = db.execute(EXACT, (fingerprint.digest, after, noindex, hid, uid)).fetchone()
        if exact and not is_home_of(page, exact[1], links := stored_links(db, exact[0])):
            return self._found(page, exact, links, "exact", 1.0)
        if exact:
            page.outgrown.append(Outgrown(exact[0], fingerprint.digest, 1.0, exact[1]))
        if len(page.words) < LEAST_WORDS or not page.text:
            return None
        rows = db.dialect.rows_under_keys(db, self.keys(fingerprint), MOST_ROWS, (after, noindex, hid, uid))
        candidates = [(page_id, stored_fingerprint(b"", simhash, features)) for page_id, simhash, features in rows]
        page_ids = [page_id for page_id, _ in ranked(self._method, fingerprint, candidates)]
        return self._confirm(db, page, page_ids)

    def _confirm(self, db: Database, page: Page, page_ids: Sequence[int]) -> Duplicate | None:
        """The first of these pages whose text is nearly the same; None if none is."""
        text = page.whole
        for page_id in page_ids:
            url, kind, digest, title, other = db.execute(
                "select page.url, page.kind, page.digest, page.title, body.text from page"
                " join body on body.page_id=page.page_id where page.page_id=?",
                (page_id,),
            ).fetchone()
            there = whole_text(title, unpacked_text(other))
            similarity = same_page(text, there)
            if similarity < THRESHOLD or (side_by_side(page.url, url) and different_numbers(text, there)):
                continue
            links = stored_links(db, page_id)
            is_home = is_home_of(page, url, links)
            if is_home or outgrows(page, text, url, kind, there):
                page.outgrown.append(Outgrown(page_id, bytes(digest), similarity, url if is_home else ""))
                continue
            return self._found(page, (page_id, url, kind), links, "near", similarity)
        return None

    def _found(
        self, page: Page, original: tuple[int, str, str], links: Sequence[Link], how: str, similarity: float
    ) -> Duplicate:
        """`original`: its page id, URL and kind; `links`: its links."""
        page_id, url, kind = original
        repeats = how_it_repeats(page.url, page.links, page.kind, url, links, kind)
        return Duplicate(page_id, url, how, similarity, *repeats)


def side_by_side(url: str, other: str) -> bool:
    """Whether two URLs lie in one directory."""
    return _directory(url) == _directory(other)


def _directory(url: str) -> str:
    origin, tail = split(url)
    return origin + tail.partition("?")[0].rstrip("/").rpartition("/")[0]


def is_home_of(page: Page, url: str, links: Iterable[Link]) -> bool:
    """Whether the page lies at the URL that the stored one at `url`, with these links and the same text, names as its own.
    It then takes its place, also if it names a third URL, which may take its own in turn. If the two name each other, the
    stored one stays."""
    named = any(CANONICAL in link.rel and link.url == page.url for link in links)
    return named and page.canonical != url and not page.noindex


def outgrows(page: Page, text: str, url: str, kind: str, there: str) -> bool:
    """Whether the page, with this whole text, takes the place of the stored one at `url`, of this kind and with the text
    `there`, because it says more. Another host's copy does not, nor a list that shows an article whole, nor a page that names
    the other one as its own URL."""
    may = bare_host(page.url) == bare_host(url) and page.kind == kind and page.canonical != url and not page.noindex
    return may and says_more(text, there)


MOST_PATHS = 100
"""The last pages of the origin that are looked up, each at some 10 µs for each other origin."""
LAST_PATHS = f"select url, coalesce(original, page_id) from page where hid=? and {THERE} order by page_id desc limit ?"
TEXT_AT = f"select coalesce(original, page_id) from page where hid=? and uid=? and {THERE}"


def compare_paths(db: Database, origin: str, others: Sequence[str]) -> Compared:
    """Look up the stored pages of one origin at the same paths of others. `focuscrawl.frontier.mirrors` decides by the
    counts."""
    hids = [(other, hid_of(other)) for other in others]
    pages = known = read = same = 0
    for url, text in db.execute(LAST_PATHS, (hid_of(origin), MOST_PATHS)).fetchall():
        path = split(url)[1]
        keys = [(hid, uid_of(join(other, path))) for other, hid in hids]  # not by `url_key`, whose cache is for links
        texts_there = {row[0] for key in keys if (row := db.execute(TEXT_AT, key).fetchone())}
        pages += 1
        known += bool(db.dialect.known_urls(db, keys))
        read += bool(texts_there)
        same += text in texts_there
    return Compared(pages, known, read, same)
