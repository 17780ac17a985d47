"""Writes the report of a stored crawl as a file, when a run ends and at any time later, by the same steps."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing

from focuscrawl.crawl.relevance.stored_topic import of_kind
from focuscrawl.errors import BadInput, in_shell
from focuscrawl.inspect.hindsight import hindsight
from focuscrawl.inspect.missing_terms import missing_terms
from focuscrawl.report import html
from focuscrawl.report.revisits import changes_page
from focuscrawl.report.revisits.changes import ChangeLists, gather
from focuscrawl.report.revisits.changes_page import CHANGES, READ
from focuscrawl.report.summary import RunEnd, Summary, summarize
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import languages_asked, topics_of
from focuscrawl.store.revisits.change_log import changes_of
from focuscrawl.store.workers.runs import RunRow, all_runs, is_recrawl
from focuscrawl.store.workers.status import store_now

LISTED = 100
"""Most pages in each list of changes, in a report that is a single file."""
REPORT, RECRAWL = "report.html", "recrawl.html"
"""Reports of the last crawl and of the last recrawl. They have two names, so that neither replaces the other."""


def report_name(recrawl: bool) -> str:
    return RECRAWL if recrawl else REPORT


def write_reports(
    crawl: Crawl, run: int, *, end: RunEnd | None = None, settings: Mapping[str, str] | None = None, language: str = "en",
    unwritten: Callable[[OSError], None] | None = None,
) -> Summary:  # fmt: skip
    """Write the report of a run into the crawl's directory, and beside it the page of what is new since the run began.

    That page is of the last run. Where a recrawl has followed the crawl, or the other way round, it stays as that wrote it, and
    the report of the earlier run stands alone. Raises BadInput, OSError and the store's errors.

    Args:
        crawl: The store is read; the crawl may be running.
        run: Number of the run; 0: the last one.
        end: How it ended; None: as the store says.
        settings: Those that differ from the defaults; None: not known any more.
        language: `en` or `zh`.
        unwritten: Called with the error where the files cannot be written, as on a full disk; None: it is raised.
    """
    with crawl.at_one_moment() as db:
        now = store_now(db)
        summary = _summary(db, crawl, run, now, end, settings)
        path = crawl.directory / report_name(is_recrawl(summary.run))
        followed = _followed(db, summary.run)
        lists = _lists(db, crawl, summary.run, now) if followed else None
        news = None if followed else changes_page.collect(db, crawl.name, summary.run.started_at if summary.run else 0.0, now)
    try:
        if news:
            changes_page.write(news, crawl.directory / CHANGES, path.name, language)
        html.write(summary, path, CHANGES if news else "", news.news if news else "", language, lists)
    except OSError as error:
        if unwritten is None:
            raise
        unwritten(error)
    return summary


def report_of(crawl: Crawl, run: int, language: str = "en") -> str:
    """The report of a run as one page without links to other files. The report of a recrawl lists what is new."""
    with crawl.at_one_moment() as db:
        now = store_now(db)
        found = _summary(db, crawl, run, now)
        lists = _lists(db, crawl, found.run, now)
    return html.render(found, language=language, lists=lists)


def _summary(
    db: Database, crawl: Crawl, run: int, now: float, end: RunEnd | None = None, settings: Mapping[str, str] | None = None
) -> Summary:
    return summarize(
        db, crawl.name, str(crawl.directory), now,
        run=run, end=end, settings=settings, terms=missing_terms(db), hindsight=hindsight(db),
        languages=languages_asked(db), of_kind=of_kind(db, topics_of(db), now),
    )  # fmt: skip


def _lists(db: Database, crawl: Crawl, run: RunRow | None, now: float) -> ChangeLists | None:
    """What a recrawl found, for a report that stands alone; None for a crawl."""
    if run is None or not is_recrawl(run):
        return None
    since, until = run.started_at, run.ended_at or now
    return gather(changes_of(db, since, until + 1), crawl.name, since, until, LISTED, READ)


def _followed(db: Database, run: RunRow | None) -> bool:
    """Whether a run of the other kind has begun since: a recrawl after a crawl, or a crawl after a recrawl."""
    later = () if run is None else (other for other in all_runs(db, counted=False) if other.id > run.id)
    return any(is_recrawl(other) != is_recrawl(run) for other in later)


def last_run(crawl: Crawl, *, recrawl: bool) -> int:
    """The number of the last run of that kind; 0 if no run is known. Raises BadInput if there is no recrawl."""
    with closing(crawl.open()) as db:
        runs = [run.id for run in all_runs(db, counted=False) if is_recrawl(run) == recrawl]
    if recrawl and not runs:
        raise BadInput(f"{crawl.name} was not recrawled yet; `scrapy recrawl {in_shell(crawl.name)}` does")
    return max(runs, default=0)
