"""One topic for all workers of a crawl: made once, kept in the store, read by the commands."""

from __future__ import annotations

import asyncio
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.config.job import CrawlJob
from focuscrawl.crawl.relevance.several_topics import CrawlTopic, SeveralTopics
from focuscrawl.crawl.relevance.stored_topic import begin_judging, judge_of, load_topic
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.errors import BadInput
from focuscrawl.items import EXAMPLE
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.revisits.later_verdicts import judged_by_former
from focuscrawl.store.workers import models
from focuscrawl.topics.file_changes import new_text, write_topic
from focuscrawl.topics.paths import TopicPaths
from models.page.calibrated import CalibratedModel
from models.page.page_context import PageContext
from models.page.page_model import PAGE_MODELS
from tests.crawl_process.workers import OFF, ON, job_of, judge, page, prepare, sqlite_only, store_at, topic_for
from tests.patience import PATIENCE
from tests.report.sample import add_host, add_page, empty_crawl

EXAMPLES = ["http://a.example/one", "http://b.example/two"]
TEXTS = ["The telescope shows a comet near the planet", "A comet and the planets of other stars in a telescope"]


def toml(tmp_path: Path, name: str = "sky", **values: Any) -> Path:
    place = TopicPaths(tmp_path, name)
    write_topic(place.toml, new_text(name, seeds=["http://a.example/"], values=values or {"keywords": ["telescope", "comet"]}))
    return place.toml


async def begun(topic: CrawlTopic, store: CrawlStore) -> SingleTopic:
    await prepare(topic, store)
    assert isinstance(topic, SingleTopic)
    return topic


def opinions(topic: CrawlTopic) -> list[float]:
    """On a page in two sections, under all that was learned; without the runs of pages, which each worker has of its own."""
    assert isinstance(topic, SingleTopic)
    topic.page_model.refresh()
    found: list[float] = []
    words = topic.segmenter.terms("a planet and butter")
    for context in (PageContext(url_terms=("alpha",)), PageContext(url_terms=("beta",))):
        if isinstance(topic.page_model, CalibratedModel):
            found += topic.page_model.signals(words, context)[:2]
        else:
            found.append(topic.page_model.judge(words, context).relevance)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("model", PAGE_MODELS)
async def test_two_workers_know_what_one_would(one: CrawlStore, two: CrawlStore, tmp_path: Path, model: str) -> None:
    job = job_of(toml(tmp_path))
    seen = [(OFF, "alpha"), (ON, "beta"), ("Butter of the planet", "alpha"), (ON + " tonight", "beta")] * 4

    async def crawl(*stores: CrawlStore) -> list[list[float]]:
        topics = [topic_for(job, model) for _ in stores]
        for topic, store in zip(topics, stores, strict=True):
            await prepare(topic, store)
        for number, (text, section) in enumerate(seen):
            judge(topics[number % len(topics)], [text], section)
        for topic in (*topics, *topics):
            await topic.exchange()
        found = [opinions(topic) for topic in topics]
        for topic in topics:
            await topic.close()
        return found

    with store_at(tmp_path / "alone", "") as store:
        alone = (await crawl(store))[0]
    for worker in await crawl(one, two):
        assert worker == pytest.approx(alone, abs=1e-5)


async def test_example_pages_are_fetched_by_one_worker_and_the_other_gets_the_topic(
    one: CrawlStore, two: CrawlStore, tmp_path: Path, url: str
) -> None:
    job = job_of(toml(tmp_path, examples=EXAMPLES))
    first, second = await begun(topic_for(job), one), await begun(topic_for(job), two)
    assert (first.kind_wanted, first.waits_for_other) == (EXAMPLE, False)
    assert (second.kind_wanted, second.waits_for_other) == (0, True)
    for address, text in zip(EXAMPLES, TEXTS, strict=True):
        assert first.hold(page(first, text, address, example=True))
    first.finish_start()
    assert len(await asyncio.wait_for(first.held_pages(), PATIENCE)) == 2
    assert await asyncio.wait_for(second.held_pages(), PATIENCE) == []
    assert second.model.weights == first.model.weights
    assert [each.source for each in second.model.evidence.examples] == EXAMPLES
    assert not list(tmp_path.rglob("*.json")) or url


@pytest.mark.parametrize("several", [False, True])
def test_pages_without_a_word_are_told_as_the_reason(tmp_path: Path, several: bool) -> None:
    files = [toml(tmp_path, examples=EXAMPLES)] + ([toml(tmp_path, "food", keywords=["butter"])] if several else [])

    async def crawl(store: CrawlStore) -> None:
        topic = topic_for(job_of(*files, name="both"))
        await prepare(topic, store)
        assert topic.hold(page(topic, "", EXAMPLES[0], example=True))
        topic.finish_start()
        assert (topic.kind_wanted, topic.busy) == (0, True)
        async with asyncio.timeout(PATIENCE):
            while topic.waits_for_other:
                await asyncio.sleep(0.01)

    told = f"^{'Topic sky: ' if several else ''}The topic has no words.* None of the pages that were to define it gave text"
    with store_at(tmp_path, "") as store, pytest.raises(BadInput, match=told):
        asyncio.run(crawl(store))


@sqlite_only
async def test_when_the_worker_that_makes_the_topic_dies_another_one_does(
    one: CrawlStore, two: CrawlStore, tmp_path: Path
) -> None:
    job = job_of(toml(tmp_path, examples=EXAMPLES))
    await begun(topic_for(job), one)
    second = await begun(topic_for(job), two)
    assert second.waits_for_other
    await two.call(lambda db: db.execute("update worker set state='dead' where id=?", (one.worker,)))
    async with asyncio.timeout(PATIENCE):
        while second.waits_for_other:
            await asyncio.sleep(0.05)
    assert second.kind_wanted == EXAMPLE
    second.hold(page(second, TEXTS[0], EXAMPLES[0], example=True))
    second.finish_start()
    assert len(await asyncio.wait_for(second.held_pages(), PATIENCE)) == 1


def test_a_topic_that_is_made_while_another_worker_gets_ready_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_of(toml(tmp_path, examples=EXAMPLES))

    async def make(store: CrawlStore) -> None:
        first = await begun(topic_for(job), store)
        first.hold(page(first, TEXTS[0], EXAMPLES[0], example=True))
        first.finish_start()
        await asyncio.wait_for(first.held_pages(), PATIENCE)

    async def crawl(two: CrawlStore) -> None:
        async def claim(key: str) -> bool:
            """Another worker makes the topic just before, and ends."""
            monkeypatch.undo()
            with store_at(tmp_path, "") as one:
                await make(one)
            return await two.claim(key)

        monkeypatch.setattr(two, "claim", claim)
        second = topic_for(job)
        await begun(second, two)
        assert (second.kind_wanted, second.busy) == (0, False)

    with store_at(tmp_path, "") as two:
        asyncio.run(crawl(two))


async def test_several_topics_are_shared_one_by_one(one: CrawlStore, two: CrawlStore, tmp_path: Path) -> None:
    files = toml(tmp_path, "sky"), toml(tmp_path, "food", keywords=["butter", "cake"])
    topics = []
    for store in (one, two):
        topic = topic_for(job_of(*files, name="both"))
        assert isinstance(topic, SeveralTopics)
        await prepare(topic, store)
        await topic.held_pages()
        topics.append(topic)
    judge(topics[0], [ON, OFF], "alpha")
    judge(topics[1], [OFF], "beta")
    for topic in (*topics, *topics):
        await topic.exchange()
    for name in ("sky", "food"):
        assert [topic.by_name[name].model.background.pages for topic in topics] == [3, 3]
        read = await one.call(judge_of, label=name, kind="calibrated", now=one.clock())
        assert read is not None
        assert read.topic.background.pages == 3
    names = await one.call(lambda db: {name for (name,) in db.execute("select name from model")})
    assert {"topic/sky", "topic/food"} <= names


def test_a_job_that_says_something_else_makes_the_topic_anew_and_forgets(tmp_path: Path) -> None:
    async def crawl(store: CrawlStore, job: CrawlJob) -> tuple[int, set[str]]:
        topic = await begun(topic_for(job), store)
        before = topic.model.background.pages
        judge(topic, [ON])
        await topic.exchange()
        return before, await store.call(lambda db: {name for (name,) in db.execute("select name from model")})

    def run(**arguments: str) -> tuple[int, set[str]]:
        with store_at(tmp_path, "") as store:
            return asyncio.run(crawl(store, job_of(file, **arguments)))

    file = toml(tmp_path)
    (none, first), (again, _) = run(), run()
    assert (none, again) == (0, 1)
    changed, names = run(keywords="butter,cake")
    assert changed == 0
    assert names & first == {"topic"}
    assert len(names) == 3


def test_pages_that_another_page_model_has_judged_are_those_of_a_former_topic(tmp_path: Path) -> None:
    with closing(empty_crawl(tmp_path / "sky")) as db:
        add_host(db, "http://a.example", 1, 1)
        add_host(db, "http://b.example", 1, 1)
        add_page(db, 1, EXAMPLES[0], "One", 1.0, 1, 0, None, "en", at=1.0)
        assert begin_judging(db, "", "naive-bayes") == ""
        assert begin_judging(db, "", "naive-bayes") == ""
        assert judged_by_former(db) == 0
        assert begin_judging(db, "", "calibrated") == "naive-bayes"
        assert judged_by_former(db) == 1
        add_page(db, 2, EXAMPLES[1], "Two", 0.9, 1, 0, None, "en", at=1.0)
        begin_judging(db, "", "calibrated")
        assert judged_by_former(db) == 1


def test_a_damaged_topic_is_refused_in_one_sentence(tmp_path: Path) -> None:
    async def crawl(store: CrawlStore, body: bytes) -> None:
        await store.call(lambda db: models.save(db, "topic", body, models.version_of(db, "topic"), 1, 0.0))
        await prepare(topic_for(job_of(toml(tmp_path))), store)

    with store_at(tmp_path, "") as store:
        assert asyncio.run(store.call(lambda db: load_topic(db, ""))) is None
        with pytest.raises(BadInput, match="Row topic of table model in the store cannot be read"):
            asyncio.run(crawl(store, b"damaged"))
        content = asyncio.run(_changed(store, tmp_path))
        with pytest.raises(BadInput, match="Row topic of table model in the store was changed after it was written"):
            asyncio.run(crawl(store, models.pack([content])))


async def _changed(store: CrawlStore, tmp_path: Path) -> Any:
    await store.call(lambda db: models.delete(db, "topic"))
    topic = await begun(topic_for(job_of(toml(tmp_path))), store)
    stored = await store.call(lambda db: load_topic(db, ""))
    assert stored is not None
    assert stored.topic_digest == topic.topic_digest
    return {**stored.content, "min_term_weight": 0.5}
