"""When is a page looked at next, and why then?"""

from __future__ import annotations

from focuscrawl.frontier.lanes import is_lifted
from focuscrawl.frontier.states import REMOVED, State
from focuscrawl.items import FEED, SEED
from focuscrawl.recrawl.gone import LONGEST_DELAY, Gone, state_of
from focuscrawl.recrawl.state import DAY, Visit
from focuscrawl.report.plain import duration, moment
from focuscrawl.store.explain import UrlFacts

WOKEN = (State.QUEUED, State.LEASED, State.WAIT)
"""States of a URL that a recrawl is about to look at."""
NEXT: dict[Gone, str] = {
    Gone.SUSPECT: "to see whether it is gone",
    Gone.GONE: "to see whether it is back",
    Gone.MOVED: "to see whether it still redirects",
}
FAILED = "a quarter of the time since it was last seen, 1 to 30 days, after the last try, which said nothing about the page"
"""As `recrawl.gone.failed` plans it."""
CRASHED = f"{LONGEST_DELAY / DAY:.0f} days after the crawler stopped for the third time while it read it"
"""As `store.lease_ends` plans it."""
BY_POLICY: dict[str, str] = {
    "uniform": "as every page (RECRAWL_POLICY uniform){period}",
    "batch": "at the beginning of a round, when all pages are due (RECRAWL_POLICY batch){period}",
    "nutch": "by its own period, shorter after each change and longer after a visit without (RECRAWL_POLICY nutch){period}",
    "similarity": "by its own period, longer the more alike its versions are (RECRAWL_POLICY similarity){period}",
}
"""Of policies in which weights play no part."""
PERIODS: dict[str, str] = {"uniform": "once in {}", "batch": "rounds of {}"}


def resting(visit: Visit, entry: UrlFacts) -> State:
    """The state of the URL when no recrawl is about to look at it: what the last ended visit has left."""
    return State(visit.rest) if entry.state in WOKEN else entry.state


def has_failed(visit: Visit, entry: UrlFacts) -> bool:
    """The last visit said nothing about the page: no answer, an error, robots.txt, a temporary redirect, or anything while its
    host was out of order. (A page that was missing before is taken for missing still.)"""
    state = resting(visit, entry)
    if state is State.FILTERED:
        return entry.error != REMOVED
    if state is State.REDIR:
        return state_of(visit) is not Gone.MOVED
    return state in (State.FAILED, State.DENIED) or (state is State.GONE and state_of(visit) is Gone.LIVE)


def next_visit(visit: Visit, entry: UrlFacts, now: float, policy: str = "optimal") -> str:
    """When, and why then. `policy`: the setting RECRAWL_POLICY."""
    if entry.state is State.FILTERED and entry.error == REMOVED:
        return "never, for an operator removed it; `scrapy frontier add` takes it back"
    if is_lifted(entry.score) and entry.state in WOKEN:
        when = "in this run"
    elif visit.due_at <= now:
        when = f"due since {moment(visit.due_at)}"
    else:
        when = f"{moment(visit.due_at)} (in {duration(visit.due_at - now)})"
    return f"{when}, {_why(visit, entry, policy)}"


def is_asked_for(visit: Visit) -> bool:
    """An operator wants it to be looked at now: `store.operating`."""
    return visit.signal_kind == SEED and visit.due_at == visit.signal_at


def _why(visit: Visit, entry: UrlFacts, policy: str) -> str:
    state = state_of(visit)
    if is_asked_for(visit):
        return "because an operator asked for it (`scrapy frontier add`)"
    if resting(visit, entry) is State.FAILED and entry.error == "crash":
        return CRASHED
    if has_failed(visit, entry):
        return FAILED
    if state is not Gone.LIVE:
        return NEXT[state]
    if policy in BY_POLICY:
        period = PERIODS.get(policy, "{} now").format(duration(visit.period * DAY)) if visit.period > 0 else ""
        return BY_POLICY[policy].format(period=f": {period}" if period else "")
    return _by_value(visit)


def _by_value(visit: Visit) -> str:
    if visit.signal > 0 and visit.signal_at > visit.checked_at:
        source = "feed" if visit.signal_kind == FEED else "sitemap"
        return f"earlier, because a {source} says that it changed at {moment(visit.signal_at)}"
    rate = "by how often it changes" if visit.visits else "by how often pages of its site change"
    hub = f", {visit.hub:.2f} of it for the new pages that it leads to" if visit.hub >= 0.005 else ""
    period = f", {duration(visit.period * DAY)} after the last one" if visit.period > 0 else ""
    return f"{rate} and what it is worth ({visit.weight:.2f}{hub}){period}"
