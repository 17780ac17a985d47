"""A page in a language that the topic does not ask for is not relevant to it."""

from __future__ import annotations

from pathlib import Path

import pytest

from focuscrawl.items import Verdict
from focuscrawl.text.segment import Segmenter
from models.topic.background import Background
from models.topic.json_file import from_plain, load, save, to_plain
from models.topic.vsm import TopicModel

VERDICT = Verdict(0.8, True, 0.4, (("comet", 1.0),), 0.3)


def topic(*languages: str) -> TopicModel:
    return TopicModel.fit(Segmenter(["comet"]), keywords=["comet", "彗星"], languages=languages)


@pytest.mark.parametrize("language", ["en", "EN_us", "fr"])
def test_another_language_is_not_relevant_and_its_similarity_stays(language: str) -> None:
    judged = topic("zh").in_language(VERDICT, language)
    assert (judged.relevant, judged.relevance) == (False, 0.0)
    assert (judged.similarity, judged.threshold) == (VERDICT.similarity, VERDICT.threshold)


@pytest.mark.parametrize(
    ("languages", "language"),
    [(("zh",), "zh"), (("zh",), "zh-Hans"), (("en", "zh"), "zh-Hant"), (("zh",), ""), ((), "en"), ((), "")],
)
def test_all_others_are_as_the_model_judged_them(languages: tuple[str, ...], language: str) -> None:
    assert topic(*languages).in_language(VERDICT, language) is VERDICT


def test_languages_are_stored_with_the_topic(tmp_path: Path) -> None:
    save(topic("zh", "en"), tmp_path / "sky.json")
    assert load(tmp_path / "sky.json", Background()).languages == ("zh", "en")


def test_a_topic_that_was_stored_without_them_takes_any() -> None:
    plain = to_plain(topic("zh"))
    del plain["languages"]
    assert from_plain(plain, Background()).languages == ()
