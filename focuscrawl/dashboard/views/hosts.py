"""Hosts: their pace, robots rules, harvest and refusals; for one host also the record of our fetches, as evidence for its
owner."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from itertools import pairwise
from math import isfinite
from statistics import median

from focuscrawl.errors import BadInput
from focuscrawl.politeness.robots import read
from focuscrawl.report.reasons import cause
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.host_browsing import (
    ORDERS,
    Cursor,
    ListedHost,
    causes_of_host,
    fetches_of_host,
    hosts_of_name,
    listed_hosts,
    robots_body,
    waiting_of_host,
)
from focuscrawl.store.frontier.leasing import ON_HOLD
from focuscrawl.store.workers.status import store_now

QUERY = frozenset({"name", "order", "after", "text"})
ROWS = 50
MOST_RULES = 200
AGENT = "our agent"
"""A key that the dashboard adds to the query: our product token in robots.txt."""


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """`ROWS` hosts, or all origins of the host that the query names."""
    now = store_now(db)
    if name := query.get("name"):
        found = hosts_of_name(db, name)
        if not found:
            raise BadInput(f"the crawl knows no host {name[:100]!r}")
        return {
            "name": name,
            "at": now,
            "hosts": [_line(host, now) | _closely(db, host, query.get(AGENT, "*")) for host in found],
            "following": "",
        }
    order, text = query.get("order") or "relevant", query.get("text", "").strip().lower()
    if order not in ORDERS:
        raise BadInput(f"order must be one of {', '.join(ORDERS)}")
    listed = listed_hosts(db, order, ROWS, cursor_of(query.get("after", ""), len(ORDERS[order])), text)
    following = "~".join([*map(repr, listed.following[0]), listed.following[1]]) if listed.following else ""
    return {"name": "", "at": now, "hosts": [_line(host, now) for host in listed.hosts], "following": following}


def cursor_of(text: str, keys: int) -> Cursor | None:
    """The cursor that is written as `keys` numbers and an origin, such as `12~40~41~http://a.test`. Raises BadInput."""
    if not text:
        return None
    *figures, origin = text.split("~", keys)
    with suppress(ValueError):
        values = tuple(map(float, figures))
        if len(values) == keys and all(map(isfinite, values)):
            return values, origin
    raise BadInput("after is not a place in a list of hosts; follow the links")


def _line(host: ListedHost, now: float) -> dict[str, object]:
    values = asdict(host)
    values["next_in"] = None if host.ready_at > now + ON_HOLD else max(host.ready_at - now, 0.0)
    return values


def _closely(db: Database, host: ListedHost, agent: str) -> dict[str, object]:
    """The further data that the page of one host shows."""
    group = read(robots_body(db, host.origin)).group_of(agent) if host.robots == "rules" else None
    fetches = fetches_of_host(db, host.hid)
    gaps = [later.at - earlier.at for earlier, later in pairwise(fetches)]
    return {
        "waiting": waiting_of_host(db, host.hid),
        "rules": [str(rule) for rule in group.rules[:MOST_RULES]] if group else [],
        "more_rules": max(len(group.rules) - MOST_RULES, 0) if group else 0,
        "causes": [
            {
                "state": each.state.name, "cause": each.cause, "count": each.count, "words": cause(each.cause).words,
                "example": host.origin + each.path,
            }
            for each in causes_of_host(db, host.hid)
        ],
        "fetches": len(fetches), "first_at": fetches[0].at if fetches else None, "last_at": fetches[-1].at if fetches else None,
        "gap": median(gaps) if gaps else None,
        "slowed": sum(fetch.status in (429, 503) for fetch in fetches),
    }  # fmt: skip
