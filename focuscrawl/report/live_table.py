"""The table that a person watches while a crawl runs."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from time import monotonic

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.plain import count, duration, one_line, percent
from focuscrawl.store.overview import FrontierNow

WINDOW = 200
"""Pages of the present harvest rate."""
PER_MINUTE_SECONDS = 60.0
TITLE_WIDTH = 70


@dataclass(slots=True)
class Progress:
    """What the table shows; the crawl fills it in."""

    name: str
    pages: int = 0
    relevant: int = 0
    duplicates: int = 0
    errors: int = 0
    frontier: FrontierNow = field(default_factory=FrontierNow)
    again: Figures | None = None
    """Of a run that looks again at what is due: then this is shown, and not what was stored."""
    notice: str = ""
    """What a person must know: that the crawl is paused."""
    title: str = ""
    """Of the last relevant page, as its author wrote it."""
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=WINDOW))
    started: float = field(default_factory=monotonic)
    _pages_at: deque[tuple[float, int]] = field(default_factory=deque)

    def page(self, relevant: bool, title: str) -> None:
        """One more page was stored."""
        self.recent.append(relevant)
        if relevant:
            self.title = title

    def pages_per_minute(self, now: float) -> float:
        """Over the last minute, or since the start; `now` by the monotonic clock."""
        self._pages_at.append((now, self.pages))
        while now - self._pages_at[0][0] > PER_MINUTE_SECONDS:
            self._pages_at.popleft()
        since, pages = self._pages_at[0]
        if now - since < 1:
            since, pages = self.started, 0
        return 60 * (self.pages - pages) / max(now - since, 1e-9)


def render(progress: Progress, now: float) -> RenderableType:
    """The figures, a notice where there is one, and the last relevant page. `now` by the monotonic clock."""
    again = progress.again
    cells = _of_crawl(progress, now) if again is None else _of_recrawl(progress, again)
    frontier = progress.frontier
    cells["longest wait"] = f"{one_line(frontier.slowest, 28)} {duration(frontier.slowest_in)}" if frontier.slowest else "–"
    table = Table(
        box=box.SIMPLE_HEAD, pad_edge=False, title=Text(f"{one_line(progress.name)}  {duration(now - progress.started)}")
    )
    for name in cells:
        table.add_column(Text(name), justify="right")
    table.add_row(*map(Text, cells.values()))
    lines: list[RenderableType] = [table]
    if progress.notice:
        lines.append(Text(one_line(progress.notice), style="bold"))
    if again is None:
        lines.append(Text("last relevant: " + (one_line(progress.title, TITLE_WIDTH) or "–")))
    return Group(*lines)


def _of_crawl(progress: Progress, now: float) -> dict[str, str]:
    frontier, recent = progress.frontier, progress.recent
    rate = progress.relevant / progress.pages if progress.pages else 0.0
    return {
        "pages": count(progress.pages),
        "relevant": count(progress.relevant),
        f"harvest (last {WINDOW})": f"{percent(rate)} ({percent(sum(recent) / len(recent) if recent else 0.0)})",
        "duplicates": count(progress.duplicates),
        "errors": count(progress.errors),
        "ready/retry/hosts": "/".join(map(count, (frontier.ready, frontier.waiting, frontier.hosts))),
        "pages/min": count(progress.pages_per_minute(now)),
    }


def _of_recrawl(progress: Progress, again: Figures) -> dict[str, str]:
    numbers = {
        "looked at": again.visited,
        "unchanged": again.unchanged,
        "changed": again.changed + again.minor,
        "new": again.new,
        "gone or missing": again.missed + again.absent,
        "failed": again.failed,
        "requests": again.requests,
        "due left": progress.frontier.due,
    }
    return {name: count(number) for name, number in numbers.items()}
