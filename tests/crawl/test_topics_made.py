"""Topics that are made of their own example pages in one crawl, each within its own scope."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.crawl.relevance.stored_topic import judge_of
from focuscrawl.store.crawl_store import CrawlStore
from focuscrawl.store.crawls import open_store
from models.page.page_model import PAGE_MODELS
from tests.crawl.run import Run, crawl
from tests.crawl.site import Reply, Site, moved, page
from tests.engines import ENGINES
from tests.factories import limits

HOSTS = {"sky.test": "127.32.0.1", "dull.test": "127.32.0.2"}
VERDICTS = "select p.url, v.topic, v.relevant, v.relevance, v.threshold from verdict v join page p on p.page_id=v.page_id"


@pytest.fixture
def site() -> Iterator[Site]:
    """Pages on the topic on both hosts; the example of the sky has moved."""
    with Site(HOSTS) as running:
        for host, on_topic in (("sky.test", True), ("dull.test", False)):
            running.answers[f"{host}/"] = page(f"home of {host}", ["/1", "/2", "/odd"], on_topic=on_topic)
            for name in ("1", "2", "example"):
                running.answers[f"{host}/{name}"] = page(f"{host} {name}", ["/3"], on_topic=on_topic)
            running.answers[f"{host}/3"] = page(f"{host} last", on_topic=on_topic)
            running.answers[f"{host}/odd"] = page(f"odd on {host}", on_topic=not on_topic)
        running.answers["sky.test/old"] = moved("/example")
        yield running


def topic(site: Site, folder: Path, host: str, example: str) -> Path:
    path = folder / f"{host.partition('.')[0]}.toml"
    urls = f'[seeds]\nurls = ["{site.url(host + "/")}"]\n[scope]\nhosts = ["{host}"]\n'
    path.write_text(f'[topic]\nexamples = ["{site.url(host + "/" + example)}"]\n{urls}')
    return path


BESIDE_PAGES = ("/robots.txt", "/sitemap.xml")


def both(site: Site, folder: Path, url: str = "") -> Run:
    seeds = f"{topic(site, folder, 'sky.test', 'old')},{topic(site, folder, 'dull.test', 'example')}"
    return crawl(folder / "crawls", seeds, site.dns, {"STORE_URL": url})


def relevant(run: Run) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {"sky": set(), "dull": set()}
    for url, name, is_relevant, _, _ in run.rows("sky+dull", VERDICTS):
        if is_relevant:
            found[name].add(url)
    return found


def test_an_example_defines_the_topics_that_name_it_and_scopes_hold_for_each(site: Site, tmp_path: Path) -> None:
    run = both(site, tmp_path)
    assert (run.code, run.reason("sky+dull")) == (0, "empty"), run.err
    assert len(run.stored("sky+dull")) == 12
    asked = [hit.host + hit.path for hit in site.hits if hit.path not in BESIDE_PAGES]
    assert len(asked) == len(set(asked)) == 13
    found = relevant(run)
    for name in ("sky", "dull"):
        assert site.url(f"{name}.test/example") in found[name]
        assert len(found[name]) >= 5
        assert all(url.startswith(f"http://{name}.test") for url in found[name])
    outside = [row for row in run.rows("sky+dull", VERDICTS) if row[1] == "sky" and row[0] == site.url("dull.test/odd")]
    assert outside[0][3] >= outside[0][4]  # it is about the sky, but no page of the sky's scope


@pytest.mark.parametrize("engine", ENGINES)
def test_two_processes_make_the_topics_once(site: Site, tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    """On PostgreSQL they have no folder in common."""
    url = "" if engine == "sqlite" else str(request.getfixturevalue("postgres_url"))
    folders = [tmp_path / name for name in (("one", "two") if url else ("one", "one"))]
    runs: list[Run] = []

    def run(folder: Path) -> None:
        runs.append(both(site, folder, url))

    for folder in set(folders):
        folder.mkdir()
    threads = [threading.Thread(target=run, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [run.code for run in runs] == [0, 0], runs[0].err + runs[1].err
    asked = [hit.host + hit.path for hit in site.hits if hit.path not in BESIDE_PAGES]
    assert len(asked) == len(set(asked)) == 13
    assert sum("topic sky of" in run.err for run in runs) == 1
    db = open_store(folders[0] / "crawls" / "sky+dull", url, read_only=True)
    assert db.execute("select count(*) from page").fetchone()[0] == 12
    for name in ("sky", "dull"):  # what the two learned adds up to every page once
        learned = judge_of(db, name, PAGE_MODELS[0], 0.0)
        assert learned is not None
        assert learned.topic.background.pages == 12
    db.close()


def test_a_process_with_another_topic_than_one_at_work_is_refused_in_one_sentence(site: Site, tmp_path: Path) -> None:
    """This one is at work, by a topic file that was edited since."""
    at_work = CrawlStore(tmp_path / "crawls" / "sky", "sky", limits(9), "{}", says={"topic ": "as it was"})
    run = crawl(tmp_path / "crawls", topic(site, tmp_path, "sky.test", "example"), site.dns)
    at_work.close("finished", "{}")
    assert (run.code, run.err.count("for another topic"), "Traceback" in run.err) == (75, 1, False), run.err
    assert not site.hits


def test_topics_without_an_example_that_can_be_had_stop_the_crawl(site: Site, tmp_path: Path) -> None:
    site.answers["dull.test/example"] = Reply(404, "gone")
    run = both(site, tmp_path)
    assert run.reason("sky+dull") == "no_topic"
    assert "Topic dull: " in run.err


def test_examples_of_one_site_that_have_moved_belong_to_the_topics_that_name_them(site: Site, tmp_path: Path) -> None:
    for name, on_topic in (("sky", True), ("dull", False)):
        site.answers[f"sky.test/{name}/old"] = moved(f"/{name}/new")
        site.answers[f"sky.test/{name}/new"] = page(f"{name} example", on_topic=on_topic)
    files = []
    for name in ("sky", "dull"):
        files.append(path := topic(site, tmp_path, f"{name}.test", "example"))
        path.write_text(path.read_text().replace(f"{name}.test:{site.port}/example", f"sky.test:{site.port}/{name}/old"))
    run = crawl(tmp_path / "crawls", ",".join(map(str, files)), site.dns)
    assert run.code == 0, run.err
    found = relevant(run)
    assert site.url("sky.test/sky/new") in found["sky"]
    assert site.url("sky.test/dull/new") in found["dull"]
