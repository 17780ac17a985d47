"""Which hosts give no answer, told from the pace of each and the errors of what waits there.

It stands apart from `focuscrawl.store.frontier.pacing`, because commands that only list a crawl need no reader of robots.txt.
"""

from __future__ import annotations

from focuscrawl.frontier.outcome import NO_ANSWER
from focuscrawl.frontier.states import State
from focuscrawl.politeness.pace import PaceSettings
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_rows import load_pace

WITH_PAGES = """select name, max(pace), max(case when best_priority is null then 0 else 1 end) from host
    group by name having sum(pages)>0"""
"""The name and the pace of each host that has given pages, and whether anything waits there."""
_NO_ANSWER = ", ".join("?" * len(NO_ANSWER))
UNANSWERED = f"""select 1 from url u join host h on h.hid=u.hid where h.name=? and u.state in ({State.QUEUED:d}, {State.WAIT:d})
    and u.error in ({_NO_ANSWER})
    union all select 1 from robots r join host h on h.origin=r.origin where h.name=?
    and (r.error in ({_NO_ANSWER}) or 'http-' || cast(r.status as text) in ({_NO_ANSWER})) limit 1"""
"""Whether the last try of a URL that waits, or of robots.txt, got no answer."""


def silent_hosts(db: Database) -> tuple[int, int]:
    """Of the hosts that have given pages: how many do not answer any more, so that what waits there is asked for only now and
    then, and how many there are. A host that answers with errors of single pages is not silent."""
    hosts, most = db.execute(WITH_PAGES).fetchall(), PaceSettings().breaker_fails
    failing = [name for name, column, waits in hosts if waits and load_pace(column).fails >= most]
    return sum(gave_no_answer(db, name) for name in failing), len(hosts)


def gave_no_answer(db: Database, name: str) -> bool:
    """Whether a host of which the last requests failed did not answer them: an answer may also be an error of a page."""
    errors = sorted(NO_ANSWER)
    return db.execute(UNANSWERED, (name, *errors, name, *errors, *errors)).fetchone() is not None
