"""`scrapy topic label`: judge pages, one by its URL or a sample by single keys."""

from __future__ import annotations

import argparse
import sys

from focuscrawl.commands.topics import keys
from focuscrawl.commands.topics.pages import address, at_hand, fetched
from focuscrawl.commands.topics.subcommand import Context, note, print_json, print_parts
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import one_line, plural
from focuscrawl.store.crawls import choose
from focuscrawl.topics.labels import answer_of
from focuscrawl.topics.pages import PageText, latest_pages
from focuscrawl.topics.paths import existing
from focuscrawl.topics.suggesting import candidates, plain
from focuscrawl.topics.training import sample
from focuscrawl.topics.workspace import Workspace

USAGE = "label NAME [URL yes|no|none] [--sample N] [--crawl NAME] [--fetch] [--json]"
SUMMARY = (
    "Judge a page, or a sample of a crawl's pages by single keys: the least certain, and one in five at random."
    " With neither, count the labels; `none` takes one away."
)
POOL = 3000
"""Pages of the crawl that a sample is drawn from: those stored last."""
ANSWERS = {keys.ACCEPT: True, keys.REJECT: False, keys.UNDO: None}


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("url", nargs="?", default="")
    parser.add_argument("answer", nargs="?", default="")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--crawl", default="")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    workspace = Workspace(existing(context.topics_dir, options.name), context.day, context.min_weight)
    if options.sample < 0 or (options.sample and options.url):
        raise BadInput("--sample wants a number of pages, 1 or more, and no URL beside it.")
    if options.url:
        _one(context, workspace, address(options.url), options)
    elif options.sample:
        pages = sample(workspace, _pool(context, workspace, options.crawl), options.sample)
        if options.json:
            print_json(plain(candidates(workspace, pages)))
            return 0
        with keys.keyboard() as read:
            _ask(workspace, pages, read)
    _tell(workspace, options.json)
    return 0


def _one(context: Context, workspace: Workspace, url: str, options: argparse.Namespace) -> None:
    if not options.answer:
        raise BadInput(f"How is {url} to be labelled? Say yes or no behind it, or none to take its label away.")
    answer = None if options.answer.lower() == "none" else answer_of(options.answer)
    missing = at_hand(context, workspace, [url]) if answer is not None else []
    if missing and options.fetch:
        workspace.keep(fetched(context, missing, "list"))
    if answer is not None and url not in workspace.texts:
        hint = "it gives no text" if options.fetch else "--fetch fetches it now"
        raise BadInput(f"No crawl in {context.crawls_dir} has stored {url}; {hint}.")
    workspace.label({url: answer})


def _pool(context: Context, workspace: Workspace, name: str) -> list[PageText]:
    crawl = choose(context.crawls_dir, name)
    store = crawl.open()
    try:
        return [found.page for found in latest_pages(store, crawl.name, POOL)]
    finally:
        store.close()


def _ask(workspace: Workspace, pages: list[PageText], read: keys.Read) -> None:
    """Each answer is on disk before the next question. The score is not shown: it would lead the answer."""
    if not pages:
        note("every page of the crawl is labelled already")
    found = candidates(workspace, pages)

    def answered(number: int, answer: str) -> None:
        if answer in ANSWERS:
            workspace.keep([pages[number]])
            workspace.label({pages[number].url: ANSWERS[answer]})

    questions = [
        f"{one_line(page.title, 70) or '(no title)'}\n    {one_line(page.url, 100)}\n    {page.excerpt}" for page in found
    ]
    keys.ask(questions, read, sys.stdout, answered)


def _tell(workspace: Workspace, as_json: bool) -> None:
    answers = [label.relevant for label in workspace.labels.values()]
    yes, no = sum(answers), len(answers) - sum(answers)
    if as_json:
        print_json({"topic": workspace.paths.name, "yes": yes, "no": no, "file": str(workspace.paths.labels)})
        return
    told = f"{plural(len(answers), 'label')} of topic {one_line(workspace.paths.name)}: {yes} yes, {no} no"
    print_parts([told + (f" ({workspace.paths.labels})" if answers else "; scrapy topic label NAME --sample 20 asks for some")])
