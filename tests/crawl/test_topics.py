"""Several topics in one crawl: each fetch is shared, each page judged for every topic."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from synthweb.running import RunningWeb
from tests.crawl.run import Run, crawl, lines, scrapy

TOPICS = ("astronomy", "cooking")
NAME = "astronomy+cooking"
PAGES, MORE_PAGES = 150, 540
"""A whole web is served and crawled here; a busy machine may take its time."""
KEPT = "select url from page where relevant=1 and original is null and noindex=0"
KEPT_FOR = f"{KEPT.replace('where relevant', 'p join verdict v on v.page_id=p.page_id where v.relevant')} and topic=?"


@pytest.fixture(scope="module")
def web() -> Iterator[RunningWeb]:
    with RunningWeb("demo", 3, topic=TOPICS[0]) as running:
        yield running


@pytest.fixture(scope="module")
def files(web: RunningWeb, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Of topics with examples: by keywords alone up to 17 first verdicts of 150 are wrong, by what is answered first."""
    folder = tmp_path_factory.mktemp("files")
    found = {topic: folder / f"{topic}.toml" for topic in TOPICS}
    for topic, path in found.items():
        path.write_text(web.topic_file(topic, examples=5), encoding="utf-8")
    return found


@pytest.fixture(scope="module")
def shared(web: RunningWeb, files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The crawl of both topics."""
    run = go(web, tmp_path_factory.mktemp("shared"), ",".join(map(str, files.values())), max_pages=PAGES)
    assert run.code == 0, run.err
    return run


def go(web: RunningWeb, folder: Path, seeds: str, *, patience: str = "", **arguments: object) -> Run:
    """`patience`: FRONTIER_PATIENCE; empty: the default."""
    settings = {"POLITENESS_DELAY": "0.01", "DOWNLOAD_TIMEOUT": "5", "FRONTIER_PATIENCE": patience}
    return crawl(folder, seeds, web.dns, settings, arguments)


def asked(run: Run, name: str) -> int:
    """Requests, also for robots.txt."""
    return int(json.loads(run.rows(name, "select stats from run")[0][0])["downloader/request_count"])


def on_topic(web: RunningWeb, urls: list[str], topic: str) -> int:
    return sum(web.web.label(url).topic == topic for url in urls)


def test_no_url_is_fetched_twice_and_every_page_is_judged_for_both(web: RunningWeb, shared: Run) -> None:
    assert len(shared.stored(NAME)) == PAGES
    # An answer whose coding is broken is asked for again: its status is 200, too.
    keys = Counter(shared.rows(NAME, "select hid, uid from fetches where status=200 and error=''"))
    assert set(keys.values()) == {1}
    assert shared.rows(NAME, "select topic, count(*) from verdict group by topic order by topic") == [
        (topic, PAGES) for topic in TOPICS
    ]
    wrong = """select count(*) from page p where relevant<>(select max(relevant) from verdict v where v.page_id=p.page_id)"""
    assert shared.rows(NAME, wrong) == [(0,)]


def test_both_topics_get_their_pages(web: RunningWeb, files: dict[str, Path], shared: Run, tmp_path: Path) -> None:
    """Three crawls are summed. By which answers come first, 79 to 100 % of what one keeps is right (mean of 80: 89 %)."""
    crawls = [shared, *(go(web, tmp_path / turn, ",".join(map(str, files.values())), max_pages=PAGES) for turn in "23")]
    for topic in TOPICS:
        kept = [[url for (url,) in run.rows(NAME, KEPT_FOR, topic)] for run in crawls]
        assert min(map(len, kept)) >= 20
        assert sum(on_topic(web, urls, topic) for urls in kept) >= 0.8 * sum(map(len, kept))
        assert shared.topic(NAME, topic)


def test_export_why_and_the_closing_table_tell_topics_apart(shared: Run) -> None:
    folder = ("-s", f"CRAWLS_DIR={shared.folder}")
    everything = lines(scrapy("export", NAME, *folder, folder=shared.folder).out)
    assert all(row["topics"] for row in everything)
    for topic in TOPICS:
        rows = lines(scrapy("export", NAME, "--topic", topic, *folder, folder=shared.folder).out)
        assert {row["url"] for row in rows} == {row["url"] for row in everything if topic in row["topics"]}
        assert all(row["relevance"] == row["topics"][topic] for row in rows)
    wrong = scrapy("export", NAME, "--topic", "music", *folder, folder=shared.folder)
    assert (wrong.code, wrong.err) == (2, "scrapy export: there is no topic 'music'; the crawl has astronomy, cooking\n")
    whys = (scrapy("why", row["url"], "--json", *folder, folder=shared.folder) for row in reversed(everything))
    # The last page may be a seed that was slow to answer: no link led there.
    told = next((each for each in (json.loads(why.out) for why in whys) if each["parent"] and each["parent"]["link"]), None)
    assert told
    assert set(told["verdicts"]) == set(TOPICS)
    parts = told["parent"]["link"]["parts"]
    assert parts
    assert all(name.split("/")[0] in (*TOPICS, "overlap") for name in parts)
    shown = scrapy("why", told["url"], *folder, folder=shared.folder).out
    assert "For each topic" in shown
    assert "Topics" in shared.err
    stats = json.loads(shared.rows(NAME, "select stats from run")[0][0])
    assert all(stats[f"relevance/relevant_count/{topic}"] > 0 for topic in TOPICS)


def compared(
    web: RunningWeb, files: dict[str, Path], folder: Path, bound: float, turns: int, patience: str = "", pages: int = PAGES
) -> None:
    """Crawls of both topics together find more than `bound` times what crawls of each topic alone find for as many requests.

    One crawl says little: what it finds hangs on which answers come first. All crawls so far are summed. So many `turns` of
    each settle most cases; where they don't, up to nine are made: ratios of single turns scatter by .05, so that three turns
    miss a bound that is .06 away once in forty times."""
    together, apart = Counter[str](), Counter[str]()
    for turn in range(1, 10):
        place = folder / str(turn)
        both = go(web, place / "both", ",".join(map(str, files.values())), patience=patience, max_pages=pages)
        together.update(asked=asked(both, NAME))
        for topic, path in files.items():
            alone = go(web, place, str(path), patience=patience, max_pages=2 * pages // 3)
            together.update(found=on_topic(web, [url for (url,) in both.rows(NAME, KEPT_FOR, topic)], topic))
            apart.update(found=on_topic(web, [url for (url,) in alone.rows(topic, KEPT)], topic), asked=asked(alone, topic))
        assert together["asked"] < 0.85 * apart["asked"]
        if turn >= turns and together["found"] / together["asked"] > bound * apart["found"] / apart["asked"]:
            return
    pytest.fail(f"together {together}, apart {apart}: not {bound} times as many")


def test_a_shared_crawl_finds_more_for_its_requests_than_two(web: RunningWeb, files: dict[str, Path], tmp_path: Path) -> None:
    """Without waiting: 1.37 and 1.25 times as many (two turns on a busy machine).

    The first fetches of each crawl are chosen so well that smaller crawls have little to share: with 360 pages it is 1.12, 1.12
    and 1.17, too near the bound."""
    compared(web, files, tmp_path, 1.1, turns=2, patience="0", pages=MORE_PAGES)


def test_each_topic_waits_for_its_own_better_urls(web: RunningWeb, files: dict[str, Path], tmp_path: Path) -> None:
    """Crawls that wait for better URLs waste little, alone or together: on three webs 0.98 to 1.19 of what two crawls find; on
    this one 0.97 (mean of 19 crawls of each; one alone 0.91 to 1.08)."""
    compared(web, files, tmp_path, 0.9, turns=3)


def test_a_topic_that_joins_later_is_judged_on_stored_pages(web: RunningWeb, files: dict[str, Path], tmp_path: Path) -> None:
    first = go(web, tmp_path, str(files["astronomy"]), name="grows", max_pages=60)
    assert first.code == 0, first.err
    assert first.rows("grows", "select count(*) from verdict") == [(0,)]
    both = ",".join(map(str, files.values()))
    second = go(web, tmp_path, both, name="grows", max_pages=40)
    assert second.code == 0, second.err
    assert "topic cooking: 60 stored pages judged" in second.err
    assert second.rows("grows", "select topic, count(*) from verdict group by topic order by topic") == [
        (topic, 100) for topic in TOPICS
    ]
    hosts = "select count(*) from host h where relevant<>(select coalesce(sum(relevant), 0) from page p where p.hid=h.hid)"
    assert second.rows("grows", hosts) == [(0,)]
    third = go(web, tmp_path, str(files["astronomy"]), name="grows")
    assert third.code == 2
    assert "has several topics (astronomy, cooking)" in third.err
    again = go(web, tmp_path, both, name="grows", max_pages=1)
    assert "stored pages judged" not in again.err
