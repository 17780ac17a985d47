"""The project in Scrapyd: deployed as an egg, run from the zip by schedule.json, stopped by cancel.json."""

from __future__ import annotations

import sqlite3
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from focuscrawl.dashboard.scrapyd import Scrapyd
from focuscrawl.errors import BadInput
from synthweb.running import RunningWeb
from synthweb.topic_file import topic_file
from tests.crash.harness import SOON
from tests.scrapyd.server import LOGIN, ROOT, ScrapydServer

pytestmark = pytest.mark.slow
pytest.importorskip("scrapyd", reason="Scrapyd is not installed: pip install 'focuscrawl[scrapyd]'")
pytest.importorskip("scrapyd_client", reason="scrapyd-client is not installed: pip install 'focuscrawl[scrapyd]'")

STRAY = {"build", "dist", "focuscrawl.egg-info"}


@pytest.fixture(scope="module")
def web() -> Iterator[RunningWeb]:
    """Three hosts with 60 pages."""
    with RunningWeb("kill", pages=60) as running:
        yield running


@pytest.fixture(scope="module")
def server(web: RunningWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ScrapydServer]:
    """With the project deployed and `astronomy.toml` in its first root."""
    before = STRAY & {path.name for path in ROOT.iterdir()}
    with ScrapydServer(tmp_path_factory.mktemp("scrapyd")) as running:
        assert '"status": "ok"' in running.deploy()
        (running.roots / "astronomy.toml").write_text(topic_file(web.web, "astronomy"), encoding="utf-8")
        yield running
    assert STRAY & {path.name for path in ROOT.iterdir()} == before


def on(web: RunningWeb) -> list[str]:
    """Settings of a job that crawls this web."""
    return [f"DNS_SERVERS={web.dns}", "GUARD_ALLOW_NETWORKS=127.0.0.0/8", "FRONTIER_IDLE_STOP=2"]


def rows(server: ScrapydServer, crawl: str, query: str) -> list[Any]:
    with closing(sqlite3.connect(f"file:{server.crawls / crawl / 'store.sqlite'}?mode=ro", uri=True)) as db:
        return db.execute(query).fetchall()


def pages(server: ScrapydServer, crawl: str) -> tuple[int, int]:
    """Pages stored, and how many URLs they are of."""
    (found,) = rows(server, crawl, "select count(*), count(distinct url) from page where status=200")
    return int(found[0]), int(found[1])


def test_the_egg_has_all_that_runs_and_no_tests(server: ScrapydServer) -> None:
    assert server.get("listspiders.json", project="focuscrawl")["spiders"] == ["topic"]
    names = zipfile.ZipFile(server.folder / "eggs/focuscrawl/r1.egg").namelist()
    wanted = {
        "models/data/background.txt.gz", "focuscrawl/text/data/stopwords_zh.txt", "focuscrawl/report/templates/report.html",
        "spiders/topic.py", "EGG-INFO/entry_points.txt",
    }  # fmt: skip
    assert wanted <= set(names)
    assert not [name for name in names if name.startswith(("tests/", "tools/", "docs/"))]


def test_the_dashboard_schedules_and_lists_jobs(server: ScrapydServer) -> None:
    desk = Scrapyd(server.url.replace("//", f"//{LOGIN[0]}:{LOGIN[1]}@"))
    number = desk.schedule({"name": "nothing", "mode": "recrawl"})
    server.end_of(number)
    [job] = [job for job in desk.jobs() if job.id == number]
    assert (job.crawl, job.state, job.where) == ("nothing", "ended", "scrapyd")
    assert job.started_at
    assert job.ended_at
    assert 0 <= job.ended_at - job.started_at < 600
    assert job.log.startswith(server.url)
    desk.cancel(number)
    with pytest.raises(BadInput, match="its user and password"):
        Scrapyd(server.url).jobs()


def test_a_job_looks_again_without_seeds(server: ScrapydServer, web: RunningWeb) -> None:
    seeds = {"seeds": str(server.roots / "astronomy.toml"), "crawl": "again", "max_pages": "10"}
    first = server.schedule("begun", on(web), **seeds)
    assert server.end_of(first) == 0, server.job_log(first)
    again = server.schedule("again", on(web), mode="recrawl", crawl="again", revisit="all", budget="200")
    assert server.end_of(again) == 0, server.job_log(again)
    assert "summary\nRecrawl of again\nstopped because  nothing more is due" in server.job_log(again)
    (arguments,) = rows(server, "again", "select arguments from run order by id desc limit 1")[0]
    assert '"mode":"recrawl"' in arguments
    refusals: tuple[tuple[dict[str, str], str], ...] = (
        ({"mode": "recrawl", "crawl": "nothing"}, "there is no crawl 'nothing'"),
        ({"mode": "recrawl", "crawl": "../../etc"}, "holds a slash"),
        ({"mode": "recrawl", "crawl": "again", "seeds": "/etc/passwd"}, "mode=recrawl takes no seeds"),
    )
    for number, (wrong, sentence) in enumerate(refusals):
        refused = server.schedule(f"refused-{number}", on(web), **wrong)
        assert server.end_of(refused) == 2
        assert sentence in server.job_log(refused)


def test_a_job_crawls_and_its_log_says_what_a_person_needs(server: ScrapydServer, web: RunningWeb) -> None:
    arguments = {"seeds": str(server.roots / "astronomy.toml"), "strategy": "breadth-first", "crawl": "whole"}
    job = server.schedule("whole", on(web), **arguments)
    assert server.end_of(job) == 0, server.job_log(job)
    log = server.job_log(job)
    assert f"crawl whole: seeds {len(web.seeds)}, new {len(web.seeds)}; directory {server.crawls / 'whole'}\n" in log
    assert "stopping (empty)" in log
    assert "stopped because  no waiting URL falls due soon" in log
    assert f"pages stored     {web.plan.pages}\n" in log
    assert f"Report: {server.crawls / 'whole' / 'report.html'}" in log
    assert "\x1b" not in log
    assert "Traceback" not in log
    assert pages(server, "whole") == (web.plan.pages, web.plan.pages)
    items = server.folder / "items/focuscrawl/topic/whole.jl"
    assert len(items.read_text().splitlines()) == web.plan.pages
    assert (server.crawls / "whole/report.html").is_file()
    assert rows(server, "whole", "select count(*) from page where content_version = 0 and status = 200 and relevant") == [(0,)]


def test_two_jobs_share_a_frontier_and_one_is_cancelled(server: ScrapydServer, web: RunningWeb) -> None:
    arguments = {"seeds": "astronomy.toml", "strategy": "breadth-first", "crawl": "both"}
    slowly = [*on(web), "POLITENESS_DELAY=0.6"]  # they must have time to meet: on a busy machine one comes seconds later
    first, second = (server.schedule(name, slowly, **arguments) for name in ("first", "second"))
    server.wait(lambda: workers_with_pages(server, "both") == 2, "they do not share")
    server.cancel(first)
    begin = time.monotonic()
    assert server.end_of(first) == 130
    assert time.monotonic() - begin < SOON
    held = "select count(*) from lease where worker in (select id from worker where state = 'gone')"
    assert rows(server, "both", held) == [(0,)]
    assert "Ctrl-C was pressed, or the job was cancelled in Scrapyd" in server.job_log(first)
    assert server.end_of(second) == 0
    assert pages(server, "both") == (web.plan.pages, web.plan.pages)
    assert rows(server, "both", "select count(*) from lease") == [(0,)]
    assert sorted(reason for (reason,) in rows(server, "both", "select reason from run")) == ["SIGINT", "empty"]


def test_a_cancelled_job_is_resumed_by_the_next(server: ScrapydServer, web: RunningWeb) -> None:
    arguments = {"seeds": "astronomy.toml", "strategy": "breadth-first", "crawl": "resumed"}
    first = server.schedule("cancelled", [*on(web), "POLITENESS_DELAY=0.3"], **arguments)
    server.wait(lambda: workers_with_pages(server, "resumed") == 1, "nothing is stored")
    server.cancel(first)
    assert server.end_of(first) == 130
    kept, _ = pages(server, "resumed")
    assert 0 < kept < web.plan.pages
    assert "summary\nCrawl resumed\n" in server.job_log(first)
    second = server.schedule("resuming", on(web), **arguments)
    assert server.end_of(second) == 0, server.job_log(second)
    assert pages(server, "resumed") == (web.plan.pages, web.plan.pages)
    asked = "select count(*), count(distinct uid) from page where run=1"
    assert rows(server, "resumed", asked) == [(kept, kept)], "nothing is fetched again"


def workers_with_pages(server: ScrapydServer, crawl: str) -> int:
    """0 while the tables are being made."""
    try:
        return int(rows(server, crawl, "select count(distinct worker) from page")[0][0])
    except sqlite3.OperationalError:
        return 0


def test_a_cancel_while_the_crawl_is_opened(server: ScrapydServer, web: RunningWeb) -> None:
    job = server.schedule("early", on(web), seeds="astronomy.toml", crawl="early")
    server.wait(lambda: "Spider opened" in server.job_log(job), "not opened")
    server.cancel(job, "TERM")
    begin = time.monotonic()
    assert server.end_of(job) == 143, server.job_log(job)
    assert time.monotonic() - begin < SOON
    assert rows(server, "early", "select count(*) from lease") == [(0,)]
    assert rows(server, "early", "select reason from run") == [("SIGTERM",)]


HOSTILE = {
    "file": ({"seeds": "/etc/passwd"}, ["LOG_FILE={folder}/mine"], "'/etc/passwd' lies outside the folders of"),
    "named": ({"seeds": "hostile.toml"}, [], "'hostile.toml', [topic] examples: the file '../../../etc/hostname' lies outside"),
    "folder": ({"seeds": "astronomy.toml"}, ["CRAWLS_DIR=../elsewhere"], "setting CRAWLS_DIR: '../elsewhere' lies outside"),
    "component": ({"seeds": "astronomy.toml"}, ['EXTENSIONS={{"os.system": 1}}'], "'EXTENSIONS' cannot be given"),
    "network": ({"seeds": "astronomy.toml"}, ["GUARD_ALLOW_NETWORKS=0.0.0.0/0"], "0.0.0.0/0 lies outside the networks of"),
    "argument": ({"seeds": "astronomy.toml", "max_page": "3"}, [], "did you mean max_pages?"),
}
"""Arguments, settings, what stands in the job's log."""


def test_hostile_jobs_are_refused(server: ScrapydServer) -> None:
    hostile = '[topic]\nexamples = ["../../../etc/hostname"]\n[seeds]\nurls = ["a.com"]\n'
    (server.roots / "hostile.toml").write_text(hostile)
    before = sorted(server.roots.rglob("*"))
    for name, (arguments, settings, _) in HOSTILE.items():
        server.schedule(name, [setting.format(folder=server.folder) for setting in settings], **arguments)
    assert {name: server.end_of(name) for name in HOSTILE} == dict.fromkeys(HOSTILE, 2)
    for name, (_, _, told) in HOSTILE.items():
        (line,) = server.job_log(name).splitlines()
        assert "refused: " in line
        assert told in line
    assert sorted(server.roots.rglob("*")) == before
    assert not (server.folder / "mine").exists()
    assert not (server.folder / "elsewhere").exists()
