"""A crawl's job in its store: what comes back is what was said, without any file."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scrapy.settings import Settings

from focuscrawl.config.allowed_paths import Roots
from focuscrawl.config.arguments import parse_arguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import Options, read_options
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.crawl.relevance.stored_topic import load_topic
from focuscrawl.crawl.start.stored_job import dump_job, job_for, remember_job, stored_job
from focuscrawl.errors import AlreadyRunning, BadInput
from focuscrawl.items import EXAMPLE
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.workers import models
from tests.crawl_process.workers import job_of, prepare, store_at, topic_for
from tests.engines import ENGINES
from tests.report.sample import add_page

AGAIN = parse_arguments({"mode": "recrawl", "name": "sky", "budget": "9"})
SEEDS = ["http://a.example/", "http://www.b.example/x"]
characters = st.characters(exclude_categories=("Cc", "Cs", "Zs", "Zl", "Zp"), exclude_characters="，、；")
words = st.text(characters, min_size=1, max_size=8)
values = st.fixed_dictionaries(
    {"keywords": st.lists(words.filter(lambda word: "," not in word), min_size=1, max_size=4, unique=True)},
    optional={
        "title": st.text(max_size=9).filter(lambda text: text.isprintable()),
        "examples": st.just(["http://c.example/e"]),
        "negative_examples": st.just(["http://c.example/n"]),
        "languages": st.lists(st.sampled_from(["zh", "en", "de"]), unique=True),
        "threshold": st.floats(0, 1),
        "synonyms": st.lists(st.lists(words, min_size=2, max_size=3, unique=True), max_size=2),
        "negative_terms": st.lists(words.map("no {}".format), max_size=2, unique=True),  # none of them a keyword
        "weights": st.dictionaries(words, st.floats(-1, 1), max_size=3),
    },
)
SCOPES = st.sampled_from([
    "", "one_site = true", 'hosts = [".a.example", "b.example:81"]', "include = [\"/p*.html\", 're:\\d+$']\none_site = true",
    'exclude = ["爬虫", "?sort="]',
])  # fmt: skip
arguments = st.fixed_dictionaries(
    {},
    optional={
        "strategy": st.sampled_from(["learned", "breadth-first", "weight"]),
        "important": st.just("a.example, b.example"),
        "max_depth": st.sampled_from(["0", "3"]),
        "max_pages_per_host": st.just("7"),
        "max_pages_per_site": st.just("9"),
        "max_pages": st.just("5"),
        "minutes": st.just("2"),
        "partition": st.just("1/2"),
        "at_edge": st.just("go-on"),
    },
)


def topic_file(folder: Path, name: str, said: Mapping[str, object], scope: str) -> Path:
    """JSON's strings and lists are TOML's."""
    path = folder / f"{name}.toml"
    lines = ["[topic]", f'name = "{name}"']
    lines += [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in said.items() if key != "weights"]
    weights = said.get("weights")
    if isinstance(weights, dict):
        lines += [
            "[topic.weights]",
            *(f"{json.dumps(word, ensure_ascii=False)} = {weight!r}" for word, weight in weights.items()),
        ]
    lines += ["[seeds]", f"urls = {json.dumps(SEEDS)}", "[scope]", scope]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def make_topic(db: Database, label: str, digest: str = "said") -> None:
    """A row as `publish` writes it, as far as a job looks at it."""
    assert models.save(db, f"topic/{label}" if label else "topic", models.pack([{"definition": digest}]), 0, 1, 0.0)


def with_page(folder: Path) -> Database:
    folder.mkdir(parents=True, exist_ok=True)
    db = open_store(folder, name="sky", create=True)
    add_page(db, 1, "http://a.example/", "Sky", 0.5, 1, 0, None, "en", at=1.0)
    return db


def bare(topic: TopicDefinition) -> TopicDefinition:
    return replace(topic, example_files=(), negative_example_files=(), file=None)


@pytest.mark.slow
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None)
@given(st.lists(st.tuples(values, SCOPES), min_size=1, max_size=3), arguments)
def test_a_job_comes_back_without_files(
    tmp_path_factory: pytest.TempPathFactory, topics: list[tuple[dict[str, object], str]], said: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("job")
    files = [topic_file(folder, f"t{number}", *topic) for number, topic in enumerate(topics)]
    job = job_of(*files, name="sky", **said)
    for file in files:
        file.unlink()
    db = with_page(folder / "sky")
    for part in job.parts or (replace(job, name=""),):
        make_topic(db, part.name)
    remember_job(db, job)
    found = stored_job(db, AGAIN)
    db.close()
    assert (found.name, found.seeds, found.topic, found.scope) == (job.name, job.seeds, bare(job.topic), job.scope)
    assert [(part.name, part.seeds, part.topic, part.scope) for part in found.parts] == [
        (part.name, part.seeds, bare(part.topic), part.scope) for part in job.parts
    ]
    assert [part.topic_digest for part in found.parts or (found,)] == ["said"] * len(topics)
    lasting = ("strategy", "important", "max_depth", "max_pages_per_host", "max_pages_per_site")
    assert all(getattr(found.arguments, name) == getattr(job.arguments, name) for name in lasting)
    assert (found.arguments.mode, found.arguments.budget) == ("recrawl", 9)
    assert (found.arguments.minutes, found.arguments.max_pages, found.arguments.partition) == (None, None, "")


def test_a_job_is_written_when_it_is_another_one(tmp_path: Path) -> None:
    db = with_page(tmp_path)
    job = job_of(topic_file(tmp_path, "sky", {"keywords": ["comet"]}, "one_site = true"))
    remember_job(db, job)
    before = db.execute("select value from meta where key='job'").fetchone()
    remember_job(db, job)
    assert db.execute("select value from meta where key='job'").fetchone() == before
    remember_job(db, replace(job, seeds=("http://z.example/",)))
    assert db.execute("select value from meta where key='job'").fetchone() != before
    db.close()


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    db = open_store(tmp_path, name="sky", create=True)
    job = job_of(topic_file(tmp_path, "sky", {"keywords": ["comet"]}, ""))
    with pytest.raises(BadInput, match=r"'sky' has not begun: .* Run scrapy crawl topic first"):
        stored_job(db, AGAIN)
    remember_job(db, job)
    with pytest.raises(BadInput, match="'sky' has no page yet"):
        stored_job(db, AGAIN)
    add_page(db, 1, "http://a.example/", "Sky", 0.5, 1, 0, None, "en", at=1.0)
    with pytest.raises(BadInput, match="has no model in its store"):
        stored_job(db, AGAIN)
    make_topic(db, "")
    assert stored_job(db, AGAIN).topic_digest == "said"
    for damaged in ("{", "[]", '{"seeds": 5}', dump_job(job).replace('"learned"', '"unheard-of"')):
        db.execute("update meta set value=? where key='job'", (damaged,))
        with pytest.raises(
            BadInput, match=r"The stored job of 'sky' cannot be read \(.*\); scrapy crawl topic .* writes it again"
        ):
            stored_job(db, AGAIN)
    db.close()


def options_for(folder: Path, url: str = "") -> Options:
    values = Settings()
    values.setmodule("focuscrawl.settings")
    values.set("CRAWLS_DIR", str(folder))
    values.set("STORE_URL", url)
    return read_options(values)


def test_the_job_is_that_of_the_crawl_that_is_named(tmp_path: Path) -> None:
    job = job_of(topic_file(tmp_path, "sky", {"keywords": ["comet"]}, ""))
    db = with_page(tmp_path / "sky")
    make_topic(db, "")
    remember_job(db, job)
    db.close()
    assert job_for(AGAIN, options_for(tmp_path)).topic.keywords == ("comet",)
    with pytest.raises(BadInput, match=r"there is no crawl 'sly' .* did you mean 'sky'"):
        job_for(AGAIN.model_copy(update={"name": "sly"}), options_for(tmp_path))
    (tmp_path / "roots").mkdir()
    with pytest.raises(BadInput, match="lies outside the folders"):
        job_for(AGAIN, options_for(tmp_path), Roots.of(str(tmp_path / "roots")))


def test_on_a_server_the_crawl_is_found_from_a_machine_without_its_directory(tmp_path: Path, postgres_url: str) -> None:
    (tmp_path / "one" / "sky").mkdir(parents=True)
    db = open_store(tmp_path / "one" / "sky", postgres_url, name="sky", create=True)
    add_page(db, 1, "http://a.example/", "Sky", 0.5, 1, 0, None, "en", at=1.0)
    make_topic(db, "")
    remember_job(db, job_of(topic_file(tmp_path, "sky", {"keywords": ["comet"]}, "")))
    db.close()
    assert job_for(AGAIN, options_for(tmp_path / "other", postgres_url)).topic.keywords == ("comet",)
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("engine", ENGINES)
def test_a_crawl_that_has_just_begun_is_said_to_run(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    """Its worker is in the store before its job."""
    url = "" if engine == "sqlite" else request.getfixturevalue("postgres_url")
    with (
        store_at(tmp_path / "sky", url),
        pytest.raises(AlreadyRunning, match=f"'sky' is being crawled by process {os.getpid()}"),
    ):
        job_for(AGAIN, options_for(tmp_path, url))
    with pytest.raises(BadInput, match="'sky' has not begun"):
        job_for(AGAIN, options_for(tmp_path, url))


def made(job: CrawlJob, folder: Path) -> str:
    """The digest of the topic that a worker with this job uses; it must be there at once."""

    async def one() -> str:
        topic = topic_for(job)
        with store_at(folder, "") as store:
            await prepare(topic, store)
            assert not topic.kind_wanted
            await topic.held_pages()
            await store.call(lambda db: remember_job(db, job) if job.arguments.mode == "crawl" else None)
            await topic.close()
            stored = await store.call(lambda db: load_topic(db, job.parts[0].name if job.parts else ""))
            assert stored is not None
            return stored.topic_digest

    return asyncio.run(one())


@pytest.mark.parametrize("several", [False, True])
def test_a_topic_is_used_as_it_was_made_when_its_example_files_are_gone(tmp_path: Path, several: bool) -> None:
    (tmp_path / "example.html").write_text("<title>Comet</title><p>" + "The telescope shows a comet. " * 20)
    said = {"keywords": ["telescope"], "examples": ["example.html"]}
    files = [topic_file(tmp_path, "sky", said, "")]
    files += [topic_file(tmp_path, "bees", {"keywords": ["honey"]}, "")] if several else []
    first = made(job_of(*files, name="sky"), tmp_path / "sky")
    for file in (*files, tmp_path / "example.html"):
        file.unlink()
    (tmp_path / "sky.json").write_text("no trained topic")
    db = open_store(tmp_path / "sky", name="sky")
    add_page(db, 1, "http://a.example/", "Sky", 0.5, 1, 0, None, "en", at=1.0)
    again = stored_job(db, AGAIN)
    db.close()
    assert made(again, tmp_path / "sky") == first
    changed = replace(
        again,
        topic_digest="" if several else "another",
        parts=tuple(replace(part, topic_digest="another") for part in again.parts),
    )
    with pytest.raises(BadInput, match="just made the crawl's topic again"):
        made(changed, tmp_path / "sky")


@pytest.mark.parametrize("said", [{"negative_terms": ["washing machine"]}, {"keywords": ["space telescope"]}])
def test_a_recrawl_says_that_an_earlier_version_made_the_topic(
    tmp_path: Path, said: dict[str, object], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    job = job_of(topic_file(tmp_path, "sky", {"keywords": ["comet"], **said}, ""), name="sky")
    with monkeypatch.context() as earlier:
        earlier.setattr("focuscrawl.text.segment.Phrases.term", lambda phrases, terms: "")
        made(job, tmp_path / "sky")
    db = open_store(tmp_path / "sky", name="sky")
    add_page(db, 1, "http://a.example/", "Sky", 0.5, 1, 0, None, "en", at=1.0)
    again = stored_job(db, AGAIN)
    db.close()
    made(again, tmp_path / "sky")
    assert [each.message for each in caplog.records if "made by an earlier version" in each.message]


def test_a_recrawl_says_nothing_of_a_topic_that_is_of_this_version(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    said = {"keywords": ["space telescope", "数据库查询"], "negative_terms": ["washing machine", "first aid", "洗衣机 维修"]}
    made(job_of(topic_file(tmp_path, "sky", said, ""), name="sky"), tmp_path / "sky")
    db = open_store(tmp_path / "sky", name="sky")
    add_page(db, 1, "http://a.example/", "Sky", 0.5, 1, 0, None, "en", at=1.0)
    again = stored_job(db, AGAIN)
    db.close()
    made(again, tmp_path / "sky")
    assert "earlier version" not in caplog.text


def test_examples_that_are_pages_are_not_fetched_again(tmp_path: Path) -> None:
    assert EXAMPLE == 2
    job = job_of(topic_file(tmp_path, "sky", {"keywords": ["comet"], "examples": ["http://c.example/e"]}, ""))
    db = with_page(tmp_path / "sky")
    make_topic(db, "", "made of pages")
    remember_job(db, job)
    found = stored_job(db, AGAIN)
    db.close()
    assert (found.topic.examples, found.topic_digest) == (("http://c.example/e",), "made of pages")
