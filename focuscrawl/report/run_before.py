"""Compares a run with the one before, page for page, by what each stored first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.charts.curve import Frame, draw, harvest_curve
from focuscrawl.report.plain import count, moment, percent, plural
from focuscrawl.store.course import first_stored
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers.runs import RunRow, is_recrawl, seconds_of


@dataclass(slots=True, frozen=True)
class RunBefore:
    """The run before: the last one of the same kind, crawl or recrawl, that brought something."""

    run: RunRow
    this: RunRow
    found: tuple[bool, ...] = ()
    """For each page that this run stored first, in order, whether it is relevant; empty for a recrawl."""
    found_before: tuple[bool, ...] = ()


@dataclass(slots=True, frozen=True)
class BesideDrawing:
    """Harvest rates of both runs over their pages, in the form of SVG's `points` attribute."""

    frame: Frame
    this: str
    before: str


def run_before(db: Database, runs: Sequence[RunRow], this: RunRow | None) -> RunBefore | None:
    """The run before `this`; None for the first of its kind. `runs`: those of the crawl, oldest first."""
    if this is None:
        return None
    # A run that was alive after this one began is another worker's.
    ended = [run for run in runs if run.id < this.id and run.started_at + seconds_of(run, now=0.0) <= this.started_at]
    earlier = [run for run in ended if is_recrawl(run) == is_recrawl(this)]
    if is_recrawl(this):
        before = next((run for run in reversed(earlier) if Figures.of(run.stats).visited), None)
        return RunBefore(before, this) if before else None
    found: dict[int, list[bool]] = {}
    for page in first_stored(db):
        found.setdefault(page.run, []).append(page.relevant)
    before = next((run for run in reversed(earlier) if run.id in found), None)
    return RunBefore(before, this, tuple(found.get(this.id, ())), tuple(found[before.id])) if before else None


def sentence(beside: RunBefore) -> str:
    """A sentence on what was different last time."""
    when = moment(beside.run.started_at)[:10]
    if is_recrawl(beside.this):
        then = Figures.of(beside.run.stats)
        return (
            f"The recrawl before, of {when}, revisited {plural(then.visited, 'page')}: {count(then.changed)} changed,"
            f" {count(then.new)} new, {count(then.gone)} gone, {count(then.unchanged)} the same."
        )
    pages = min(len(beside.found), len(beside.found_before))
    if not pages:
        return f"The run before, of {when}, stored {plural(len(beside.found_before), 'page')}; this one stored none."
    now, before = sum(beside.found[:pages]), sum(beside.found_before[:pages])
    return (
        f"Among its first {plural(pages, 'page')} this run found {count(now)} relevant ({percent(now / pages)});"
        f" the run before, of {when}, had found {count(before)} ({percent(before / pages)})."
    )


def draw_beside(beside: RunBefore, width: int = 760, height: int = 240) -> BesideDrawing | None:
    """The drawing of both runs; None if one of them has too few pages for a line."""
    curves = harvest_curve(beside.found), harvest_curve(beside.found_before)
    if min(map(len, curves)) < 2:
        return None
    longest = max(curves, key=lambda curve: curve[-1].pages)
    frame = replace(draw(longest, width, height).frame, highest=1.0)
    ticks = tuple((frame.y(part / 4), f"{25 * part} %") for part in range(5))
    lines = (frame.line((point.pages, point.rate) for point in curve) for curve in curves)
    return BesideDrawing(replace(frame, y_ticks=ticks), *lines)


def run_starts(db: Database) -> list[tuple[int, int]]:
    """For each run but the first: (number of pages stored before its first one, number of the run)."""
    starts: dict[int, int] = {}
    for place, page in enumerate(first_stored(db)):
        starts.setdefault(page.run, place)
    return [(place, run) for run, place in starts.items() if place]
