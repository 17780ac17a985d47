"""The quality gate of text extraction: no tier may fall under its floor, nobody changes the exam unseen."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tools.eval.extraction import generators
from tools.eval.extraction.corpus import Sample, corpus, digest
from tools.eval.extraction.measure import grams, overlap
from tools.eval.extraction.score import TIERS, f1, scores

pytestmark = pytest.mark.slow

BASELINE = json.loads(Path(__file__).with_name("baseline.json").read_text(encoding="utf-8"))
EXAMS = pytest.mark.parametrize(("name", "exam"), [("corpus", corpus), ("generators", generators.samples)])


@EXAMS
def test_the_exam_is_the_one_that_the_floors_were_measured_on(name: str, exam: Callable[[], list[Sample]]) -> None:
    assert digest(exam()) == BASELINE[name]["digest"]


@EXAMS
def test_no_score_falls_under_its_floor(name: str, exam: Callable[[], list[Sample]]) -> None:
    floors = BASELINE[name]["floors"]
    measured = scores(exam())
    assert measured.keys() == floors.keys()
    assert {name: value for name, value in measured.items() if value < floors[name]} == {}


@pytest.mark.parametrize("template", generators.GENERATORS)
def test_no_template_falls_under_its_floor(template: str) -> None:
    samples = [sample for sample in generators.samples() if sample.name.startswith(template + "-")]
    assert len(samples) == 4
    for tier, extract in TIERS.items():
        worst = min(f1(extract(sample), sample.truth) for sample in samples)
        assert worst >= BASELINE["generators"]["worst page"], tier


def test_the_measure_itself() -> None:
    assert f1("a b c", "A b. c") == 1.0
    assert f1("", "a b c") == 0.0
    assert 0.5 < f1("主题爬虫首页", "主题爬虫") < 1.0


def test_the_measure_of_the_recorded_webs() -> None:
    assert grams("主题爬虫 a_b A_b 首页") == {"主题爬虫": 1, "a_b": 2, "首页": 1}
    assert set(grams("主题爬虫首页")) == {"主题爬虫", "题爬虫首", "爬虫首页"}
    assert overlap(grams("x y"), grams("y z z")) == (0.5, 1 / 3)
    assert overlap(grams(""), grams("")) == (0.0, 0.0)
