from __future__ import annotations

import pytest

from focuscrawl.text.segment import Segmenter
from models.page.judging_words import WITHOUT_KEYWORD, JudgingWords, judging_words
from models.page.page_context import NO_CONTEXT, page_context
from models.page.text_score import text_score
from models.topic.vsm import TopicModel

ENGLISH, CHINESE = ("http://a.example/", "Each query is faster with an index"), ("http://b.example/", "数据库的索引加快查询")
OTHERS = [(f"http://{host}.example/", f"An index of {host} words") for host in ("one", "two")]
PAGE = "How an index makes each query faster"


@pytest.mark.parametrize(
    ("examples", "keywords"),
    [([], ["数据库"]), ([ENGLISH], []), ([ENGLISH, *OTHERS], []), ([ENGLISH, *OTHERS], ["数据库"])],
)
def test_all_words_of_the_topic_count_without_keywords_without_examples_and_with_three(
    segmenter: Segmenter, examples: list[tuple[str, str]], keywords: list[str]
) -> None:
    topic = TopicModel.fit(segmenter, examples, keywords)
    assert judging_words(topic) == JudgingWords(topic.weights)


@pytest.mark.parametrize(
    ("examples", "keywords", "counts"),
    [
        ([ENGLISH], ["数据库"], True),
        ([CHINESE], ["database"], True),
        ([CHINESE, ENGLISH], ["数据库", "查询"], True),
        ([ENGLISH], ["database"], False),
        ([CHINESE], ["数据库"], False),
        ([ENGLISH], ["数据库", "database"], False),
    ],
)
def test_one_or_two_examples_count_where_all_keywords_are_in_another_language_than_one(
    segmenter: Segmenter, examples: list[tuple[str, str]], keywords: list[str], counts: bool
) -> None:
    topic, alone = (TopicModel.fit(segmenter, given, keywords) for given in (examples, []))
    assert judging_words(topic) == JudgingWords(alone.weights, topic.weights if counts else None)


def test_then_a_part_of_the_score_by_all_words_counts_on_a_page_without_a_keyword(segmenter: Segmenter) -> None:
    topic, alone = (TopicModel.fit(segmenter, examples, ["数据库"]) for examples in ([ENGLISH], []))
    words, idf, terms = judging_words(topic), topic.background.idf, segmenter.terms(PAGE)
    score, cosine, shares = text_score(terms, NO_CONTEXT, topic.weights, idf)
    assert words.score(terms, NO_CONTEXT, idf) == (WITHOUT_KEYWORD * score, cosine, shares)
    assert score > 0 == text_score(terms, NO_CONTEXT, alone.weights, idf)[0]
    for title, url in (("数据库", "http://a.example/"), ("", "http://a.example/数据库")):
        context = page_context(title, url, segmenter)
        assert words.score(terms, context, idf) == text_score(terms, context, alone.weights, idf)
