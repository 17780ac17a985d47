"""Summarizes a crawl: the facts that the closing summary, the report file and the dashboard show, computed once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import metadata
from platform import python_version

from focuscrawl import __version__
from focuscrawl.graph.shape import Shape
from focuscrawl.items import counted
from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.advice import Advice, advise_at_length
from focuscrawl.report.charts.curve import Point, harvest_curve
from focuscrawl.report.charts.hindsight import Hindsight
from focuscrawl.report.charts.histogram import Histogram, histogram
from focuscrawl.report.charts.progress import Progress, progress
from focuscrawl.report.listed import ListedDetails, listed_details
from focuscrawl.report.politeness import Politeness, politeness
from focuscrawl.report.precision import Precision, precision_of
from focuscrawl.report.revisits.freshness import CollectionFreshness, freshness
from focuscrawl.report.run_before import RunBefore, run_before, run_starts
from focuscrawl.store import overview
from focuscrawl.store.course import relevance_in_order
from focuscrawl.store.engines.database import Database
from focuscrawl.store.frontier.searches import SearchTotals, search_totals
from focuscrawl.store.outlook import term_forms
from focuscrawl.store.overview import BestRow, CauseRow, CopyRow, HostRow, SeedRow, Totals
from focuscrawl.store.pages.collection import Collection, collection_of
from focuscrawl.store.pages.link_graph import SiteStructure, shape_of_store, site_structures
from focuscrawl.store.pages.verdicts import TopicRow, shared_pages, totals_by_topic
from focuscrawl.store.revisits.revisit_rows import Due, due_from
from focuscrawl.store.workers.runs import RunRow, all_runs, is_recrawl, seconds_of, settings_of
from focuscrawl.store.workers.status import live_runs
from focuscrawl.text.language_labels import asks_for
from focuscrawl.text.stems import spelled

MOST_SHAPED = 100_000
"""For crawls of at most this many pages the summary has the shape of the web, and runs are compared: 4 s of CPU with ten links
a page. `scrapy graph` shows the shape of any crawl."""
OFF = frozenset({"0", "false", "False"})
"""What a setting that is a switch is given if it is off."""
LIBRARIES = ("scrapy", "scikit-learn", "jieba", "rjieba", "simhash", "selectolax", "resiliparse", "trafilatura", "fastwarc")


@dataclass(slots=True, frozen=True)
class RunEnd:
    """How a run ended, as its process knows it. The store may not say so yet, or never where it cannot be written."""

    reason: str
    why: str = ""
    errors: int = 0
    """Lines of the log that tell of errors."""


@dataclass(slots=True, frozen=True)
class PassedOver:
    """The pages that are not relevant to a topic because of their language."""

    topic: str
    """Empty in a crawl of one."""
    asked: Sequence[str]
    """The languages that it asks for."""
    pages: Mapping[str, int]
    """By language, the most frequent first."""


@dataclass(slots=True, frozen=True)
class Summary:
    name: str
    directory: str
    made_at: float
    run: RunRow | None
    """The run that is described, by default the last; None in a store without runs."""
    runs: int
    totals: Totals
    """Figures of the whole crawl, over all runs."""
    seconds: float
    """Duration of the run: to its end, to its last page if it crashed, or to now while it runs."""
    running: bool = False
    """Whether a worker is working on that run."""
    errors: int = 0
    """Errors in the log of the run."""
    topics: list[TopicRow] = field(default_factory=list)
    """One for each topic of a crawl of several; empty in a crawl of one."""
    passed_over: list[PassedOver] = field(default_factory=list)
    """Pages in languages that topics do not ask for."""
    searches: SearchTotals | None = None
    """Searches of the web; None if none was made."""
    shared: int = 0
    """Number of pages that are relevant to more than one topic."""
    curve: list[Point] = field(default_factory=list)
    run_starts: list[tuple[int, int]] = field(default_factory=list)
    """Where on the curve a further run began: see `report.run_before.run_starts`."""
    before: RunBefore | None = None
    """The last run of the same kind; None for the first."""
    hosts: list[HostRow] = field(default_factory=list)
    seeds: list[SeedRow] = field(default_factory=list)
    best: list[BestRow] = field(default_factory=list)
    listed: dict[str, ListedDetails] = field(default_factory=dict)
    """Details of each of the `best`, by URL."""
    freshness: CollectionFreshness | None = None
    """None if nothing is stored."""
    spread: Histogram | None = None
    """The pages by relevance; None if there is no page."""
    progress: Progress | None = None
    """None if there is no page, or if there are so many that a closing crawl does not wait for it."""
    politeness: Politeness | None = None
    """None if no host was asked twice."""
    copied: list[CopyRow] = field(default_factory=list)
    causes: list[CauseRow] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    collection: Collection = field(default_factory=Collection)
    structure: list[SiteStructure] = field(default_factory=list)
    """The stored pages by site, the largest first."""
    shape: Shape | None = None
    """Shape of the crawled web; None if it has no page, or so many that a closing crawl does not wait for it."""
    settings: dict[str, str] | None = None
    """Settings that differ from the defaults; None if they are not known any more."""
    advice: Advice | None = None
    """Advice on a crawl that has stored pages; None after a recrawl."""
    precision: Precision | None = None
    """How many of the pages called relevant should be: see `focuscrawl.report.precision`."""
    hindsight: Hindsight | None = None
    """None if it was not computed: see `focuscrawl.inspect.hindsight`."""
    due: Due = field(default_factory=Due)
    """What a recrawl leaves to the next one."""
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def pages_per_second(self) -> float:
        return self.run.pages / self.seconds if self.run and self.seconds > 0 else 0.0

    @property
    def requests(self) -> int | None:
        """Number of requests of this run, by its closing stats, or if it is the only run by those of the crawl; else None."""
        value = self.run.stats.get("downloader/request_count", 0) if self.run and self.run.stats else None
        return value if isinstance(value, int) else self.totals.requests if self.runs <= 1 else None

    @property
    def all_requests(self) -> int:
        """Number of requests of the whole crawl. What its hosts count includes requests that found no address."""
        return self.totals.requests if self.runs > 1 or self.requests is None else self.requests

    def requests_for(self, *what: str) -> int:
        """Number of requests of this run for these, by the labels of the stats `requests/LABEL_count`."""
        return sum(self._counted(f"requests/{label}_count") for label in what)

    @property
    def lookups(self) -> int:
        """Number of names that name servers were asked for in this run."""
        return self._counted("dns/miss_count")

    def _counted(self, stat: str) -> int:
        """A figure of this run; 0 if it has none of this name."""
        value = self.run.stats.get(stat, 0) if self.run else 0
        return value if isinstance(value, int) else 0

    @property
    def is_recrawl(self) -> bool:
        return is_recrawl(self.run)

    @property
    def revisited(self) -> dict[str, int]:
        """The figures of a recrawl, by name."""
        figures = Figures.of(self.run.stats if self.run else {})
        names = ("visited", "unchanged", "changed", "new", "gone", "failed", "requests")
        return {"revisited" if name == "visited" else name: getattr(figures, name) for name in names}

    @property
    def refused_types(self) -> dict[str, int]:
        """Numbers of this run's answers that could not be read, by their content type, the most frequent first."""
        names = [name for name in (self.run.stats if self.run else {}) if name.startswith(REFUSED_TYPES)]
        counts = Counter({name.removeprefix(REFUSED_TYPES): self._counted(name) for name in sorted(names)})
        return dict(counts.most_common())


REFUSED_TYPES = "reading/refused_count/"
"""Beginning of the names of the stats that count them."""


def summarize(
    db: Database,
    name: str,
    directory: str,
    now: float,
    *,
    run: int = 0,
    end: RunEnd | None = None,
    settings: Mapping[str, str] | None = None,
    terms: Sequence[str] = (),
    hindsight: Hindsight | None = None,
    languages: Mapping[str, Sequence[str]] = {},
    of_kind: bool = False,
) -> Summary:
    """The summary of a crawl, in a few passes over the store and none over texts.

    Args:
        db: the crawl's store.
        name, directory: of the crawl.
        now: epoch seconds.
        run: number of the run; 0: the last one.
        end: how it ended; None: as the store says.
        settings: those that differ from the defaults; None: as the store has kept them with the run.
        terms: words of the best pages that the topic lacks.
        hindsight: the comparison of the crawl with breadth-first.
        languages: those that the topics ask for, by topic; under the empty name in a crawl of one.
        of_kind: whether a topic is a kind of page.
    """
    runs = all_runs(db)
    chosen = _chosen(runs, run, end, now)
    running = chosen is not None and not chosen.reason and chosen.id in live_runs(db, now)
    summary = Summary(
        name=name,
        directory=directory,
        made_at=now,
        run=chosen,
        runs=len(runs),
        totals=overview.totals(db),
        seconds=seconds_of(chosen, now, running) if chosen else 0.0,
        running=running,
        errors=end.errors if end else chosen.logged_errors if chosen else 0,
        settings=_settings(db, chosen, settings),
        hindsight=hindsight,
        versions=versions(),
    )
    summary = _with_web(db, _with_pages(db, summary, languages, of_kind))
    if 0 < summary.totals.pages <= MOST_SHAPED:
        summary = _with_what_takes_long(db, summary, runs)
    return _with_outlook(db, summary, terms)


def _chosen(runs: Sequence[RunRow], number: int, end: RunEnd | None, now: float) -> RunRow | None:
    """The run that is described, with its end: see `summarize`."""
    chosen = next((row for row in runs if row.id == number), runs[-1] if runs else None)
    return _with_end(chosen, end, now) if chosen and end and end.reason and not chosen.reason else chosen


def _with_end(run: RunRow, end: RunEnd, now: float) -> RunRow:
    return replace(run, reason=end.reason, why=end.why, ended_at=now if run.ended_at is None else run.ended_at)


def _settings(db: Database, run: RunRow | None, given: Mapping[str, str] | None) -> dict[str, str] | None:
    if given is not None:
        return dict(given)
    kept = settings_of(db, run.id) if run else None
    return None if kept is None else dict(kept)


def _with_pages(db: Database, summary: Summary, languages: Mapping[str, Sequence[str]], of_kind: bool) -> Summary:
    """Add the pages: by topic, in the order in which they came, the best, and those that repeat others."""
    by_topic, forms = totals_by_topic(db), term_forms(db)
    best = [replace(page, terms=spelled(counted(page.terms), forms)) for page in overview.best_pages(db)]
    return replace(
        summary,
        topics=by_topic,
        passed_over=_passed_over(db, languages),
        shared=shared_pages(db) if by_topic else 0,
        curve=harvest_curve(relevance_in_order(db)),
        best=best,
        listed=listed_details(db, summary.name, [page.url for page in best]),
        spread=histogram(db),
        copied=overview.copied_pages(db),
        collection=collection_of(db),
        precision=precision_of(db, of_kind=of_kind),
    )


def _with_web(db: Database, summary: Summary) -> Summary:
    """Add where the pages came from, how the hosts were treated, and what was not fetched."""
    polite = politeness(db)
    return replace(
        summary,
        searches=search_totals(db),
        hosts=overview.hosts(db),
        seeds=overview.seeds(db),
        politeness=polite if polite.gaps else None,
        causes=overview.causes(db),
        refused=overview.refused_links(db),
    )


def _with_what_takes_long(db: Database, summary: Summary, runs: Sequence[RunRow]) -> Summary:
    """Add what a closing crawl waits for only if it is not large."""
    return replace(
        summary,
        run_starts=run_starts(db) if len(runs) > 1 else [],
        before=run_before(db, runs, summary.run),
        progress=progress(db, summary.run),
        structure=site_structures(db),
        shape=shape_of_store(db),
    )


def _with_outlook(db: Database, summary: Summary, terms: Sequence[str]) -> Summary:
    """Add how fresh the pages are, and what comes next: what a recrawl leaves, or whether to continue. `terms`: as for
    `summarize`."""
    pages, now = summary.totals.pages, summary.made_at
    fresh = freshness(db, now, sites=pages <= MOST_SHAPED) if pages else None
    if summary.is_recrawl:
        read_sources = (summary.settings or {}).get("RECRAWL_SIGNALS") not in OFF
        return replace(summary, freshness=fresh, due=due_from(db, now, read_sources))
    return replace(summary, freshness=fresh, advice=_advice(db, summary.run, terms) if pages else None)


def _passed_over(db: Database, languages: Mapping[str, Sequence[str]]) -> list[PassedOver]:
    found = []
    for topic, asked in languages.items():
        pages = {tag: number for tag, number in overview.scored_nothing(db, topic).items() if not asks_for(asked, tag)}
        found += [PassedOver(topic, asked, pages)] if pages else []
    return found


def _advice(db: Database, run: RunRow | None, terms: Sequence[str]) -> Advice | None:
    """Whether to go on, and what would help. `terms`: as for `summarize`."""
    most_per_host = run.arguments.get("max_pages_per_host") if run else None
    advice = advise_at_length(db, most_per_host if isinstance(most_per_host, int) else None, terms)
    # By `run`, because a run that is just ending has written no reason yet.
    return replace(advice, drifted=run.reason == "drift") if advice and run else advice


def versions() -> dict[str, str]:
    """Versions of Python, of this program and of the libraries that results depend on."""
    found = {"Python": python_version(), "focuscrawl": __version__}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found
