"""The progress of a crawl: how many URLs it knew after each page, and how fast one of its runs stored pages."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import inf
from operator import sub
from typing import NamedTuple

from focuscrawl.report.charts.curve import POINTS, Frame, counting_frame
from focuscrawl.store.course import first_ended, first_fetched, first_found_on, first_stored, page_times
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import RunRow, is_recrawl

STRETCHES = 40
"""Number of bars into which the time of a run is divided. So many are distinct on a phone."""


@dataclass(slots=True, frozen=True)
class Progress:
    """Numbers of URLs by the stored pages in the order of storing, and numbers of pages by time."""

    known: Sequence[int]
    """Number of URLs, including seeds, that were known after 1, 2, … pages."""
    waiting: Sequence[int]
    """How many of these were not fetched by then. URLs that were refused later do not count."""
    stored: Sequence[int]
    """Number of pages stored in each of STRETCHES stretches of the run; empty if the run stored fewer than two pages."""
    stretch: float = 0.0
    """Seconds in a stretch."""
    pause: float = 0.0
    """The longest time between two pages of the run, in seconds."""

    @property
    def seconds(self) -> float:
        """Seconds from the first page of the run to its last."""
        return self.stretch * len(self.stored)


class RateBar(NamedTuple):
    left: float
    width: float
    height: float
    rate: float
    """Pages a minute."""


@dataclass(slots=True, frozen=True)
class KnownDrawing:
    """An SVG picture of URLs over pages. Lines are in the form of SVG's `points` attribute."""

    frame: Frame
    known: str
    waiting: str
    stored: str


@dataclass(slots=True, frozen=True)
class PaceDrawing:
    """An SVG picture of pages per minute over the time of the run."""

    frame: Frame
    bars: Sequence[RateBar]


def progress(db: Database, run: RunRow | None) -> Progress | None:
    """The progress of a crawl and of one of its runs; None if it has no pages. It takes one pass over the pages, one over the
    links and three over the log of fetches."""
    times = dict(page_times(db))
    if not times:
        return None
    new, refused = [0] * len(times), [0] * len(times)
    place = {page_id: at for at, page_id in enumerate(times)}
    for page_id, urls, never in first_found_on(db):
        new[place.get(page_id, 0)] += urls  # URLs that no stored page links to, as seeds, were known before the first
        refused[place.get(page_id, 0)] += never
    known = list(accumulate(new))
    waiting = _waiting(db, times, map(sub, known, accumulate(refused)))
    moments = _moments(db, run, times.values()) if run else []
    if len(moments) < 2 or moments[-1] <= moments[0]:
        return Progress(known, waiting, [])
    stretch = (moments[-1] - moments[0]) / STRETCHES
    stored = [0] * STRETCHES
    for at in moments:
        stored[min(int((at - moments[0]) / stretch), STRETCHES - 1)] += 1
    return Progress(known, waiting, stored, stretch, max(after - before for before, after in pairwise(moments)))


def _waiting(db: Database, times: Mapping[int, float], fetchable: Iterable[int]) -> list[int]:
    """For each page, how many of the URLs that can be fetched had not been fetched when it was stored.

    Args:
        db: the crawl's store.
        times: when each page was fetched, in epoch seconds, by page_id, in the order of storing.
        fetchable: number of URLs known after each page that were not refused.
    """
    ended, fetched = first_ended(db), first_fetched(db)
    moments = accumulate((fetched.get(page_id, at) for page_id, at in times.items()), max)
    return [max(urls - bisect_right(ended, at), 0) for urls, at in zip(fetchable, moments, strict=True)]


def _moments(db: Database, run: RunRow, present: Iterable[float]) -> list[float]:
    """When the run stored pages, ascending. For a crawl this is taken from the log of fetches, because its pages have the time
    of a later recrawl. The pages of a recrawl are not in that log, and have their own times (`present`)."""
    if is_recrawl(run):
        return sorted(at for at in present if run.started_at <= at <= (run.ended_at or inf))
    return sorted(page.at for page in first_stored(db) if page.run == run.id)


def draw_known(progress: Progress, width: int = 760, height: int = 240) -> KnownDrawing:
    """The picture of known and waiting URLs and stored pages over the stored pages."""
    pages = len(progress.known)
    places = list(dict.fromkeys([*range(1, pages + 1, max(1, pages // POINTS)), pages]))
    axes = counting_frame(pages, progress.known[-1], width, height)
    known, waiting = (axes.line((at, urls[at - 1]) for at in places) for urls in (progress.known, progress.waiting))
    return KnownDrawing(axes, known, waiting, axes.line([(1, 1), (pages, pages)]))


def draw_pace(progress: Progress, width: int = 760, height: int = 200) -> PaceDrawing:
    """The picture of the run's pace, which must have `stored` pages."""
    rates = [60 * pages / progress.stretch for pages in progress.stored]
    axes = counting_frame(2, max(rates), width, height)
    wide = (axes.right - axes.left) / len(rates)
    bars = [
        RateBar(axes.left + wide * place + 0.5, wide - 1, axes.bottom - axes.y(rate), rate) for place, rate in enumerate(rates)
    ]
    return PaceDrawing(axes, bars)
