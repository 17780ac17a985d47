"""Pages are judged by the page model that the settings name; what it learned is kept in the store."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focuscrawl.config.options import read_options
from focuscrawl.crawl.relevance.topic import SingleTopic, judge_again
from focuscrawl.errors import BadInput
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.pages.verdicts import judge_name
from focuscrawl.store.revisits.labels import follow_labels
from focuscrawl.topics.file_changes import new_text, write_topic
from focuscrawl.topics.labels import PageLabel, write_labels
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.training import train
from focuscrawl.topics.workspace import Workspace
from models.page import page_model
from models.page.calibrated import CalibratedModel
from tests.crawl_process.workers import OFF, ON, job_of, page, prepare, store_at, topic_for


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    place = TopicPaths(tmp_path / "topics", "sky")
    write_topic(place.toml, new_text("sky", seeds=["http://a.example/"], values={"keywords": ["telescope", "comet"]}))
    return place.toml


def run(toml: Path, model: str, use: Callable[[SingleTopic], Awaitable[None]]) -> None:
    """One run of the crawl: its topic is made or loaded, used, and kept."""

    async def whole(store: CrawlStore) -> None:
        topic = topic_for(job_of(toml), model)
        assert isinstance(topic, SingleTopic)
        await prepare(topic, store)
        await use(topic)
        await topic.exchange()

    with store_at(toml.parent.parent / "crawl", "") as store:
        asyncio.run(whole(store))


@pytest.mark.parametrize("name", page_model.PAGE_MODELS)
def test_the_setting_names_the_judge(toml: Path, name: str) -> None:
    async def use(topic: SingleTopic) -> None:
        assert topic.page_model.name == name
        assert topic.page_model.topic is topic.model
        assert await topic._store.call(judge_name) == name, "who reads the crawl knows whose verdicts they are"
        near, off, example = page(topic, ON), page(topic, OFF), page(topic, OFF, example=True)
        cosine = topic.model.similarity(near.words)
        verdict = topic.judge(near)
        assert near.verdict is verdict
        assert verdict.similarity == pytest.approx(cosine)
        assert (verdict.relevance == verdict.similarity) == (name == "vsm")
        assert topic.judge(off).relevance < verdict.relevance
        assert topic.judge(example).relevant
        assert topic.model.background.pages == 3  # each taught once

    run(toml, name, use)


def test_nothing_is_learned_from_relevant_pages_that_are_far_while_the_crawl_is_away(toml: Path) -> None:
    async def use(topic: SingleTopic) -> None:
        near, example = page(topic, ON), page(topic, OFF, example=True)
        topic.least_similarity = 1.1  # no page is as near
        assert topic.judge(near).relevant
        assert topic.model.background.pages == 0
        topic.judge(page(topic, OFF))
        topic.judge(example)
        assert topic.model.background.pages == 2, "irrelevant pages and examples are what they are"
        topic.least_similarity = 0.0
        topic.judge(near)
        assert topic.model.background.pages == 3

    run(toml, "calibrated", use)


def test_what_was_learned_comes_back_under_the_same_model(toml: Path) -> None:
    told = "a comet"
    scores = []

    async def learn(topic: SingleTopic) -> None:
        for _ in range(10):
            topic.judge(page(topic, ON))
        scores.append(_judged(topic, told))

    async def again(topic: SingleTopic) -> None:
        scores.append(_judged(topic, told))

    async def other(topic: SingleTopic) -> None:
        assert topic.page_model.name == "vsm"

    run(toml, "calibrated", learn)
    run(toml, "calibrated", again)
    assert scores[1] == pytest.approx(scores[0], abs=1e-3)
    run(toml, "vsm", other)
    run(toml, "calibrated", again)
    assert scores[2] == pytest.approx(scores[0], abs=1e-3)  # each model has a log of its own


def test_a_damaged_trained_model_is_told_about_and_left(toml: Path, caplog: pytest.LogCaptureFixture) -> None:
    train(Workspace(TopicPaths(toml.parent, "sky"), "2026-01-31"))
    (toml.parent / "sky.page_model.json").write_text("{}")

    async def use(topic: SingleTopic) -> None:
        assert topic.page_model.name == "calibrated"

    caplog.set_level(logging.WARNING)
    run(toml, "calibrated", use)
    assert caplog.text.count("is not a page model of this program. The page model begins from nothing.") == 1


def test_the_trained_page_model_is_taken_and_a_changed_topic_forgets(toml: Path) -> None:
    trained = train(Workspace(TopicPaths(toml.parent, "sky"), "2026-01-31"))
    assert isinstance(trained, CalibratedModel)
    words = ["comet"]
    trained.learn(words, True)
    page_model.save(trained, toml.parent / "sky.page_model.json")
    states = []

    async def use(topic: SingleTopic) -> None:
        states.append(topic.page_model.state())

    run(toml, "calibrated", use)
    assert states[0] == trained.state()
    toml.write_text(toml.read_text().replace('"comet"', '"planet"'))
    run(toml, "calibrated", use)
    assert states[1] != states[0]


def test_an_unknown_model_is_refused() -> None:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    settings.set("RELEVANCE_MODEL", "magic")
    with pytest.raises(BadInput, match="RELEVANCE_MODEL='magic' is unknown; use one of calibrated, vsm, naive-bayes"):
        read_options(settings)


def _judged(topic: SingleTopic, text: str) -> float:
    return topic.page_model.judge(topic.segmenter.terms(text)).relevance


def test_what_a_person_labelled_holds_whatever_the_model_says(toml: Path) -> None:
    labels = {"http://a.example/off": False, "http://a.example/on": True}

    async def use(topic: SingleTopic) -> None:
        on = page(topic, ON, "http://a.example/off", example=True)
        off = page(topic, OFF, "http://a.example/on")
        assert (topic.judge(on).relevant, topic.judge(off).relevant) == (False, True)
        judge_again(on, topic.page_model, topic.segmenter, topic.labels)
        judge_again(off, topic.page_model, topic.segmenter, topic.labels)
        assert on.verdict
        assert off.verdict
        assert (on.verdict.relevant, off.verdict.relevant) == (False, True)
        assert on.verdict.relevance > on.verdict.threshold > off.verdict.relevance

    place = TopicPaths(toml.parent, "sky")
    write_labels(place.labels, {url: PageLabel(url, relevant) for url, relevant in labels.items()})
    run(toml, "calibrated", use)
    place.labels.unlink()
    run(toml, "calibrated", use)  # the store knows them, as where a recrawl or another machine has no such file


def test_a_page_that_is_judged_again_teaches_where_the_model_has_seen_none(toml: Path) -> None:
    async def use(topic: SingleTopic) -> None:
        judge = topic.page_model
        assert isinstance(judge, CalibratedModel)
        known = judge.learned.url_words.pages
        for teaches in (False, True):
            judge_again(page(topic, ON, "http://a.example/on"), judge, topic.segmenter, topic.labels, teaches=teaches)
            assert judge.learned.url_words.pages == known + teaches

    run(toml, "calibrated", use)


def test_labels_that_cannot_be_read_are_told_about(toml: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def use(topic: SingleTopic) -> None:
        assert topic.labels == {}

    TopicPaths(toml.parent, "sky").labels.write_text("perhaps\thttp://a.example/\n")
    run(toml, "calibrated", use)
    assert "'perhaps' is not a label; give yes or no. The labels that the crawl knows already hold." in caplog.text


def test_what_is_labelled_while_a_worker_runs_reaches_it(toml: Path) -> None:
    async def use(topic: SingleTopic) -> None:
        label = partial(follow_labels, topic="", given={"http://a.example/off": False}, run=0, now=1.0)
        await topic._store.call(label)
        await topic.exchange()
        assert not topic.judge(page(topic, ON, "http://a.example/off")).relevant

    run(toml, "calibrated", use)
