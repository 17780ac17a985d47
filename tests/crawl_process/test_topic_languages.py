"""Pages are judged by the languages that a topic asks for: when they are fetched, and when stored ones are judged again."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

import numpy as np
import pytest

from focuscrawl.config.topic_file import _digest, read_topic, topic_digest
from focuscrawl.crawl.relevance.several_topics import CrawlTopic, SeveralTopics
from focuscrawl.crawl.relevance.topic import SingleTopic, judge_again
from focuscrawl.items import EXAMPLE, Page
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.topics.file_changes import change, new_text, write_topic
from models.order.fetch_worth import FetchWorth
from tests.crawl_process.workers import OFF, ON, fetch, page, with_topic

ON_ZH = "望远镜看见一颗彗星在行星附近，天文学家用望远镜观测彗星"
WORDS = ["telescope", "comet", "望远镜", "彗星"]


def topic_file(folder: Path, name: str, *languages: str) -> Path:
    path = folder / f"{name}.toml"
    write_topic(path, new_text(name, seeds=["http://a.example/"], values={"keywords": WORDS, "languages": languages}))
    return path


def spoken(topic: CrawlTopic, text: str, language: str, number: int = 1, example: bool = False) -> Page:
    found = page(topic, text, f"http://a.example/{language or 'unknown'}/{number}", example)
    found.language = language
    return found


def test_a_page_in_another_language_is_not_relevant_and_teaches_nothing(tmp_path: Path) -> None:
    async def use(topic: CrawlTopic, _: CrawlStore) -> None:
        assert isinstance(topic, SingleTopic)
        foreign = spoken(topic, ON, "en")
        verdict = topic.judge(foreign)
        assert (verdict.relevance, verdict.relevant) == (0.0, False)
        assert verdict.similarity == pytest.approx(topic.model.similarity(foreign.words))
        assert verdict.similarity > 0.0, "its links may lead to its translation"
        assert FetchWorth().of(foreign, np.zeros(0)) < 0.001, "what led there has brought nothing"
        assert topic.model.background.pages == 0
        assert topic.judge(spoken(topic, ON_ZH, "zh")).relevant
        assert topic.judge(spoken(topic, ON, "")).relevant, "nobody knows that it is in another language"
        assert topic.model.background.pages == 2

    with_topic(tmp_path, use, topic_file(tmp_path, "sky", "zh-Hans"))


def test_without_languages_any_is_taken(tmp_path: Path) -> None:
    async def use(topic: CrawlTopic, _: CrawlStore) -> None:
        assert topic.judge(spoken(topic, ON, "en")).relevant
        assert topic.judge(spoken(topic, ON_ZH, "zh")).relevant

    with_topic(tmp_path, use, topic_file(tmp_path, "sky"))


def test_labels_and_examples_hold_in_any_language(tmp_path: Path) -> None:
    async def use(topic: CrawlTopic, _: CrawlStore) -> None:
        assert isinstance(topic, SingleTopic)
        labelled = spoken(topic, OFF, "en")
        topic.labels = {labelled.url: True}
        assert topic.judge(labelled).relevant
        assert topic.judge(spoken(topic, OFF, "en", 2, example=True)).relevant
        assert topic.model.background.pages == 2
        judge_again(labelled, topic.page_model, topic.segmenter, topic.labels)
        assert labelled.verdict
        assert labelled.verdict.relevant

    with_topic(tmp_path, use, topic_file(tmp_path, "sky", "zh"))


def test_stored_pages_are_judged_again_by_languages(tmp_path: Path) -> None:
    """As `scrapy topic rescore`, later runs and `LearnedState` do it."""

    async def use(topic: CrawlTopic, _: CrawlStore) -> None:
        assert isinstance(topic, SingleTopic)
        for text, language in ((ON, "en"), (ON_ZH, "zh")):
            found = spoken(topic, text, language)
            judge_again(found, topic.page_model, topic.segmenter, {})
            assert found.verdict
            assert found.verdict.relevant == (language == "zh")

    with_topic(tmp_path, use, topic_file(tmp_path, "sky", "zh"))


def test_each_of_several_topics_asks_for_its_own(tmp_path: Path) -> None:
    async def use(topic: CrawlTopic, _: CrawlStore) -> None:
        assert isinstance(topic, SeveralTopics)
        for text, language in ((ON, "en"), (ON_ZH, "zh")):
            found = spoken(topic, text, language)
            assert topic.judge(found).relevant
            assert {name: verdict.relevant for name, verdict in found.verdicts.items()} == {
                "any": True, "english": language == "en", "chinese": language == "zh",
            }  # fmt: skip

    files = [
        topic_file(tmp_path, name, *languages) for name, languages in (("any", ()), ("english", ("en",)), ("chinese", ("zh",)))
    ]
    with_topic(tmp_path, use, *files)


def kept_for(topic: str) -> Callable[[Database], dict[str, bool]]:
    query = "select p.language, v.relevant from verdict v join page p on p.page_id=v.page_id where v.topic=?"
    return lambda db: {language: bool(relevant) for language, relevant in db.execute(query, (topic,))}


def kept(db: Database) -> dict[str, bool]:
    return {language: bool(relevant) for language, relevant in db.execute("select language, relevant from page")}


def test_a_topic_that_joins_judges_the_stored_pages_by_its_languages(tmp_path: Path) -> None:
    async def use(topic: CrawlTopic, store: CrawlStore) -> None:
        assert await store.call(kept_for("chinese")) == {"en": False, "zh": True}

    async def first(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, ON, "en")
        await fetch(store, topic, ON_ZH, "zh")

    with_topic(tmp_path, first, topic_file(tmp_path, "any"))
    with_topic(tmp_path, use, topic_file(tmp_path, "any"), topic_file(tmp_path, "chinese", "zh"))


def test_stored_pages_follow_the_languages_when_they_change(tmp_path: Path) -> None:
    file = topic_file(tmp_path, "sky")
    change(file, {"examples": ("http://a.example/fr",)})

    async def first(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, ON, "en")
        await fetch(store, topic, ON_ZH, "zh")
        await fetch(store, topic, OFF, "fr", EXAMPLE)
        assert await store.call(kept) == {"en": True, "zh": True, "fr": True}

    def now(**expected: bool) -> Callable[[CrawlTopic, CrawlStore], Awaitable[None]]:
        async def use(topic: CrawlTopic, store: CrawlStore) -> None:
            assert await store.call(kept) == expected
            assert isinstance(topic, SingleTopic)
            assert await store.call(later_verdicts.begin_topic, topic="", digest=topic.topic_digest) is False

        return use

    with_topic(tmp_path, first, file)
    change(file, {"languages": ("zh",)})
    with_topic(tmp_path, now(en=False, zh=True, fr=True), file)
    change(file, {"languages": ("en",)})
    with_topic(tmp_path, now(en=True, zh=False, fr=True), file)


def test_a_topic_that_was_made_when_the_order_of_languages_counted_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """After an upgrade the log said that the job says something else, and all stored pages were judged again."""
    file, made = topic_file(tmp_path, "sky", "zh", "en"), []

    async def use(topic: CrawlTopic, store: CrawlStore) -> None:
        assert isinstance(topic, SingleTopic)
        made.append(topic.topic_digest)

    with monkeypatch.context() as earlier:
        earlier.setattr("focuscrawl.crawl.relevance.topic.topic_digest", _digest)
        with_topic(tmp_path, use, file)
    caplog.set_level(logging.INFO)
    with_topic(tmp_path, use, file)
    assert made[0] == made[1] != topic_digest(read_topic(file).topic, ())
    assert "the topic was made again" not in caplog.text
    change(file, {"negative_terms": ("casino",)})
    with_topic(tmp_path, use, file)
    assert "the topic was made again: the job, or this version, says something else" in caplog.text
