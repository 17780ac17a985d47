"""Does a page model judge right? Precision and recall on labelled pages that it was not trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Unpack

from focuscrawl.errors import BadInput
from focuscrawl.items import Verdict
from focuscrawl.text.segment import Segmenter
from models.clues import clues_of
from models.labels import HELD_BACK, Label, Said, order, split, train, unsaid
from models.measures import Judged, Share, accuracy, average_precision, calibration_error, f1, precision, recall
from models.page_model import PAGE_MODELS, PageModel


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
    """Labels in training; with folds, in all of them together."""
    accuracy: Share
    precision: Share
    recall: Share
    f1: Share
    average_precision: float
    calibration_error: float
    threshold: float
    mistakes: tuple[Mistake, ...]
    """The surest errors first."""

    def plain(self) -> dict[str, Any]:
        """Plain data for JSON."""
        return asdict(self)


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
    **said: Unpack[Said],
) -> Assessment:
    """Train on some labels and assess on others, none of them an example of the topic.

    `folds` 0: on the held-back part of `split`. Else every label is judged once, by a model made without its fold.
    Raises BadInput where there are too few labels.
    """
    free = sorted(unsaid(labels, said), key=order)
    if folds == 1 or folds < 0 or folds > len(free):
        raise BadInput(f"{folds} folds are not possible with {len(free)} labelled pages; give 2 to that many, or 0.")
    if not folds:
        training, kept = split(free, share)
        return assess(train(segmenter, training, model=model, **said), kept, segmenter, len(training))
    verdicts: list[Verdict] = []
    judged: list[Label] = []
    by_kind = sorted(free, key=lambda label: label.relevant)  # stable: every fold gets its part of both kinds
    for fold in range(folds):
        kept = by_kind[fold::folds]
        made = train(segmenter, [label for n, label in enumerate(by_kind) if n % folds != fold], model=model, **said)
        verdicts += [_verdict(made, label, segmenter) for label in kept]
        judged += kept
    return _assessment(model, f"{folds}-fold", judged, verdicts, len(free))


def _verdict(model: PageModel, label: Label, segmenter: Segmenter) -> Verdict:
    return model.judge(segmenter.terms(label.whole), clues_of(label.title, label.source, segmenter))


def _assessment(name: str, method: str, labels: Sequence[Label], verdicts: Sequence[Verdict], trained_on: int) -> Assessment:
    if not labels:
        raise BadInput("No labelled page is left to test on: label at least two relevant and two irrelevant pages.")
    pairs = list(zip(labels, verdicts, strict=True))
    pages = [Judged(label.relevant, verdict.relevant, verdict.score) for label, verdict in pairs]
    wrong = [(label, verdict) for label, verdict in pairs if label.relevant != verdict.relevant]
    wrong.sort(key=lambda pair: -abs(pair[1].score - pair[1].threshold))
    return Assessment(
        name,
        method,
        len(pages),
        sum(page.relevant for page in pages),
        trained_on,
        accuracy(pages),
        precision(pages),
        recall(pages),
        f1(pages),
        average_precision(pages),
        calibration_error(pages),
        verdicts[0].threshold,
        tuple(Mistake(label.source, label.relevant, verdict.score, verdict.terms) for label, verdict in wrong),
    )
