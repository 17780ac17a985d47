"""The quality gate of main text on platforms: no group may fall under its floor, nobody changes the exam unseen."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import mean

import pytest

from tools.eval.extraction.corpus import digest
from tools.eval.extraction.platforms.score import GROUPS, PLATFORMS, fast, kept, score
from tools.eval.extraction.platforms.writer import Writer, el, samples

BASELINE = json.loads(Path(__file__).with_name("baseline.json").read_text(encoding="utf-8"))["platforms"]


def test_an_element_is_written_by_its_path() -> None:
    assert el("main/p.lead.big#x[lang=en]/a", "Words") == '<main><p id="x" class="lead big" lang="en"><a>Words</a></p></main>'
    assert el(".wrap", "a", "b") == '<div class="wrap">ab</div>'


def test_only_what_is_text_is_kept_as_the_truth() -> None:
    writer = Writer("site", 0, "en")
    html = writer.paragraphs(2) + writer.others(3)
    assert len(writer.truth) == 2
    assert all(f"<p>{paragraph}</p>" in html for paragraph in writer.truth)


def test_the_exam_is_the_one_that_the_floors_were_measured_on() -> None:
    assert digest([page for platform in PLATFORMS for page in samples(platform)]) == BASELINE["digest"]


@pytest.mark.parametrize("group", GROUPS)
def test_the_fast_tier_does_not_fall_under_its_floors(group: str) -> None:
    assert mean(score(platform, fast)[2] for platform in PLATFORMS if platform.group == group) >= BASELINE["fast"][group]


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_the_kept_tier_does_not_fall_under_its_floors(group: str) -> None:
    assert mean(score(platform, kept)[2] for platform in PLATFORMS if platform.group == group) >= BASELINE["kept"][group]
