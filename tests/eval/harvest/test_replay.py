from __future__ import annotations

import pytest

from focuscrawl.items import Link, Verdict
from focuscrawl.text.segment import Segmenter
from models.link.link_score import LinkScorer
from models.topic.vsm import TopicModel
from tests import factories
from tools.eval.harvest.replay import JitteredScorer

PAGE = factories.page(verdict=Verdict(0.2, True, 0.1, similarity=0.2))
LINKS = [Link(f"http://b.example/x/{number}", "database", "more on the database") for number in range(200)]


@pytest.fixture
def segmenter() -> Segmenter:
    return Segmenter()


@pytest.fixture
def topic(segmenter: Segmenter) -> TopicModel:
    return TopicModel.fit(segmenter, [("", "database index query transaction " * 5)], ["database"])


def test_scores_are_off_by_about_the_jitter_in_both_directions(topic: TopicModel, segmenter: Segmenter) -> None:
    exact = sum(LinkScorer(topic, segmenter).parts(LINKS[:1], PAGE)[0])
    jittered = [sum(parts) / exact for parts in JitteredScorer(topic, segmenter, 0.05, 1).parts(LINKS, PAGE)]
    assert 0.03 < sum(abs(factor - 1) for factor in jittered) / len(jittered) < 0.05  # √(2/π) of it
    assert min(jittered) < 0.95 < 1.05 < max(jittered)


def test_a_url_has_one_factor_a_seed(topic: TopicModel, segmenter: Segmenter) -> None:
    one, again, other = (JitteredScorer(topic, segmenter, 0.05, seed) for seed in (1, 1, 2))
    assert one.parts(LINKS, PAGE) == again.parts(LINKS, PAGE) != other.parts(LINKS, PAGE)
    one.score(LINKS[0], PAGE)
    assert LINKS[0].score == pytest.approx(sum(one.parts(LINKS[:1], PAGE)[0]), abs=1e-3)
