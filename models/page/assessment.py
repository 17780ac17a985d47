"""Does a page model judge correctly? Training on pages that a person has labelled, and precision and recall on others.

`train` makes a page model from the user's words and labels. `examine` says how good such a model is on labels that it has not
seen: shares with their confidence intervals, average precision, calibration error, and the surest mistakes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict, counted, whole_text
from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.page.metrics import LabelledVerdict, Share, accuracy, average_precision, calibration_error, f1, precision, recall
from models.page.page_context import PageContext, page_context, with_tags
from models.page.page_model import PAGE_MODELS, PageModel, make
from models.page.tuning import LabelledPage, tuning_of
from models.topic.background import Background
from models.topic.evidence import GivenTerms
from models.topic.vsm import TopicModel

HELD_BACK = 0.3
"""Share of the labels that are kept for testing."""
Text = tuple[str, str]
"""(source, text); the source is a URL or a file."""


@dataclass(frozen=True, slots=True)
class Label:
    """A page with a person's verdict on it."""

    source: str
    """URL or file."""
    relevant: bool
    title: str
    text: str
    language: str = ""
    """Empty: not known."""
    tags: str = ""
    """What the page is tagged with, a line each (`models.page.tags`)."""

    @property
    def whole(self) -> str:
        """Title and main text."""
        return whole_text(self.title, self.text)


def order(label: Label) -> bytes:
    """A sort key that depends on the source alone, so that the order is the same in every run and whatever labels are added."""
    return hashlib.blake2b(label.source.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def split(labels: Sequence[Label], share: float = HELD_BACK) -> tuple[list[Label], list[Label]]:
    """(training, held back): by digest of the source, the same share of relevant and irrelevant ones.

    Of two labels or more of one kind at least one is on either side; a single one is for training.
    """
    training: list[Label] = []
    kept: list[Label] = []
    for kind in (True, False):
        ordered = sorted((label for label in labels if label.relevant == kind), key=order)
        size = min(len(ordered) - 1, max(1, round(share * len(ordered)))) if len(ordered) > 1 else 0
        kept += ordered[:size]
        training += ordered[size:]
    return training, kept


class TopicArguments(TypedDict, total=False):
    """What the user gave for the topic beside labels: the arguments of `TopicModel.fit`."""

    keywords: Sequence[str]
    examples: Sequence[Text]
    negatives: Sequence[Text]
    seeds: Sequence[str]
    background: Background | None
    min_weight: float
    threshold: float | None
    made: str
    given_terms: GivenTerms
    languages: Sequence[str]


def train(
    segmenter: Segmenter, labels: Sequence[Label], *, model: str = PAGE_MODELS[0], **arguments: Unpack[TopicArguments]
) -> PageModel:
    """A page model of what the user gave and of the labels: relevant ones join the examples, others the counter-examples.

    A page that is an example already counts once. The calibrated model is tuned by the labels, see
    `models.page.tuning`. `topic` of the result is the TopicModel to save. Raises BadInput if nothing says what the
    topic is, or there is no such model.
    """
    fresh = further(labels, arguments)
    examples, negatives = arguments.get("examples", ()), arguments.get("negatives", ())
    arguments["examples"] = [*examples, *((label.source, label.whole) for label in fresh if label.relevant)]
    arguments["negatives"] = [*negatives, *((label.source, label.whole) for label in fresh if not label.relevant)]
    made = make(model, TopicModel.fit(segmenter, **arguments))
    if isinstance(made, CalibratedModel):
        made.tune(tuning_of(made.topic, [_page(segmenter, label) for label in labels]))
    return made


def _page(segmenter: Segmenter, label: Label) -> LabelledPage:
    return LabelledPage(label.source, label.relevant, *_input(segmenter, label))


def _input(segmenter: Segmenter, label: Label) -> tuple[Sequence[str], PageContext]:
    """What a page model is given of the page, as by `models.page.page_context.model_input`."""
    words = with_tags(segmenter.terms(label.whole), label.tags, segmenter)
    return words, page_context(label.title, label.source, segmenter)


def further(labels: Sequence[Label], arguments: TopicArguments) -> list[Label]:
    """The labels of pages that are neither examples nor counter-examples already."""
    known = {source for source, _ in (*arguments.get("examples", ()), *arguments.get("negatives", ()))}
    return [label for label in labels if label.source not in known]


@dataclass(frozen=True, slots=True)
class Mistake:
    """A page that was judged otherwise than labelled."""

    source: str
    relevant: bool
    """The label."""
    score: float
    terms: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the verdicts on labelled pages are worth."""

    model: str
    method: str
    """`held back` or `5-fold`."""
    pages: int
    relevant: int
    trained_on: int
    """Labels that were trained on; with folds, in all folds together."""
    accuracy: Share
    precision: Share
    recall: Share
    f1: Share
    average_precision: float
    calibration_error: float
    threshold: float
    mistakes: tuple[Mistake, ...]
    """The surest errors first."""


def assess(model: PageModel, labels: Sequence[Label], segmenter: Segmenter, trained_on: int = 0) -> Assessment:
    """Judge labelled pages that were held back from training. Raises BadInput without labels."""
    return _assessment(model.name, "held back", labels, [_verdict(model, label, segmenter) for label in labels], trained_on)


def examine(
    segmenter: Segmenter,
    labels: Sequence[Label],
    *,
    folds: int = 0,
    share: float = HELD_BACK,
    model: str = PAGE_MODELS[0],
    **arguments: Unpack[TopicArguments],
) -> Assessment:
    """Train on some labels and assess on others, none of them an example of the topic.

    `folds` 0: on the held-back part of `split`. Else every label is judged once, by a model made without its fold.
    Raises BadInput where there are too few labels.
    """
    free = sorted(further(labels, arguments), key=order)
    if folds == 1 or folds < 0 or folds > len(free):
        raise BadInput(f"{folds} folds are not possible with {len(free)} labelled pages; give 2 to that many, or 0.")
    if not folds:
        training, kept = split(free, share)
        return assess(train(segmenter, training, model=model, **arguments), kept, segmenter, len(training))
    verdicts: list[Verdict] = []
    judged: list[Label] = []
    by_kind = sorted(free, key=lambda label: label.relevant)  # stable: every fold gets its part of both kinds
    for fold in range(folds):
        kept = by_kind[fold::folds]
        made = train(segmenter, [label for n, label in enumerate(by_kind) if n % folds != fold], model=model, **arguments)
        verdicts += [_verdict(made, label, segmenter) for label in kept]
        judged += kept
    return _assessment(model, f"{folds}-fold", judged, verdicts, len(free))


def _verdict(model: PageModel, label: Label, segmenter: Segmenter) -> Verdict:
    verdict = model.judge(*_input(segmenter, label))
    return model.topic.in_language(verdict, label.language)


def _assessment(name: str, method: str, labels: Sequence[Label], verdicts: Sequence[Verdict], trained_on: int) -> Assessment:
    if not labels:
        raise BadInput("No labelled page is left to test on: label at least two relevant and two irrelevant pages.")
    pairs = list(zip(labels, verdicts, strict=True))
    pages = [LabelledVerdict(label.relevant, verdict.relevant, verdict.relevance) for label, verdict in pairs]
    wrong = [(label, verdict) for label, verdict in pairs if label.relevant != verdict.relevant]
    wrong.sort(key=lambda pair: -abs(pair[1].relevance - pair[1].threshold))
    return Assessment(
        model=name,
        method=method,
        pages=len(pages),
        relevant=sum(page.relevant for page in pages),
        trained_on=trained_on,
        accuracy=accuracy(pages),
        precision=precision(pages),
        recall=recall(pages),
        f1=f1(pages),
        average_precision=average_precision(pages),
        calibration_error=calibration_error(pages),
        threshold=verdicts[0].threshold,
        mistakes=tuple(
            Mistake(label.source, label.relevant, verdict.relevance, counted(verdict.terms)) for label, verdict in wrong
        ),
    )
