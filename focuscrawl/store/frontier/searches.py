"""What searches of the web have brought: which were made, and by which of them a URL entered the frontier. Kept in `meta`, one
row for all searches and one for each URL that they found first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import orjson

from focuscrawl.frontier.partition import Partition
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import read_meta, set_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover, explain_unlinked
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.partitions import without_foreign
from focuscrawl.url.key import UrlId

MADE = "searches"
"""JSON: `count` of all searches of the crawl, and `at`: when each was made, by its key, as far as that is not long ago."""
FOUND = "searched/"
"""Begins the names under which `FoundBySearch` is kept; behind it the two numbers of the URL's key."""
KEPT_SECONDS = 86_400.0
"""A search is not made again within a day: its results would be the same."""
FOUND_URLS = f"select count(*) from meta where key like '{FOUND}%'"
FOUND_PAGES = f"""select count(*), count(case when p.relevant=1 then 1 end)
    from page p join meta m on m.key='{FOUND}' || p.hid || '/' || p.uid"""


@dataclass(slots=True, frozen=True)
class FoundBySearch:
    """The search that found a URL before any link did."""

    query: str
    title: str
    """As the search engine gave it."""


@dataclass(slots=True, frozen=True)
class SearchHitUrl:
    """A hit that no rule refused."""

    discovered: DiscoveredUrl
    parts: str
    """The parts of its priority, as JSON pairs."""
    title: str


@dataclass(slots=True, frozen=True)
class SearchTotals:
    """Figures of all searches of a crawl."""

    searches: int
    found: int
    """URLs that a search found first."""
    pages: int
    """Of these, the stored ones …"""
    relevant: int
    """… and the relevant ones."""


def made_lately(db: Database, now: float) -> set[str]:
    """Keys of the searches that were made within KEPT_SECONDS."""
    return {key for key, at in _made(db)[1].items() if 0 <= now - at < KEPT_SECONDS}  # below 0: the clock was set back


def keep_search(
    db: Database, key: str, query: str, hits: Sequence[SearchHitUrl], now: float, grain: str = "", only: Partition | None = None
) -> int:
    """Note that a search was made, and insert what it found and the frontier does not know. URLs that are known stay as they
    are. Returns the number of new URLs.

    Args:
        grain: As for `discover`.
        only: If set, hits that do not belong to this partition are refused.
    """
    found: dict[UrlId, SearchHitUrl] = {}
    for hit in hits:
        found.setdefault(hit.discovered.url_id, hit)
    kept = without_foreign(db, only, [hit.discovered for hit in found.values()])
    found = {url.url_id: found[url.url_id] for url in kept}
    new = {url_id: found[url_id] for url_id in found.keys() - db.dialect.known_urls(db, found.keys()).keys()}
    hosts = HostChanges()
    inserted = discover(db, [hit.discovered for hit in new.values()], now, hosts=hosts, grain=grain)
    explain_unlinked(db, {url_id: hit.parts for url_id, hit in new.items()})
    for url_id in sorted(new):
        set_meta(db, _name(url_id), orjson.dumps(FoundBySearch(query, new[url_id].title)).decode())
    hosts.write(db, now)
    count, at = _made(db)
    lately = {each: when for each, when in at.items() if now - when < KEPT_SECONDS}
    set_meta(db, MADE, orjson.dumps({"count": count + 1, "at": lately | {key: now}}).decode())
    return inserted


def found_by(db: Database, url_id: UrlId) -> FoundBySearch | None:
    """The search that found this URL first; None if a link, or the user, was first."""
    text = read_meta(db, _name(url_id))
    return FoundBySearch(**orjson.loads(text)) if text else None


def pass_on(db: Database, url_id: UrlId, target: UrlId) -> None:
    """Let the target of a redirect, which has just entered the frontier, be what a search found, if `url_id` was that."""
    db.execute("update meta set key=? where key=?", (_name(target), _name(url_id)))


def search_totals(db: Database) -> SearchTotals | None:
    """Figures of the searches of a crawl; None if there were none. Passes over the pages."""
    count, _ = _made(db)
    if not count:
        return None
    (found,) = db.execute(FOUND_URLS).fetchone()
    return SearchTotals(count, found, *db.execute(FOUND_PAGES).fetchone())


def _made(db: Database) -> tuple[int, dict[str, float]]:
    values = orjson.loads(read_meta(db, MADE) or '{"count": 0, "at": {}}')
    return values["count"], values["at"]


def _name(url_id: UrlId) -> str:
    return f"{FOUND}{url_id[0]}/{url_id[1]}"
