"""Training a topic on its labelled pages, and testing it on labels that it did not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from focuscrawl.definition import definition_of
from focuscrawl.errors import BadInput
from focuscrawl.report.plain import plural
from focuscrawl.topics.desk import Desk
from models import topic_json

if TYPE_CHECKING:
    from models.assessment import Assessment
    from models.labels import Label, Said
    from models.page_model import PageModel

LEAST_TESTED = 10
"""Labels without which a test would say nothing."""


def labels_of(desk: Desk) -> list[Label]:
    """The judged pages whose texts are here, in the order of judging."""
    from models.labels import Label

    texts = desk.texts
    return [
        Label(label.url, label.relevant, texts[label.url].title, texts[label.url].text)
        for label in desk.labels.values()
        if label.url in texts
    ]


def train(desk: Desk, model: str = "calibrated") -> PageModel:
    """Learn the topic from words, examples and labels, and keep it beside the topic file. Raises BadInput."""
    from models import page_model
    from models.labels import train as fit

    made = fit(desk.segmenter, labels_of(desk), model=model, **_said(desk))
    made.topic.definition = definition_of(desk.topic, desk.file.seeds)
    topic_json.save(made.topic, desk.place.trained)
    page_model.save(made, desk.place.page_model)
    return made


def assessed(desk: Desk, model: str = "calibrated", folds: int = 0) -> Assessment:
    """Precision and recall on labels held back from training (every label once, with `folds` of 2 or more).

    Raises BadInput when there are too few labels, or of one kind only."""

    from models.assessment import examine

    labels = labels_of(desk)
    yes = sum(label.relevant for label in labels)
    if len(labels) < LEAST_TESTED or not 0 < yes < len(labels):
        raise BadInput(
            f"Topic {desk.place.name} has {plural(len(labels), 'label')} ({yes} yes, {len(labels) - yes} no); a test needs"
            f" {LEAST_TESTED} or more and both kinds: scrapy topic label {desk.place.name} --sample 20."
        )
    return examine(desk.segmenter, labels, folds=folds, model=model, **_said(desk))


def _said(desk: Desk) -> Said:
    """All but the labels. A labelled page is no example besides: in a test it may be one of those held back."""
    topic, labelled = desk.topic, desk.labels
    return {
        "keywords": topic.keywords,
        "examples": [pair for pair in desk.picked_texts() if pair[0] not in labelled],
        "negatives": [pair for pair in desk.rejected_texts() if pair[0] not in labelled],
        "seeds": desk.file.seeds[:100],
        "min_weight": desk.min_weight,
        "threshold": topic.threshold,
        "made": desk.day,
        "given_weights": topic.weights,
        "negative_terms": topic.negative_terms,
    }
