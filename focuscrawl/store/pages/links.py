"""The links of a page as one compact value of the store: what was read, how it was scored, and what refused it.

Rows of [url, anchor, context, position, rel, in_site, score, parts, refused] as JSON, packed by zlib level 1; then the language
if there is one. `Anchors` looks for the links to one page in many such values, and parses nothing else of them.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from json import JSONDecodeError, JSONDecoder

import orjson

from focuscrawl.frontier.states import BY_PART
from focuscrawl.items import Link, Names
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import packed

RATHER_BY_PART = f"delete from refused where hid=? and uid=? and rule not in {tuple(sorted(BY_PART))}"
"""Of a URL the first refusal is noted, but a page that names it in a closed part is to be found when the part opens again."""


def encode(links: Iterable[Link]) -> bytes:
    """All links of a page in their order; lone surrogates, which UTF-8 cannot hold, become `?`."""
    rows = [_row(link) for link in links]
    try:
        data = orjson.dumps(rows)
    except orjson.JSONEncodeError:
        data = orjson.dumps(_replace_surrogates(rows))
    return packed(data)


def decode(blob: bytes) -> list[Link]:
    """The inverse of `encode`. An empty value has no links."""
    if not blob:
        return []
    return [
        Link(url, anchor, context, position, tuple(rel), bool(in_site), score, parts, refused, language="".join(language))
        for url, anchor, context, position, rel, in_site, score, parts, refused, *language in orjson.loads(
            zlib.decompress(blob)
        )
    ]


def stored_links(db: Database, page_id: int) -> list[Link]:
    """The links of a stored page, with their scores; empty for a page whose text was removed."""
    row = db.execute("select links from body where page_id=?", (page_id,)).fetchone()
    return decode(row[0]) if row else []


def set_links(db: Database, page_id: int, links: Iterable[Link]) -> None:
    """Replace the links of a stored page, because they were scored again, or other rules refuse them."""
    db.execute("update body set links=? where page_id=?", (encode(links), page_id))


def new_links(db: Database, links: Iterable[Link]) -> list[Link]:
    """Those of the links of a fetched page that no rule refused and whose URLs are new to the frontier, each URL once."""
    followed = {link.key.url_id: link for link in links if not link.refused}
    known = db.dialect.known_urls(db, followed.keys()) if followed else {}
    return [link for key, link in followed.items() if key not in known]


def note_refused(db: Database, refused: Iterable[tuple[int, int, str]], page_id: int) -> None:
    """Note the links of a page, as (hid, uid, rule), that do not enter the frontier."""
    rows = sorted(refused, key=lambda row: (row[:2], row[2] not in BY_PART))  # in lock order; of one URL a part's refusal first
    db.executemany(RATHER_BY_PART, [(hid, uid) for hid, uid, rule in rows if rule in BY_PART])
    db.dialect.insert_refused(db, rows, page_id)


def forget_inlinks(db: Database, page_id: int) -> None:
    """Note that a stored page links nowhere any more, because it is gone. Its links are noted again when it is stored again."""
    targets = {link.key.url_id for link in stored_links(db, page_id)}
    db.dialect.delete_inlinks(db, sorted(targets), page_id)


def _row(link: Link) -> list[object]:
    return [
        link.url, link.anchor, link.context, link.position, link.rel, int(link.in_site), link.score, link.parts,
        link.refused, *filter(None, [link.language]),
    ]  # fmt: skip


def _replace_surrogates(value: object) -> object:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, list | tuple):
        return [_replace_surrogates(each) for each in value]
    if isinstance(value, dict):
        return {_replace_surrogates(key): each for key, each in value.items()}
    return value


MOST_ANCHORS = 5
"""Most different anchors that are returned of a page."""
MOST_LINKING = 20
"""How many linking pages are read, those that were stored first."""
LINKING = """select i.page_id, h.origin || u.path from page p join inlink i on i.hid=p.hid and i.uid=p.uid
    join url u on u.hid=i.hid and u.uid=i.uid join host h on h.hid=i.hid
    where p.page_id=? order by i.page_id limit ?"""
_DECODER = JSONDecoder(strict=False)


class Anchors:
    """Reads anchors. Keeps the links of the last linking pages, because the next page is often linked from the same ones."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._links = lru_cache(maxsize=50)(self._unpacked_links)

    def of(self, page_id: int) -> Names:
        """The anchors of the links to a stored page, the most frequent first, without empty ones (of pictures)."""
        linking = self._db.execute(LINKING, (page_id, MOST_LINKING)).fetchall()
        found = Counter(anchor for page_id, url in linking for anchor in anchors_in(self._links(page_id), url))
        return tuple(anchor for anchor, _ in found.most_common(MOST_ANCHORS))

    def _unpacked_links(self, page_id: int) -> bytes:
        row = self._db.execute("select links from body where page_id=?", (page_id,)).fetchone()
        return zlib.decompress(row[0]) if row and row[0] else b""


def anchors_in(links: bytes, url: str) -> Iterable[str]:
    """The anchors of the links to `url` among links as `store.pages.links` writes them, unpacked; each once."""
    needle = b"[" + orjson.dumps(url) + b","
    found = dict[str, None]()
    start = links.find(needle)
    while start >= 0:
        start += len(needle)
        end = links.find(b'",', start) + 1  # a quotation mark within has a backslash before it, and `",` may follow that
        found |= dict.fromkeys([_string(links, start, end)])
        start = links.find(needle, end)
    return [anchor for anchor in found if anchor]


def _string(links: bytes, start: int, end: int) -> str:
    while end > 0:
        try:
            return str(_DECODER.decode(links[start:end].decode("utf-8", "replace")))
        except JSONDecodeError:
            end = links.find(b'",', end) + 1
    return ""
