"""The quality gate of text extraction: no tier may fall under its floor, nobody changes the exam unseen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.eval.extraction.corpus import corpus, digest
from tools.eval.extraction.score import f1, scores

pytestmark = pytest.mark.slow

BASELINE = json.loads(Path(__file__).with_name("baseline.json").read_text(encoding="utf-8"))


def test_the_exam_is_the_one_that_the_floors_were_measured_on() -> None:
    assert digest(corpus()) == BASELINE["digest"]


def test_no_score_falls_under_its_floor() -> None:
    measured = scores(corpus())
    assert measured.keys() == BASELINE["floors"].keys()
    assert {name: value for name, value in measured.items() if value < BASELINE["floors"][name]} == {}


def test_the_measure_itself() -> None:
    assert f1("a b c", "A b. c") == 1.0
    assert f1("", "a b c") == 0.0
    assert 0.5 < f1("主题爬虫首页", "主题爬虫") < 1.0
