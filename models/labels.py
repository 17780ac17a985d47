"""Pages that a person has labelled: train with them, and hold some of them back to test on."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

from focuscrawl.text.segment import Segmenter
from models.background import Background
from models.calibrated import CalibratedModel
from models.clues import clues_of
from models.page_model import PAGE_MODELS, PageModel, make
from models.tuning import LabelledPage, tuning_of
from models.vsm import TopicModel

HELD_BACK = 0.3
Text = tuple[str, str]
"""Source (address or file) and text."""


@dataclass(frozen=True, slots=True)
class Label:
    """What a person says about one page."""

    source: str
    """Address or file."""
    relevant: bool
    title: str
    text: str

    @property
    def whole(self) -> str:
        """Title and text, as pages are cut into terms."""
        return f"{self.title}\n{self.text}"


def order(label: Label) -> bytes:
    """A place among labels that hangs on the source alone: the same in every run, however many labels come."""
    return hashlib.blake2b(label.source.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def held_back(source: str, share: float = HELD_BACK) -> bool:
    """Whether a label of this source belongs to those kept for testing."""
    digest = hashlib.blake2b(source.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest) < share * 2**64


def split(labels: Sequence[Label], share: float = HELD_BACK) -> tuple[list[Label], list[Label]]:
    """(training, held back): by digest of the source, the same share of relevant and irrelevant ones.

    Of two labels or more of one kind at least one is on either side.
    """
    training: list[Label] = []
    kept: list[Label] = []
    for kind in (True, False):
        ordered = sorted((label for label in labels if label.relevant == kind), key=order)
        size = min(len(ordered) - 1, max(1, round(share * len(ordered)))) if len(ordered) > 1 else 0
        kept += ordered[:size]
        training += ordered[size:]
    return training, kept


class Said(TypedDict, total=False):
    """What the user said about the topic beside labels: the arguments of `TopicModel.fit`."""

    keywords: Sequence[str]
    examples: Sequence[Text]
    negatives: Sequence[Text]
    seeds: Sequence[str]
    background: Background | None
    min_weight: float
    threshold: float | None
    made: str
    given_weights: Sequence[tuple[str, float]]
    negative_terms: Sequence[str]


def train(segmenter: Segmenter, labels: Sequence[Label], *, model: str = PAGE_MODELS[0], **said: Unpack[Said]) -> PageModel:
    """A page model of what the user said and of the labels: relevant ones join the examples, others the counter-examples.

    A page that is an example already counts once. The calibrated model is tuned by the labels, see `models.tuning`. `topic`
    of the result is the TopicModel to save. Raises BadInput if nothing says what the topic is, or there is no such model.
    """
    fresh = unsaid(labels, said)
    examples, negatives = said.get("examples", ()), said.get("negatives", ())
    said["examples"] = [*examples, *((label.source, label.whole) for label in fresh if label.relevant)]
    said["negatives"] = [*negatives, *((label.source, label.whole) for label in fresh if not label.relevant)]
    made = make(model, TopicModel.fit(segmenter, **said))
    if isinstance(made, CalibratedModel):
        made.tune(tuning_of(made.topic, [_page(segmenter, label) for label in labels]))
    return made


def _page(segmenter: Segmenter, label: Label) -> LabelledPage:
    clues = clues_of(label.title, label.source, segmenter)
    return LabelledPage(label.source, label.relevant, segmenter.terms(label.whole), clues)


def unsaid(labels: Sequence[Label], said: Said) -> list[Label]:
    """The labels of pages that are neither examples nor counter-examples already."""
    known = {source for source, _ in (*said.get("examples", ()), *said.get("negatives", ()))}
    return [label for label in labels if label.source not in known]
