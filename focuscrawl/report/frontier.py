"""Shows the frontier to an operator: URLs with what they wait for, and the counts of `scrapy frontier stats`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from focuscrawl.frontier.lanes import is_behind, is_lifted, value_of
from focuscrawl.frontier.states import State
from focuscrawl.report.plain import count, duration, one_line, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.frontier.leasing import ON_HOLD
from focuscrawl.store.frontier.listing import FrontierStats
from focuscrawl.store.frontier.waiting import Stage, Waiting
from focuscrawl.url.readable import readable, readable_host

STATES: dict[State, str] = {
    State.QUEUED: "queued",
    State.LEASED: "leased by a worker",
    State.WAIT: "waiting for another try",
    State.DONE: "fetched and stored",
    State.NOTMOD: "fetched, not modified",
    State.REDIR: "redirected",
    State.DUP: "stored as a duplicate",
    State.FILTERED: "refused or removed",
    State.DENIED: "forbidden by robots.txt",
    State.FAILED: "given up",
    State.GONE: "gone",
}
"""The states in words, in the order in which they are counted."""
NAMES = {State.QUEUED: "queued", State.LEASED: "leased", State.WAIT: "retry", State.FILTERED: "removed"}
"""The states of URLs that can be listed as waiting."""


def score_words(priority: float, places: int = 3) -> str:
    """A priority without its lane, with this many decimal places; small ones as `2.1e-07`."""
    value = value_of(priority)
    return f"{value:.{places}f}" if not value or abs(value) >= 10.0**-places else f"{value:.1e}"


def _score(priority: float) -> str:
    """A priority with its lane: URLs of a recrawl come before all others, however small their values are."""
    lane = "recrawl " if is_lifted(priority) else "behind " if is_behind(priority) else ""
    return lane + score_words(priority)


def waiting_table(found: Sequence[Waiting], now: float, title: str = "") -> Table:
    """A table of waiting URLs, in the order given."""
    rows = [(_score(one.priority), NAMES[one.state], waits_for(one, now), readable(one.url)) for one in found]
    columns = [Column("score", True, ours=True), Column("state", ours=True), Column("waits for", width=44, ours=True)]
    return Table([*columns, Column("URL")], rows, title)


def waits_for(one: Waiting, now: float) -> str:
    """Why a URL has not been fetched yet."""
    if one.state is State.FILTERED:
        return "nothing: an operator removed it"
    if one.state is State.LEASED:
        since = f", {duration(now - one.leased_at)}" if one.leased_at else ""
        return f"its answer (worker {one.worker}{since})" if one.worker else "its answer"
    if one.held:
        return "the host's release"
    if one.state is State.WAIT:
        tries = f", {plural(one.tries, 'try', 'tries')} failed" if one.tries else ""
        return f"{one.error}: again {_when(one.due_at, now)}{tries}"
    if one.robots == "wait":
        return f"robots.txt, asked again {_when(one.ready_at, now)}"
    if one.stage(now) is Stage.ROBOTS:
        return "robots.txt, then its turn"
    if one.ready_at > now + ON_HOLD:
        return "the host's answer to another request"
    return f"the host's delay, {_when(one.ready_at, now)}" if one.ready_at > now else "its turn"


def _when(at: float, now: float) -> str:
    return f"in {duration(at - now)}" if at > now else "now"


def waiting_json(one: Waiting, now: float) -> dict[str, object]:
    """A waiting URL as plain values, for programs."""
    return {**asdict(one), "state": NAMES[one.state], "waits_for": waits_for(one, now)}


def stats_parts(stats: FrontierStats, now: float, name: str) -> list[str | Table]:
    """The counts, the hosts with the most waiting URLs, and those that are held. `name`: of the crawl."""
    rows = [(count(stats.states.get(state, 0)), words) for state, words in STATES.items() if stats.states.get(state)]
    rows += [(count(stats.sources), "sitemaps, feeds and probes, visited or for later")] if stats.sources else []
    rows.append(
        (
            count(sum(stats.states.values()) + stats.sources),
            "in all" + (f" ({count(stats.removed)} removed)" if stats.removed else ""),
        )
    )
    parts: list[str | Table] = [
        Table([Column("URLs", True), Column("state", ours=True)], rows, f"Crawl {one_line(name)}"),
        _next(stats, now),
    ]
    if stats.hosts:
        parts.append(_hosts_table(stats, now))
    if stats.held:
        held = [(readable_host(host.name), count(host.waiting)) for host in stats.held]
        parts.append(Table([Column("host", width=60, names=True), Column("waiting", True)], held, "Held by an operator"))
    return parts


def _next(stats: FrontierStats, now: float) -> str:
    dues = []
    if stats.next_host is not None and stats.next_host < now + ON_HOLD:
        dues.append(f"the next host may be asked {_when(stats.next_host, now)}")
    if stats.next_retry is not None:
        dues.append(f"the next retry is due {_when(stats.next_retry, now)}")
    text = ", ".join(dues) or "nothing waits that falls due by time"
    return text[0].upper() + text[1:] + "."


def _hosts_table(stats: FrontierStats, now: float) -> Table:
    columns = [
        Column("host", width=44, names=True), *(Column(name, True) for name in ("queued", "retries", "best score")),
        Column("may be asked", ours=True),
    ]  # fmt: skip
    rows = [
        (
            readable_host(host.name), count(host.queued), count(host.retries),
            _score(host.best) if host.queued else "–",
            "held" if host.held else _asked(host.ready_at, now),
        )
        for host in stats.hosts
    ]  # fmt: skip
    more = f" (of {count(stats.hosts_waiting)})" if stats.hosts_waiting > len(rows) else ""
    return Table(columns, rows, f"Hosts with the most waiting URLs{more}")


def _asked(ready_at: float, now: float) -> str:
    return "after its answer" if ready_at > now + ON_HOLD else _when(ready_at, now)


def stats_json(stats: FrontierStats) -> dict[str, object]:
    """The counts as plain values, for programs; times are epoch seconds."""
    return {**asdict(stats), "states": {state.name: number for state, number in stats.states.items()}}
