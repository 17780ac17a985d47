from __future__ import annotations

import random
from dataclasses import replace

import pytest

from focuscrawl.text.segment import Segmenter
from models.page.assessment import Label, examine, train
from models.page.calibrated import CalibratedModel
from models.page.calibration import probability
from models.page.tuning import FOLLOWED, LEAST_OF_A_KIND, UNTUNED, Tuning, best_threshold, fitted_shift
from models.topic.vsm import TopicModel

LETTERS = "bdfgklmnprstvz"


def label(number: int, relevant: bool) -> Label:
    """A page that says next to nothing of its topic: its words are its own, but for two."""
    dice = random.Random(number)
    own = ["".join(dice.choice(LETTERS) + dice.choice("aeiou") for _ in range(4)) for _ in range(150)]
    shared = "quokka wallaby" if relevant else "harbor lantern"
    return Label(f"http://a.example/{number}", relevant, f"Page {number}", f"{' '.join(own)} {shared}")


LABELS = [label(n, n < 7) for n in range(22)]


def calibrated(segmenter: Segmenter, labels: list[Label], threshold: float | None = None) -> CalibratedModel:
    model = train(segmenter, labels, keywords=["marsupial", "quokka"], threshold=threshold)
    assert isinstance(model, CalibratedModel)
    return model


def test_labels_move_a_calibration_that_is_too_strict(segmenter: Segmenter) -> None:
    model = calibrated(segmenter, LABELS)
    shift, move = model.state()["labels"]
    assert move < 0 < shift
    bare = CalibratedModel(model.topic)
    assert model.threshold == Tuning(shift, move).threshold(bare.threshold)
    words = segmenter.terms(label(40, True).whole)
    assert model.judge(words).relevance > bare.judge(words).relevance
    assert model.judge(words).relevant
    assert not model.judge(segmenter.terms(label(41, False).whole)).relevant


def test_a_small_test_set_is_told_apart(segmenter: Segmenter) -> None:
    found = examine(segmenter, LABELS, folds=5, keywords=["marsupial", "quokka"])
    assert found.recall.value > 0.7
    assert found.precision.value > 0.7


def test_the_tuning_is_kept(segmenter: Segmenter) -> None:
    model = calibrated(segmenter, LABELS)
    again = CalibratedModel.restore(model.topic, model.state())
    assert (again.threshold, again.state()) == (model.threshold, model.state())
    with pytest.raises(ValueError, match="a tuning of"):
        CalibratedModel.restore(model.topic, {**model.state(), "labels": [99.0, 0.5]})


@pytest.mark.parametrize(("former", "threshold"), [((0.0, None), 0.2), ((1.5, 0.47), 0.47), ((-1.0, 0.1), 0.1)])
def test_the_tuning_of_an_earlier_version_is_taken_over(
    segmenter: Segmenter, former: tuple[float, float | None], threshold: float
) -> None:
    topic = calibrated(segmenter, LABELS).topic
    state = {name: value for name, value in CalibratedModel(topic).state().items() if name != "labels"}
    model = CalibratedModel.restore(topic, {**state, "tuning": list(former)})
    assert model.threshold == threshold
    assert model.state()["labels"][0] == former[0]


def test_few_labels_of_a_kind_tune_nothing(segmenter: Segmenter) -> None:
    assert calibrated(segmenter, LABELS[: 7 + LEAST_OF_A_KIND - 1]).state()["labels"] == [UNTUNED.shift, UNTUNED.move]


def test_the_users_threshold_stays(segmenter: Segmenter) -> None:
    model = calibrated(segmenter, LABELS, threshold=0.77)
    assert model.threshold == 0.77
    assert model.state()["labels"][0] > 0


def test_the_shift_is_drawn_to_nothing() -> None:
    few, many = ([(True, -2.0), (False, -2.0)] * n for n in (3, 300))
    assert 0 < fitted_shift(few) < fitted_shift(many) < 2.0
    assert fitted_shift(many) == pytest.approx(2.0, abs=0.02)
    assert fitted_shift([]) == 0.0
    assert abs(fitted_shift([(True, -8.0)] * 500)) < 20


def test_a_shift_changes_what_is_said_of_pages_and_no_verdict(segmenter: Segmenter) -> None:
    bare = CalibratedModel(calibrated(segmenter, LABELS).topic)
    shifted = CalibratedModel(bare.topic)
    shifted.tune(Tuning(2.0))
    assert bare.threshold < shifted.threshold
    pages = [segmenter.terms(label(n, True).whole + n * " quokka wallaby") for n in range(40)]
    verdicts = [(bare.judge(page), shifted.judge(page)) for page in pages]
    assert {before.relevant for before, _ in verdicts} == {True, False}
    assert all(before.relevant == now.relevant for before, now in verdicts)
    assert all(before.relevance < now.relevance for before, now in verdicts if before.relevant)


def test_labels_that_agree_with_the_threshold_move_it_by_a_part_of_the_shift_alone(segmenter: Segmenter) -> None:
    agreeing = [label(n, n < 4) for n in range(8)]
    agreeing = [replace(page, text=f"{page.text}{page.relevant * 40 * ' quokka wallaby'}") for page in agreeing]
    shift, move = calibrated(segmenter, agreeing).state()["labels"]
    assert shift > 0
    assert move == pytest.approx(-FOLLOWED * shift, abs=1e-3)


def test_the_best_threshold_lies_between_the_kinds() -> None:
    judged = [(False, -3.0), (False, -1.0), (True, 0.0), (True, 2.0)]
    assert best_threshold(judged, 5.0) == -0.5
    assert best_threshold(judged, -0.9) == -0.9  # as good, and usual
    assert best_threshold([], 0.3) == 0.3


def test_only_what_labels_can_say_is_taken(topic: TopicModel) -> None:
    for tuning in (Tuning(float("nan")), Tuning(0.0, 99.0), Tuning(0.0, float("nan"))):
        with pytest.raises(ValueError, match="a tuning of"):
            CalibratedModel(topic).tune(tuning)
    assert probability(0.0) == 0.5
