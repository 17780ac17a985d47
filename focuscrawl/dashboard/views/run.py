"""The crawl and its last run: progress, harvest, what was not stored and why, politeness."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace

from focuscrawl.dashboard.views.overview import Activity, now_of, run_facts
from focuscrawl.inspect.missing_terms import missing_terms
from focuscrawl.report import politeness
from focuscrawl.report.advice import advise_at_length, sentences
from focuscrawl.report.charts.curve import WINDOW, Point, harvest_curve
from focuscrawl.report.reasons import cause, rule_words
from focuscrawl.report.runs import RunLine
from focuscrawl.report.summary_in_words import errors_in_words
from focuscrawl.store import overview
from focuscrawl.store.course import relevance_in_order
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import seconds_of, settings_of

MOST_CAUSES = 30


def view(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The data that change while the crawl runs, without the numbers of URLs by state."""
    now, sums = now_of(db), overview.host_sums(db)
    if now.run and now.runs == 1:  # the store may know more than the last heartbeat
        pages, relevant = max(now.run.pages, sums.pages), max(now.run.relevant, sums.relevant)
        now = replace(now, run=replace(now.run, pages=pages, relevant=relevant))
    return {
        "name": crawl.name, "at": now.at, "state": now.state, "wanted": now.control.state.value,
        "by": now.control.by, "workers": len(now.workers),
        "run": run_facts(now), "runs": now.runs, "per_minute": now.per_minute,
        "arguments": now.run.arguments if now.run else {}, "progress": progress(now),
        "errors": errors_in_words(now.run.logged_errors, settings_of(db, now.run.id)) if now.run else "",
        "totals": {**asdict(sums), "harvest_rate": sums.harvest_rate},
    }  # fmt: skip


def progress(now: Activity) -> list[dict[str, object]]:
    """How far the last run is towards each of its limits, and how many seconds remain at its present pace (None: unknown).

    Limits count per worker, so the pace is that of the run's own worker. `done` and `limit` are in pages, in requests or, for
    `minutes`, in seconds."""
    run, worker = now.run, now.worker
    if run is None:
        return []
    passed = seconds_of(run, now.at, worker is not None)
    pace = (worker.per_minute or 0.0) / 60 if worker else 0.0
    requests = worker.count("requests") if worker else RunLine("", run, False, now.at).requests or 0
    asking = requests / passed if passed else 0.0
    found: list[dict[str, object]] = []
    for name, reached, rate, factor in (
        ("max_pages", run.pages, pace, 1), ("max_relevant", run.relevant, pace * run.relevant / max(run.pages, 1), 1),
        ("max_requests", requests, asking, 1), ("budget", requests, asking, 1), ("minutes", passed, 1.0, 60),
    ):  # fmt: skip
        wanted = run.arguments.get(name)
        if not isinstance(wanted, int | float) or wanted <= 0:
            continue
        limit = wanted * factor
        left = (limit - reached) / rate if rate > 0 else None
        found.append(
            {"name": name, "done": min(reached, limit), "limit": limit, "left": max(left, 0.0) if worker and left else None}
        )
    return found


def curve(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The harvest curve."""
    points: list[Point] = harvest_curve(relevance_in_order(db))
    return {"curve": points, "window": WINDOW}


def outlook(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """Advice on whether to continue the crawl, in sentences."""
    return {"advice": sentences(advise_at_length(db, terms=missing_terms(db)))}


def trouble(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """The causes why URLs were not stored and links were not followed, in words."""
    causes = overview.causes(db)
    return {
        "causes": [
            {
                "state": row.state.name, "cause": row.cause, "count": row.count, "example": row.example,
                "words": cause(row.cause).words, "advice": cause(row.cause).advice,
            }
            for row in causes[:MOST_CAUSES]
        ],
        "more_causes": max(len(causes) - MOST_CAUSES, 0),
        "refused": [{"rule": rule, "count": number, "words": rule_words(rule)}
            for rule, number in overview.refused_links(db).items()],
    }  # fmt: skip


def polite(crawl: Crawl, db: Database, query: Mapping[str, str]) -> dict[str, object]:
    """Seconds between two fetches of a host, compared with the delays that politeness requires."""
    found = politeness.politeness(db)
    return {"fetches": found.fetches, "gaps": [gap._asdict() for gap in found.gaps], "hosts": found.hosts}
