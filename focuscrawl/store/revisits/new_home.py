"""Has another URL of a stored page fetched in the same run, whatever the crawl knew of it before: the one to which the page
has moved, the one that it names as its own, or, if the page is gone, one at which it may still be.

Links alone would not bring such a URL back. It may be known and put aside, because what was found there says the same as
the stored page, which was then still at its old URL; or it redirected, or was missing, until the page moved there.

Sites that are rebuilt often do not redirect: the old URLs are missing one day, and only links tell of the new ones. Therefore
`may_be_home` also recognizes a new home by its text.
"""

from __future__ import annotations

import orjson

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.longer_paths import end_alike
from focuscrawl.frontier.same_values import differ_in_one
from focuscrawl.frontier.states import MIRROR, REPEATS, State
from focuscrawl.items import Lease
from focuscrawl.recrawl.gone import TAKEN_OUT, Gone
from focuscrawl.store.engines.database import OPEN_STATES, SHORT_REDIRECT, VISITED, Database
from focuscrawl.store.frontier.discover import DiscoveredUrl, discover
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.store.frontier.refused_before import Unwanted
from focuscrawl.store.pages.links import stored_links
from focuscrawl.url.key import UrlId

MOVED, NAMED, OTHERWISE = "moved", "named", "otherwise"
"""Names of the only part of its priority, for `scrapy why`."""
FIRST = 1.0
"""Its score: no link may lift it and become its parent."""
ASIDE = f"(state={State.FILTERED:d} and error in ('{MIRROR}', '{REPEATS}'))"
ENDED = f"(state in ({State.REDIR:d}, {State.FAILED:d}, {State.GONE:d}) or {ASIDE})"
WANT = f"""update url set priority=?, parent=0, priority_parts=? where hid=? and uid=?
    and (state in {OPEN_STATES} or {{closed}}) and not {VISITED}"""
"""Without a parent it is fetched even where links bring nothing new (`frontier.yields`), as what a user asked for."""
QUEUE = f"""update url set state={State.QUEUED:d}, tries=0, crashes=0, due_at=0, error=''
    where hid=? and uid=? and {{closed}} and not {VISITED}"""
REDIRECTED_HERE = f"""select u.hid, u.uid, h.origin || u.path, u.depth from fetches f join url u on u.hid=f.hid and u.uid=f.uid
    join host h on h.hid=u.hid where f.redirect=? and {SHORT_REDIRECT} order by +f.id desc limit ?"""
MOST_REDIRECTED = 5
"""URLs that redirected to a page which is gone and are asked again, the last ones."""
REDIRECTED = f"state={State.REDIR:d}"
LINKING = "select page_id from inlink where hid=? and uid=? order by page_id limit ?"
MOST_LINKING = 5
MOST_NAMED = 20
"""Pages of a host from which on a URL that a page names as its own is asked like any other link."""
MAKE_DUE = f"update revisit set due_at=? where hid=? and uid=? and due_at>? and gone>0 and gone<{TAKEN_OUT}"

ONLY_COPY = "not exists (select 1 from page c where c.original=p.original and c.page_id<>p.page_id)"
SAID_BEFORE = f"""exists (select 1 from page g where g.digest=p.digest and g.original is null
    and g.gone in ({Gone.GONE:d}, {Gone.MOVED:d}))"""
MAY_BE_HOME = f"select case when original is null then {SAID_BEFORE} else {ONLY_COPY} end from page p where page_id=?"


def ask_home(db: Database, home: UrlId, now: float, hosts: HostChanges) -> None:
    """Let the new home of a page, which the frontier knows by now, be fetched before links. If it was a page once and is
    missing, its revisit is due."""
    _want(db, home, MOVED, ENDED, hosts)
    db.execute(MAKE_DUE, (now, *home, now))


def ask_named(db: Database, home: UrlId, hosts: HostChanges) -> None:
    """Let the URL that a page names as its own, which the frontier knows by now, be fetched before links, unless it was
    fetched already. Only the first pages of a host have this effect: after that the crawl knows whether its pages are the same
    at such URLs, and each would cost a request that brings nothing new."""
    row = db.execute("select pages from host where hid=?", home[:1]).fetchone()
    if row is None or row[0] < MOST_NAMED:
        _want(db, home, NAMED, ASIDE, hosts)


def ask_otherwise(db: Database, lease: Lease, now: float, hosts: HostChanges, unwanted: Unwanted) -> None:
    """Let another URL of a stored page that is gone be fetched: those that redirected to it and may lead elsewhere by now,
    or else one that was refused or put aside because they differ in one value, or end alike. The pages that link to the one
    mostly link to the other, too. None is asked that the user does not want by now (`unwanted`)."""
    redirected = db.execute(REDIRECTED_HERE, (lease.url, MOST_REDIRECTED)).fetchall()
    wanted = [(hid, uid) for hid, uid, url, depth in redirected if not unwanted(url, depth)]
    asked = [_want(db, url_id, OTHERWISE, REDIRECTED, hosts) for url_id in wanted]
    if any(asked):
        return
    compared = set()
    for (page_id,) in db.execute(LINKING, (*lease.url_id, MOST_LINKING)).fetchall():
        for link in stored_links(db, page_id):
            if link.refused not in ("", "yield") or link.key.hid != lease.hid or link.url in compared:
                continue
            compared.add(link.url)  # to compare takes 0.1 ms
            if not (differ_in_one(link.url, lease.url) or end_alike(link.url, lease.url)) or unwanted(link.url, lease.depth):
                continue
            if link.refused:
                discover(db, [DiscoveredUrl(link.url, lifted(FIRST), lease.depth, lease.distance)], now, hosts=hosts)
            if _want(db, link.key.url_id, OTHERWISE, ASIDE, hosts):
                return


def ask_instead(db: Database, twin: UrlId, hosts: HostChanges) -> None:
    """Let this URL, which the frontier knows by now, be fetched in place of one that failed: that it would have shown the same,
    like all beside it, is no reason to refuse it any more."""
    _want(db, twin, OTHERWISE, ASIDE, hosts)


def _want(db: Database, home: UrlId, part: str, closed: str, hosts: HostChanges) -> bool:
    """`closed`: SQL for the states in which it is queued again. Returns whether it will be fetched."""
    reason = orjson.dumps([(part, FIRST)]).decode()
    if not db.execute(WANT.format(closed=closed), (lifted(FIRST), reason, *home)).rowcount:
        return False
    db.execute(QUEUE.format(closed=closed), home)
    hosts.look_again([home[0]])
    return True


def may_be_home(db: Database, page_id: int) -> bool:
    """Whether this page, which was just stored for the first time, may be the new home of a stored one that does not redirect:
    it is the only copy of its original, or has the text of a page that is gone."""
    row = db.execute(MAY_BE_HOME, (page_id,)).fetchone()
    return row is not None and bool(row[0])
