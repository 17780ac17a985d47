"""Pages that were judged by another name of their site than is known now are judged again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest

from focuscrawl.crawl.relevance import topic as of_one
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.dedup.methods import method
from focuscrawl.frontier.outcome import outcome_of
from focuscrawl.items import left_out
from focuscrawl.store.commit import Commit
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.engines.records import term_pairs
from focuscrawl.store.frontier.discover import DiscoveredUrl
from focuscrawl.store.pages.duplicates import DuplicateFinder
from focuscrawl.store.revisits.change_log import changes_of
from focuscrawl.store.revisits.labels import follow_labels
from focuscrawl.store.revisits.later_verdicts import judged_by_name
from focuscrawl.topics.file_changes import new_text, write_topic
from tests import factories
from tests.crawl_process.workers import job_of, prepare, store_at, topic_for, with_topic

RECIPE = "Boil potatoes in batch {}, chop an onion, and fry both in butter until they are brown. Serve with salt and parsley."
RAILWAY = "Railway number {} along the coast was opened late. Trains of the railway carry coal, and its tunnels are long."
BLOG = "http://www.blog.example/{}"


def topic_file(folder: Path, name: str) -> Path:
    path = folder / f"{name}.toml"
    write_topic(path, new_text(name, seeds=["http://a.example/"], values={"keywords": ["railway"]}))
    return path


async def fetch(store: CrawlStore, topic: CrawlTopic, numbers: Iterable[int], on_topic: bool = False) -> None:
    """Judge and store pages of a blog with the keyword in its name: one in three on the topic, or all."""
    for number in numbers:
        await store.add_seeds([DiscoveredUrl(BLOG.format(number), 2.0)])
        [lease] = (await store.lease(1))[0]
        title, of_topic = f"Post {number} | Railway Blog", on_topic or not number % 3
        text = "\n".join([RAILWAY.format(number)] * (1 + on_topic * (number % 4))) if of_topic else RECIPE.format(number)
        found = factories.page(lease, title=title, text=text, words=topic.segmenter.terms(f"{title}\n{text}"))
        topic.judge(found)
        made = Commit(found, outcome_of(found, (60.0,), 1.0), store.clock(), store.run, store.worker, [])
        await store.commit(made, DuplicateFinder(method("simhash")))
        await store.call(lambda db: db.execute("update host set ready_at=0"))


async def first_pages(store: CrawlStore, folder: Path, names: Iterable[str]) -> CrawlTopic:
    """The topics of these names, which have judged seven pages of the blog."""
    topic = topic_for(job_of(*(topic_file(folder, name) for name in names)))
    await prepare(topic, store)
    await topic.held_pages()
    await fetch(store, topic, range(7))
    return topic


def relevant(db: Database) -> set[int]:
    rows = db.execute("select url from page where relevant=1")
    return {int(url.rpartition("/")[2]) for (url,) in rows}


def relevant_of_host(db: Database) -> int:
    return int(db.execute("select sum(relevant) from host").fetchone()[0])


@pytest.mark.parametrize("names", [("rails",), ("rails", "trains")])
def test_pages_are_judged_again_when_the_name_of_their_site_is_known(tmp_path: Path, names: tuple[str, ...]) -> None:
    async def whole(store: CrawlStore) -> None:
        topic = await first_pages(store, tmp_path, names)
        before = await store.call(relevant)
        assert before > {0, 3, 6}, "the first are judged by the name"
        assert 5 not in before
        labels = {BLOG.format(2): True}
        for name in names:
            label = name if len(names) > 1 else ""
            await store.call(follow_labels, topic=label, given=labels, run=store.run, now=store.clock())
        begun = store.clock()
        await topic.exchange()
        assert await store.call(relevant) == {0, 2, 3, 6}, "what a person labelled stays"
        assert await store.call(relevant_of_host) == 4
        left = await store.call(lambda db: [each.url for each in changes_of(db, begun, store.clock() + 1)])
        assert set(left) == {BLOG.format(number) for number in before - {0, 2, 3, 6}}
        [(terms,)] = await store.call(lambda db: db.execute("select terms from page where url=?", (BLOG.format(1),)).fetchall())
        assert left_out(term_pairs(terms)) == ("railway",)
        await topic.exchange()
        assert await store.call(relevant) == {0, 2, 3, 6}

    with store_at(tmp_path / "crawl", "") as store:
        asyncio.run(whole(store))


@pytest.mark.parametrize("names", [("rails",), ("rails", "trains")])
def test_pages_come_back_where_the_name_turns_out_to_be_what_the_site_is_about(tmp_path: Path, names: tuple[str, ...]) -> None:
    async def whole(store: CrawlStore) -> None:
        topic = await first_pages(store, tmp_path, names)
        await topic.exchange()
        assert await store.call(relevant) == {0, 3, 6}
        await fetch(store, topic, range(7, 40), on_topic=True)
        await topic.exchange()
        assert await store.call(relevant) > {0, 1, 2, 3, 6}, "all of it counts again"
        [(terms,)] = await store.call(lambda db: db.execute("select terms from page where url=?", (BLOG.format(1),)).fetchall())
        assert left_out(term_pairs(terms)) == ()

    with store_at(tmp_path / "crawl", "") as store:
        asyncio.run(whole(store))


def test_a_word_is_no_pattern(tmp_path: Path) -> None:
    async def whole(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, range(7))
        pages = partial(judged_by_name, topic="", host="blog.example", after=0, count=50)
        assert len(await store.call(pages, is_name={"railway": False})) > 1
        assert not await store.call(pages, is_name={"rail_ay": False})
        assert not await store.call(pages, is_name={"%": False})

    with_topic(tmp_path, whole, topic_file(tmp_path, "rails"))


def test_a_page_is_judged_once_for_all_words_of_a_name(tmp_path: Path) -> None:
    async def whole(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, range(7))
        pages = partial(judged_by_name, topic="", host="blog.example", after=0, count=50)

        async def numbers(**is_name: bool) -> list[int]:
            found = await store.call(pages, is_name=is_name)
            return [int(page.url.rpartition("/")[2]) for _, page in found]

        with_it, without_it = await numbers(railway=True), await numbers(railway=False)
        assert with_it
        assert without_it
        assert await numbers(railway=False, blog=True) == sorted({*without_it, *await numbers(blog=True)})

    with_topic(tmp_path, whole, topic_file(tmp_path, "rails"))


def test_another_run_judges_no_page_again_for_a_name_that_was_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, judged = topic_file(tmp_path, "rails"), list[str]()

    async def first(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, range(7))
        await topic.exchange()

    async def second(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, range(7, 10))
        await topic.exchange()
        assert await store.call(relevant) == {0, 3, 6, 9}

    with_topic(tmp_path, first, file)
    monkeypatch.setattr(of_one, "judge_again", lambda page, **_: judged.append(page.url))
    with_topic(tmp_path, second, file)
    assert judged == []
