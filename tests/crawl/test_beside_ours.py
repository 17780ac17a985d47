"""A user's own pipelines, middlewares, extensions and spiders work beside ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, QUICK, Run, lines, scrapy
from tests.crawl.site import Reply, Site, moved, page

HOSTS = {"beside.test": "127.34.0.1"}
MINE = {"SPIDER_MODULES": "spiders,tests.crawl.mine"}


@pytest.fixture
def site() -> Iterator[Site]:
    with Site(HOSTS) as running:
        running.answers["beside.test/"] = page("home", ["/1", "/2", "/moved", "/private/1"])
        running.answers["beside.test/1"] = page("one", ["/3"])
        running.answers["beside.test/2"] = page("two")
        running.answers["beside.test/3"] = page("three", on_topic=False)
        running.answers["beside.test/moved"] = moved("/1")
        running.answers["beside.test/private/1"] = page("private")
        running.answers["beside.test/robots.txt"] = Reply(200, "User-agent: *\nDisallow: /private/")
        yield running


@pytest.fixture
def noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mine.txt"
    monkeypatch.setenv("MINE", str(path))
    return path


def crawled(site: Site, folder: Path, spider: str = "topic", **settings: str) -> Run:
    values = QUICK | MINE | {"DNS_SERVERS": site.dns, "CRAWLS_DIR": str(folder / "c")} | settings
    seeds = folder / "seeds.txt"
    seeds.write_text(site.url("beside.test/"))
    command = ["crawl", spider, "-a", f"seeds={seeds}", "-a", f"keywords={ASTRONOMY}", "-a", "name=beside"]
    for name, value in values.items():
        command += ["-s", f"{name}={value}"]
    return scrapy(*command, "-O", f"{folder / 'rows.jsonl'}", folder=folder / "c")


def rows(folder: Path) -> list[dict[str, object]]:
    return lines((folder / "rows.jsonl").read_text(encoding="utf-8"))


def test_pipelines_middlewares_and_extensions(site: Site, tmp_path: Path, noted: Path) -> None:
    run = crawled(
        site, tmp_path,
        ITEM_PIPELINES=json.dumps({"tests.crawl.mine.Behind": 900}),
        DOWNLOADER_MIDDLEWARES=json.dumps({"tests.crawl.mine.Header": 500}),
        EXTENSIONS=json.dumps({"tests.crawl.mine.Counter": 500}),
    )  # fmt: skip
    assert (run.code, run.reason("beside")) == (0, "empty"), run.err
    assert run.stored("beside") == {"beside.test/", "beside.test/1", "beside.test/2", "beside.test/3"}
    told = noted.read_text(encoding="utf-8").splitlines()
    assert sorted(told) == ["closed beside empty", "page home True", "page one True", "page three False", "page two True"]
    assert {hit.headers.get("x-mine") for hit in site.hits} == {"yes"}
    assert {row["title"] for row in rows(tmp_path)} == {"home", "one", "two", "three"}


def test_a_page_that_is_dropped_before_its_commit_is_given_up(site: Site, tmp_path: Path) -> None:
    run = crawled(site, tmp_path, ITEM_PIPELINES=json.dumps({"tests.crawl.mine.Before": 50}))
    assert (run.code, run.reason("beside")) == (0, "empty"), run.err
    assert "beside.test/2" not in run.stored("beside")
    assert run.state("beside", "/2")[1] == "dropped"


def test_a_page_that_is_not_returned_before_its_commit_is_given_up(site: Site, tmp_path: Path) -> None:
    """The crawl waited for it forever."""
    run = crawled(site, tmp_path, ITEM_PIPELINES=json.dumps({"tests.crawl.mine.Forgetting": 350}))
    assert (run.code, run.reason("beside")) == (3, "empty"), run.err
    assert run.stored("beside") == {"beside.test/", "beside.test/1"}
    assert [run.state("beside", path)[1] for path in ("/2", "/3")] == ["dropped", "dropped"]
    assert run.err.count("did not return the page") == 2
    assert {row["title"] for row in rows(tmp_path)} == {"home", "one"}


def test_a_request_that_a_middleware_ignores_is_no_fault(site: Site, tmp_path: Path) -> None:
    """It was given up as an error inside the crawler, which the log told with a traceback."""
    run = crawled(site, tmp_path, DOWNLOADER_MIDDLEWARES=json.dumps({"tests.crawl.mine.Ignoring": 500}))
    assert (run.code, run.reason("beside")) == (0, "empty"), run.err
    assert run.state("beside", "/2")[1] == "dropped"
    assert "/2" not in site.paths("beside.test")
    assert "Traceback" not in run.err


def test_a_fault_behind_the_commit_loses_no_page(site: Site, tmp_path: Path) -> None:
    run = crawled(site, tmp_path, ITEM_PIPELINES=json.dumps({"tests.crawl.mine.Raising": 900}))
    assert (run.code, run.reason("beside")) == (3, "empty"), run.err
    assert len(run.stored("beside")) == 4
    assert "a user's fault" in run.err
    assert "\n5 errors are in the log.\n" in run.err, "four pages and the end"
    assert "5 errors are in the log." in (run.folder / "beside" / "report.html").read_text(encoding="utf-8")
    assert rows(tmp_path) == []


def test_a_report_that_cannot_be_written_is_an_error_in_the_log(site: Site, tmp_path: Path) -> None:
    """It was logged when errors were not counted any more, and the crawl ended with 0."""
    (tmp_path / "c" / "beside" / "report.html").mkdir(parents=True)
    run = crawled(site, tmp_path)
    assert (run.code, run.reason("beside")) == (3, "empty"), run.err
    assert len(run.stored("beside")) == 4
    assert run.err.count(" ERROR: ") == run.err.count(" ERROR: no report: ") == 1


def test_a_subclass_of_the_topic_spider(site: Site, tmp_path: Path) -> None:
    run = crawled(site, tmp_path, "own-topic")
    assert (run.code, run.reason("beside")) == (0, "empty"), run.err
    assert len(run.stored("beside")) == 4
    assert sum("more" in row for row in rows(tmp_path)) >= 4


def test_a_page_that_a_subclass_keeps_to_itself_is_given_up(site: Site, tmp_path: Path) -> None:
    """The crawl waited for it forever."""
    run = crawled(site, tmp_path, "keeping")
    assert (run.code, run.reason("beside")) == (3, "empty"), run.err
    assert run.state("beside", "/2")[1] == "dropped"
    assert run.err.count("did not yield the page") == 1


@pytest.mark.parametrize("command", ["crawl", "runspider"])
def test_a_spider_that_knows_nothing_of_us(site: Site, tmp_path: Path, command: str) -> None:
    """Scrapy's own scheduler, redirects and robots.txt; our guard, resolver and User-Agent; no store."""
    source = tmp_path / "plain.py"
    source.write_text("from tests.crawl.mine import PlainSpider as Base\n\nclass PlainSpider(Base):\n    pass\n")
    settings = MINE | {
        "DNS_SERVERS": site.dns, "CRAWLS_DIR": f"{tmp_path}/c", "DOWNLOAD_DELAY": "0", "CONTACT": "me@a.test",
        "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    }  # fmt: skip
    words = [command, "plain" if command == "crawl" else str(source), "-a", f"start={site.url('beside.test/')}"]
    for name, value in settings.items():
        words += ["-s", f"{name}={value}"]
    run = scrapy(*words, "-O", f"{tmp_path / 'rows.jsonl'}", folder=tmp_path)
    assert run.code == 0, run.err
    assert {row["title"] for row in rows(tmp_path)} == {"home", "one", "two", "three"}
    assert not (tmp_path / "c").exists()
    assert {hit.headers["user-agent"] for hit in site.hits} == {"focuscrawl/0.2 (+me@a.test)"}
    assert "/private/1" not in site.paths("beside.test")


def test_the_guard_holds_for_any_spider(site: Site, tmp_path: Path) -> None:
    run = scrapy(
        "crawl", "plain", "-a", f"start={site.url('beside.test/')}", "-s", f"DNS_SERVERS={site.dns}",
        "-s", "SPIDER_MODULES=spiders,tests.crawl.mine", "-s", "STATS_DUMP=True", folder=tmp_path,
    )  # fmt: skip
    assert site.hits == []
    assert "refused_count" in run.err


def test_parse_shows_what_the_topic_spider_makes_of_a_page(site: Site, tmp_path: Path) -> None:
    settings = {"DNS_SERVERS": site.dns, "GUARD_ALLOW_NETWORKS": "127.0.0.0/8", "CRAWLS_DIR": f"{tmp_path}/c"}
    words = ["parse", "--spider=topic", "--nocolour", "--nolog", site.url("beside.test/")]
    for name, value in settings.items():
        words += ["-s", f"{name}={value}"]
    run = scrapy(*words, folder=tmp_path)
    assert run.code == 0, run.err
    for piece in ("'title': 'home'", "'status': 200", "'kind': ", "'text': 'home", "'position': ", "'anchor': '/1'"):
        assert piece in run.out
    assert f"<GET {site.url('beside.test/2')}>" in run.out
    assert not (tmp_path / "c").exists()
