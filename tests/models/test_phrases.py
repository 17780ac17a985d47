"""A keyword of several words, from the topic's file to the verdict."""

from __future__ import annotations

import pytest

from focuscrawl.config.topic_file import TopicDefinition, topic_digest
from focuscrawl.text.segment import Segmenter
from models.page.calibrated import CalibratedModel
from models.page.calibration import FROM_FEW_KEYWORDS, calibration
from models.page.page_context import page_context
from models.topic.background import Background
from models.topic.evidence import Evidence
from models.topic.json_file import from_plain, to_plain
from models.topic.vsm import TopicModel

KEYWORDS = ["machine learning", "data mining"]


@pytest.fixture(scope="module")
def segmenter() -> Segmenter:
    return Segmenter(KEYWORDS)


@pytest.fixture(scope="module")
def topic(segmenter: Segmenter) -> TopicModel:
    return TopicModel.fit(segmenter, keywords=KEYWORDS)


def test_a_phrase_counts_more_than_its_words(topic: TopicModel) -> None:
    evidence, weights = topic.evidence, topic.weights
    assert evidence.keyword_terms == ("machin_learn", "machin", "learn", "data_mine", "data", "mine")
    assert evidence.keyword_words == evidence.phrase_words == ("machin", "learn", "data", "mine")
    assert weights["machin_learn"] > 2 * weights["machin"] > 0


def test_a_word_that_is_a_keyword_by_itself_counts_whole() -> None:
    keywords = ["machine learning", "machine"]
    evidence = Evidence.read(Segmenter(keywords), keywords=keywords)
    assert evidence.phrase_words == ("learn",)
    assert evidence.half == {"learn"}


def test_a_long_chinese_keyword_finds_pages_with_its_words() -> None:
    keywords = ["数据库查询"]
    segmenter = Segmenter(keywords)
    topic = TopicModel.fit(segmenter, keywords=keywords)
    assert topic.evidence.keyword_terms == ("数据库查询", "数据库", "查询")
    assert topic.evidence.phrases == ("数据库查询",)
    assert topic.evidence.half == {"数据库查询"}
    model = CalibratedModel(topic)
    whole, apart, other = ("数据库查询很慢。" * 5, "这个数据库很大，查询很慢。" * 5, "今天的天气很好，我们去公园。" * 5)
    scores = [model.judge(segmenter.terms(text)).relevance for text in (whole, apart, other)]
    assert scores[0] > scores[1] > 2 * scores[2]


def test_a_keyword_within_a_longer_one_is_one_of_its_words() -> None:
    keywords = ["区块链技术", "区块链"]
    for prefer in ("jieba", "rjieba"):
        assert Segmenter(keywords, prefer).terms("区块链技术") == ["区块链技术", "区块链", "技术"]


def test_pages_with_the_words_apart_are_less_relevant(segmenter: Segmenter, topic: TopicModel) -> None:
    model = CalibratedModel(topic)
    about = "Machine learning finds rules in examples, and data mining finds them in tables. " * 4
    apart = "The washing machine is easy to use, and learning it takes an hour. The coal mine has no data about it. " * 4
    said = model.judge(segmenter.terms(about))
    assert said.relevant
    assert {"machin_learn", "data_mine"} <= {term for term, _ in said.terms}
    other = model.judge(segmenter.terms(apart))
    assert other.relevance < 0.7 * said.relevance
    assert other.similarity < 0.2 * said.similarity


def test_the_name_of_a_site_does_not_count_on_each_of_its_pages() -> None:
    keywords = ["machine learning"]
    segmenter = Segmenter(keywords)
    model = CalibratedModel(TopicModel.fit(segmenter, keywords=keywords))
    others = ["boil the soup with onions", "the harbour in winter", "a walk by the river", "how to paint a door", "old trains"]
    for number in range(40):
        words, title = others[number % 5], f"Page {number} - Machine Learning Weekly"
        context = page_context(title, f"http://weekly.example/{number}", segmenter)
        terms = segmenter.terms(f"{title}\n{words} {number} " * 2)
        verdict = model.judge(terms, context)
        model.learn(terms, verdict.relevant, context)
    assert not verdict.relevant


def test_two_phrases_are_few_keywords(topic: TopicModel) -> None:
    assert calibration(topic.evidence) is FROM_FEW_KEYWORDS


def test_a_stored_topic_has_its_phrases(topic: TopicModel) -> None:
    plain = to_plain(topic)
    assert from_plain(plain, Background()).evidence == topic.evidence
    del plain["evidence"]["phrases"], plain["evidence"]["phrase_words"]  # as the program wrote it before
    assert from_plain(plain, Background()).evidence.phrases == ()


def test_topics_that_were_made_without_their_phrases_are_made_again() -> None:
    def digest(*keywords: str) -> str:
        return topic_digest(TopicDefinition(keywords=keywords), ())

    assert digest("crawler") == "1db1d3ea9b5013f161c5713c75c86999", "others stay as they are"
    assert digest("web crawler") != "e288ad658a64ca944ebe9eea7800b406"
    assert digest("数据库查询") != "7c2a612d281c919c531e63b1aab183a2"
    assert digest("machine_learning") != "b8b4fa1f64ee0ebce464624f7b263f8f"
