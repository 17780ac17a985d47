from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scrapy.settings import Settings

from focuscrawl.config.arguments import CrawlArguments
from focuscrawl.config.job import CrawlJob
from focuscrawl.config.options import read_options
from focuscrawl.config.topic_file import TopicDefinition
from focuscrawl.frontier.states import State
from focuscrawl.inspect.comparison import STORED, ReplaySetup, as_crawled, judged_by, replayed, stored_judge
from focuscrawl.inspect.replay import model_judge
from focuscrawl.inspect.stored_web import StoredWeb, fresh
from focuscrawl.items import Link
from focuscrawl.store.crawls import open_store
from focuscrawl.store.engines.database import Database
from focuscrawl.store.pages.links import encode
from focuscrawl.text.segment import Segmenter
from focuscrawl.url.hosts import uid_of
from focuscrawl.url.scope import Scope
from models.page.page_model import make
from models.topic.vsm import TopicModel
from tests.report.sample import PAGES, SEED, add_url, hid, insert, sample_crawl

A, COPY, OFF = (page[0] for page in PAGES[1:])
MOVED, MOVED_AGAIN = "http://news.example.com/old", "http://news.example.com/older"
NOTES = "http://news.example.com/notes.txt"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    sample_crawl(tmp_path)
    db = open_store(tmp_path)
    links = [
        Link(OFF),
        Link(COPY, refused="tunnel"),
        Link(MOVED_AGAIN),
        Link("http://nowhere.example/"),
        Link(SEED, refused="scope"),
    ]
    db.execute("update body set links=? where page_id=1", (encode(links),))
    for url, target in ((MOVED, A), (MOVED_AGAIN, MOVED)):
        add_url(db, url, State.REDIR, status=301)
        insert(
            db, "fetches", worker=1, hid=hid(url), uid=uid_of(url), page_id=0, at=1.0, status=301, redirect=target,
            priority=0.5,
            depth=1, distance=0, tries=0, hops=0, kind=0, parent=1,
        )  # fmt: skip
    yield db
    db.close()


@pytest.fixture
def web(db: Database) -> StoredWeb:
    return StoredWeb(db, Segmenter())


def test_pages_links_and_seeds_are_those_of_the_store(web: StoredWeb) -> None:
    assert [page.url for page in web.pages.values()] == [page[0] for page in PAGES]
    assert list(web.seeds) == [SEED]
    content = web.read(2)
    assert content.url == A
    assert "正文" in content.words
    assert web.pages[3].group == web.pages[2].group


def test_redirects_lead_to_their_pages(web: StoredWeb) -> None:
    for url, page_id in ((SEED, 1), (A, 2), (MOVED, 2), (MOVED_AGAIN, 2)):
        found = web.find(url)
        assert found is not None
        assert found[1] == page_id
    assert web.find("http://nowhere.example/") is None


def test_what_the_course_of_the_crawl_refused_is_open_again() -> None:
    links = [Link(A, refused=rule, score=0.5, parts={"url": 0.5}) for rule in ("tunnel", "yield", "depth", "scope", "")]
    assert [link.refused for link in fresh(links)] == ["", "", "", "scope", ""]
    assert {link.score for link in links} == {0.0}


def setup_of(web: StoredWeb, truth: frozenset[int], job: CrawlJob | None = None, documents: str = "") -> ReplaySetup:
    segmenter = Segmenter(["正文"])
    settings = Settings()
    settings.setmodule("focuscrawl.settings")
    settings.update({"LINKSCORE_TUNNELLING": "fixed", "LINKSCORE_TUNNEL_DEPTH": 3, "READING_DOCUMENTS": documents})
    options = read_options(settings, {})
    return ReplaySetup(web, segmenter, lambda: TopicModel.fit(segmenter, keywords=["正文"]), truth, 10, options, job)


@pytest.mark.parametrize("strategy", ["best-first", "breadth-first"])
def test_a_replay_finds_each_relevant_text_once(web: StoredWeb, strategy: str) -> None:
    setup = setup_of(web, frozenset({1, 2}))
    run = replayed(setup, strategy)
    assert (len(run.found), run.found[-1]) == (4, 2)
    assert 0 < run.area <= 1
    assert run.missing == 1
    assert as_crawled(setup).found == [1, 2, 2, 2]


def test_a_replay_refuses_what_a_crawl_of_this_job_would(db: Database) -> None:
    links = [Link(OFF, refused="duplicate", language="fr"), Link(NOTES)]
    db.execute("update body set links=? where page_id=1", (encode(links),))
    add_url(db, NOTES, State.REDIR, status=301)
    insert(
        db, "fetches", worker=1, hid=hid(NOTES), uid=uid_of(NOTES), page_id=0, at=1.0, status=301, redirect=COPY,
        priority=0.5, depth=1, distance=0, tries=0, hops=0, kind=0, parent=1,
    )  # fmt: skip
    web, topic = StoredWeb(db, Segmenter()), TopicDefinition(languages=("zh",))
    job = CrawlJob("news", (SEED,), topic, Scope(), CrawlArguments())

    def fetched(job: CrawlJob | None, documents: str) -> int:
        return len(replayed(setup_of(web, frozenset(), job, documents), "best-first").found)

    assert fetched(None, "") == 2
    assert fetched(None, "txt") == 3
    assert fetched(job, "txt") == 2
    assert fetched(job, "") == 1


def test_a_page_model_judges_instead_of_the_crawl(web: StoredWeb) -> None:
    setup = setup_of(web, frozenset({1, 2}))
    assert replayed(setup, "best-first", "vsm").name == "best-first, vsm"
    assert replayed(setup, "best-first", STORED).name == "best-first"
    assert replayed(setup, "best-first", "calibrated").name == "best-first, calibrated"
    assert judged_by(make("vsm", setup.topic()), setup.segmenter, web) == {1, 2, 4}


def test_replays_judge_by_the_languages_of_the_topic(web: StoredWeb) -> None:
    segmenter = Segmenter(["正文"])

    def topic() -> TopicModel:
        return TopicModel.fit(segmenter, keywords=["正文"], languages=["zh"])

    assert judged_by(make("vsm", topic()), segmenter, web) == {2}, "the others are in English"
    for judge in (model_judge(make("vsm", topic()), segmenter), stored_judge(seen := topic(), web)):
        verdicts = {number: judge(number, web.read(number)) for number in web.pages}
        assert verdicts[2].relevant
    assert seen.background.pages == 2
    assert not model_judge(make("vsm", topic()), segmenter)(1, web.read(1)).relevant


def test_an_unknown_strategy_is_a_key_error(web: StoredWeb) -> None:
    with pytest.raises(KeyError):
        replayed(setup_of(web, frozenset()), "no-such")
