"""Jobs in one list: processes of this machine and those of a Scrapyd, which a small server stands for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from focuscrawl.dashboard.job_list import crawl_of, new_id
from focuscrawl.dashboard.jobs import LOGS
from focuscrawl.dashboard.scrapyd import Scrapyd
from focuscrawl.errors import BadInput
from focuscrawl.store.workers.lifecycle import process_started
from tests.dashboard.desk import Desk, desk_of
from tests.patience import PATIENCE
from tests.report import sample

pytestmark = pytest.mark.system

LISTED = {
    "status": "ok",
    "pending": [{"id": "next-1", "spider": "topic", "args": {"crawl": "next", "mode": "recrawl"}}],
    "running": [{"id": "news-2", "spider": "topic", "start_time": "2025-11-22 10:00:00.5", "log_url": "/logs/news-2.log"}],
    "finished": [
        {"id": "abc", "spider": "topic", "start_time": "2025-11-20 10:00:00", "end_time": "2025-11-20 11:00:00"},
        {"id": "other-3", "spider": "another"},
    ],
}


class FakeScrapyd(ThreadingHTTPServer):
    """Answers as LISTED, and notes what it is asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[tuple[str, dict[str, str], str]] = []
        self.refusal = ""
        self.url = f"http://user:p%40ss@127.0.0.1:{self.server_address[1]}"


class Handler(BaseHTTPRequestHandler):
    server: FakeScrapyd

    def do_GET(self) -> None:
        self.answer(urlsplit(self.path).query)

    def do_POST(self) -> None:
        self.answer(self.rfile.read(int(self.headers["content-length"])).decode())

    def answer(self, fields: str) -> None:
        service = urlsplit(self.path).path.strip("/")
        given = {name: values[0] for name, values in parse_qs(fields).items()}
        self.server.asked.append((service, given, self.headers.get("authorization", "")))
        told: dict[str, Any] = LISTED if service == "listjobs.json" else {"status": "ok", "jobid": given.get("jobid")}
        body = json.dumps({"status": "error", "message": self.server.refusal} if self.server.refusal else told).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def scrapyd() -> Iterator[FakeScrapyd]:
    with FakeScrapyd() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def desk(tmp_path: Path, scrapyd: FakeScrapyd) -> Desk:
    """With a Scrapyd, and a job of this machine that has failed."""
    desk = desk_of(tmp_path / "crawls", "news")
    desk.dashboard.jobs.scrapyd = Scrapyd(scrapyd.url)
    note(
        desk,
        "old-1000",
        {"at": 1_000.0, "ended_at": 1_010.0, "code": 2, "process": 1, "process_started": 1},
        "Topic <b>is</b> bad",
    )
    return desk


def note(desk: Desk, number: str, facts: dict[str, object], log: str = "") -> None:
    """What a process of an earlier dashboard has left."""
    folder = desk.crawls_dir / LOGS
    folder.mkdir(exist_ok=True)
    told = {"crawl": number.partition("-")[0], "mode": "crawl", **facts}
    (folder / f"{number}.json").write_text(json.dumps(told))
    (folder / f"{number}.log").write_text(log)


@pytest.fixture
def process(desk: Desk) -> Iterator[subprocess.Popen[bytes]]:
    """A job of this machine that runs."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as process:
        note(
            desk,
            "news-2000",
            {"at": time.time(), "process": process.pid, "process_started": process_started(process.pid)},
        )
        yield process
        process.kill()


def test_all_jobs_stand_in_one_list_what_runs_first(desk: Desk, process: subprocess.Popen[bytes]) -> None:
    found = desk.data("/jobs.json")
    assert [(job["id"], job["where"], job["crawl"], job["state"]) for job in found["jobs"]] == [  # type: ignore[attr-defined]
        ("next-1", "scrapyd", "next", "pending"),
        ("news-2000", "here", "news", "running"),
        ("news-2", "scrapyd", "news", "running"),
        ("abc", "scrapyd", "", "ended"),
        ("old-1000", "here", "old", "ended"),
    ]
    assert (found["running"], found["live"], found["problem"]) == (2, True, "")
    shown = desk.page("/jobs", **{"accept-language": "zh"})
    assert "every 3s" in shown
    assert "Topic &lt;b&gt;is&lt;/b&gt; bad" in shown
    assert "结束，退出码 2" in shown
    for secret in ("p%40ss", "p@ss", "user:"):
        assert secret not in json.dumps(found) + shown


def test_a_job_of_this_machine_is_stopped_and_its_log_read(desk: Desk, process: subprocess.Popen[bytes]) -> None:
    assert "has said nothing yet" in desk.page("/jobs/log?id=news-2000")
    status, told = desk.send("/jobs/stop", where="here", id="news-2000")
    assert (status, process.wait(PATIENCE)) == (303, -15)
    assert "asked to end" in desk.page(told)
    states = {job["id"]: job["state"] for job in desk.data("/jobs.json")["jobs"]}  # type: ignore[attr-defined]
    assert states["news-2000"] == "ended"
    assert "has ended already" in desk.page(desk.send("/jobs/stop", where="here", id="news-2000")[1])
    assert "Topic &lt;b&gt;is" in desk.page("/jobs/log?id=old-1000")


@pytest.mark.parametrize("number", ["", "../old-1000", "nothing-1", ".", "x/../old-1000"])
def test_only_logs_of_jobs_are_read(desk: Desk, number: str) -> None:
    (desk.crawls_dir / "old-1000.log").write_text("secret")
    assert desk.client.get("/jobs/log", params={"id": number}).status_code == 404


def test_a_number_that_another_process_has_now_is_no_job_of_ours(desk: Desk) -> None:
    note(desk, "x-3000", {"at": 1.0, "process": os.getpid(), "process_started": 7.0})
    assert {job["state"] for job in desk.data("/jobs.json")["jobs"] if job["id"] == "x-3000"} == {"ended"}  # type: ignore[attr-defined]
    assert "has ended already" in desk.page(desk.send("/jobs/stop", where="here", id="x-3000")[1])


def test_a_crawl_and_a_recrawl_are_scheduled(desk: Desk, scrapyd: FakeScrapyd) -> None:
    assert "Runs on" in desk.page("/start")
    status, back = desk.send("/start", where="scrapyd", urls="a.test", name="made", max_pages="5", strategy="learned")
    assert status == 303
    assert "Scrapyd has it as job made-" in desk.page(back)
    _, given, login = next(each for each in scrapyd.asked if each[0] == "schedule.json")
    assert login == "Basic dXNlcjpwQHNz"
    assert given.pop("jobid").startswith("made-")
    assert given == {
        "project": "focuscrawl", "spider": "topic", "crawl": "made", "seeds": "http://a.test/", "max_pages": "5",
        "strategy": "learned",
    }  # fmt: skip
    scrapyd.asked.clear()
    _, back = desk.send("/c/news/recrawl", where="scrapyd", revisit="all")
    assert "Scrapyd has it as job news-" in desk.page(back)
    given = next(each for each in scrapyd.asked if each[0] == "schedule.json")[1]
    assert (given["mode"], given["crawl"], given["revisit"]) == ("recrawl", "news", "all")


LONG = "中" * 79
"""A name of 237 bytes, which a crawl may have."""


def test_a_job_of_a_crawl_with_a_long_name_is_started_and_listed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.dashboard.jobs.PATIENCE", PATIENCE)
    sample.sample_crawl(desk.crawls_dir / LONG)
    assert "up to date" in desk.page(desk.send(f"/c/{LONG}/index")[1])
    [job] = [job for job in desk.data("/jobs.json")["jobs"] if job["crawl"] == LONG]  # type: ignore[attr-defined]
    assert (job["mode"], job["state"], job["code"]) == ("index", "ended", 0)
    assert desk.client.get(job["log"]).status_code == 200
    (desk.crawls_dir / LOGS / f"{job['id']}.json").unlink()  # of its name only the beginning is left
    [job] = [each for each in desk.data("/jobs.json")["jobs"] if each["id"] == job["id"]]  # type: ignore[attr-defined]
    assert job["crawl"] == ""
    assert desk.client.get("/jobs/log", params={"id": "x" * 300}).status_code == 404


def test_ids_name_their_crawl_if_that_is_not_too_long() -> None:
    assert crawl_of(new_id("my-news-2")) == "my-news-2"
    assert len(new_id(LONG).encode()) < 250
    assert new_id(LONG).startswith("中" * 66 + "…-")
    assert [crawl_of(job) for job in (new_id(LONG), "abc", "my-job")] == ["", "", ""]


def test_a_job_of_scrapyd_is_cancelled(desk: Desk, scrapyd: FakeScrapyd) -> None:
    desk.send("/jobs/stop", where="scrapyd", id="news-2")
    asked = [given for service, given, _ in scrapyd.asked if service == "cancel.json"]
    assert asked == [{"project": "focuscrawl", "job": "news-2", "signal": "TERM"}]


def test_a_scrapyd_that_refuses_or_is_away_hides_no_other_job(desk: Desk, scrapyd: FakeScrapyd) -> None:
    scrapyd.refusal = "project 'focuscrawl' not found"
    status, shown = desk.send("/start", where="scrapyd", urls="a.test", name="made")
    assert status == 400
    assert "refuses: project &#39;focuscrawl&#39; not found" in shown
    assert "refuses: project" in desk.page("/jobs")
    desk.dashboard.jobs.scrapyd = Scrapyd("127.0.0.1:1")
    found = desk.data("/jobs.json")
    assert "does not answer" in str(found["problem"])
    assert [job["id"] for job in found["jobs"]] == ["old-1000"]  # type: ignore[attr-defined]


def test_without_scrapyd_nothing_of_it_is_shown(tmp_path: Path) -> None:
    desk = desk_of(tmp_path, "first")
    assert "Scrapyd" not in desk.page("/start")
    assert "Nothing was started from here yet" in desk.page("/jobs")
    assert "no Scrapyd is set" in desk.send("/start", where="scrapyd", urls="a.test", name="made")[1]


def test_read_only_stops_no_job_and_makes_no_index(tmp_path: Path) -> None:
    assert desk_of(tmp_path, "first").page("/c/first/pages").count("Make the search index") == 1
    desk = Desk(tmp_path, read_only=True)
    assert desk.send("/jobs/stop", where="here", id="x-1")[0] == 403
    assert desk.send("/c/first/index")[0] == 403
    assert "Make the search index" not in desk.page("/c/first/pages")


def test_an_index_job_runs_behind_all_others_and_is_listed(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[list[str]] = []
    popen = subprocess.Popen

    def noted(command: list[str], **options: Any) -> subprocess.Popen[bytes]:
        begun.append(command)
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", noted)
    monkeypatch.setattr("focuscrawl.dashboard.jobs.PATIENCE", PATIENCE)  # a machine that has other work to do
    assert "up to date" in desk.page(desk.send("/c/news/index")[1])
    assert begun[0][1:6] == ["-m", "scrapy", "search", "news", "--refresh"]
    job = desk.data("/jobs.json")["jobs"][2]  # type: ignore[index]
    assert (job["crawl"], job["mode"], job["state"], job["code"]) == ("news", "index", "ended", 0)


@pytest.mark.parametrize("url", ["ftp://a.test/", "http://", "://"])
def test_what_is_no_address_of_a_scrapyd_is_said(url: str) -> None:
    with pytest.raises(BadInput, match="SCRAPYD_URL must be the URL"):
        Scrapyd(url)
