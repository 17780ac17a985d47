"""`scrapy topic new` and `terms`: make a topic file and change its terms."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.output import print_json, print_parts
from focuscrawl.command_line.topic.named_pages import examples, loader_of, open_topic, starts
from focuscrawl.config.arguments import check_name, split_list
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.errors import BadInput, in_shell, quoted
from focuscrawl.report.plain import plural
from focuscrawl.report.translation import Language
from focuscrawl.topics.file_changes import TermEdits, edited, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.rounds import PagesAtHand, changes_parts, compared
from focuscrawl.topics.showing import ShownTopic, parts, shown_topic, terms_table
from focuscrawl.topics.workspace import Workspace, today


def many(values: Sequence[str]) -> list[str]:
    """The words of an option that may be repeated and whose values may be lists, without repeats. Raises BadInput for a value
    of separators alone."""
    for value in values:
        if value.strip() and not split_list(value):
            raise BadInput(f"{quoted(value)} names nothing; give words, URLs or files between commas.")
    return list(dict.fromkeys(word for value in values for word in split_list(value)))


# new --------------------------------------------------------------------------------------------------------------------


def make_topic(context: Context, options: argparse.Namespace) -> int:
    name = check_name(options.name.removesuffix(".toml"), "The topic's name")
    paths = TopicPaths(context.topics_dir, name)
    if paths.toml.exists() and not options.force:
        raise BadInput(f"{paths.toml} already exists; choose another name, or replace the topic file with --force.")
    text = _text(paths, options)
    write_topic(paths.toml, text)
    workspace = Workspace(paths, today(), context.min_term_weight)
    loader = loader_of(context)
    missing = loader.at_hand(workspace, [*workspace.topic.examples])
    if options.fetch and missing:
        workspace.keep(loader.fetched(missing, "list"))
    _print_new(shown_topic(workspace), options.fetch, options.json, context.language)
    return 0


def _text(paths: TopicPaths, options: argparse.Namespace) -> str:
    keywords = many([options.keywords])
    pages = examples(many([options.pages]), paths.folder)
    if not keywords and not pages:
        raise BadInput("A topic needs words or pages: give --keywords A,B or --pages URL or both.")
    seeds = starts(many([options.seeds]))
    values = {**edited(TopicDefinition(), TermEdits(keywords=keywords)), "examples": pages}
    return new_text(paths.name, options.title, seeds=seeds, values=values)


def _print_new(shown: ShownTopic, fetched: bool, as_json: bool, _: Language) -> None:
    if as_json:
        print_json(shown)
        return
    shown_parts = parts(shown, _)
    if not shown.can_be_crawled:
        shown_parts.append(
            f"No page to start from yet: `scrapy topic suggest {in_shell(shown.name)}` finds some,"
            " or write them into [seeds] urls."
        )
    elif shown.without_text:
        how = "the crawl tries again" if fetched else "the crawl fetches it, or --fetch does now"
        shown_parts.append(f"The text of {plural(len(shown.without_text), 'page')} is not here yet: {how}.")
    if shown.can_be_crawled:
        shown_parts.append(_("Crawl it: {command}", command=f"scrapy crawl topic -a seeds={in_shell(shown.file)}"))
    print_parts(shown_parts, _)


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
        print_json(asdict(shown) | {"changes": changes})
    else:
        table = terms_table(shown.terms, options.most)
        told = [table, *(changes_parts(changes) if changes else [])] if shown.terms else ["The topic has no words yet."]
        print_parts(told, context.language)
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
