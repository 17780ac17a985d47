"""The stored pages of a crawl of one topic follow what the topic says now."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from focuscrawl.crawl.relevance import topic as topic_module
from focuscrawl.crawl.relevance.several_topics import CrawlTopic
from focuscrawl.crawl.relevance.topic import SingleTopic
from focuscrawl.items import EXAMPLE, LINK, Link
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.links import decode
from focuscrawl.store.revisits import later_verdicts
from focuscrawl.store.revisits.later_verdicts import judged_by_former
from focuscrawl.topics.file_changes import change, new_text, write_topic
from tests.crawl_process.workers import OFF, ON, fetch, with_topic

DEEP, WAITING, LOGIN = (f"http://a.example/{name}" for name in ("deep", "waiting", "login"))
LINKS = [Link(DEEP, "Sugar and flour", refused="tunnel"), Link(WAITING, "Butter"), Link(LOGIN, refused="action")]


def topic_file(folder: Path, *examples: str) -> Path:
    path = folder / "sky.toml"
    values = {"keywords": ["telescope", "comet"], "examples": examples}
    write_topic(path, new_text("sky", seeds=["http://a.example/"], values=values))
    return path


async def nothing(topic: CrawlTopic, store: CrawlStore) -> None:
    """A run that fetches nothing."""


async def first(topic: CrawlTopic, store: CrawlStore) -> None:
    await fetch(store, topic, ON, "en")
    await fetch(store, topic, OFF, "de", links=LINKS)


def relevant(db: Database) -> Mapping[str, bool]:
    """By the page's language, as `fetch` names its pages."""
    return {language: bool(flag) for language, flag in db.execute("select language, relevant from page")}


def test_they_are_judged_again_and_teach_the_changed_topic(tmp_path: Path) -> None:
    file, learned = topic_file(tmp_path), list[int]()

    async def second(topic: CrawlTopic, store: CrawlStore) -> None:
        assert isinstance(topic, SingleTopic)
        assert not topic.busy
        assert await store.call(relevant) == {"en": False, "de": True}
        assert await store.call(judged_by_former) == 0
        assert await store.call(lambda db: dict(db.execute("select name, relevant from host"))) == {"a.example": 1}
        told = await store.call(lambda db: set(db.execute("select url, detail from change where kind='changed'")))
        assert told == {("http://a.example/en", "left"), ("http://a.example/de", "joined")}
        learned.append(topic.model.background.pages)

    with_topic(tmp_path, first, file)
    change(file, {"keywords": ("butter", "sugar")})
    with_topic(tmp_path, second, file)
    assert learned == [2]


def test_links_that_the_former_topic_did_not_want_wait_for_the_new_one(tmp_path: Path) -> None:
    file = topic_file(tmp_path)

    async def second(topic: CrawlTopic, store: CrawlStore) -> None:
        body = "select links from body b join page p on p.page_id=b.page_id where p.language='de'"
        links = await store.call(lambda db: decode(db.execute(body).fetchone()[0]))
        assert [link.refused for link in links] == ["", "", "action"]
        assert links[0].score > 0.0
        assert not any("/" in part for part in links[0].parts), "only parts of several topics are named"
        known = await store.call(lambda db: {path for (path,) in db.execute("select path from url where state=0")})
        assert known >= {"/deep", "/waiting"}
        assert "/login" not in known

    with_topic(tmp_path, first, file)
    change(file, {"keywords": ("butter", "sugar", "flour")})
    with_topic(tmp_path, second, file)


def test_a_run_that_ends_meanwhile_leaves_it_to_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def breaks(*_: object) -> None:
        raise KeyboardInterrupt

    async def second(topic: CrawlTopic, store: CrawlStore) -> None:
        assert await store.call(relevant) == {"en": False, "de": True}

    file = topic_file(tmp_path)
    with_topic(tmp_path, first, file)
    change(file, {"keywords": ("butter", "sugar")})
    with monkeypatch.context() as patch:
        patch.setattr(topic_module, "judge_stored_pages", breaks)
        with pytest.raises(KeyboardInterrupt):
            with_topic(tmp_path, nothing, file)
    with_topic(tmp_path, second, file)


def test_without_a_change_nothing_is_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = topic_file(tmp_path)
    with_topic(tmp_path, first, file)
    file.write_text(file.read_text().replace("[topic]", '[topic]\ntitle = "Sky"'))
    monkeypatch.setattr(topic_module, "judge_stored_pages", lambda *_: pytest.fail("the topic says what it said"))
    with_topic(tmp_path, nothing, file)


def test_a_page_is_an_example_only_as_long_as_the_topic_names_it(tmp_path: Path) -> None:
    async def examples(topic: CrawlTopic, store: CrawlStore) -> None:
        await fetch(store, topic, OFF, "de", EXAMPLE)
        await fetch(store, topic, OFF, "fr", EXAMPLE)
        assert await store.call(relevant) == {"de": True, "fr": True}

    async def second(topic: CrawlTopic, store: CrawlStore) -> None:
        assert await store.call(relevant) == {"de": False, "fr": False}
        assert await store.call(lambda db: db.execute("select count(*) from page where example=1").fetchone()) == (0,)
        kinds = await store.call(lambda db: {kind for (kind,) in db.execute("select kind from url")})
        assert kinds == {LINK}, "a recrawl would call them relevant"

    file = topic_file(tmp_path, "http://a.example/de", "http://a.example/fr")
    with_topic(tmp_path, examples, file)
    change(file, {"examples": ()})
    with_topic(tmp_path, second, file)


def test_a_topic_that_is_changed_back_after_it_was_judged_in_part_is_judged_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(*_: object, **__: object) -> None:
        raise RuntimeError("killed")

    async def third(topic: CrawlTopic, store: CrawlStore) -> None:
        assert await store.call(relevant) == {"en": True, "de": False}

    file = topic_file(tmp_path)
    with_topic(tmp_path, first, file)
    change(file, {"keywords": ("butter", "sugar")})
    with monkeypatch.context() as patch:
        patch.setattr(later_verdicts, "end_topic", breaks)
        with pytest.raises(RuntimeError, match="killed"):
            with_topic(tmp_path, nothing, file)
    change(file, {"keywords": ("telescope", "comet")})
    with_topic(tmp_path, third, file)
