"""`scrapy topic new`, `show` and `terms`: a topic file is made, looked at and changed."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

from focuscrawl.command_line.base import AddSubcommand, Context
from focuscrawl.command_line.output import note, print_json, print_parts
from focuscrawl.command_line.topic.pages import at_hand, examples, fetched, open_topic
from focuscrawl.config.arguments import check_name, split_list
from focuscrawl.config.seed_list import seeds_of
from focuscrawl.config.topic_file import Topic
from focuscrawl.crawl.stored_topic import judge_of
from focuscrawl.errors import BadInput, quoted
from focuscrawl.report.plain import plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.topics.file_changes import TermEdits, edited, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths, topic_names
from focuscrawl.topics.rounds import PagesAtHand, changes_parts, compared
from focuscrawl.topics.showing import SHOWN_TERMS, Shown, parts, shown_topic, terms_table
from focuscrawl.topics.workspace import Workspace
from models.page.page_model import PageModel


def declare(subcommand: AddSubcommand) -> None:
    """The sub-commands with their arguments."""
    new = subcommand("new", make_topic, "Make topics/NAME.toml from keywords, from example pages, or from both.")
    new.add_argument("name", metavar="NAME", help="the topic")
    new.add_argument("--keywords", default="", metavar="A,B", help="words of the topic")
    new.add_argument("--pages", default="", metavar="URL|FILE,...", help="example pages: URLs, files, lists of URLs")
    new.add_argument("--seeds", default="", metavar="URL,...", help="where a crawl starts, besides the example pages")
    new.add_argument("--title", default="", metavar="TEXT", help="the topic's name in reports")
    new.add_argument("--fetch", action="store_true", help="fetch the pages' texts now")
    new.add_argument("--force", action="store_true", help="replace a topic file of this name")
    new.add_argument("--json", action="store_true", help="one JSON object instead of text")

    show = subcommand(
        "show", show_topic,
        "Show a topic: its terms and threshold, labels and training. With --crawl what a crawl made of its topic and has"
        " learned. Without either: the topics that there are.",
    )  # fmt: skip
    show.add_argument("name", nargs="?", default="", metavar="NAME", help="the topic")
    show.add_argument("--crawl", default="", metavar="NAME", help="as this crawl has it")
    show.add_argument("--json", action="store_true", help="JSON instead of text")

    terms = subcommand(
        "terms", change_terms,
        "List the topic's terms with their weights, or change them. Each option that changes them may be given more than once.",
    )  # fmt: skip
    terms.add_argument("name", metavar="NAME", help="the topic")
    for option, value, told in (
        ("--keyword", "WORD", "add a keyword"),
        ("--negative", "WORD", "add a word that speaks against the topic"),
        ("--weight", "WORD=0.4", "give a word a weight between -1 and 1"),
        ("--synonym", "WORD=OTHER", "count words as one"),
        ("--remove", "WORD", "take a word away"),
    ):
        terms.add_argument(option, action="append", default=[], metavar=value, help=told)
    terms.add_argument("--most", type=int, default=40, metavar="N", help="terms to show (%(default)s)")
    terms.add_argument("--json", action="store_true", help="one JSON object instead of text")


def many(values: Sequence[str]) -> list[str]:
    """The words of an option that may be given more than once and may hold lists."""
    found: dict[str, None] = {}
    for value in values:
        parts = split_list(value)
        found |= dict.fromkeys(parts if isinstance(parts, tuple) else ())
    return list(found)


# new --------------------------------------------------------------------------------------------------------------------


def make_topic(context: Context, options: argparse.Namespace) -> int:
    name = check_name(options.name.removesuffix(".toml"), "The topic's name")
    paths = TopicPaths(context.topics_dir, name)
    if paths.toml.exists() and not options.force:
        raise BadInput(f"{paths.toml} is there already; choose another name, or --force replaces the topic file.")
    text = _text(paths, options)
    write_topic(paths.toml, text)
    workspace = Workspace(paths, context.day, context.min_weight)
    missing = at_hand(context, workspace, [*workspace.topic.examples])
    if options.fetch and missing:
        workspace.keep(fetched(context, missing, "list"))
    _tell_new(shown_topic(workspace), options.json)
    return 0


def _text(paths: TopicPaths, options: argparse.Namespace) -> str:
    keywords = many([options.keywords])
    pages = examples(many([options.pages]), paths.folder)
    if not keywords and not pages:
        raise BadInput("A topic needs words or pages: say --keywords A,B or --pages URL or both.")
    seeds = seeds_of(("--seeds", entry) for entry in many([options.seeds]))
    if seeds.problems:
        raise BadInput(seeds.problems[0])
    values = {**edited(Topic(), TermEdits(keywords=keywords)), "examples": pages}
    return new_text(paths.name, options.title, seeds=seeds.urls, values=values)


def _tell_new(shown: Shown, as_json: bool) -> None:
    if as_json:
        print_json(shown.plain())
        return
    told = parts(shown)
    if not shown.can_be_crawled:
        told.append(
            f"No page to start from yet: `scrapy topic suggest {shown.name}` finds some, or write them into [seeds] urls."
        )
    elif shown.without_text:
        told.append(
            f"The text of {plural(len(shown.without_text), 'page')} is not here yet: the crawl fetches it, or --fetch does now."
        )
    print_parts([*told, f"Crawl it: scrapy crawl topic -a seeds={shown.file}"] if shown.can_be_crawled else told)


# show -------------------------------------------------------------------------------------------------------------------


def show_topic(context: Context, options: argparse.Namespace) -> int:
    if options.crawl:
        return _of_crawl(context, options)
    if not options.name:
        return _list(context, options.json)
    shown = shown_topic(open_topic(context, options.name))
    if options.json:
        print_json(shown.plain())
        return 0
    told = parts(shown)
    if shown.without_text:
        told.append(f"Not counted, because their text is not here: {plural(len(shown.without_text), 'page')}.")
    print_parts(told)
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
    kind = str(context.settings.get("RELEVANCE_MODEL"))
    db = crawl_named(context.crawls_dir, options.crawl).open()
    try:
        names = topics_of(db) or ("",)
        judges = {name: judge_of(db, name, kind, time.time()) for name in names if options.name in ("", name)}
    finally:
        db.close()
    made = {name: judge for name, judge in judges.items() if judge is not None}
    if not judges:
        known = ", ".join(filter(None, names)) or "one without a name of its own"
        raise BadInput(f"crawl {options.crawl!r} has no topic {options.name!r}; it has {known}")
    if not made:
        raise BadInput(f"crawl {options.crawl!r} has no topic yet; let it fetch its first pages")
    if options.json:
        print_json([_plain(name or options.crawl, judge) for name, judge in made.items()])
        return 0
    for name, judge in made.items():
        print_parts(_parts(name or options.crawl, judge))
    return 0


def _plain(name: str, judge: PageModel) -> dict[str, Any]:
    topic = judge.topic
    return {
        "topic": name,
        "made": topic.made,
        "pages": topic.background.pages,
        "threshold": topic.threshold.value,
        "threshold_reason": topic.threshold.explanation,
        "terms": dict(sorted(topic.weights.items(), key=lambda term: -term[1])),
    }


def _parts(name: str, judge: PageModel) -> list[str | Table]:
    told = _plain(name, judge)
    terms = list(told["terms"].items())
    table = Table((Column("term"), Column("weight", True)), [(term, f"{weight:.3f}") for term, weight in terms[:SHOWN_TERMS]])
    more = f"and {len(terms) - SHOWN_TERMS} more terms" if len(terms) > SHOWN_TERMS else ""
    head = f"Topic {name}, made {told['made']}; document frequencies of {plural(told['pages'], 'page')}."
    limit = f"Threshold {told['threshold_reason']}"
    return [head, limit, table, *([more] if more else [])]


# terms ------------------------------------------------------------------------------------------------------------------


def change_terms(context: Context, options: argparse.Namespace) -> int:
    edits = TermEdits(
        remove=many(options.remove),
        keywords=many(options.keyword),
        negative=many(options.negative),
        weights=dict(_weight(text) for text in many(options.weight)),
        synonyms=[_group(text) for text in options.synonym],
    )
    workspace = open_topic(context, options.name)
    pages_at_hand = PagesAtHand(workspace.texts.values())
    before = pages_at_hand.snapshot(workspace)
    if edits:
        workspace.edit(edits)
    changes = compared(before, pages_at_hand.snapshot(workspace)) if edits else None
    shown = shown_topic(workspace)
    if options.json:
        print_json(shown.plain() | {"changes": changes.plain() if changes else None})
    else:
        table = terms_table(shown.terms, options.most)
        print_parts([table, *(changes_parts(changes) if changes else [])] if shown.terms else ["The topic has no words yet."])
    return 0


def _weight(text: str) -> tuple[str, float]:
    word, _, number = text.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        word, weight = "", 0.0
    if not word.strip():
        raise BadInput(f"--weight {quoted(text)}: give a word and a number, such as crawler=0.4.")
    return word.strip(), weight


def _group(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split("=") if word.strip())
    if len(words) < 2:
        raise BadInput(f"--synonym {quoted(text)}: give words with = between them, such as 区块链=blockchain.")
    return words
