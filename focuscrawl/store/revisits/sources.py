"""Sitemaps and feeds in the store: they are found on pages and in robots.txt. An ordinary crawl visits those of hosts that look
good once, a recrawl visits all that are due.

Invariant: a URL of kind SITEMAP or FEED has a row in `revisit`, and is queued only in the upper lane (`frontier.lanes`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import orjson

from focuscrawl.frontier.states import State
from focuscrawl.items import EXAMPLE, FEED, LINK, SEED, SITEMAP, Lease, Link
from focuscrawl.politeness.robots import RobotsFile
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.discover import explain_unlinked
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.partitions import bucket_by, grain_of, url_bucket
from focuscrawl.store.revisits.revisit_rows import wake_unread
from focuscrawl.url.hosts import host_name, registered_domain
from focuscrawl.url.key import LEAST_NUMBER, UrlId, url_key
from focuscrawl.url.normalize import normalize

MOST_SITEMAPS = 20
"""Most sitemaps that are taken from one robots.txt."""
MOST_NESTED = 3
"""Most sitemap indexes above a sitemap."""
RELEVANT = 5
"""A host that names no sitemap is asked for `/sitemap.xml` if it has this many relevant pages."""
RELEVANT_SHARE = 0.2
"""It looks good if they are also at least this share of its pages."""
FIRST_HUB = 1.0
"""Hub value of a source that was not read yet: as if each visit brought one new link of score 1. Of a host's that are found
together, the second has a half of it, the third a third: what is new stands in the first, not in hundreds of archives."""
HOSTS_AT_ONCE = 200
"""Hosts in one transaction, for whose end leases wait."""
PRIOR_SHARE = 0.1
"""Assumed share of relevant pages on an unknown host, which counts as much as one page."""

INSERT_URL = f"""insert into url(hid, uid, state, priority, depth, distance, kind, parent, path, bucket)
    values(?, ?, {State.DONE:d}, 0, ?, ?, ?, ?, ?, ?) on conflict do nothing"""
UNREAD = (State.QUEUED, State.WAIT, State.FAILED, State.GONE, State.FILTERED)
ADOPT = f"""update url set kind=?, state={State.DONE:d}, depth=?, distance=?, due_at=0, error='' where hid=? and uid=?
    and kind in ({LINK}, {SEED}) and (state in ({State.QUEUED:d}, {State.WAIT:d}, {State.FAILED:d}, {State.GONE:d})
    or (state={State.FILTERED:d} and error='type'))"""
"""For a source that is in the frontier because of a link and was not read as a page: most sites with a feed have `<a
href="/feed/">`."""
INSERT_REVISIT = """insert into revisit(hid, uid, kind, due_at, weight, hub, signature_digest) values(?, ?, ?, ?, ?, ?, ?)
    on conflict do nothing"""
HOST = "select h.origin, h.relevant, h.pages, r.body from host h left join robots r on r.origin=h.origin where h.hid=?"
GIVEN_HOSTS = f"""select h.hid, r.body, h.relevant >= {RELEVANT} or exists (
        select 1 from revisit v where v.hid=h.hid and v.kind={FEED} and v.checked_at=0)
    from host h left join robots r on r.origin=h.origin where h.hid in (
        select p.hid from page p join url u on u.hid=p.hid and u.uid=p.uid where u.kind in ({SEED}, {EXAMPLE}))"""
FEEDS = f"""select u.uid from revisit v join url u on u.hid=v.hid and u.uid=v.uid
    where v.hid=? and v.kind={FEED} and v.checked_at=0 order by u.depth, u.uid limit ?"""
"""Those of pages near the seeds first: they are about the whole site."""
HOSTS = """select h.hid, h.origin, h.relevant, r.body from host h left join robots r on r.origin=h.origin
    where h.hid>? and h.relevant>0 order by h.hid limit ?"""
_NAMED = re.compile(rb"site-?map", re.IGNORECASE)


def note_sources(
    db: Database, lease: Lease, feeds: Sequence[str], now: float, *, hosts: HostChanges | None = None, grain: str = ""
) -> int:
    """Visit these feeds (normal URLs), which the page of `lease` names, from now on; returns how many were new.

    If `lease` is of a sitemap or feed, they are of the same kind: entries of a sitemap index, or the target of a redirect.
    `hosts`, `grain`: as for `store.frontier.discover.discover`."""
    kind = lease.kind if lease.kind in (SITEMAP, FEED) else FEED
    nested = lease.distance + 1 if lease.kind in (SITEMAP, FEED) else 0
    if nested > MOST_NESTED:
        return 0
    return _add(db, [_Source(url, kind, lease.depth, nested) for url in feeds], now, hosts, grain)


def find_sitemaps(db: Database, now: float, admits: Callable[[str], object] = lambda url: True) -> int:
    """Visit the sitemaps of every host with relevant pages from now on; returns how many were new.

    These are the sitemaps of its registered domain that its robots.txt names, or else `/sitemap.xml` if it has RELEVANT
    relevant pages. `admits`: whether a normal URL may be fetched. One pass over the hosts, about 0.1 ms for each."""
    new, grain, last = 0, grain_of(db), LEAST_NUMBER
    while rows := db.execute(HOSTS, (last, HOSTS_AT_ONCE)).fetchall():
        last = rows[-1][0]
        urls = [url for _, origin, relevant, body in rows for url in _sitemaps(origin, relevant, bytes(body or b""))]
        new += _add(db, [_Source(url, SITEMAP) for url in dict.fromkeys(urls) if admits(url)], now, None, grain)
    return new


def given_hosts(db: Database) -> list[int]:
    """The hosts (hid) with a stored page that was a seed or example, of any run, that may have sources to visit: a sitemap that
    robots.txt names, a feed that was never visited, or relevant pages, so that a sitemap is guessed. The others are left out
    here, because a million seeds have as many hosts. Looks at the URLs of all pages."""
    rows = db.execute(GIVEN_HOSTS)
    return [hid for hid, robots, others in rows if others or _NAMED.search(bytes(robots or b""))]


def wake_sources(
    db: Database,
    hid: int,
    limit: int,
    now: float,
    depth: int = 0,
    admits: Callable[[str], object] = lambda url: True,
    only_way: bool = False,
    nothing_else: bool = False,
) -> int | None:
    """Let at most `limit` sources of a host that were never visited be visited in this run, sitemaps before feeds, if the host
    looks good: RELEVANT of its pages are relevant, and RELEVANT_SHARE of them. Returns how many will be; None: it does not.

    Args:
        depth: That of the page which made it look good, for its sitemaps.
        admits: As for `find_sitemaps`.
        only_way: Whether no link leads further on the host, so that it need not look good.
        nothing_else: Whether nothing else waits, so that it need not look good; but only what it names is visited then.
    """
    origin, relevant, pages, robots = db.execute(HOST, (hid,)).fetchone()
    enough = RELEVANT if only_way else relevant
    if not nothing_else and enough < max(RELEVANT, RELEVANT_SHARE * pages):
        return None
    sitemaps = [_Source(url, SITEMAP, depth) for url in _sitemaps(origin, enough, bytes(robots or b"")) if admits(url)]
    feeds = db.execute(FEEDS, (hid, limit)).fetchall()
    hosts = HostChanges()
    _add(db, sitemaps, now, hosts, "")
    urls = [*(url_key(sitemap.url).url_id for sitemap in sitemaps), *((hid, uid) for (uid,) in feeds)]
    woken = wake_unread(db, urls, limit, hosts)
    hosts.write(db, now)
    return woken


def explain_announced(db: Database, links: Sequence[Link]) -> None:
    """Note the parts of the priorities of URLs that a sitemap or feed has just announced, because it is not kept as a page with
    its links. What counts in place of a page's relevance gets a name of its own."""
    parts = {link.key.url_id: [(_of_announced(name), value) for name, value in link.parts.items()] for link in links}
    explain_unlinked(db, {url_id: orjson.dumps(values).decode() for url_id, values in parts.items()})


def _of_announced(name: str) -> str:
    """The name of a part, which may begin with that of a topic."""
    topic, slash, part = name.rpartition("/")
    return f"{topic}{slash}{'announced' if part == 'page' else part}"


def unknown(db: Database, urls: Sequence[str]) -> set[str]:
    """Those of these normal URLs that the frontier does not know."""
    ids = {url: url_key(url).url_id for url in urls}
    known = db.dialect.known_urls(db, ids.values())
    return {url for url, url_id in ids.items() if url_id not in known}


def share_of(db: Database, hid: int) -> float:
    """Share of a host's pages that are relevant, in [0, 1], near PRIOR_SHARE while there are few pages."""
    row = db.execute("select relevant, pages from host where hid=?", (hid,)).fetchone()
    return (row[0] + PRIOR_SHARE) / (max(row[0], row[1]) + 1.0) if row else PRIOR_SHARE


def is_hardly_known(db: Database, hid: int) -> bool:
    """Whether too few pages of a host are stored for it to look good, so that its sources are visited as the only way in."""
    row = db.execute("select pages from host where hid=?", (hid,)).fetchone()
    return bool(row) and 0 < row[0] < RELEVANT


@dataclass(slots=True, frozen=True)
class _Source:
    url: str
    kind: int
    depth: int = 0
    nested: int = 0


def _sitemaps(origin: str, relevant: int, robots: bytes) -> Iterator[str]:
    named = RobotsFile.parse(robots).sitemaps if _NAMED.search(robots) else []
    site = registered_domain(host_name(origin))
    urls = dict.fromkeys(filter(None, (normalize(line, f"{origin}/") for line in named if line)))
    own = [url for url in urls if registered_domain(host_name(url)) == site]
    if own:
        yield from own[:MOST_SITEMAPS]
    elif relevant >= RELEVANT:
        yield f"{origin}/sitemap.xml"


def _add(db: Database, sources: Sequence[_Source], now: float, hosts: HostChanges | None, grain: str) -> int:
    changes = hosts or HostChanges()
    ordered = sorted(((url_key(source.url), source) for source in sources), key=lambda pair: pair[0].url_id)
    known = db.dialect.known_urls(db, [key.url_id for key, _ in ordered])
    added: dict[UrlId, int] = {}
    by = grain or (grain_of(db) if len(known) < len(ordered) else "")
    for key, source in ordered:
        if key.url_id not in known:
            changes.find(key.hid, key.origin, bucket_by(by, key.origin))
            values = (source.depth, source.nested, source.kind, 0, key.path, url_bucket(by, source.url))
            is_new = db.execute(INSERT_URL, (*key.url_id, *values)).rowcount > 0
        else:
            is_new = known[key.url_id][0] in UNREAD and _adopt(db, source, key.url_id, changes)
        if is_new:
            added[key.url_id] = source.kind
    hubs = _first_hubs([url_id for url_id in (url_key(source.url).url_id for source in sources) if url_id in added])
    db.executemany(INSERT_REVISIT, [(*url_id, kind, now, hubs[url_id], hubs[url_id], b"") for url_id, kind in added.items()])
    if hosts is None:
        changes.write(db, now)
    return len(added)


def _first_hubs(urls: Iterable[UrlId]) -> dict[UrlId, float]:
    """Hub values of sources, given in the order in which they were named."""
    hubs: dict[UrlId, float] = {}
    before: Counter[int] = Counter()
    for hid, uid in dict.fromkeys(urls):
        before[hid] += 1
        hubs[hid, uid] = FIRST_HUB / before[hid]
    return hubs


def _adopt(db: Database, source: _Source, key: tuple[int, int], changes: HostChanges) -> bool:
    """Turn a URL that is known as a page, but was never read, into a source; not one that another worker is changing now."""
    if key not in db.dialect.lock_urls(db, [key]):
        return False
    adopted = db.execute(ADOPT, (source.kind, source.depth, source.nested, *key)).rowcount > 0
    if adopted:
        changes.look_again([key[0]])
    return adopted
