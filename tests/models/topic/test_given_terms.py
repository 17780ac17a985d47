from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.text.segment import Segmenter
from models.topic.background import Background
from models.topic.evidence import GivenTerms
from models.topic.json_file import load, save
from models.topic.vsm import TopicModel

TERMS = st.dictionaries(st.sampled_from("abcdef"), st.floats(0.01, 1), min_size=1)


def length(vector: dict[str, float]) -> float:
    return math.hypot(*(weight for weight in vector.values() if weight > 0))


def test_a_given_weight_stands_as_given_and_the_length_is_one() -> None:
    vector = GivenTerms((("a", 0.4), ("b", 0.0)), ("c",)).apply({"a": 0.6, "b": 0.6, "d": 0.53})
    assert vector["a"] == 0.4
    assert "b" not in vector
    assert vector["c"] == -max(vector.values()) < 0
    assert length(vector) == pytest.approx(1)


@pytest.mark.parametrize("weights", [(("a", 1.0),), (("a", 1.0), ("x", -1.0))])
def test_given_weights_that_leave_nothing_are_all_of_the_topic(weights: tuple[tuple[str, float], ...]) -> None:
    assert GivenTerms(weights).apply({"b": 1.0}) == dict(weights)


def test_nothing_is_left_when_every_term_is_dropped() -> None:
    assert GivenTerms((("a", 0.0),)).apply({"a": 1.0}) == {}


@settings(max_examples=50)
@given(TERMS, st.dictionaries(st.sampled_from("abcxyz"), st.floats(-0.3, 0.3)), st.sets(st.sampled_from("cdxy")))
def test_the_length_stays_one(vector: dict[str, float], weights: dict[str, float], negative: set[str]) -> None:
    said = GivenTerms(tuple(weights.items()), tuple(term for term in sorted(negative) if term not in weights))
    found = said.apply(vector)
    if weights or negative:
        assert not found or length(found) == pytest.approx(1)
    else:
        assert found == vector


def test_negative_terms_and_synonyms_count_in_verdicts_and_are_saved(tmp_path: Path) -> None:
    segmenter = Segmenter(["roulette"], synonyms=(("roulette", "轮盘赌"),))
    said = GivenTerms.read(segmenter, [("wheels", 0.3)], ["casinos"])
    model = TopicModel.fit(segmenter, keywords=["roulette", "wheel"], given_terms=said)
    plain = TopicModel.fit(Segmenter(["roulette"]), keywords=["roulette", "wheel"])
    assert model.weights["wheel"] == 0.3
    text = segmenter.terms("輪盤賭 wheel in a casino casino")
    assert model.judge(text).relevance < plain.judge(text).relevance
    assert model.judge(segmenter.terms("轮盘赌")).relevance > 0
    assert model.judge(segmenter.terms("casino casino casino")).relevance == 0
    save(model, tmp_path / "t.json")
    again = load(tmp_path / "t.json", Background())
    assert again.evidence == model.evidence
    again.refresh()
    assert again.weights == pytest.approx(model.weights)


def test_a_longer_word_is_given_without_the_keyword_in_it() -> None:
    said = GivenTerms.read(Segmenter(["咖啡"]), [("咖啡馆", 0.2)], ["咖啡机"])
    assert said == GivenTerms((("咖啡馆", 0.2),), ("咖啡机",))
