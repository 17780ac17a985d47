from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from scrapy.commands import ScrapyCommand

from focuscrawl.commands import pause, resume, stop, workers
from focuscrawl.crawl.start.preflight import check_directory
from focuscrawl.errors import BadInput, DiskFull, in_shell
from focuscrawl.frontier.partition import Partition
from focuscrawl.inspect.reporting import last_run
from focuscrawl.store.crawls import crawl_named
from focuscrawl.store.frontier.partitions import settle_grain
from focuscrawl.store.workers.control import WantedState, read_control
from tests.commands.call import call, refused
from tests.commands.workers import add_worker
from tests.report import sample


@pytest.fixture
def crawls(tmp_path: Path) -> Path:
    sample.sample_crawl(tmp_path / "news")
    return tmp_path


def say(command: Callable[[], ScrapyCommand], crawls: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert call(command(), crawls, *arguments) == 0
    return capsys.readouterr().out


def wanted(crawls: Path) -> WantedState:
    with closing(crawl_named(crawls, "news").open()) as db:
        return read_control(db).state


def test_each_command_says_what_follows(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "no worker is at work, and one that starts waits" in say(pause.Command, crawls, capsys, "news")
    assert wanted(crawls) is WantedState.PAUSE
    add_worker(crawls)
    assert say(pause.Command, crawls, capsys, "news") == (
        "crawl news was already paused: 1 worker will lease nothing more; `scrapy resume news` lets it continue\n"
    )
    assert "is stopped: 1 worker" in say(stop.Command, crawls, capsys, "news")
    assert wanted(crawls) is WantedState.STOP
    assert "runs again: 1 worker" in say(resume.Command, crawls, capsys, "news")
    assert wanted(crawls) is WantedState.RUN


def test_a_name_in_a_proposed_command_is_quoted_for_the_shell(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`scrapy resume red tea` resumed nothing; Chinese letters need no quotes."""
    (crawls / "news").rename(crawls / "red tea; $茶")
    told = say(pause.Command, crawls, capsys, "red tea; $茶")
    assert "crawl red tea; $茶 is paused: " in told
    assert shlex.split(told.split("`")[1]) == ["scrapy", "resume", "red tea; $茶"]
    with pytest.raises(BadInput, match=r"`scrapy recrawl 'red tea; \$茶'` does"):
        last_run(crawl_named(crawls, "red tea; $茶"), recrawl=True)
    assert in_shell("铁路") == "铁路"


def test_a_stopped_crawl_does_not_start_and_names_the_way_out(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check_directory(crawls / "news")
    say(stop.Command, crawls, capsys, "news")
    with pytest.raises(BadInput, match=r"an operator \(.*\) stopped the crawl at .*; `scrapy resume news` resumes it"):
        check_directory(crawls / "news")
    say(pause.Command, crawls, capsys, "news")
    check_directory(crawls / "news")  # it starts, and waits


@pytest.mark.parametrize("command", [stop.Command, pause.Command, resume.Command])
def test_bad_input(command: Callable[[], ScrapyCommand], crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ([], ["new"], ["news", "x"], ["news", "--now"]):
        refused(capsys, command(), crawls, *arguments)


def test_workers_as_a_table(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_worker(crawls, ended=True, silence=7200)
    add_worker(crawls, stats=json.dumps({"pages": 1234, "pages_per_minute": 61.5, "partition": "1/2"}))
    head, row = say(workers.Command, crawls, capsys, "news").splitlines()[:2]
    assert head.split() == ["id", "state", "machine", "pid", "pages", "/min", "hosts", "leases", "heard", "part"]
    assert row.split()[:2] == ["2", "live"]
    assert "1,234" in row
    assert " 62 " in row
    assert len(say(workers.Command, crawls, capsys, "news", "--all").splitlines()) == 4
    assert say(workers.Command, crawls, capsys).split()[0] == "crawl"


def test_workers_of_a_crawl_where_nobody_is_at_work(crawls: Path, capsys: pytest.CaptureFixture[str]) -> None:
    add_worker(crawls, ended=True, silence=120)
    say(pause.Command, crawls, capsys, "news")
    told = say(workers.Command, crawls, capsys, "news")
    assert "news is paused by " in told
    assert "nobody works on news now; the last heartbeat came 2 min ago" in told
    [line] = say(workers.Command, crawls, capsys, "news", "--json").splitlines()
    assert json.loads(line)["state"] == "gone"


def test_workers_of_no_crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call(workers.Command(), tmp_path) == 0
    assert capsys.readouterr().err == "no worker is at work\n"


def test_another_grain_than_that_of_live_workers_is_refused_at_the_start(crawls: Path) -> None:
    db = crawl_named(crawls, "news").open(write=True)
    settle_grain(db, Partition(1, 2, "domain"), 0)
    db.close()
    check_directory(crawls / "news", partition=Partition(2, 2, "path"))  # nobody is at work
    add_worker(crawls)
    check_directory(crawls / "news", partition=Partition(2, 2, "domain"))
    with pytest.raises(BadInput, match="PARTITION_GRAIN=path cannot be used now: other workers share this crawl by domain"):
        check_directory(crawls / "news", partition=Partition(2, 2, "path"))


def test_workers_of_a_store_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "store.json").write_text('{"url": "postgresql://me@127.0.0.1:1/x", "schema": "crawl_far"}')
    assert call(workers.Command(), tmp_path) == 0
    assert "no worker is at work, as far as stores can be read" in capsys.readouterr().err
    assert "postgresql://me@127.0.0.1:1/x cannot be used" in refused(capsys, workers.Command(), tmp_path, "far", code=1)


@pytest.mark.parametrize("part", ["news", "news/warc", "news/store.sqlite"])
def test_a_crawl_that_could_not_keep_its_pages_is_refused(crawls: Path, monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    (crawls / "news" / "warc").mkdir(exist_ok=True)
    monkeypatch.setattr("os.access", lambda path, mode: path != crawls / part)
    with pytest.raises(BadInput, match=r"cannot be written to by this user: the crawl can be read, but cannot continue; let "):
        check_directory(crawls / "news")


def test_a_crawl_that_could_not_be_kept_is_not_begun(crawls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.access", lambda path, mode: path != crawls)
    with pytest.raises(BadInput, match=r"cannot be written to: the crawl would be kept in .*new; set CRAWLS_DIR"):
        check_directory(crawls / "new")


def test_no_run_is_begun_on_a_full_disk(crawls: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended in tracebacks: the store could not be made, or no run be noted in it."""
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=1000))
    with pytest.raises(
        DiskFull, match=r"the disk of .* is full: the crawl would be kept in .*new; make room, or set CRAWLS_DIR"
    ):
        check_directory(crawls / "new")
    with pytest.raises(DiskFull, match=r"the disk of .*news is full; make room, then start again"):
        check_directory(crawls / "news")
