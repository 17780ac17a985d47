"""The URL to which a stored page has moved, or that it names as its own: it is fetched in the same run, whatever the crawl knew
of it before.

A link may have led there already, and what was found there may have been put aside because it says what is stored: the text of
the very page that has moved. Or the page moves back to a URL that redirected, or was missing, until now. Links never queue any
of these again.

Sites that are rebuilt often do not redirect: the old URLs are missing one day, and only links tell of the new ones.
"""

from __future__ import annotations

import orjson

from focuscrawl.frontier.lanes import lifted
from focuscrawl.frontier.states import MIRROR, REPEATS, State
from focuscrawl.recrawl.gone import TAKEN_OUT, Gone
from focuscrawl.store.engines.database import OPEN_STATES, VISITED, Database
from focuscrawl.store.frontier.host_rows import HostChanges
from focuscrawl.url.key import UrlId

MOVED, NAMED = "moved", "named"
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
    """Let the address that a page names as its own, which the frontier knows by now, be fetched before links, unless it was
    asked before."""
    _want(db, home, NAMED, ASIDE, hosts)


def _want(db: Database, home: UrlId, part: str, closed: str, hosts: HostChanges) -> None:
    """`closed`: SQL for the states in which it is queued again."""
    reason = orjson.dumps([(part, FIRST)]).decode()
    if db.execute(WANT.format(closed=closed), (lifted(FIRST), reason, *home)).rowcount:
        db.execute(QUEUE.format(closed=closed), home)
        hosts.look_again([home[0]])


def may_be_home(db: Database, page_id: int) -> bool:
    """Whether this page, which was just stored for the first time, may be the new home of a stored one that does not redirect:
    it is the only copy of its original, or has the text of a page that is gone."""
    row = db.execute(MAY_BE_HOME, (page_id,)).fetchone()
    return row is not None and bool(row[0])
