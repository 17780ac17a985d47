"""Writes the report as one HTML file that needs no network: styles and the picture are inside it."""

from __future__ import annotations

import re
from base64 import b64encode
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from pathlib import Path

from jinja2 import Environment, FunctionLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape

from focuscrawl.report import advice, plain, run_before
from focuscrawl.report.charts import hindsight, histogram, progress, site_structure, web_shape
from focuscrawl.report.charts.curve import WINDOW, draw
from focuscrawl.report.collection import UNKNOWN, groups
from focuscrawl.report.reasons import cause, rule_words
from focuscrawl.report.revisits import freshness
from focuscrawl.report.revisits.changes import ChangeLists, what
from focuscrawl.report.revisits.changes import in_words as changes_in_words
from focuscrawl.report.summary import Summary
from focuscrawl.report.summary_in_words import in_words
from focuscrawl.report.translation import Language
from focuscrawl.url.readable import readable, readable_host
from focuscrawl.whole_files import write_whole

SIMILAR = "similar pages"
"""Not a word of a page: what verdicts of earlier versions name beside words, the share owed to pages of similar words."""


def render(summary: Summary, changes: str = "", news: str = "", language: str = "en", lists: ChangeLists | None = None) -> str:
    """The report as an HTML page. All text from the web is escaped and stripped of control characters.

    Args:
        summary: The facts of the crawl.
        changes: Name of the page of changes beside the report; empty if there is none.
        news: What that page says, in a sentence.
        language: `en` or `zh`.
        lists: What is new, to be listed in the report itself."""
    script = template("report.js")
    beside, shown = summary.hindsight, summary.advice
    return (
        environment()
        .get_template("report.html")
        .render(
            _=Language(language), summary=summary, words=in_words(summary), window=WINDOW,
            chapters=_chapters(summary, lists), changes=changes,
            news=changes_in_words(lists) if lists else news, lists=lists, groups=groups(summary.collection), unknown=UNKNOWN,
            web_shape=web_shape, site_structure=site_structure, histogram=histogram, progress=progress, freshness=freshness,
            SIMILAR=SIMILAR,
            script=script, script_hash=_hash(script),
            before_sentence=run_before.sentence(summary.before) if summary.before else "",
            hindsight_sentence=hindsight.sentence(beside) if beside else "",
            advice_whether=advice.whether(shown) if shown else [], advice_helps=advice.helps(shown) if shown else [],
        )
    )  # fmt: skip


def write(
    summary: Summary, path: Path, changes: str = "", news: str = "", language: str = "en", lists: ChangeLists | None = None
) -> None:
    """Replace the report file; see `render`."""
    write_whole(path, render(summary, changes, news, language, lists), "replace")


@lru_cache(maxsize=1)
def environment() -> Environment:
    """The Jinja environment with which all pages are made."""
    environment = Environment(
        loader=FunctionLoader(template), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        line=plain.one_line, lines=plain.lines, count=plain.count, percent=plain.percent, duration=_duration,
        moment=plain.moment, plural=plain.plural, cause=cause, rule_words=rule_words, safe_href=_href, drawing=draw,
        readable=readable, readable_host=readable_host, marked=_marked, what=what,
        span=advice.span, beside=hindsight.draw, run_beside=run_before.draw_beside,
    )  # fmt: skip
    return environment


def template(name: str) -> str:
    """The source of a template or a style."""
    return (resources.files("focuscrawl.report") / "templates" / name).read_text(encoding="utf-8")


def _chapters(summary: Summary, lists: ChangeLists | None) -> list[tuple[str, str]]:
    """The chapters that the page has, as (anchor, heading)."""
    every = (
        ("topics", "Topics", summary.topics), ("news", "What is new in the collection", lists and not lists.empty),
        ("harvest", "Is the focus working?", True),
        ("spread", "How relevant are the pages?", summary.spread), ("advice", "Is it worth going on?", summary.advice),
        ("progress", "How did it go along?", summary.progress),
        ("causes", "What was not stored, and what to do", summary.causes), ("best", "The most relevant pages", True),
        ("collection", "The collection in figures", summary.collection.pages),
        ("structure", "Sites and their categories", summary.structure),
        ("freshness", "Freshness", summary.freshness and summary.freshness.all),
        ("shape", "The shape of the crawled web", summary.shape), ("hosts", "Hosts", True),
        ("polite", "Is it polite?", summary.politeness),
        ("seeds", "Seeds and example pages", summary.seeds), ("copies", "Pages with the most duplicates", summary.copied),
        ("refused", "Links that were not followed", summary.refused), ("how", "How it was made", True),
    )  # fmt: skip
    return [(name, title) for name, title, is_there in every if is_there]


def _hash(script: str) -> str:
    """The hash by which the page's content security policy allows this script and no other."""
    return "sha256-" + b64encode(sha256(script.encode()).digest()).decode()


@pass_context
def _duration(context: Context, seconds: float) -> str:
    """The duration in the language of the page."""
    return str(context["_"](plain.duration(seconds)))


def _marked(text: str) -> Markup:
    """Escaped text, with commands and settings between backquotes marked as code."""
    return Markup(re.sub("`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def _href(url: str) -> str:
    """A URL as a link target: `#` unless it is http or https, whatever a page made us store."""
    return url if url.startswith(("http://", "https://")) else "#"
