"""The frontier: waiting URLs, in the order in which they would be fetched, and what each waits for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict

from focuscrawl.command_line.option_values import host_of
from focuscrawl.errors import BadInput
from focuscrawl.report.frontier import waits_for
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.operator_changes import held_hosts
from focuscrawl.store.frontier.waiting import WAITING, Kind, Waiting, waiting_urls
from focuscrawl.store.workers.status import store_now

QUERY = frozenset({"state", "host", "show"})
SHOWN = (100, 500)
"""Numbers of URLs that can be shown."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    state, show = query.get("state", ""), query.get("show") or str(SHOWN[0])
    if state and state not in list(Kind):
        raise BadInput(f"state must be one of {', '.join(Kind)}")
    if show not in map(str, SHOWN):
        raise BadInput(f"show must be one of {', '.join(map(str, SHOWN))}")
    host = host_of(query["host"].strip()) if query.get("host", "").strip() else ""
    now = store_now(db)
    urls = waiting_urls(db, now, int(show), (Kind(state),) if state else WAITING, host)
    return {
        "at": now, "urls": [_line(one, now) for one in urls], "host": host,
        "more": len(urls) == int(show) and show == str(SHOWN[0]),
        "held": [asdict(each) for each in held_hosts(db)],
    }  # fmt: skip


def _line(one: Waiting, now: float) -> dict[str, object]:
    return {
        "url": one.url, "host": one.host, "state": one.state.name, "priority": one.priority, "depth": one.depth,
        "tries": one.tries, "error": one.error, "waits_for": waits_for(one, now),
    }  # fmt: skip
