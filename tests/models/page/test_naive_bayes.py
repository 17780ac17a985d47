from __future__ import annotations

from focuscrawl.text.segment import Segmenter
from models.page.naive_bayes import THRESHOLD, NaiveBayesModel
from models.topic.vsm import FIRST_REFRESH, TopicModel


def test_it_judges_at_the_papers_threshold(topic: TopicModel, segmenter: Segmenter, off_topic: str) -> None:
    model = NaiveBayesModel(topic)
    near = model.judge(segmenter.terms("PostgreSQL 数据库 index, SQL transactions"))
    assert near.threshold == THRESHOLD == 0.2
    assert near.relevant
    assert near.terms
    assert not model.judge(segmenter.terms(off_topic)).relevant
    assert model.judge([]).relevance == 0.0


def test_a_given_probability_is_no_bound_of_what_teaches_it(segmenter: Segmenter, examples: list[tuple[str, str]]) -> None:
    model = NaiveBayesModel(TopicModel.fit(segmenter, examples, ["database"], threshold=0.99))
    near = segmenter.terms(examples[1][1])
    model.learn(near, True)
    assert model.state()["seen"] == []
    model.learn(segmenter.terms("flowers in the park"), False)
    assert len(model.state()["seen"]) == 1


def test_seen_irrelevant_pages_teach_it(topic: TopicModel, segmenter: Segmenter) -> None:
    model = NaiveBayesModel(topic)
    words = segmenter.terms("PostgreSQL stores weather charts")
    menu = segmenter.terms("weather charts and forecasts for gardens, weather charts")
    before = model.judge(words).relevance
    assert sum(model.learn(menu, False) for _ in range(FIRST_REFRESH)) == 1
    assert model.judge(words).relevance < before
    again = NaiveBayesModel.restore(topic, model.state())
    assert again.judge(words) == model.judge(words)
