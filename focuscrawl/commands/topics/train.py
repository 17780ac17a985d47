"""`scrapy topic train`: learn a topic from its words, examples and labels."""

from __future__ import annotations

import argparse

from focuscrawl.commands.topics.pages import at_hand, fetched
from focuscrawl.commands.topics.subcommand import Context, print_json, print_parts
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import plural
from focuscrawl.topics.paths import existing
from focuscrawl.topics.rounds import Pool, changes_parts, compared
from focuscrawl.topics.workspace import Workspace

USAGE = "train NAME [--model calibrated|vsm|naive-bayes] [--fetch] [--json]"
SUMMARY = "Learn the topic from its words, examples and labels; a crawl of the topic begins with what was learned."


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("--model", default="calibrated")
    parser.add_argument("--fetch", action="store_true")
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    from focuscrawl.topics.training import train

    workspace = Workspace(existing(context.topics_dir, options.name), context.day, context.min_weight)
    missing = at_hand(context, workspace, workspace.without_text())
    if missing and options.fetch:
        workspace.keep(fetched(context, missing, "list"))
        missing = workspace.without_text()
    pool = Pool(workspace.texts.values())
    before = pool.trained(workspace)
    model = train(workspace, check_model(options.model))
    changes = compared(before, pool.trained(workspace))
    if options.json:
        plain = {"topic": workspace.paths.name, "model": model.name, "labels": len(workspace.labels), "without_text": missing}
        print_json(plain | {"file": str(workspace.paths.trained), "changes": changes.plain()})
        return 0
    labels = plural(len(workspace.labels), "label")
    told = f"Trained topic {workspace.paths.name} ({model.name}) on {labels}: {workspace.paths.trained}"
    left = f"{plural(len(missing), 'page')} could not count, for their text is not here; --fetch fetches it."
    print_parts([told, *([left] if missing else []), *changes_parts(changes)])
    return 0


def check_model(name: str) -> str:
    """Raises BadInput for an unknown page model."""
    from focuscrawl.errors import nearest
    from models.page.page_model import PAGE_MODELS

    if name not in PAGE_MODELS:
        raise BadInput(f"--model: there is no {name!r}{nearest(name, PAGE_MODELS)}")
    return name
