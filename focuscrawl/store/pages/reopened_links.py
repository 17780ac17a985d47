"""Lets links of stored pages enter the frontier that were refused before and may be followed now: this run follows what an
earlier one did not, the part of the web in which they lie has opened again, or a shorter way to their page was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from focuscrawl.frontier.first_visits import TRIAL_PAGES
from focuscrawl.frontier.partition import Partition
from focuscrawl.frontier.states import BY_PART
from focuscrawl.items import Link
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.meta import set_meta
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.partitions import Located, of_same_part
from focuscrawl.store.pages.links import set_links
from focuscrawl.url.key import BEFORE_ALL

LinkKey = tuple[int, int, int]
"""(hid, uid, page_id): of a link to a URL, in the order in which links are stored."""
MOST_PAGES = 2_000
"""Most pages whose refused links are judged again when a part opens, the last ones that were stored; 1 ms each."""
IS_BY_PART = f"r.rule in {tuple(sorted(BY_PART))}"
OF_SITE = f"""select distinct r.page_id from host h join refused r on r.hid=h.hid where h.site=? and {IS_BY_PART}
    order by r.page_id desc limit ?"""
OF_NEW_HOSTS = f"""select distinct r.page_id from refused r left join host h on h.hid=r.hid
    where {IS_BY_PART} and coalesce(h.pages, 0)<{TRIAL_PAGES} order by r.page_id desc limit ?"""
"""Hosts with so few pages may have been judged by first visits: those to new hosts, or the trial of their domain."""
MOST_LINKS = 20_000
"""Links that one call of `come_nearer` looks at, for which leases and heartbeats wait; 50 000 take 0.5 to 0.8 s."""
BEFORE_LINKS: LinkKey = (*BEFORE_ALL, 0)
"""Before the first link, where a pass over all of them begins."""
SOME = "from inlink where (hid, uid, page_id)>(?, ?, ?) order by hid, uid, page_id limit ?"
LAST = f"select hid, uid, page_id {SOME} offset ?"
NEARER = f"""select i.hid, i.uid, min(f.depth)+1 from (select hid, uid, page_id {SOME}) i join page p on p.page_id=i.page_id
    join url f on f.hid=p.hid and f.uid=p.uid join url u on u.hid=i.hid and u.uid=i.uid
    where u.depth>f.depth+1 group by i.hid, i.uid order by i.hid, i.uid"""
COME_NEARER = "update url set depth=? where hid=? and uid=? and depth>?"
OF_NEARER = """select p.page_id from page p join url u on u.hid=p.hid and u.uid=p.uid
    where p.depth>=? and u.depth<? order by p.page_id"""
READ_NEARER = "update page set depth=(select u.depth from url u where u.hid=page.hid and u.uid=page.uid) where page_id=?"
"""The depth of a page is that at which its links were judged."""
OPENED = "opened again/"
"""Begins the names in `meta` of registered domains with a part that has opened again, whose refused links are not queued yet;
the value is the worker that does it. What one does not come to is left to the next run."""
NOTED = "select key from meta where substr(key, 1, cast(? as integer))=? order by key"
FORGET = "delete from meta where key=? and value=?"


class ReopenedPage(NamedTuple):
    """A stored page with links that were refused before and may be followed now."""

    page_id: int
    source: Located
    """Its URL."""
    links: Sequence[Link]
    """All of its links."""
    discovered: Sequence[DiscoveredUrl]
    """Those that may be followed now."""


def pages_refusing(db: Database, site: str) -> list[int]:
    """The numbers of pages with links to this site, or to hosts of which hardly anything was stored (empty), that were refused
    because of what their part of the web brings or shows, the newest first."""
    found = db.execute(OF_SITE, (site, MOST_PAGES)) if site else db.execute(OF_NEW_HOSTS, (MOST_PAGES,))
    return [page_id for (page_id,) in found]


def come_nearer(db: Database, after: LinkKey) -> tuple[int, LinkKey | None]:
    """Give known URLs the depths that follow from those of the stored pages with links to them, by at most so many links after
    `after`. Returns how many have come nearer, and where the next call goes on (None: these were the last links)."""
    nearer = db.execute(NEARER, (*after, MOST_LINKS)).fetchall()
    db.executemany(COME_NEARER, [(depth, hid, uid, depth) for hid, uid, depth in nearer])
    last = db.execute(LAST, (*after, 1, MOST_LINKS - 1)).fetchone()
    return len(nearer), tuple(last) if last else None


def nearer_pages(db: Database, max_depth: int) -> list[int]:
    """The numbers of stored pages whose links lay deeper than `max_depth` when they were judged, and do so no longer."""
    return [page_id for (page_id,) in db.execute(OF_NEARER, (max_depth, max_depth)).fetchall()]


def note_nearer(db: Database, page_ids: Sequence[int]) -> None:
    """Note that the links of these pages were judged again at the depths that their URLs have now."""
    db.executemany(READ_NEARER, [(page_id,) for page_id in page_ids])


def note_opened(db: Database, site: str, worker: int) -> None:
    """Note that links to this site are to be queued that were refused; empty: links to new hosts."""
    set_meta(db, f"{OPENED}{site}", str(worker))


def opened_before(db: Database, worker: int) -> list[str]:
    """The sites whose links no run has come to queue. From now on this worker does it."""
    sites = [key.removeprefix(OPENED) for (key,) in db.execute(NOTED, (len(OPENED), OPENED)).fetchall()]
    for site in sites:
        note_opened(db, site, worker)
    return sites


def forget_opened(db: Database, site: str, worker: int) -> None:
    """Note that the links to this site are queued, unless another worker has to do it again."""
    db.execute(FORGET, (f"{OPENED}{site}", str(worker)))


def queue_links(db: Database, pages: Sequence[ReopenedPage], only: Partition | None, now: float) -> int:
    """Let links of stored pages enter the frontier. Returns the number of URLs that are new. `only`: if set, no link from one
    worker's part to another's does (PARTITION_FOREIGN=drop), whichever worker has fetched the page."""
    found = [of_same_part(db, only, page.source, page.discovered) if only else page.discovered for page in pages]
    new = discover(db, [item for items in found for item in items], now)
    for page in pages:
        set_links(db, page.page_id, page.links)
        db.dialect.insert_inlinks(db, sorted(item.url_id for item in page.discovered), page.page_id)
    db.executemany("delete from refused where hid=? and uid=?", sorted({item.url_id for items in found for item in items}))
    return new
