"""The links of a page as one compact value of the store: what was read, how it was scored, and what refused it.

Rows of [url, anchor, context, position, rel, in_site, score, parts, refused] as JSON, packed by zlib level 1; then the language
if there is one.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable

import orjson

from focuscrawl.items import Link
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import packed


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
