"""`scrapy topic show`: shows all topics, one of them, or the topic of a crawl with what it has learned."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.output import note, print_json, print_parts
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import plural
from focuscrawl.report.precision import Precision, precision_in_words, precision_of
from focuscrawl.report.table import Column, Table
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.outlook import term_forms
from focuscrawl.store.pages.verdicts import judge_name, topics_of
from focuscrawl.text.stems import spelled
from focuscrawl.topics.paths import topic_names

if TYPE_CHECKING:
    from focuscrawl.report.translation import Language
    from models.page.page_model import PageModel


def show_topic(context: Context, options: argparse.Namespace) -> int:
    if options.crawl:
        return _of_crawl(context, options)
    if not options.name:
        return _list(context, options.json)
    from focuscrawl.command_line.topic.named_pages import open_topic
    from focuscrawl.topics.showing import parts, shown_topic

    shown = shown_topic(open_topic(context, options.name))
    if options.json:
        print_json(shown)
        return 0
    shown_parts = parts(shown, context.language)
    if shown.without_text:
        shown_parts.append(f"Not counted, because their text is not stored: {plural(len(shown.without_text), 'page')}.")
    print_parts(shown_parts, context.language)
    return 0


def _list(context: Context, as_json: bool) -> int:
    names = topic_names(context.topics_dir)
    if as_json:
        print_json(names)
    elif names:
        print_parts(names)
    else:
        note(f"no topic so far in {context.topics_dir}; `scrapy topic new` makes one")
    return 0


def _of_crawl(context: Context, options: argparse.Namespace) -> int:
    from focuscrawl.crawl.relevance.stored_topic import judge_of, of_kind
    from focuscrawl.crawl.start.stored_job import given_words

    with closing(crawl_named(context.crawls_dir, options.crawl).open()) as db:
        kind = judge_name(db) or str(context.settings.get("RELEVANCE_MODEL"))
        names = topics_of(db) or ("",)
        judges = {name: judge_of(db, name, kind, time.time()) for name in names if options.name in ("", name or options.crawl)}
        made = {name: judge for name, judge in judges.items() if judge is not None}
        precisions = {name: precision_of(db, name, of_kind=of_kind(db, [name], time.time())) for name in made}
        forms = term_forms(db, given_words(db))
    if not judges:
        known = ", ".join(name or options.crawl for name in names)
        raise BadInput(f"crawl {options.crawl!r} has no topic {options.name!r}; it has {known}")
    if not made:
        raise BadInput(f"crawl {options.crawl!r} has no topic yet; let it fetch its first pages")
    if options.json:
        print_json([_plain(name or options.crawl, judge, precisions[name]) for name, judge in made.items()])
        return 0
    language = context.language
    for name, judge in made.items():
        print_parts(_parts(name or options.crawl, judge, precisions[name], forms, language), language)
    return 0


def _plain(name: str, judge: PageModel, precision: Precision | None) -> dict[str, Any]:
    topic = judge.topic
    return {
        "topic": name,
        "made": topic.made,
        "pages": topic.background.pages,
        "model": judge.name,
        "relevance_threshold": judge.judge(()).threshold,
        "threshold": topic.threshold.value,
        "threshold_reason": topic.threshold.explanation,
        "precision": precision if precision and not precision.of_kind else None,
        "terms": dict(sorted(topic.weights.items(), key=lambda term: -term[1])),
    }


def _parts(
    name: str, judge: PageModel, precision: Precision | None, forms: Mapping[str, str], _: Language
) -> list[str | Table]:
    from focuscrawl.topics.showing import SHOWN_TERMS

    figures = _plain(name, judge, precision)
    terms = list(figures["terms"].items())
    rows = [(term, f"{weight:.3f}") for term, weight in spelled(terms[:SHOWN_TERMS], forms)]
    table = Table((Column("term"), Column("weight", True)), rows)
    more = f"and {len(terms) - SHOWN_TERMS} more terms" if len(terms) > SHOWN_TERMS else ""
    head = f"Topic {name}, made {figures['made']}; document frequencies of {plural(figures['pages'], 'page')}."
    limits = [f"{_('Threshold of similarity:')} {_(figures['threshold_reason'])}"]
    if judge.name != "vsm":  # which alone judges by similarity
        limits.insert(0, f"Threshold of relevance ({judge.name}): {figures['relevance_threshold']:.4g}")
        limits[1] += " " + _("Only RELEVANCE_MODEL=vsm uses it.")
    return [head, *limits, *([precision_in_words(precision)] if precision else []), table, *([more] if more else [])]
