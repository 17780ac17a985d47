"""A crawl begins with what was trained beside its topic file, as long as it fits."""

from __future__ import annotations

import logging
from dataclasses import replace
from pathlib import Path

import pytest

from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import CrawlJob, job_of
from focuscrawl.crawl.relevance.pretrained_topic import trained_beside
from focuscrawl.topics.file_changes import TermEdits, new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from focuscrawl.topics.training import train
from focuscrawl.topics.workspace import Workspace
from models.topic.background import Background
from models.topic.json_file import load, save


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    place = TopicPaths(tmp_path, "sky")
    write_topic(place.toml, new_text("sky", seeds=["http://a.example/"], values={"keywords": ["telescope"]}))
    return Workspace(place, "2026-01-31")


def job_with(workspace: Workspace, **arguments: str) -> CrawlJob:
    return job_of(parse_arguments({"seeds": str(workspace.paths.toml), **arguments}))


def test_a_trained_topic_is_taken_while_it_fits(workspace: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    assert trained_beside(job_with(workspace)) is None
    train(workspace)
    trained = trained_beside(job_with(workspace))
    assert trained is not None
    assert trained.load().evidence.keywords == ("telescope",)
    assert trained_beside(job_with(workspace, keywords="comet")) is None
    workspace.edit(TermEdits(negative=["casino"]))
    caplog.set_level(logging.WARNING)
    assert trained_beside(job_with(workspace)) is None
    assert "scrapy topic train renews it" in caplog.text
    train(workspace)
    renewed = trained_beside(job_with(workspace))
    assert renewed is not None
    assert renewed.topic_digest != trained.topic_digest


def test_one_trained_when_the_order_of_languages_counted_is_taken(workspace: Workspace) -> None:
    """It was called changed, and the crawl learned the topic from its words alone."""
    values = {"keywords": ["telescope"], "languages": ["zh", "en"]}
    write_topic(workspace.paths.toml, new_text("sky", seeds=["http://a.example/"], values=values))
    train(Workspace(workspace.paths, "2026-01-31"))
    model = load(workspace.paths.trained, Background())
    model.topic_digest = "0e7d021967a16003e8944901bd7be2aa"
    save(model, workspace.paths.trained)
    assert trained_beside(job_with(workspace)) is not None
    workspace.edit(TermEdits(negative=["casino"]))
    assert trained_beside(job_with(workspace)) is None


def test_a_file_that_is_none_is_told_about(workspace: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    workspace.paths.trained.write_text("{}")
    assert trained_beside(job_with(workspace)) is None
    assert "is not a topic of this program" in caplog.text
    job = job_with(workspace)
    assert trained_beside(replace(job, topic=replace(job.topic, file=None))) is None
