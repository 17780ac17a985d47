"""The lines that a person watches while a crawl runs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.plain import count, duration, one_line, percent, plural
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.overview import FrontierNow
from focuscrawl.store.workers.runs import harvest_rate
from focuscrawl.url.readable import readable_host

WINDOW = 200
"""The present harvest rate is that of this many last pages."""
PER_MINUTE_SECONDS = 60.0
BAR, SHORT_BAR, NARROW = 16, 6, 72
"""Columns of the bar towards a limit: BAR, or SHORT_BAR on terminals with fewer than NARROW columns."""
LABELS = 17
"""Columns before and after the texts."""


@dataclass(slots=True, frozen=True)
class RunLimits:
    """The limits at which the run stops; None: no limit."""

    max_pages: int | None = None
    max_relevant: int | None = None
    max_requests: int | None = None
    minutes: float | None = None


@dataclass(slots=True)
class LiveProgress:
    """What the table shows; the crawl fills it in."""

    name: str
    limits: RunLimits = field(default_factory=RunLimits)
    pages: int = 0
    relevant: int = 0
    duplicates: int = 0
    requests: int = 0
    errors: int = 0
    frontier: FrontierNow = field(default_factory=FrontierNow)
    again: Figures | None = None
    """The figures of a recrawl, which are then shown instead of what was stored."""
    notice: str = ""
    """What a person must know, such as that the crawl is paused."""
    advice: str = ""
    """What to expect of the next pages, in one line."""
    title: str = ""
    """Title of the last relevant page, as its author wrote it."""
    recent: deque[bool] = field(default_factory=lambda: deque(maxlen=WINDOW))
    started: float = field(default_factory=monotonic)
    _pages_at: deque[tuple[float, int]] = field(default_factory=deque)

    def page(self, relevant: bool, title: str) -> None:
        """Note that one more page was stored."""
        self.recent.append(relevant)
        if relevant:
            self.title = title

    def pages_per_minute(self, now: float) -> float:
        """Pages per minute over the last minute, or since the start. `now`: by the monotonic clock."""
        self._pages_at.append((now, self.pages))
        while now - self._pages_at[0][0] > PER_MINUTE_SECONDS:
            self._pages_at.popleft()
        since, pages = self._pages_at[0]
        if now - since < 1:
            since, pages = self.started, 0
        return 60 * (self.pages - pages) / max(now - since, 1e-9)


def render(progress: LiveProgress, now: float, width: int = 80, _: Language = ENGLISH) -> RenderableType:
    """The figures, the notice if there is one, and the last relevant page, in lines that fit `width` columns without color.
    `now`: by the monotonic clock; `_`: the language."""
    again, frontier = progress.again, progress.frontier
    lines = [("", _bold(f"{progress.name}  {_(duration(now - progress.started))}"))]
    lines += [
        (name, Text(text))
        for name, text in (_of_crawl(progress, now, width, _) if again is None else _of_recrawl(progress, again, _))
    ]
    if progress.notice:
        lines.append(("", _bold(_(progress.notice))))
    if frontier.slowest:
        host = one_line(readable_host(frontier.slowest), 44)
        lines.append((_("longest wait"), Text(f"{host}, {_(duration(frontier.slowest_in))}")))
    if again is None:
        lines.append((_("last relevant"), Text(one_line(progress.title, max(width - LABELS, 20)) or "–")))
        if progress.advice:
            lines.append(("", Text(_(progress.advice))))
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    general = [line for name, line in lines if not name]
    for name, text in lines:
        if name:
            grid.add_row(Text(name), text)
    return Group(general[0], grid, *general[1:])


def _bold(text: str) -> Text:
    return Text(one_line(text), style="bold")


def _of_crawl(progress: LiveProgress, now: float, width: int, _: Language) -> list[tuple[str, str]]:
    frontier, recent, pages = progress.frontier, progress.recent, progress.pages
    rows = [(_("pages"), _("{n}, {pace} a minute", n=count(pages), pace=count(progress.pages_per_minute(now))))]
    rows += [
        (_("limit"), _towards(limit, share, left, BAR if width >= NARROW else SHORT_BAR, _))
        for limit, share, left in _limits(progress, now, _)
    ]
    rate = percent(harvest_rate(progress.relevant, pages))
    harvest = _("{n} of {all} ({share})", n=count(progress.relevant), all=count(pages), share=rate)
    if len(recent) == WINDOW:
        harvest += _(", {share} of the last {n}", share=percent(sum(recent) / WINDOW), n=WINDOW)
    urls, hosts = plural(frontier.ready, "URL"), plural(frontier.hosts, "host")
    waiting = _("{urls} on {hosts}", urls=_(urls), hosts=_(hosts))
    if frontier.waiting:
        waiting += _(", {n} for another try", n=count(frontier.waiting))
    errors = _.plural(progress.errors, "{n} error", "{n} errors")
    rows += [(_("relevant"), harvest), (_("waiting"), waiting)]
    rows.append((_("duplicates"), _("{n}, and {errors}", n=count(progress.duplicates), errors=errors)))
    return rows


def _limits(progress: LiveProgress, now: float, _: Language) -> Iterator[tuple[str, float, float | None]]:
    """For each limit the limit in words, how far the run is as a share, and the seconds left at the present pace."""
    limits, passed = progress.limits, now - progress.started
    pace = progress.pages_per_minute(now) / 60
    if limits.max_pages:
        left = (limits.max_pages - progress.pages) / pace if pace else None
        yield _(plural(limits.max_pages, "page")), progress.pages / limits.max_pages, left
    if limits.max_relevant:
        now_relevant = sum(progress.recent) / len(progress.recent) if progress.recent else 0.0
        left = (limits.max_relevant - progress.relevant) / (pace * now_relevant) if pace * now_relevant else None
        yield _(plural(limits.max_relevant, "relevant page")), progress.relevant / limits.max_relevant, left
    if limits.max_requests:
        left = (limits.max_requests - progress.requests) * passed / progress.requests if progress.requests else None
        yield _(plural(limits.max_requests, "request")), progress.requests / limits.max_requests, left
    if limits.minutes:
        yield _(duration(60 * limits.minutes)), passed / (60 * limits.minutes), 60 * limits.minutes - passed


def _towards(limit: str, share: float, left: float | None, bar: int, _: Language) -> str:
    """`████░░░░░░ 40 % of 300 pages, 24 s left`. `bar`: its columns."""
    share = min(max(share, 0.0), 1.0)
    full = int(bar * share)
    ahead = _(", {long} left", long=_(duration(left))) if left is not None and left >= 1 else ""
    return f"{'█' * full}{'░' * (bar - full)} {_('{share} of {limit}', share=percent(share), limit=limit)}{ahead}"


def _of_recrawl(progress: LiveProgress, again: Figures, _: Language) -> list[tuple[str, str]]:
    visited = count(again.visited)
    if due := progress.frontier.due:
        visited = _("{n} of {all} that were due", n=visited, all=count(again.visited + due))
    changed, missing = count(again.changed + again.minor), count(again.missed + again.absent)
    return [
        (_("revisited"), f"{visited}{_(', ')}{_(plural(again.requests, 'request'))}"),
        (_("unchanged"), count(again.unchanged)),
        (_("changed"), _("{n}, and {new} new", n=changed, new=count(again.new))),
        (_("gone"), _("{n} gone or missing, {failed} failed", n=missing, failed=count(again.failed))),
    ]
