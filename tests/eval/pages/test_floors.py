"""The quality gate of page models: none may fall under its floor on the project's own web."""

from __future__ import annotations

import pytest

from tests.eval.harvest.exam import DIGESTS, exam
from tools.eval.pages.measure import row
from tools.eval.pages.stream import Stream
from tools.eval.pages.synthetic import stream

pytestmark = pytest.mark.slow

TOPIC = "astronomy"


@pytest.fixture(scope="module")
def pages() -> Stream:
    assert exam(TOPIC).digest() == DIGESTS[TOPIC]
    return stream(exam(TOPIC))


@pytest.mark.parametrize(
    ("made_of", "model", "floor"),
    [("10", "calibrated", 0.75), ("10", "vsm", 0.78), ("10", "naive-bayes", 0.68), ("keywords", "calibrated", 0.65)],
)
def test_models_keep_their_f1(pages: Stream, made_of: str, model: str, floor: float) -> None:
    found = row(pages, made_of, model)
    assert found["F1"] >= floor
    if model == "calibrated":
        assert found["ECE"] <= 0.2
