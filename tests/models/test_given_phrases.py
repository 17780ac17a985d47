"""Negative terms and terms with weights of several words, from the topic file to the verdict."""

from __future__ import annotations

from dataclasses import replace

import pytest

from focuscrawl.api import Topic
from focuscrawl.config.topic_file import TopicDefinition, topic_digest
from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.topic.background import Background
from models.topic.evidence import Evidence, GivenTerms
from models.topic.json_file import from_plain, to_plain
from models.topic.vsm import TopicModel

SAID = TopicDefinition(
    keywords=("machine learning", "data mining"),
    negative_terms=("washing machine", "casino"),
    weights=(("support vector", 0.4), ("comet", 0.2)),
)
ABOUT = "Machine learning finds rules in examples, and a machine needs data for it. Data mining looks for them in tables. " * 4
LAUNDRY = "This washing machine has a drum. Learning to use the machine is easy, and its data are on the back. " * 4


def made(topic: TopicDefinition) -> tuple[TopicModel, Segmenter]:
    segmenter = Segmenter.of(topic.vocabulary)
    given = GivenTerms.read(segmenter, topic.weights, topic.negative_terms)
    return TopicModel.fit(segmenter, keywords=topic.keywords, given_terms=given), segmenter


@pytest.fixture(scope="module")
def topic() -> TopicModel:
    return made(SAID)[0]


def relevance(topic: TopicDefinition, text: str) -> float:
    model, segmenter = made(topic)
    return CalibratedModel(model).judge(segmenter.terms(text)).relevance


def test_what_is_given_for_several_words_holds_for_the_phrase(topic: TopicModel) -> None:
    weights = topic.weights
    assert weights["support_vector"] == 0.4
    assert not {"support", "vector"} & weights.keys()
    assert weights["wash_machin"] == weights["casino"] == -max(weights.values())
    assert weights["machin"] > 0, "a word of the topic"
    assert "wash" not in weights


def test_a_negative_phrase_speaks_against_pages_with_the_phrase_alone() -> None:
    without = replace(SAID, negative_terms=())
    assert relevance(SAID, LAUNDRY) < 0.5 * relevance(without, LAUNDRY)
    assert relevance(SAID, ABOUT) == relevance(without, ABOUT)
    split = replace(SAID, negative_terms=("washing", "machine"))
    assert relevance(split, ABOUT) < relevance(SAID, ABOUT)


def test_a_weight_of_a_keyword_holds_for_its_phrase() -> None:
    words = {"weights": (("data mining", 0.0), ("数据库查询", 0.2)), "negative_terms": ("Machines Learn",)}
    definition = replace(SAID, keywords=(*SAID.keywords, "数据库查询"), **words)  # type: ignore[arg-type]
    given = made(definition)[0].evidence.given
    assert given.weights == (("data_mine", 0.0), ("数据库查询", 0.2))
    assert given.negative == ("machin_learn",)


def test_a_phrase_within_a_keyword_is_none_of_its_words() -> None:
    keywords = ["support vector machine"]
    segmenter = Segmenter(keywords, phrases=["vector machine"])
    evidence = Evidence.read(segmenter, keywords=keywords, given=GivenTerms.read(segmenter, negative=["vector machine"]))
    assert evidence.keyword_terms == ("support_vector_machin", "support", "vector", "machin")
    assert evidence.given.negative == ("vector_machin",)


def test_function_words_are_no_terms_of_their_own() -> None:
    said = GivenTerms.read(Segmenter(phrases=["la musique", "chemin de fer"]), negative=["la musique", "chemin de fer"])
    assert said.negative == ("musiqu", "chemin_de_fer")


def test_pages_are_cut_for_a_stored_topic_as_for_its_file(topic: TopicModel) -> None:
    stored = from_plain(to_plain(topic), Background())
    assert stored.evidence == topic.evidence
    text = "The washing machine and the support vector machine"
    terms = Segmenter.of(stored.evidence.vocabulary).terms(text)
    assert terms == Segmenter.of(SAID.vocabulary).terms(text)
    assert {"wash_machin", "support_vector"} <= set(terms)
    assert Topic._stored(CalibratedModel(stored)).judge(LAUNDRY).relevance == relevance(SAID, LAUNDRY)


def test_topics_that_were_made_without_their_phrases_are_made_again() -> None:
    def digest(**said: object) -> str:
        return topic_digest(TopicDefinition(keywords=("crawler",), **said), ())  # type: ignore[arg-type]

    assert digest(negative_terms=("casino",), weights=(("comet", 0.2),)) == "bf769d41134864e88fa226f2df52eadf", (
        "others stay as they are"
    )
    assert digest(negative_terms=("washing machine",)) != "f6f949be1e4be5beaef79a81f86d4286"
    assert digest(weights=(("二手房价格", 0.2),)) != "f609318da57af5d65e57c90b151f1728"
