"""`scrapy topic test`: how good is the topic, on labels that it was not trained on?"""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from focuscrawl.commands.topics.pages import at_hand
from focuscrawl.commands.topics.subcommand import Context, print_json, print_parts
from focuscrawl.commands.topics.train import check_model
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import percent, plural
from focuscrawl.report.table import Column, Table
from focuscrawl.topics.paths import existing
from focuscrawl.topics.workspace import Workspace

if TYPE_CHECKING:
    from models.page.assessment import Assessment, Share

USAGE = "test NAME [--model calibrated|vsm|naive-bayes] [--folds N] [--json]"
SUMMARY = (
    "Precision and recall with 95 % intervals on labels held back from training; --folds 5 lets every label be judged once."
)
SHOWN_MISTAKES = 8


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name")
    parser.add_argument("--model", default="calibrated")
    parser.add_argument("--folds", type=int, default=0)
    parser.add_argument("--json", action="store_true")


def run(context: Context, options: argparse.Namespace) -> int:
    from focuscrawl.topics.training import assessed

    if options.folds < 0 or options.folds == 1:
        raise BadInput(f"--folds {options.folds}: 2 or more is wanted, or 0 for one part held back.")
    workspace = Workspace(existing(context.topics_dir, options.name), context.day, context.min_weight)
    at_hand(context, workspace, workspace.without_text())
    found = assessed(workspace, check_model(options.model), options.folds)
    if options.json:
        print_json({"topic": workspace.paths.name} | found.plain())
    else:
        print_parts(_parts(workspace.paths.name, found))
    return 0


def _parts(name: str, found: Assessment) -> list[str | Table]:
    shares = (("precision", found.precision), ("recall", found.recall), ("F1", found.f1), ("accuracy", found.accuracy))
    rows = [(label, *_share(share)) for label, share in shares]
    title = f"Topic {name}, model {found.model}: {plural(found.pages, 'page')} ({found.relevant} relevant), {found.method}"
    parts: list[str | Table] = [
        Table([Column(""), Column("", True), Column("95 % interval"), Column("pages", True)], rows, title)
    ]
    if found.mistakes:
        wrong = [
            (
                "yes" if mistake.relevant else "no",
                f"{mistake.score:.2f}",
                ", ".join(term for term, _ in mistake.terms[:4]),
                mistake.source,
            )
            for mistake in found.mistakes[:SHOWN_MISTAKES]
        ]
        columns = [Column("label"), Column("score", True), Column("terms", width=40), Column("page", width=60)]
        parts.append(Table(columns, wrong, f"Judged otherwise than labelled ({len(found.mistakes)})"))
    return parts


def _share(share: Share) -> tuple[str, str, str]:
    if not share.of:
        return "–", "nothing to measure", "0"
    return percent(share.value), f"{percent(share.low)} to {percent(share.high)}", f"{share.hits} of {share.of}"
