"""The course of a crawl: when its pages were stored and its URLs found, in the order of time. Read-only queries behind curves.

Each is at most one pass over a table or two, and never reads texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from focuscrawl.frontier.states import State
from focuscrawl.store.engines.database import Database

FIRST_STORED = """select w.run, f.at, p.relevant from fetches f join worker w on w.id=f.worker
    join page p on p.page_id=f.page_id where f.page_id>0 order by f.page_id"""
REFUSED = f"u.state in ({State.FILTERED}, {State.DENIED})"
FIRST_FOUND_ON = f"""select page_id, count(*), sum(refused) from (select coalesce(min(i.page_id), 0) as page_id,
    min(case when {REFUSED} then 1 else 0 end) as refused
    from url u left join inlink i on i.hid=u.hid and i.uid=u.uid group by u.hid, u.uid) as found group by page_id"""
FIRST_ENDED = f"""select min(f.at) from fetches f join url u on u.hid=f.hid and u.uid=f.uid
    where not {REFUSED} and u.state not in ({State.QUEUED}, {State.LEASED}, {State.WAIT})
    group by f.hid, f.uid order by 1"""


def relevance_in_order(db: Database) -> Iterator[bool]:
    """For each stored page in the order of storing: relevant or not."""
    return (bool(relevant) for (relevant,) in db.execute("select relevant from page order by page_id"))


def page_times(db: Database) -> Iterator[tuple[int, float]]:
    """Number and time of fetching of each stored page, in the order of storing."""
    return ((page_id, at) for page_id, at in db.execute("select page_id, fetched_at from page order by page_id"))


class FirstStored(NamedTuple):
    run: int
    """That stored the page first; a recrawl may have stored newer versions since."""
    at: float
    relevant: bool
    """By the verdict on its present version."""


def first_stored(db: Database) -> Iterator[FirstStored]:
    """When and by which run each stored page was stored first, in the order of storing, from the log of fetches."""
    return (FirstStored(run, at, bool(relevant)) for run, at, relevant in db.execute(FIRST_STORED))


def first_found_on(db: Database) -> Iterator[tuple[int, int, int]]:
    """URLs of the frontier by the first stored page that links to them (0: none does, as to seeds), and how many of them were
    refused, so that they are not fetched."""
    return ((page_id, urls, refused) for page_id, urls, refused in db.execute(FIRST_FOUND_ON))


def first_ended(db: Database) -> list[float]:
    """When each URL that waits no more was fetched first, as the log has it; the earliest first."""
    return [at for (at,) in db.execute(FIRST_ENDED)]


def first_fetched(db: Database) -> dict[int, float]:
    """When each stored page was fetched first, by its number; a recrawl may have read it again since."""
    return dict(db.execute("select page_id, min(at) from fetches where page_id>0 group by page_id"))
