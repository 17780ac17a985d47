"""A topic that is made in a process of its own."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings

from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import read_options
from focuscrawl.crawl.relevance.topic import make_apart
from focuscrawl.crawl.relevance.topic_apart import Text
from focuscrawl.errors import BadInput
from focuscrawl.reading.page import read_files
from focuscrawl.reading.worker import JobResult, WorkerProcess
from focuscrawl.text.segment import Segmenter
from focuscrawl.topics.file_changes import new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from models.topic.evidence import GivenTerms
from models.topic.json_file import to_plain
from models.topic.vsm import TopicModel
from tests.crawl_process.workers import WorkerHere, job_of

PAGES = [
    ("http://a.example/", "望远镜 shows a comet\nAstronomers observe 星系"),
    ("http://b.example/", "Planets and comets in a telescope"),
]
SAID = {
    "keywords": ["望远镜", "comet"],
    "synonyms": [["星系", "galaxy", "galaxies"]],
    "weights": {"planet": 0.5},
    "negative_terms": ["ice dust"],
}


def sky(tmp_path: Path, **said: Any) -> CrawlJob:
    place = TopicPaths(tmp_path, "sky")
    write_topic(place.toml, new_text("sky", seeds=["http://a.example/"], values=said))
    return job_of(place.toml)


def made(job: CrawlJob, pages: list[Text], worker: Any = None) -> TopicModel:
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    options = read_options(settings)
    segmenter = Segmenter.of(job.vocabulary, options.relevance_segmenter)

    async def make() -> TopicModel:
        process = worker or WorkerProcess()
        try:
            return await make_apart(process, job, options, segmenter, pages)
        finally:
            if not worker:
                await process.close()

    return asyncio.run(make())


@pytest.mark.system
def test_it_is_the_topic_that_this_process_would_make(tmp_path: Path) -> None:
    file = tmp_path / "example.html"
    file.write_text("<title>Comets</title><p>A comet is a small body of ice and dust.")
    job = sky(tmp_path, **SAID)
    job = replace(job, topic=replace(job.topic, example_files=(file,), threshold=0.2))
    topic = made(job, PAGES)
    segmenter = Segmenter.of(job.topic.vocabulary)
    here = TopicModel.fit(
        segmenter,
        [*read_files([file]), *PAGES],
        job.topic.keywords,
        seeds=job.seeds,
        threshold=0.2,
        made=topic.made,
        given_terms=GivenTerms.read(segmenter, job.topic.weights, job.topic.negative_terms),
    )
    assert to_plain(topic) == to_plain(here)
    assert topic.weights["ice_dust"] < 0


@pytest.mark.system
def test_what_is_no_topic_is_told_in_a_sentence(tmp_path: Path) -> None:
    job = sky(tmp_path, **SAID)
    job = replace(job, topic=replace(job.topic, keywords=(), synonyms=()))
    with pytest.raises(BadInput, match="has no words"):
        made(job, [("http://a.example/", "and of the")])


def test_a_file_that_has_gone_is_named(tmp_path: Path) -> None:
    job = sky(tmp_path, **SAID)
    job = replace(job, topic=replace(job.topic, example_files=(tmp_path / "gone.html",)))
    with pytest.raises(BadInput, match=r"gone\.html"):
        made(job, [], WorkerHere())


def test_a_fault_of_the_program_is_told_with_its_traceback(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="Traceback"):
        made(sky(tmp_path, **SAID), [("http://a.example/", None)], WorkerHere())  # type: ignore[list-item]


def test_a_process_that_dies_is_told_in_a_sentence(tmp_path: Path) -> None:
    class Dead:
        async def read(self, job: object) -> JobResult:
            return JobResult(error="parse")

    with pytest.raises(BadInput, match=r"The topic cannot be made: .* memory"):
        made(sky(tmp_path, **SAID), PAGES, Dead())
