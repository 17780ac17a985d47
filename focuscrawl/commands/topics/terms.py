"""`scrapy topic terms`: the words of a topic, and changes to them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from focuscrawl.commands.topics.subcommand import Context, print_json, print_parts
from focuscrawl.config.arguments import split_list
from focuscrawl.errors import BadInput, quoted
from focuscrawl.topics.file_changes import TermEdits
from focuscrawl.topics.paths import existing
from focuscrawl.topics.rounds import Pool, changes_parts, compared
from focuscrawl.topics.showing import shown_topic, terms_table
from focuscrawl.topics.workspace import Workspace

USAGE = (
    "terms NAME [--keyword WORD ...] [--negative WORD ...] [--weight WORD=0.4 ...] [--synonym WORD=OTHER ...]"
    " [--remove WORD ...] [--most N] [--json]"
)
SUMMARY = "The topic's terms with their weights; the options change them, each may be given more than once."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    for option in ("--keyword", "--negative", "--weight", "--synonym", "--remove"):
        parser.add_argument(option, action="append", default=[])
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    edits = TermEdits(
        remove=many(options.remove),
        keywords=many(options.keyword),
        negative=many(options.negative),
        weights=dict(_weight(text) for text in many(options.weight)),
        synonyms=[_group(text) for text in options.synonym],
    )
    workspace = Workspace(existing(context.topics_dir, options.name), context.day, context.min_weight)
    pool = Pool(workspace.texts.values())
    before = pool.snapshot(workspace)
    if edits:
        workspace.edit(edits)
    changes = compared(before, pool.snapshot(workspace)) if edits else None
    shown = shown_topic(workspace)
    if options.json:
        print_json(shown.plain() | {"changes": changes.plain() if changes else None})
    else:
        table = terms_table(shown.terms, options.most)
        print_parts([table, *(changes_parts(changes) if changes else [])] if shown.terms else ["The topic has no words yet."])
    return 0


def many(values: Sequence[str]) -> list[str]:
    """The words of an option that may be given more than once and may hold lists."""
    found: dict[str, None] = {}
    for value in values:
        parts = split_list(value)
        found |= dict.fromkeys(parts if isinstance(parts, tuple) else ())
    return list(found)


def _weight(text: str) -> tuple[str, float]:
    word, _, number = text.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        word, weight = "", 0.0
    if not word.strip():
        raise BadInput(f"--weight {quoted(text)}: a word and a number are wanted, such as crawler=0.4.")
    return word.strip(), weight


def _group(text: str) -> tuple[str, ...]:
    words = tuple(word.strip() for word in text.split("=") if word.strip())
    if len(words) < 2:
        raise BadInput(f"--synonym {quoted(text)}: words with = between them are wanted, such as 区块链=blockchain.")
    return words
