"""The closing summary of a recrawl: what became of the pages that it revisited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from focuscrawl.recrawl.monitors import Figures
from focuscrawl.report.plain import count, duration, iso_time, moment, one_line
from focuscrawl.report.reasons import stop_words
from focuscrawl.report.table import Column, Table
from focuscrawl.report.translation import ENGLISH, Language
from focuscrawl.store.revisits.revisit_rows import Due
from focuscrawl.store.workers.runs import RunRow, seconds_of


@dataclass(slots=True, frozen=True)
class Recrawled:
    """A run with mode=recrawl."""

    crawl: str
    run: RunRow
    due: Due
    alarms: Sequence[str] = ()

    @property
    def figures(self) -> Figures:
        return Figures.of(self.run.stats)

    @property
    def seconds(self) -> float:
        return seconds_of(self.run, self.run.started_at)


def recrawl_table(recrawled: Recrawled, _: Language = ENGLISH) -> Table:
    """A table of the figures, for people, in this language."""
    figures, run = recrawled.figures, recrawled.run
    rows = [
        ("stopped because", _(stop_words(run.reason, run.why))),
        ("revisited", _with(figures.visited, figures.unmodified, _("{n} ({more} without reading the body)"))),
        ("unchanged", count(figures.unchanged)),
        ("changed", _with(figures.changed, figures.minor, _("{n} ({more} more by a few words)"))),
        ("new", _with(figures.new, figures.outside, _("{n} ({more} more off topic, or copies)"))),
        ("gone", _with(figures.gone, figures.suspect, _("{n} ({more} more suspected of it)"))),
        ("left the collection", count(figures.left)),
        ("joined it", count(figures.joined)),
        ("still missing", count(figures.absent)),
        ("moved", count(figures.moved)),
        ("back", count(figures.back)),
        ("not reached", count(figures.failed)),
        ("requests", _with(figures.requests, figures.errors, _("{n} ({more} failed)"))),
        ("asked for", _asked_for(figures, _)),
        ("duration", _(duration(recrawled.seconds))),
        ("still due", count(recrawled.due.still)),
        ("next due", moment(recrawled.due.next) if recrawled.due.next is not None else _("never")),
    ]
    rare = ("left the collection", "joined it", "still missing", "moved", "back", "not reached", "still due")
    shown = [(_(name), value) for name, value in rows if value and (name not in rare or value != "0")]
    return Table([Column(""), Column("")], shown, _("Recrawl of {name}", name=one_line(recrawled.crawl)))


def _with(number: int, more: int, words: str) -> str:
    """The number, and in these words what else belongs to it, if anything does."""
    return words.format(n=count(number), more=count(more)) if more else count(number)


def _asked_for(figures: Figures, _: Language) -> str:
    """What the requests were made for; empty if all were for pages."""
    parts = (
        ("robots.txt", figures.robots), ("sitemaps", figures.sitemap), ("feeds", figures.feed), ("probes", figures.probe),
    )  # fmt: skip
    others = [f"{_(name)} {count(number)}" for name, number in parts if number]
    return _(", ").join([f"{_('pages')} {count(figures.page_requests)}", *others]) if others else ""


def as_json(recrawled: Recrawled) -> dict[str, object]:
    """The figures as plain values, for programs; times are ISO 8601 in UTC."""
    figures, run = recrawled.figures, recrawled.run
    return {
        "crawl": recrawled.crawl,
        "run": run.id,
        "started_at": iso_time(run.started_at),
        "seconds": round(recrawled.seconds, 3),
        "reason": run.reason,
        "why": run.why or (stop_words(run.reason) if run.reason else ""),
        "revisited": figures.visited,
        "unread": figures.unmodified,
        "unchanged": figures.unchanged,
        "changed": figures.changed,
        "minor": figures.minor,
        "new": figures.new,
        "new_outside": figures.outside,
        "suspect": figures.suspect,
        "gone": figures.gone,
        "left": figures.left,
        "joined": figures.joined,
        "still_missing": figures.absent,
        "moved": figures.moved,
        "back": figures.back,
        "not_reached": figures.failed,
        "requests": figures.requests,
        "requests_for": {
            "pages": figures.page_requests,
            "robots": figures.robots,
            "sitemaps": figures.sitemap,
            "feeds": figures.feed,
            "probes": figures.probe,
        },
        "errors": figures.errors,
        "still_due": recrawled.due.still,
        "next_due": iso_time(recrawled.due.next) if recrawled.due.next is not None else None,
        "alarms": list(recrawled.alarms),
    }
