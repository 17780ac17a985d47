"""Traces one page through every stage: what each stage decided and how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import TypeVar

from focuscrawl.items import Link
from focuscrawl.report.plain import count, one_line
from focuscrawl.report.reasons import rule_words
from focuscrawl.report.score import part_words
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.url.readable import readable

Result = TypeVar("Result")

TOP_LINKS = 10


class TraceEnded(Exception):
    """A stage failed, or decided that the page goes no further. The trace says which and why."""


@dataclass(slots=True, frozen=True)
class Stage:
    name: str
    milliseconds: float | None
    """Duration; None if the stage ran earlier and was not measured again."""
    decided: str


@dataclass(slots=True)
class Trace:
    """The stages of one page so far. It grows stage by stage."""

    url: str
    source: str
    """Where the page comes from: the crawl's archive, or a fetch just now."""
    stages: list[Stage] = field(default_factory=list)
    links: Sequence[Link] = ()

    def note(self, name: str, decided: str, milliseconds: float | None = None) -> None:
        """Add a stage that ran before."""
        self.stages.append(Stage(name, milliseconds, decided))

    def step(self, name: str, work: Callable[[], Result], say: Callable[[Result], str]) -> Result:
        """Run a stage, and add it with its time and what `say` makes of its result. Raises TraceEnded if it fails."""
        start = perf_counter()
        try:
            result = work()
        except (ValueError, LookupError, OSError, RuntimeError) as error:
            self.note(name, f"failed: {error}", 1000 * (perf_counter() - start))
            raise TraceEnded(name) from error
        milliseconds = 1000 * (perf_counter() - start)
        self.note(name, say(result), milliseconds)
        return result

    def end(self, name: str, decided: str) -> TraceEnded:
        """Note that the page goes no further. Returns the exception for the caller to raise."""
        self.note(name, decided)
        return TraceEnded(name)

    @property
    def milliseconds(self) -> float:
        return sum(stage.milliseconds or 0.0 for stage in self.stages)

    @property
    def best_links(self) -> list[Link]:
        """The links that would enter the frontier, the best first."""
        return sorted((link for link in self.links if not link.refused), key=lambda link: -link.score)[:TOP_LINKS]

    @property
    def refused(self) -> dict[str, int]:
        """Numbers of refused links by rule, the most frequent first."""
        return dict(Counter(link.refused for link in self.links if link.refused).most_common())


HARDLY_ANY = 0.005
"""A part of a score below this is not shown: of several topics most parts are 0."""


def parts(trace: Trace, _: Language = ENGLISH) -> list[str | Table]:
    """What `report.table.show` prints."""
    rows = [
        (stage.name, "–" if stage.milliseconds is None else f"{stage.milliseconds:.2f}", stage.decided)
        for stage in trace.stages
    ]
    rows.append(("all", f"{trace.milliseconds:.2f}", ""))
    columns = [Column("stage", ours=True), Column("ms", True), Column("decided", width=110, ours=True)]
    shown: list[str | Table] = [f"{one_line(readable(trace.url))}   ({_(one_line(trace.source))})", Table(columns, rows)]
    if trace.best_links:
        shown.append(_links_table(trace.best_links, _))
    for rule, number in trace.refused.items():
        shown.append(f"refused by {rule}: {count(number)} ({rule_words(rule)})")
    return shown


def _links_table(links: Sequence[Link], _: Language) -> Table:
    rows = [(f"{link.score:.3f}", _score_parts(link, _), link.anchor, readable(link.url)) for link in links]
    columns = [Column("score", True), Column("parts"), Column("anchor", width=30), Column("link", width=80)]
    return Table(columns, rows, f"The {len(links)} best links")


def _score_parts(link: Link, _: Language) -> str:
    told = (f"{part_words(name, _)} {value:.2f}" for name, value in link.parts.items() if abs(value) >= HARDLY_ANY)
    return _("; ").join(told)


def as_json(trace: Trace) -> dict[str, object]:
    """The trace as plain values, for programs."""
    return {
        "url": trace.url,
        "source": trace.source,
        "milliseconds": round(trace.milliseconds, 3),
        "stages": [asdict(stage) for stage in trace.stages],
        "best_links": [link.plain() for link in trace.best_links],
        "refused": trace.refused,
    }
