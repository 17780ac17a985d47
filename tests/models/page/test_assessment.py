from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.items import only_in_title
from focuscrawl.text.segment import Segmenter
from models.page.assessment import Label, assess, examine, split, train
from models.page.metrics import LabelledVerdict, average_precision, calibration_error, f1, precision, recall, share
from models.page.page_context import page_context
from models.page.page_model import PAGE_MODELS

YES = "A database index speeds up SQL queries, transaction {} and table {}"
NO = "Flowers bloom in spring, garden {} and park {}"
LABELS = [Label(f"http://a.example/{n}", n % 2 == 0, f"Page {n}", (NO if n % 2 else YES).format(n, n)) for n in range(24)]


def test_wilson_by_hand() -> None:
    # 8 of 10: (0.8 + z²/20 ± z·sqrt(0.016 + z²/400)) / (1 + z²/10)
    found = share(8, 10)
    assert (found.value, found.low, found.high) == pytest.approx((0.8, 0.4902, 0.9433), abs=1e-4)
    assert (share(0, 0).low, share(0, 0).high) == (0.0, 1.0)
    assert share(10, 10).high == 1.0


def test_measures_by_hand() -> None:
    values = [(True, True, 0.9), (False, True, 0.8), (True, False, 0.3), (False, False, 0.1)]
    pages = [LabelledVerdict(*each) for each in values]
    assert (precision(pages).value, recall(pages).value, f1(pages).value) == (0.5, 0.5, 0.5)
    assert average_precision(pages) == pytest.approx((1 + 2 / 3) / 2)
    assert calibration_error(pages) == pytest.approx((0.1 + 0.8 + 0.7 + 0.1) / 4)
    assert average_precision([]) == calibration_error([]) == 0.0


def test_pages_of_one_score_share_their_place() -> None:
    assert average_precision([LabelledVerdict(n < 1, True, 0.5) for n in range(4)]) == 0.25


def test_the_split_is_by_source_and_keeps_both_kinds() -> None:
    training, kept = split(LABELS)
    assert {label.source for label in training}.isdisjoint(label.source for label in kept)
    assert len(kept) == 8
    assert sum(label.relevant for label in kept) == 4
    assert split(LABELS[::-1]) == (training, kept)
    assert split(LABELS[:1]) == (LABELS[:1], [])


@pytest.mark.slow
@pytest.mark.parametrize("model", PAGE_MODELS)
@pytest.mark.parametrize("folds", [0, 3])
def test_training_and_testing(segmenter: Segmenter, model: str, folds: int) -> None:
    found = examine(segmenter, LABELS, folds=folds, keywords=["database", "SQL"], model=model)
    assert found.model == model
    assert (found.pages, found.method) == ((24, "3-fold") if folds else (8, "held back"))
    assert found.precision.low <= found.precision.value <= found.precision.high
    assert found.average_precision == 1.0
    assert found.recall.value > 0.5
    json.dumps(asdict(found))


def test_mistakes_are_named_with_their_reasons(segmenter: Segmenter) -> None:
    model = train(segmenter, LABELS, keywords=["database"], examples=[(LABELS[0].source, LABELS[0].whole)])
    assert len(model.topic.evidence.examples) == 12  # the example that is labelled too counts once
    found = assess(model, [Label("x", False, "SQL", YES)], segmenter)
    assert [mistake.source for mistake in found.mistakes] == ["x"]
    assert found.mistakes[0].terms


def test_reasons_of_a_mistake_are_words(segmenter: Segmenter) -> None:
    model, title = train(segmenter, LABELS), "A database index and its SQL queries"
    label = Label("http://a.example/cite", False, title, f"{title} Cite this")
    assert only_in_title(model.judge(segmenter.terms(label.whole), page_context(title, label.source, segmenter)).terms)
    [mistake] = assess(model, [label], segmenter).mistakes
    assert mistake.terms
    assert not only_in_title(mistake.terms)


@pytest.mark.parametrize("folds", [0, 3])
def test_labelled_pages_are_judged_with_their_tags(segmenter: Segmenter, folds: int) -> None:
    text = "It rained all day, and the train was late again."
    posts = [
        Label(f"http://a.example/{n}", n % 2 == 0, "A day", text, tags=("travel", "database")[n % 2 == 0]) for n in range(24)
    ]
    found = examine(segmenter, posts, folds=folds, keywords=["database"])
    assert (found.precision.value, found.recall.value) == (1.0, 1.0)


def test_too_few_labels_are_refused(segmenter: Segmenter) -> None:
    with pytest.raises(BadInput, match="No labelled page is left"):
        examine(segmenter, LABELS[:2], keywords=["database"])
    with pytest.raises(BadInput, match="5 folds are not possible with 2"):
        examine(segmenter, LABELS[:2], folds=5, keywords=["database"])
