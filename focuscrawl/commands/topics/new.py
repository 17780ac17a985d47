"""`scrapy topic new`: a topic file from keywords and pages."""

from __future__ import annotations

import argparse

from focuscrawl.commands.topics.pages import at_hand, examples, fetched
from focuscrawl.commands.topics.subcommand import Context, print_json, print_parts
from focuscrawl.config.arguments import check_name, split_list
from focuscrawl.config.seed_list import seeds_of
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import plural
from focuscrawl.topics.file_changes import TermEdits, edited, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.showing import Shown, parts, shown_topic
from focuscrawl.topics.workspace import Workspace

USAGE = "new NAME [--keywords A,B] [--pages URL|FILE,...] [--seeds URL,...] [--title TEXT] [--fetch] [--force] [--json]"
SUMMARY = "Make topics/NAME.toml from keywords, from example pages, or from both."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("--keywords", default="")
    parser.add_argument("--pages", default="")
    parser.add_argument("--seeds", default="")
    parser.add_argument("--title", default="")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    name = check_name(options.name.removesuffix(".toml"), "The topic's name")
    place = TopicPaths(context.topics_dir, name)
    if place.toml.exists() and not options.force:
        raise BadInput(f"{place.toml} is there already; choose another name, or --force replaces the topic file.")
    text = _text(place, options)
    write_topic(place.toml, text)
    workspace = Workspace(place, context.day, context.min_weight)
    missing = at_hand(context, workspace, [*workspace.topic.examples])
    if options.fetch and missing:
        workspace.keep(fetched(context, missing, "list"))
    _tell(shown_topic(workspace), options.json)
    return 0


def _text(place: TopicPaths, options: argparse.Namespace) -> str:
    keywords = words(options.keywords)
    pages = examples(words(options.pages), place.folder)
    if not keywords and not pages:
        raise BadInput("A topic needs words or pages: say --keywords A,B or --pages URL or both.")
    seeds = seeds_of(("--seeds", entry) for entry in words(options.seeds))
    if seeds.problems:
        raise BadInput(seeds.problems[0])
    from focuscrawl.config.topic_file import Topic

    values = {**edited(Topic(), TermEdits(keywords=keywords)), "examples": pages}
    return new_text(place.name, options.title, seeds=seeds.urls, values=values)


def words(text: str) -> list[str]:
    """The parts of a list, between commas."""
    parts = split_list(text)
    return list(parts) if isinstance(parts, tuple) else []


def _tell(shown: Shown, as_json: bool) -> None:
    if as_json:
        print_json(shown.plain())
        return
    told = parts(shown)
    if not shown.can_be_crawled:
        told.append(
            f"No page to start from yet: `scrapy topic suggest {shown.name}` finds some, or write them into [seeds] urls."
        )
    elif shown.without_text:
        told.append(f"The text of {plural(len(shown.without_text), 'page')} is not here yet: the crawl fetches it, or --fetch.")
    print_parts([*told, f"Crawl it: scrapy crawl topic -a seeds={shown.file}"] if shown.can_be_crawled else told)
