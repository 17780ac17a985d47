"""Trains a topic on its labelled pages, tests it on labels that it did not see, and chooses the pages to label next."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from focuscrawl.config.topic_file import topic_digest
from focuscrawl.errors import BadInput, in_shell
from focuscrawl.report.plain import plural
from focuscrawl.store.pages.page_texts import PageText
from focuscrawl.text.segment import Segmenter
from focuscrawl.text.stems import spelled, spellings
from focuscrawl.topics.workspace import Workspace
from models.topic import json_file

if TYPE_CHECKING:
    from models.page.assessment import Assessment, Label, TopicArguments
    from models.page.page_model import PageModel

LEAST_TESTED = 10
"""With fewer labels a test would say nothing."""
RANDOM_EVERY = 5
"""Of the pages that are offered for judging, one in this many is chosen at random."""


def labels_of(workspace: Workspace) -> list[Label]:
    """The judged pages whose texts are here, in the order of judging."""
    from models.page.assessment import Label

    judged = [(label, workspace.texts[label.url]) for label in workspace.labels.values() if label.url in workspace.texts]
    return [Label(label.url, label.relevant, page.title, page.text, page.language, page.tags) for label, page in judged]


def train(workspace: Workspace, model: str = "calibrated") -> PageModel:
    """Learn the topic from words, examples and labels, and store it beside the topic file. Raises BadInput if it cannot."""
    from models.page import page_model
    from models.page.assessment import train as fit

    made = fit(workspace.segmenter, labels_of(workspace), model=model, **_arguments(workspace))
    made.topic.topic_digest = topic_digest(workspace.topic, workspace.file.seeds)
    json_file.save(made.topic, workspace.paths.trained)
    page_model.save(made, workspace.paths.page_model)
    return made


def assessed(workspace: Workspace, model: str = "calibrated", folds: int = 0) -> Assessment:
    """Precision and recall on labels held back from training (with `folds` of 2 or more, on every label once).

    Raises BadInput if there are too few labels, or only labels of one kind."""

    from models.page.assessment import examine

    labels = labels_of(workspace)
    yes = sum(label.relevant for label in labels)
    if len(labels) < LEAST_TESTED or not 0 < yes < len(labels):
        raise BadInput(
            f"Topic {workspace.paths.name} has {plural(len(labels), 'label')} ({yes} yes, {len(labels) - yes} no); a test needs"
            f" {LEAST_TESTED} or more and both kinds: scrapy topic label {in_shell(workspace.paths.name)} --sample 20."
        )
    found = examine(workspace.segmenter, labels, folds=folds, model=model, **_arguments(workspace))
    forms = spellings(label.whole for label in labels)
    return replace(found, mistakes=tuple(replace(page, terms=spelled(page.terms, forms)) for page in found.mistakes))


def before_and_after(workspace: Workspace) -> tuple[Assessment | None, Assessment]:
    """How well the topic as it was last trained judges labels, and how well it would if it were trained now.

    Both are made in the same way without the labels held back, so that neither has seen these. The former is made of the words,
    texts and labels that the trained topic knew, or before the first training of words and texts alone (None: there were none).

    Raises BadInput like `assessed`."""
    from models.page.assessment import further, split

    after = assessed(workspace)
    arguments = _arguments(workspace)
    training, kept = split(further(labels_of(workspace), arguments))
    trained = workspace.trained()
    if trained is None:
        return _assessed_by([], kept, workspace.segmenter, arguments), after
    evidence, limit = trained.topic.evidence, trained.topic.threshold
    known = {document.source for document in (*evidence.examples, *evidence.negatives)}
    former: TopicArguments = {
        "keywords": evidence.keywords,
        "examples": [pair for pair in arguments["examples"] if pair[0] in known],
        "negatives": [pair for pair in arguments["negatives"] if pair[0] in known],
        "seeds": evidence.seeds,
        "min_weight": workspace.min_weight,
        "threshold": limit.value if limit.given else None,
        "given_terms": evidence.given,
        "languages": trained.topic.languages,
    }
    segmenter = Segmenter.of(evidence.vocabulary)  # which may have had other words
    return _assessed_by([label for label in training if label.source in known], kept, segmenter, former), after


def _assessed_by(
    training: Sequence[Label], kept: Sequence[Label], segmenter: Segmenter, arguments: TopicArguments
) -> Assessment | None:
    """How well a topic made from these judges the labels that were `kept` from it; None if only those say what it is about."""
    from models.page.assessment import assess
    from models.page.assessment import train as fit

    try:
        made = fit(segmenter, training, **arguments)
    except BadInput:
        return None
    return assess(made, kept, segmenter)


def _arguments(workspace: Workspace) -> TopicArguments:
    """All that a topic is made from, except the labels. A labelled page is not an example as well, because a test may hold it
    back."""
    arguments = workspace.arguments()
    arguments["examples"] = [pair for pair in arguments["examples"] if pair[0] not in workspace.labels]
    arguments["negatives"] = [pair for pair in arguments["negatives"] if pair[0] not in workspace.labels]
    return arguments


def sample(workspace: Workspace, pages: Sequence[PageText], size: int, skipped: Collection[str] = ()) -> list[PageText]:
    """Up to `size` pages that nobody has judged yet, for a person to judge next; always the same for the same input.

    Most are the least certain ones, which teach most. One in RANDOM_EVERY is chosen at random, which keeps the estimate of
    precision and recall honest.
    """
    left = [page for page in pages if page.url not in workspace.labels and page.url not in skipped and page.text]
    by_chance = sorted(left, key=lambda page: _number(page.url))
    model = workspace.model()
    if model is None:
        return by_chance[:size]
    doubt = {page.url: abs(workspace.judge(page, model).relevance - model.own_threshold) for page in left}
    uncertain = sorted(left, key=lambda page: (doubt[page.url], page.url))
    chosen: dict[str, PageText] = {}
    for number in range(len(left)):
        if len(chosen) >= size:
            break
        turn = by_chance if number % RANDOM_EVERY == RANDOM_EVERY - 1 else uncertain
        page = next((page for page in turn if page.url not in chosen), None)
        if page is not None:
            chosen[page.url] = page
    return list(chosen.values())


def _number(url: str) -> bytes:
    """A number that looks random and is the same in every process."""
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).digest()
