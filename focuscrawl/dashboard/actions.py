"""The changes that users can make to a crawl: those of `scrapy pause`, `resume`, `stop` and `frontier`, which are made in the
store alone, and the recrawls and search indexes that they can start for an existing crawl."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from functools import partial

from focuscrawl.command_line.option_values import host_of, url_of
from focuscrawl.command_line.steering import want
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.seed_list import SCHEME, seeds_of_text
from focuscrawl.dashboard.job_list import SCRAPYD
from focuscrawl.dashboard.jobs import Jobs
from focuscrawl.dashboard.state import Dashboard, Notice
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.frontier.operator_changes import (
    Removed,
    add,
    hold,
    parts_of_prefix,
    remove_parts,
    remove_urls,
)
from focuscrawl.store.revisits.taking_out import TakenOut, take_out_parts, take_out_urls
from focuscrawl.store.workers.control import WantedState
from focuscrawl.store.workers.status import store_now

STEERED = {
    WantedState.PAUSE: ("Nothing more is leased within some seconds (workers: {n}); resume lets the crawl continue.",
                   "The crawl is paused: a worker that starts will wait."),
    WantedState.STOP: ("What is in flight is finished, then the run ends (workers: {n}).",
                  "The crawl is stopped: no worker may start before it is resumed."),
    WantedState.RUN: ("The crawl continues (workers: {n}).", "The crawl may run again; nobody works on it now."),
}  # fmt: skip
"""For each wanted state, the sentence if workers are running and the sentence if none are."""


def steer(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    """Pause, stop or resume the crawl. Raises BadInput, and ERRORS while the store is busy."""
    try:
        wanted = WantedState(fields["wanted"])
    except ValueError:
        raise BadInput("a crawl can be asked to run, to pause and to stop") from None
    with closing(crawl.open(write=True)) as db:
        _, running = want(db, wanted)
    with_workers, without = STEERED[wanted]
    return Notice(with_workers, {"n": running}) if running else Notice(without)


def change_frontier(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    """Add or remove URLs, hold or release a host. Raises BadInput, and ERRORS while the store is busy."""
    action = FRONTIER_CHANGES.get(fields["action"])
    if action is None:
        raise BadInput("the action must be add, remove, remove-all, hold or release")
    return action(dashboard, crawl, fields)


def _add(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    urls, skipped = _urls(fields)
    try:
        score = float(fields["score"] or 1)
    except ValueError:
        score = math.nan
    if not 0 <= score <= 1:
        raise BadInput(f"{fields['score'][:40]!r} is not a score; give a number between 0 and 1")
    with closing(crawl.open(write=True)) as db:
        counts = add(db, urls, score, store_now(db))
    counted = ", ".join(f"{number:,} {what}" for what, number in counts.items())
    return Notice(ADDED, {"counts": counted, "skipped": skipped})


def _remove(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    urls, skipped = _urls(fields)
    keys = dashboard.training.options.dedup.keys
    with closing(crawl.open(write=True)) as db:
        now = store_now(db)
        found = remove_urls(db, urls, now)
        out = take_out_urls(db, urls, partial(store_now, db), keys) if fields["pages"] else None
    ended = found.ended - (out.urls if out else 0)
    return _removed(Removed(found.waiting, found.leased, found.unknown, ended), out, skipped)


def _remove_all(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    """Remove every URL that begins with the prefix, of both schemes unless one is given."""
    prefix, keys = fields["prefix"], dashboard.training.options.dedup.keys
    with closing(crawl.open(write=True)) as db:
        parts = parts_of_prefix(db, url_of(prefix), not SCHEME.match(prefix))
        if not parts:
            raise BadInput(f"the crawl knows no host of {prefix[:100]!r}")
        now = store_now(db)
        found = remove_parts(db, parts, now)
        out = take_out_parts(db, parts, partial(store_now, db), keys) if fields["pages"] else None
    return _removed(found, out, "")


def _removed(removed: Removed, out: TakenOut | None, skipped: str) -> Notice:
    values = {**asdict(removed), "skipped": skipped}
    return Notice(REMOVED + TAKEN_OUT, values | {"pages": out.pages}) if out else Notice(REMOVED, values)


def _urls(fields: Mapping[str, str]) -> tuple[tuple[str, ...], str]:
    """The URLs of the form, and a note that counts invalid ones. Raises BadInput if no URL is valid."""
    found = seeds_of_text(fields["urls"])
    if not found.urls:
        raise BadInput(found.problems[0] if found.problems else "no URL is given")
    return found.urls, f"; skipped: {len(found.problems)}" if found.problems else ""


HELD = {
    "hold": ("{host} is held: no requests are sent to it.", "{host} was already held."),
    "release": ("{host} is released.", "{host} was not held."),
}
"""For each action, the sentence if it changed something and the sentence if it was so already."""


def _hold(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    """Hold a host, or release it."""
    action, host = fields["action"], fields["host"]
    with closing(crawl.open(write=True)) as db:
        changed = hold(db, host_of(host), action == "hold")
    return Notice(HELD[action][0 if changed else 1], {"host": host})


FRONTIER_CHANGES = {"add": _add, "remove": _remove, "remove-all": _remove_all, "hold": _hold, "release": _hold}
ADDED = "Added: {counts}{skipped}."
REMOVED = (
    "Removed: {waiting} waiting, {leased} in the hands of workers, {unknown} not found yet; {ended} had ended before{skipped}."
)
TAKEN_OUT = " Pages taken out of the collection: {pages}; the WARC files stay as they are."


BEGUN, BEGINNING = "It has begun.", "It is being started; that takes longer than usual."


def recrawl(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    """Start a recrawl of the pages that are due, or of all pages. Raises BadInput."""
    filled = {name: value for name, value in fields.items() if value and name != "where"}
    given = {"name": crawl.name, "mode": "recrawl", **filled}
    parse_arguments(given)
    if fields["where"] == SCRAPYD:
        return scheduled(dashboard.jobs, given)
    _on_this_machine(crawl, "start the recrawl there")
    options = ["--all"] if given.get("revisit") == "all" else []
    options += [part for name in ("budget", "minutes") if name in given for part in (f"--{name}", given[name])]
    return Notice(BEGUN if dashboard.jobs.recrawl(crawl.name, options) else BEGINNING)


INDEXED = "The search index is up to date."
INDEXING = "The search index is being made; Jobs shows when that ends."


def index(dashboard: Dashboard, crawl: Crawl, fields: Mapping[str, str]) -> Notice:
    """Make the search index, or update it from the store. Raises BadInput."""
    _on_this_machine(crawl, "make its search index there")
    return Notice(INDEXED if dashboard.jobs.index(crawl.name) else INDEXING)


def _on_this_machine(crawl: Crawl, advice: str) -> None:
    if crawl.location or not crawl.directory.is_dir():
        raise BadInput(f"crawl {crawl.name!r} has its folder on another machine; {advice}")


SCHEDULED = "Scrapyd has it as job {id}."


def scheduled(jobs: Jobs, arguments: Mapping[str, str]) -> Notice:
    """Schedule a crawl with these arguments on Scrapyd. Raises BadInput."""
    if jobs.scrapyd is None:
        raise BadInput("no Scrapyd is set: start the dashboard with -s SCRAPYD_URL=http://…")
    return Notice(SCHEDULED, {"id": jobs.scrapyd.schedule(arguments)})


def stop_job(jobs: Jobs, fields: Mapping[str, str]) -> Notice:
    """Ask a job, of this machine or of Scrapyd, to end. Raises BadInput."""
    if fields["where"] == SCRAPYD and jobs.scrapyd:
        jobs.scrapyd.cancel(fields["id"])
    else:
        jobs.stop(fields["id"])
    return Notice(STOPPING)


STOPPING = "The job was asked to end; it finishes what is in flight."


@dataclass(frozen=True, slots=True)
class Action:
    """A change that a form asks for: `run` gets the values of `fields`; then the browser is sent to the page `back`."""

    run: Callable[[Dashboard, Crawl, Mapping[str, str]], Notice]
    fields: tuple[str, ...]
    back: str = ""


ACTIONS: dict[str, Action] = {
    "recrawl": Action(recrawl, ("where", "revisit", "budget", "minutes")),
    "index": Action(index, (), "pages"),
    "steer": Action(steer, ("wanted",)),
    "change": Action(change_frontier, ("action", "urls", "score", "host", "prefix", "pages"), "frontier"),
}
"""Actions by the last part of the URL's path."""
