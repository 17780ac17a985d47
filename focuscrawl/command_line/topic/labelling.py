"""`scrapy topic label`, `train` and `test`: label pages, train the topic on the labels, and measure how well it judges."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING

from focuscrawl.command_line.context import Context
from focuscrawl.command_line.crawls import crawl_for_topic
from focuscrawl.command_line.output import note, print_json, print_parts
from focuscrawl.command_line.topic import keys
from focuscrawl.command_line.topic.named_pages import loader_of, open_topic, read_url
from focuscrawl.config.options import read_options
from focuscrawl.errors import BadInput, nearest
from focuscrawl.report.plain import one_line, percent, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.store.crawls import all_crawls
from focuscrawl.store.pages.page_texts import PageText, latest_pages
from focuscrawl.topics.crawl_labels import followed_parts, pass_on
from focuscrawl.topics.foreseen import foreseen, foreseen_parts
from focuscrawl.topics.labels import answer_of
from focuscrawl.topics.rounds import PagesAtHand, changes_parts, compared
from focuscrawl.topics.suggesting import candidates
from focuscrawl.topics.training import sample
from focuscrawl.topics.workspace import Workspace
from models.page.page_model import PAGE_MODELS
from models.topic.self_test import self_test

if TYPE_CHECKING:
    from focuscrawl.report.translation import Language
    from models.page.assessment import Assessment
    from models.page.metrics import Share

POOL = 3000
"""A sample is drawn from this many pages of the crawl: those stored last."""
ANSWERS = {keys.ACCEPT: True, keys.REJECT: False, keys.UNDO: None}
SHOWN_MISTAKES = 8
NONE_LEFT, NONE_STORED = "every page of the crawl is labelled already", "the crawl has stored no page"


def label_pages(context: Context, options: argparse.Namespace) -> int:
    workspace = open_topic(context, options.name)
    if options.sample and options.url:
        raise BadInput("--sample needs a number of pages, 1 or more, and no URL beside it.")
    if options.url:
        _one(context, workspace, read_url(options.url), options)
    elif options.sample:
        pool = _pool(context, options.crawl, workspace.paths.name)
        pages = sample(workspace, pool, options.sample)
        if options.json:
            print_json(candidates(workspace, pages))
            return 0
        if not pages:
            note(context.language(NONE_LEFT if pool else NONE_STORED))
        with keys.keyboard() as read:
            _ask(workspace, pages, read, context.language)
    _print_labels(workspace, pass_on(all_crawls(context.crawls_dir), workspace), options.json, context.language)
    return 0


def _one(context: Context, workspace: Workspace, url: str, options: argparse.Namespace) -> None:
    if not options.answer:
        raise BadInput(f"How should {url} be labelled? Give yes or no after it, or none to remove its label.")
    loader = loader_of(context)
    answer = None if options.answer.lower() == "none" else answer_of(options.answer)
    missing = loader.at_hand(workspace, [url]) if answer is not None else []
    if missing and options.fetch:
        workspace.keep(loader.fetched(missing, "list"))
    if answer is not None and url not in workspace.texts:
        hint = "it gives no text" if options.fetch else "--fetch fetches it now"
        raise BadInput(f"No crawl in {context.crawls_dir} has stored {url}; {hint}.")
    workspace.label({url: answer})


def _pool(context: Context, name: str, topic: str) -> list[PageText]:
    crawl = crawl_for_topic(context, name, topic)
    with closing(crawl.open()) as store:
        return [found.page for found in latest_pages(store, crawl.name, POOL)]


def _ask(workspace: Workspace, pages: list[PageText], read: keys.Read, language: Language) -> None:
    """Ask about each page. Each answer is on disk before the next question. The score is not shown, because it would influence
    the answer."""
    found = candidates(workspace, pages)

    def answered(number: int, answer: str) -> None:
        if answer in ANSWERS:
            workspace.keep([pages[number]])
            workspace.label({pages[number].url: ANSWERS[answer]})

    keys.ask([page.question(language) for page in found], read, sys.stdout, answered, language)


def _print_labels(workspace: Workspace, followed: Mapping[str, int], as_json: bool, language: Language) -> None:
    answers = [label.relevant for label in workspace.labels.values()]
    yes, no = sum(answers), len(answers) - sum(answers)
    if as_json:
        plain = {"topic": workspace.paths.name, "yes": yes, "no": no, "file": str(workspace.paths.labels)}
        print_json(plain | {"followed": followed})
        return
    text = f"{plural(len(answers), 'label')} of topic {one_line(workspace.paths.name)}: {yes} yes, {no} no"
    text += f" ({workspace.paths.labels})" if answers else "; `scrapy topic label NAME --sample 20` asks for some"
    print_parts([text, *followed_parts(followed)], language)


def train_topic(context: Context, options: argparse.Namespace) -> int:
    from focuscrawl.topics.training import train

    workspace, kind = open_topic(context, options.name), read_options(context.settings).relevance_model
    loader = loader_of(context)
    missing = loader.at_hand(workspace, workspace.without_text())
    if missing and options.fetch:
        workspace.keep(loader.fetched(missing, "list"))
        missing = workspace.without_text()
    pages_at_hand = PagesAtHand(workspace.texts.values())
    before = pages_at_hand.before_training(workspace)
    model = train(workspace, _check_model(options.model))
    followed = pass_on(all_crawls(context.crawls_dir), workspace)
    changes = compared(before, pages_at_hand.trained(workspace))
    stored = foreseen(all_crawls(context.crawls_dir), workspace, kind)
    if options.json:
        plain = {"topic": workspace.paths.name, "model": model.name, "labels": len(workspace.labels), "without_text": missing}
        plain |= {"file": str(workspace.paths.trained), "changes": changes, "followed": followed}
        print_json(plain | {"stored": stored})
        return 0
    labels = plural(len(workspace.labels), "label")
    text = f"Trained topic {workspace.paths.name} ({model.name}) on {labels}: {workspace.paths.trained}"
    left = f"{plural(len(missing), 'page')} did not count, because their text is not stored; --fetch fetches it."
    warning = self_test(model.topic, workspace.spellings()).warning
    told = [*([left] if missing else []), *followed_parts(followed), *([warning] if warning else [])]
    print_parts([text, *told, *changes_parts(changes), *foreseen_parts(stored)], context.language)
    return 0


def _check_model(name: str) -> str:
    """The page model of this name, or the default one if the name is empty. Raises BadInput for an unknown name."""
    name = name or PAGE_MODELS[0]
    if name not in PAGE_MODELS:
        raise BadInput(f"--model: there is no {name!r}{nearest(name, PAGE_MODELS)}")
    return name


def test_topic(context: Context, options: argparse.Namespace) -> int:
    from focuscrawl.topics.training import assessed

    if options.folds == 1:
        raise BadInput(f"--folds {options.folds}: give 2 or more, or 0 for one part held back.")
    workspace = open_topic(context, options.name)
    loader_of(context).at_hand(workspace, workspace.without_text())
    tested = assessed(workspace, _check_model(options.model), options.folds)
    if options.json:
        print_json({"topic": workspace.paths.name} | asdict(tested))
    else:
        print_parts(_assessment_parts(workspace.paths.name, tested, context.language), context.language)
    return 0


def _assessment_parts(name: str, tested: Assessment, _: Language) -> list[str | Table]:
    shares = (("precision", tested.precision), ("recall", tested.recall), ("F1", tested.f1), ("accuracy", tested.accuracy))
    rows = [(label, *_share(share, _)) for label, share in shares]
    title = f"Topic {name}, model {tested.model}: {plural(tested.pages, 'page')} ({tested.relevant} relevant), {tested.method}"
    parts: list[str | Table] = [
        Table([Column("", ours=True), Column("", True), Column("95 % interval"), Column("pages", True)], rows, title)
    ]
    if tested.mistakes:
        wrong = [
            (
                "yes" if mistake.relevant else "no",
                f"{mistake.score:.2f}",
                ", ".join(term for term, _weight in mistake.terms[:4]),
                mistake.source,
            )
            for mistake in tested.mistakes[:SHOWN_MISTAKES]
        ]
        columns = [Column("label", ours=True), Column("score", True), Column("terms", width=40), Column("page", width=60)]
        parts.append(Table(columns, wrong, f"Judged differently than labelled ({len(tested.mistakes)})"))
    return parts


def _share(share: Share, _: Language) -> tuple[str, str, str]:
    if not share.of:
        return "–", _("nothing to measure"), "0"
    span = _("{first} to {last}", first=percent(share.low), last=percent(share.high))
    return percent(share.value), span, _("{n} of {all}", n=share.hits, all=share.of)
