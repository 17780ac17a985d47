"""`scrapy recrawl` as cron starts it: what it says and where, its exit codes, and that it is alone."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from focuscrawl.commands import resume, stop
from focuscrawl.commands.recrawl import Command
from focuscrawl.store import overview
from focuscrawl.store.crawls import open_store
from focuscrawl.store.workers.runs import all_runs
from tests.commands.call import call, refused
from tests.crawl.run import ASTRONOMY, QUICK, ROOT, Run, crawl, scrapy
from tests.crawl.site import Reply, Site, moved, page
from tests.patience import PATIENCE
from tests.report import sample

pytestmark = pytest.mark.system

HOSTS = {"sky.test": "127.33.0.1", "far.test": "127.33.0.2"}
PAGES = range(12)


@pytest.fixture(scope="module")
def web() -> Iterator[Site]:
    """26 pages on two hosts."""
    with Site(HOSTS) as running:
        for host in HOSTS:
            running.answers[f"{host}/"] = page(f"home of {host}", [f"/{number}" for number in PAGES])
            for number in PAGES:
                running.answers[f"{host}/{number}"] = page(f"{host} {number}")
        yield running


@pytest.fixture(scope="module")
def crawled(web: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """CRAWLS_DIR with the crawl `sky`, the seed file of which is gone."""
    folder = tmp_path_factory.mktemp("crawled")
    seeds = folder / "sky.txt"
    seeds.write_text("".join(web.url(f"{host}/") + "\n" for host in HOSTS))
    run = crawl(folder / "crawls", seeds, web.dns, arguments={"keywords": ASTRONOMY})
    assert (run.code, len(run.stored("sky"))) == (0, 26), run.err
    seeds.unlink()
    return folder / "crawls"


@pytest.fixture
def site(web: Site) -> Iterator[Site]:
    """The web, which a test may change."""
    before = dict(web.answers)
    yield web
    web.answers.clear()
    web.answers.update(before)


@pytest.fixture
def folder(crawled: Path, tmp_path: Path) -> Path:
    """CRAWLS_DIR as the crawl has left it."""
    return Path(shutil.copytree(crawled, tmp_path / "crawls"))


def options(site: Site, folder: Path, settings: dict[str, str] | None = None) -> list[str]:
    values = QUICK | {"DNS_SERVERS": site.dns, "CRAWLS_DIR": str(folder), "RECRAWL_SIGNALS": "False"} | (settings or {})
    return [part for name, value in values.items() for part in ("-s", f"{name}={value}")]


def recrawl(site: Site, folder: Path, *said: str, settings: dict[str, str] | None = None) -> Run:
    return scrapy("recrawl", "sky", *said, *options(site, folder, settings), folder=folder)


def begin(site: Site, folder: Path, *command: str) -> subprocess.Popen[str]:
    """A process that takes its time, when it is at work."""
    before = len(site.hits)
    slowly = options(site, folder, {"POLITENESS_DELAY": "30", "FRONTIER_IDLE_STOP": "99"})
    process = subprocess.Popen(
        [sys.executable, "-m", "scrapy", *command, *slowly],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    end = time.monotonic() + PATIENCE
    while len(site.hits) < before + 2 and time.monotonic() < end:
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    return process


def figures(run: Run) -> dict[str, Any]:
    (line,) = run.out.splitlines()
    found: dict[str, Any] = json.loads(line)
    return found


def test_what_has_changed_is_told_in_few_lines_and_nothing_else(site: Site, folder: Path) -> None:
    site.answers["sky.test/3"] = page("another title and text", ["/new"])
    site.answers["sky.test/new"] = page("brand new")
    del site.answers["far.test/4"]
    run = recrawl(site, folder, "--all")
    assert (run.code, run.err) == (0, "")
    assert run.out.splitlines()[-2:] == [f"Report: {folder}/sky/recrawl.html", f"Changes: {folder}/sky/changes.html"]
    lines = [line.split(maxsplit=1) for line in run.out.splitlines()]
    told = {line[0]: line[1] for line in lines if len(line) > 1}
    assert run.out.startswith("Recrawl of sky\nstopped because  nothing more is due")
    assert (told["revisited"], told["unchanged"], told["changed"], told["new"]) == ("26", "24", "1", "1")
    assert told["gone"] == "0 (1 more suspected of it)"
    assert int(told["requests"]) == 27 + len(HOSTS) or int(told["requests"]) == 27  # robots.txt may still hold
    assert "sky.test/new" in {url.replace(f":{site.port}", "") for url in run.stored("sky")}
    arguments = json.loads(run.rows("sky", "select arguments from run order by id desc")[0][0])
    assert (arguments["mode"], arguments["revisit"], arguments["strategy"]) == ("recrawl", "all", "learned")


@pytest.mark.parametrize("logged", [("-L", "WARNING"), ("-s", "LOG_LEVEL=WARNING")])
def test_figures_are_told_once_whatever_is_logged(site: Site, folder: Path, logged: tuple[str, ...]) -> None:
    run = recrawl(site, folder, *logged)
    assert (run.code, run.err) == (0, "")
    assert run.out.count("Recrawl of sky") == 1


def test_one_object_for_programs_and_budgets(site: Site, folder: Path) -> None:
    found = figures(recrawl(site, folder, "--json"))
    assert (found["crawl"], found["reason"], found["revisited"], found["alarms"]) == ("sky", "fresh", 0, [])
    assert found["next_due"] > found["started_at"]
    before = len(site.hits)
    found = figures(recrawl(site, folder, "--all", "--budget", "7", "--json"))
    assert (found["reason"], found["requests"]) == ("budget", 7)
    assert len(site.hits) - before == 7
    found = figures(recrawl(site, folder, "--all", "--minutes", "0.02", "--json", settings={"POLITENESS_DELAY": "1"}))
    assert (found["reason"], found["revisited"] < 26) == ("minutes", True)


def test_what_asks_for_robots_txt_counts_towards_the_budget(site: Site, folder: Path) -> None:
    store = sqlite3.connect(folder / "sky" / "store.sqlite")
    store.execute("update host set robots_until=0")
    store.execute("update robots set expires_at=0")
    store.commit()
    store.close()
    before = len(site.hits)
    found = figures(recrawl(site, folder, "--all", "--budget", "1", "--json"))
    assert (found["reason"], found["requests"], len(site.hits) - before) == ("budget", 1, 1)


def test_thresholds_that_are_passed_end_with_3_and_a_sentence(site: Site, folder: Path) -> None:
    for number in PAGES[:9]:
        del site.answers[f"sky.test/{number}"]
    run = recrawl(site, folder, "--all", "--json")
    assert run.code == 3
    with closing(open_store(folder / "sky", read_only=True)) as db:
        crawled, again = all_runs(db)
        assert (crawled.pages, crawled.reason, again.reason) == (26, "empty", "fresh")
        assert overview.causes(db) == []  # what is only missing is stored
    sentence = "9 of 26 pages are gone or missing now (35%), more than RECRAWL_MOST_GONE=0.2 allows"
    assert figures(run)["alarms"] == [sentence]
    assert run.err.count("\n") == 1
    assert sentence in run.err
    assert recrawl(site, folder, "--all", settings={"RECRAWL_MOST_GONE": "0.5"}).code == 0
    for place in list(site.answers):
        site.answers[place] = Reply(403)
    run = recrawl(site, folder, "--all")
    assert run.code == 3
    assert "requests failed (" in run.err
    assert "%), more than RECRAWL_MOST_ERRORS=0.5 allows" in run.err


def test_hosts_without_an_answer_are_named_and_end_with_3_if_nothing_was_fetched(site: Site, folder: Path) -> None:
    """The recrawl of a site that was down night after night ended with 0, and its figures said nothing of it."""
    for place in [place for place in site.answers if place.startswith("sky.test/")]:
        site.answers[place] = Reply(504)
    recrawled = recrawl(site, folder, "--all", "--json")
    assert recrawled.code == 0
    assert figures(recrawled)["why"].endswith("(13) were not revisited; 13 of them on hosts that gave no answer: sky.test (13)")
    with sqlite3.connect(folder / "sky" / "store.sqlite") as store:
        store.execute("update revisit set due_at=1 where hid in (select hid from host where name='sky.test')")
    store.close()
    again = recrawl(site, folder)
    sentence = "nothing was fetched, because no host with due URLs answered"
    assert (again.code, again.err.count("\n"), sentence in again.err) == (3, 1, True)
    assert "13 of them on hosts that gave no answer: sky.test (13)" in " ".join(again.out.split())


def test_errors_in_the_log_end_with_3_and_their_number(site: Site, folder: Path) -> None:
    run = recrawl(site, folder, "--json", settings={"ITEM_PIPELINES": '{"tests.crawl.mine.Raising": 900}'})
    assert (run.code, figures(run)["alarms"]) == (3, ["1 error is in the log."]), "nothing was due, but its end failed"


def test_nobody_begins_beside_a_recrawl_and_it_begins_beside_nobody(site: Site, folder: Path, tmp_path: Path) -> None:
    first = begin(site, folder, "recrawl", "sky", "--all")
    seeds = tmp_path / "sky.txt"
    seeds.write_text("".join(site.url(f"{host}/more/{number}") + "\n" for host in HOSTS for number in range(9)))
    ordinary = ("crawl", "topic", "-a", f"seeds={seeds}", "-a", f"keywords={ASTRONOMY}")
    others = (
        recrawl(site, folder),
        scrapy(*ordinary, *options(site, folder), folder=folder),
        scrapy("crawl", "topic", "-a", "mode=recrawl", "-a", "name=sky", *options(site, folder), folder=folder),
    )
    for name, other in zip(("recrawl", "crawl", "crawl"), others, strict=True):
        assert (other.code, other.out) == (75, "")
        assert other.err.startswith(f"scrapy {name}: 'sky' is being recrawled by process {first.pid} ")
        assert other.err.count("\n") == 1
    assert first.poll() is None, "they did not wait for its end"
    first.kill()
    first.communicate()
    second = begin(site, folder, *ordinary, "-a", "max_pages=50")
    assert f"'sky' is being crawled by process {second.pid} on " in recrawl(site, folder).err
    second.send_signal(signal.SIGTERM)
    second.communicate()
    assert recrawl(site, folder, "--all", "--json").code == 0


def test_what_a_killed_recrawl_had_in_hand_waits_for_the_next(site: Site, folder: Path, tmp_path: Path) -> None:
    first = begin(site, folder, "recrawl", "sky", "--all")
    first.kill()
    first.communicate()
    seeds = tmp_path / "sky.txt"
    seeds.write_text(site.url("sky.test/"))
    before = len(site.hits)
    run = crawl(folder, seeds, site.dns, arguments={"keywords": ASTRONOMY})
    assert (run.code, run.reason("sky"), len(site.hits) - before) == (0, "empty", 0)
    found = figures(recrawl(site, folder, "--all", "--json"))
    assert (found["revisited"], found["reason"]) == (26, "fresh")


def test_from_cron(site: Site, folder: Path) -> None:
    """Nearly no environment, no input, and standard output closed, or on a full disk."""
    command = [sys.executable, "-m", "scrapy", "recrawl", "sky", *options(site, folder)]
    bare = {"PATH": "/usr/bin:/bin", "LC_ALL": "C"}
    for redirection, code, said in (
        (">&-", 0, ""),
        ("| true", 0, ""),
        (">/dev/full", 1, "scrapy recrawl: the figures cannot be written: No space"),
    ):
        done = subprocess.run(
            ["/bin/sh", "-c", f'"$@" {redirection} </dev/null', "cron", *command],
            cwd=ROOT, env=bare, capture_output=True, text=True, check=False, timeout=PATIENCE,
        )  # fmt: skip
        assert done.returncode == code, done.stderr
        assert done.stderr.startswith(said)
        assert done.stderr.count("\n") == bool(said)


def test_a_signal_ends_it_in_order(site: Site, folder: Path) -> None:
    process = begin(site, folder, "recrawl", "sky", "--all", "--json")
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (143, "")
    found = json.loads(out)
    assert (found["reason"], found["why"]) == ("SIGTERM", "a signal asked it to end")
    found = figures(recrawl(site, folder, "--all", "--json"))
    assert (found["revisited"], found["reason"]) == (26, "fresh")


def test_an_operator_who_stops_it_is_named_on_standard_error(site: Site, folder: Path) -> None:
    process = begin(site, folder, "recrawl", "sky", "--all", "--json")
    assert call(stop.Command(), folder, "sky") == 0
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, json.loads(out)["reason"], err.count("\n")) == (1, "stopped", 1)
    assert err.startswith("scrapy recrawl: 'sky' did not come to its end: an operator")


def test_a_small_run_in_which_all_is_gone_is_told(site: Site, folder: Path) -> None:
    site.answers.clear()
    run = recrawl(site, folder, "--all", "--budget", "9")
    assert run.code == 3
    assert "pages are gone or missing now (100%)" in run.err
    assert "focuscrawl.recrawl.monitors" in run.err


def test_by_crawl_topic_the_summary_is_that_of_a_recrawl(site: Site, folder: Path) -> None:
    said = ("crawl", "topic", "-a", "mode=recrawl", "-a", "name=sky", "-a", "revisit=all", "-a", "budget=1000")
    run = scrapy(*said, *options(site, folder), folder=folder)
    assert (run.code, run.out) == (0, "")
    assert "Recrawl of sky\nstopped because  nothing more is due" in run.err
    assert "harvest rate" not in run.err
    assert "it revisited 26 pages" in (folder / "sky" / "recrawl.html").read_text(encoding="utf-8")


def test_bad_input_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "an argument is missing (NAME); use: scrapy recrawl NAME" in refused(capsys, Command(), tmp_path)
    assert "too many arguments" in refused(capsys, Command(), tmp_path, "a", "b")
    assert "there is no crawl 'nws'" in refused(capsys, Command(), tmp_path, "nws")
    assert "holds a slash" in refused(capsys, Command(), tmp_path, "../nws")
    assert "unknown option --bugdet" in refused(capsys, Command(), tmp_path, "news", "--bugdet", "5")
    assert "--budget: 'many' is not a whole number" in refused(capsys, Command(), tmp_path, "news", "--budget", "many")
    assert "--minutes: '-1' is not a number above 0" in refused(capsys, Command(), tmp_path, "news", "--minutes=-1")
    assert "-a max_depth=1 belongs to scrapy crawl topic" in refused(capsys, Command(), tmp_path, "news", "-a", "max_depth=1")
    for name, value, said in (
        ("RECRAWL_MOST_GONE", "2", "setting RECRAWL_MOST_GONE"),
        ("RECRAWL_LEAST_PERIOD", "200", "setting RECRAWL_LEAST_PERIOD=200 is above RECRAWL_MOST_PERIOD=180; lower it"),
        ("RECRAWL_MOST_PERIOD", "0.01", "setting RECRAWL_MOST_PERIOD=0.01 is below RECRAWL_LEAST_PERIOD=0.04; raise"),
    ):
        assert said in refused(capsys, Command(), tmp_path, "news", "-s", f"{name}={value}")
    assert not list(tmp_path.iterdir())


def test_a_crawl_without_a_job_is_refused_and_let_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample.sample_crawl(tmp_path / "news")
    for _ in range(2):
        assert "'news' has not begun" in refused(capsys, Command(), tmp_path, "news")
    assert "did you mean 'news'" in refused(capsys, Command(), tmp_path, "newz")


def test_a_crawl_that_an_operator_stopped_is_refused(site: Site, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(stop.Command(), folder, "sky") == 0
    capsys.readouterr()
    assert "stopped the crawl" in refused(capsys, Command(), folder, "sky")
    assert call(resume.Command(), folder, "sky") == 0
    assert os.path.exists(folder / "sky" / "run" / "lock")


def test_a_site_that_has_moved_is_whole_at_its_new_place(site: Site, folder: Path) -> None:
    """Its new pages are met before the old ones redirect, and say what is stored."""
    site.answers["sky.test/"] = page("home of sky.test", [f"/new/{number}" for number in PAGES])
    for number in PAGES:
        site.answers[f"sky.test/new/{number}"] = page(f"sky.test {number}")
        site.answers[f"sky.test/{number}"] = moved(site.url(f"sky.test/new/{number}"))
    run = recrawl(site, folder, "--all")
    there = run.rows("sky", "select url from page where gone<2 and original is null and url like '%sky.test%' order by url")
    assert {url for (url,) in there} == {site.url("sky.test/"), *(site.url(f"sky.test/new/{number}") for number in PAGES)}


@pytest.mark.parametrize("host", ["sky.test", "far.test"])
def test_a_site_that_was_rebuilt_without_redirects_stays_whole(site: Site, folder: Path, host: str) -> None:
    """Its new pages are met before the old ones are known to be gone, and say what is stored. Then these are confirmed gone."""
    site.answers["sky.test/"] = page("home of sky.test", [site.url(f"{host}/new/{number}") for number in PAGES])
    for number in PAGES:
        site.answers[f"{host}/new/{number}"] = page(f"sky.test {number}")
        site.answers[f"sky.test/{number}"] = Reply(410)
    recrawl(site, folder, "--all")
    run = recrawl(site, folder, "--all")
    there = run.rows("sky", "select url from page where gone<2 and original is null and url like '%/new/%' order by url")
    assert {url for (url,) in there} == {site.url(f"{host}/new/{number}") for number in PAGES}


def test_a_site_that_was_away_for_long_comes_back_at_other_urls(site: Site, folder: Path) -> None:
    """The texts of pages that are gone are not copied."""
    answers = {f"sky.test/new/{number}": site.answers.pop(f"sky.test/{number}") for number in PAGES}
    for _ in range(3):
        run = recrawl(site, folder, "--all")
        columns = ("due_at", "checked_at", "gone_at")
        run.change("sky", *(f"update revisit set {column}={column}-300000 where {column}>300000" for column in columns))
    site.answers |= answers
    site.answers["sky.test/"] = page("home of sky.test", [f"/new/{number}" for number in PAGES])
    run = recrawl(site, folder, "--all")
    assert run.rows("sky", "select count(*) from page where gone<2 and original is null and url like '%/new/%'") == [(12,)]
