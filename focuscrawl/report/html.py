"""The report as one HTML file that needs no network: styles and the picture are inside it."""

from __future__ import annotations

import os
from functools import lru_cache
from importlib import resources
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined

from focuscrawl.report import plain
from focuscrawl.report.collection import UNKNOWN, groups
from focuscrawl.report.curve import WINDOW, draw
from focuscrawl.report.reasons import cause, rule_words
from focuscrawl.report.summary import Summary, in_words


def render(summary: Summary, changes: str = "", news: str = "") -> str:
    """The whole page. All text from the web is escaped and stripped of control characters.

    `changes`: name of the page of changes beside it, and `news`: what that says, in a sentence; empty where there is none."""
    return (
        environment()
        .get_template("report.html")
        .render(
            summary=summary, words=in_words(summary), drawing=draw(summary.curve) if summary.curve else None, window=WINDOW,
            changes=changes, news=news, groups=groups(summary.collection), unknown=UNKNOWN,
        )
    )  # fmt: skip


def write(summary: Summary, path: Path, changes: str = "", news: str = "") -> None:
    """Replace the report file."""
    replace(path, render(summary, changes, news))


def replace(path: Path, text: str) -> None:
    """In one step, so that a reader never sees half of a file."""
    part = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        part.write_text(text, encoding="utf-8", errors="replace")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """What all pages are made with."""
    environment = Environment(
        loader=FunctionLoader(_template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        line=plain.one_line, lines=plain.lines, count=plain.count, percent=plain.percent, duration=plain.duration,
        moment=plain.moment, plural=plain.plural, cause=cause, rule_words=rule_words, safe_href=_href,
    )  # fmt: skip
    return environment


def _template(name: str) -> str:
    return (resources.files("focuscrawl.report") / "templates" / name).read_text(encoding="utf-8")


def _href(url: str) -> str:
    """A link target: http and https only, whatever a page made us store."""
    return url if url.startswith(("http://", "https://")) else "#"
