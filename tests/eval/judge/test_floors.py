"""The quality gate of the judge's exam: after 300 pages of the project's own web, on 300 others."""

from __future__ import annotations

from functools import cache

import pytest

from tests.eval.harvest.exam import exam
from tools.eval.harvest.synthetic import TOPICS
from tools.eval.judge.exam import digest, rows
from tools.eval.pages.stream import Stream
from tools.eval.pages.synthetic import stream

pytestmark = pytest.mark.slow

DIGESTS = {"astronomy": "b507c5976cc89660", "railways": "bbdac54f26b657c0"}
FLOORS = {
    ("astronomy", "12"): (0.71, 0.79),
    ("astronomy", "3 keywords"): (0.29, 0.48),
    ("astronomy", "8 keywords"): (0.49, 0.76),
    ("railways", "12"): (0.80, 0.83),
    ("railways", "3 keywords"): (0.37, 0.47),
    ("railways", "8 keywords"): (0.62, 0.75),
}
"""Average precision and F1; measured 0.758 and 0.811, 0.314 and 0.509, 0.528 and 0.815, 0.829 and 0.859, 0.396 and 0.504, 0.671
and 0.779. Half of the pages are in another language than the three keywords, and have none of them."""


@cache
def pages(topic: str) -> Stream:
    return stream(exam(topic), topic)


@pytest.mark.parametrize("topic", TOPICS)
def test_the_sample_is_the_one_that_the_floors_were_measured_on(topic: str) -> None:
    assert digest(pages(topic)) == DIGESTS[topic]


@pytest.mark.parametrize(("topic", "made_of"), FLOORS)
def test_the_judge_keeps_what_it_is_worth(topic: str, made_of: str) -> None:
    [found] = rows(pages(topic), made_of, "calibrated", [300])
    precision, f1 = FLOORS[topic, made_of]
    assert found["AP"] >= precision
    assert found["F1"] >= f1
    assert found["ECE"] <= 0.22
