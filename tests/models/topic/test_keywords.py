from __future__ import annotations

import pytest

from focuscrawl.text.segment import Segmenter
from models.topic import keywords
from models.topic.background import Background
from models.topic.keywords import extract


def test_keywords_of_both_languages_are_ranked_and_shown_as_written(
    segmenter: Segmenter, examples: list[tuple[str, str]]
) -> None:
    found = extract([text for _, text in examples], segmenter, Background(), limit=10)
    words = [keyword.word for keyword in found]
    assert len(found) == 10
    assert {"数据库", "postgresql", "database"} <= set(words)
    assert "databas" not in words
    assert [keyword.weight for keyword in found] == sorted((keyword.weight for keyword in found), reverse=True)
    assert next(keyword.texts for keyword in found if keyword.word == "数据库") == 2


@pytest.mark.slow
def test_jieba_finds_chinese_keywords_with_the_topics_user_words() -> None:
    segmenter = Segmenter(["隧道穿越"])
    text = "焦点爬虫用隧道穿越的办法走过无关网页，隧道穿越的深度有限，隧道穿越之后才到相关网页"
    found = extract([text], segmenter, Background(), 3)
    assert found[0].word == "隧道穿越"
    assert 0 < found[0].weight <= 1


def test_words_of_other_alphabets_are_ranked_without_jieba(segmenter: Segmenter, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keywords, "_extractor", None)  # jieba knows none of these words, and takes seconds to load
    found = extract(["Телескоп и галактика. Телескоп!", "Die Größe der Galaxie im Café"], segmenter, Background(), 20)
    assert {"телескоп", "галактика", "größe", "café"} <= {keyword.word for keyword in found}


def test_phrases_of_the_topic_are_shown_as_written() -> None:
    found = extract(["Machine learning"], Segmenter(["machine learning"]), Background())
    assert {keyword.word for keyword in found} == {"machine learning", "machine", "learning"}


@pytest.mark.parametrize("texts", [[], ["", "the of"]])
def test_no_words_no_keywords(texts: list[str], segmenter: Segmenter) -> None:
    assert extract(texts, segmenter, Background()) == []
