"""`scrapy topic show`: a topic as it stands."""

from __future__ import annotations

import argparse

from focuscrawl.commands.topics.subcommand import Context, note, print_json, print_parts
from focuscrawl.report.plain import plural
from focuscrawl.topics.desk import Desk
from focuscrawl.topics.place import existing, topic_names
from focuscrawl.topics.showing import parts, shown_topic

USAGE = "show [NAME] [--json]"
SUMMARY = "What the topic says, its terms and threshold, labels and training. Without NAME: the topics that there are."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", default="")
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    if not options.name:
        return _list(context, options.json)
    shown = shown_topic(Desk(existing(context.topics_dir, options.name), context.day, context.min_weight))
    if options.json:
        print_json(shown.plain())
        return 0
    told = parts(shown)
    if shown.without_text:
        told.append(f"Not counted, for their text is not here: {plural(len(shown.without_text), 'page')}.")
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
