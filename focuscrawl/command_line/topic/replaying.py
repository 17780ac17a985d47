"""What a topic, as it is now, makes of a crawl. `scrapy topic replay CRAWL`: which of the stored pages other order strategies
would have fetched first. `scrapy topic rescore CRAWL`: which waiting URLs move, as it was last trained."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from focuscrawl.command_line.context import Context, Failure
from focuscrawl.command_line.output import ProgressLine, print_json_line, print_parts
from focuscrawl.config.arguments import split_list
from focuscrawl.config.options import read_options
from focuscrawl.crawl.rescoring import Move, Rescoring, rescore_crawl
from focuscrawl.errors import BadInput, nearest
from focuscrawl.report.plain import count, plural
from focuscrawl.report.replays import Comparison, Line, as_json, parts
from focuscrawl.report.table import Column, Table
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.verdicts import topics_of
from focuscrawl.url.readable import readable

if TYPE_CHECKING:
    from focuscrawl.inspect.comparison import PreparedReplay, TopicSource
    from models.topic.vsm import TopicModel


def replay_crawl(context: Context, options: argparse.Namespace) -> int:
    if options.png:
        _check_picture(options.png)
    crawl = crawl_named(context.crawls_dir, options.crawl)
    strategies = chosen_strategies(options.strategy)
    with closing(crawl.open()) as db:
        own = options.topic in ("", *topics_of(db))
        models = chosen_models(options.model, own)
        ready = _prepare(context, db, options, "" if own else models[0])
        from focuscrawl.inspect.comparison import as_crawled

        runs = [_replayed(ready, strategy, model) for model in models for strategy in strategies]
        runs.sort(key=lambda run: -run.area)
        setup = ready.setup
        lines = [*runs, as_crawled(setup)]
        comparison = Comparison(crawl.name, len(setup.web.pages), len(setup.truth), ready.truth, setup.budget, lines)
    if options.json:
        print_json_line(as_json(comparison))
    else:
        print_parts(parts(comparison), context.language)
    if options.png:
        _draw(comparison, ready.title, options.png)
    return 0


def _check_picture(path: Path) -> None:
    """Raises BadInput, before anything is computed, if the picture cannot be drawn."""
    if not path.absolute().parent.is_dir():
        raise BadInput(f"the directory of {str(path)!r} does not exist")
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise BadInput("--png needs matplotlib, which is not installed: make setup EXTRAS=plots") from None


def chosen_strategies(given: str) -> list[str]:
    """The order strategies in a list of names, all of them if it is empty. Raises BadInput, with the nearest name, for an
    unknown one."""
    from models.order.strategies import STRATEGIES

    names = list(split_list(given) or STRATEGIES)
    for name in names:
        if name not in STRATEGIES:
            raise BadInput(f"there is no strategy {name!r}{nearest(name, STRATEGIES)}")
    return names


def chosen_models(given: str, own: bool) -> list[str]:
    """The page models in a list of names. The name `stored` means the crawl's own verdicts, which only exist for its `own`
    topics. Raises BadInput."""
    from focuscrawl.inspect.comparison import STORED
    from models.page.page_model import PAGE_MODELS

    known = (STORED, *PAGE_MODELS)
    names = list(split_list(given)) or [STORED if own else PAGE_MODELS[0]]
    for name in names:
        if name not in known:
            raise BadInput(f"there is no page model {name!r}; valid are {', '.join(known)}")
    if not own and STORED in names:
        raise BadInput("the stored verdicts are those of the crawl's own topic; leave out --topic, or stored of --model")
    return names


def _prepare(context: Context, db: Database, options: argparse.Namespace, model: str) -> PreparedReplay:
    """Prepare the replay. `model`: the page model that judges for a topic which is not the crawl's; empty for the crawl's
    own."""
    from focuscrawl.config.options import read_options
    from focuscrawl.inspect.comparison import prepare

    given, labels = _topic(context, db, options.topic) if model else (None, _labels(db, options.topic))
    return prepare(
        crawl_named(context.crawls_dir, options.crawl),
        db,
        read_options(context.settings),
        given=given,
        model=model,
        of="" if model else options.topic,
        labels=labels,
        budget=options.budget,
        in_flight=options.in_flight,
    )


def _topic(context: Context, db: Database, name: str) -> tuple[TopicSource, Mapping[str, bool]]:
    """A topic with its labels. Missing texts of its examples are taken from the crawl, without saving them."""
    from focuscrawl.command_line.topic.named_pages import open_topic
    from focuscrawl.inspect.comparison import TopicSource
    from focuscrawl.store.pages.page_texts import PageText
    from focuscrawl.store.pages.stored import texts_of
    from focuscrawl.text.segment import RememberingSegmenter

    workspace = open_topic(context, name)
    workspace.texts |= {url: PageText(url, "", text) for url, text in texts_of(db, workspace.without_text())}

    def make() -> TopicModel:
        model = workspace.fitted()
        if model is None:
            raise BadInput(f"topic {name!r} has no keyword, and no example whose text is at hand")
        return model

    definition = workspace.topic
    segmenter = RememberingSegmenter.of(definition.vocabulary)
    given = TopicSource(make, segmenter, definition.name or workspace.paths.name, definition.title)
    return given, {label.url: label.relevant for label in workspace.labels.values()}


def _labels(db: Database, topic: str) -> Mapping[str, bool]:
    """The labels beside the topic file that the crawl was last started with, if both still exist. `topic`: the name of one of
    several topics."""
    from focuscrawl.topics.crawl_labels import labels_of_file, topic_file_of

    file = topic_file_of(db, topic)
    return (labels_of_file(file) if file else None) or {}


def _replayed(ready: PreparedReplay, strategy: str, model: str) -> Line:
    """Run one replay, with a progress line if standard error is a terminal."""
    from focuscrawl.inspect.comparison import replayed

    line = ProgressLine()
    done = replayed(
        ready.setup, strategy, model, lambda pages: line.show(f"{strategy} {model}: {pages:,} of {ready.setup.budget:,} pages")
    )
    line.clear()
    return done


def _draw(comparison: Comparison, title: str, path: Path) -> None:
    from focuscrawl.report.charts.harvest_chart import HarvestCurve, Panel, draw

    curves = [HarvestCurve(line.name, line.found, faint=not line.model) for line in comparison.lines]
    ideal = [min(fetched, comparison.relevant) for fetched in range(1, comparison.budget + 1)]
    panel = Panel(
        title, comparison.crawl, [*curves, HarvestCurve("all relevant first", ideal, faint=True)], f"crawl {comparison.crawl}"
    )
    try:
        draw([panel], path)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror or error}") from error


def rescore_waiting(context: Context, options: argparse.Namespace) -> int:
    done = rescore_crawl(crawl_named(context.crawls_dir, options.crawl), read_options(context.settings))
    if options.json:
        print_json_line(done)
    else:
        print_parts(rescoring_parts(done), context.language)
    return 0


def rescoring_parts(done: Rescoring) -> list[str | Table]:
    """How many URLs have moved, and which have moved farthest."""
    goes_on = f"The next run of {done.crawl} goes on with that."
    if done.unscored:
        return [
            f"{done.crawl} has the topic as it was trained. Its last run followed every link ({done.unscored}), so that"
            f" {plural(done.waiting, 'waiting URL')} keep their order until a run chooses by score.",
            goes_on,
        ]
    moved = (
        f"{done.crawl}: {count(done.moved)} of {plural(done.waiting, 'waiting URL')} moved, {count(done.up)} up and"
        f" {count(done.down)} down; the others were worth the same or nothing that is stored links to them."
    )
    pages = (
        f"Of {plural(done.pages, 'stored page')} that a former topic judged {count(done.newly_relevant)} would be newly"
        f" relevant, {count(done.no_longer_relevant)} no longer; what they were counted as stays until the next run."
    )
    tables = [_moves(title, rows) for title, rows in (("Farthest up", done.risen), ("Farthest down", done.fallen)) if rows]
    return [moved, pages, *tables, goes_on]


def _moves(title: str, moves: Sequence[Move]) -> Table:
    rows = [(f"{move.before:.3f}", f"{move.now:.3f}", readable(move.url)) for move in moves]
    return Table([Column("before", True), Column("now", True), Column("URL")], rows, title)
