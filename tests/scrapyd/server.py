"""A Scrapyd of its own on loopback, and the project deployed to it from a copy, as its operator would."""

from __future__ import annotations

import base64
import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlencode

from tests.patience import PATIENCE
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("focuscrawl", "spiders", "middlewares", "pipelines", "models")
FILES = ("setup.py", "pyproject.toml", "scrapy.cfg", "README.md")
LOGIN = ("operator", "secret")
CONFIG = """[scrapyd]
bind_address = 127.0.0.1
http_port = {port}
username = {login[0]}
password = {login[1]}
poll_interval = 0.2
max_proc = 4
jobs_to_keep = 100
logs_dir = {folder}/logs
items_dir = {folder}/items
eggs_dir = {folder}/eggs
dbs_dir = {folder}/dbs
"""


def copy_project(target: Path, url: str) -> None:
    """The project as an operator has it, with `url` as the target of scrapyd-deploy."""
    target.mkdir()
    for name in PACKAGES:
        shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, target / name)
    text = (target / "scrapy.cfg").read_text()
    assert "url = http://127.0.0.1:6800/" in text
    login = f"username = {LOGIN[0]}\npassword = {LOGIN[1]}"
    (target / "scrapy.cfg").write_text(text.replace("url = http://127.0.0.1:6800/", f"url = {url}\n{login}"))


class ScrapydServer:
    """Context manager. Its jobs may use files below `roots` and networks on loopback."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.roots = folder / "roots"
        self.crawls = self.roots / "crawls"
        for path in (folder / "home", self.roots):
            path.mkdir()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}/"
        self.log = folder / "scrapyd.log"
        (folder / "scrapyd.conf").write_text(CONFIG.format(port=self.port, login=LOGIN, folder=folder))
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("SCRAPY", "FOCUSCRAWL", "COV"))}
        self.environment = clean | {
            "HOME": str(folder / "home"), "XDG_CONFIG_HOME": str(folder / "home"), "PYTHONWARNINGS": "ignore",
            "FOCUSCRAWL_JOB_ROOTS": str(self.roots), "FOCUSCRAWL_JOB_NETWORKS": "127.0.0.0/8",
            "FOCUSCRAWL_POLITENESS_DELAY": "0", "FOCUSCRAWL_POLITENESS_ADDRESS_DELAY": "0",
            "FOCUSCRAWL_POLITENESS_CONCURRENCY": "4",
        }  # fmt: skip

    def __enter__(self) -> ScrapydServer:
        with self.log.open("wb") as log:
            command = [sys.executable, "-m", "scrapyd", "--pidfile="]
            self._process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=log, stderr=log)
        try:
            self.wait(lambda: self._process.poll() is not None or self._listens(), "Scrapyd does not listen")
            assert self._process.poll() is None, self.log.read_text()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        """End the jobs that still run, then Scrapyd."""
        for job in self.get("listjobs.json", project="focuscrawl").get("running", []):
            self.cancel(job["id"], "KILL")
        self._end()

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def deploy(self) -> str:
        """Send a copy of the project; what scrapyd-deploy says."""
        copy = self.folder / "project"
        copy_project(copy, self.url)
        command = [sys.executable, "-m", "scrapyd_client.deploy", "--version", "r1"]
        done = subprocess.run(command, cwd=copy, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr + done.stdout
        return done.stdout

    def get(self, service: str, **fields: str) -> dict[str, Any]:
        return self._ask(f"{service}?{urlencode(fields)}", None)

    def post(self, service: str, fields: Sequence[tuple[str, str]]) -> dict[str, Any]:
        return self._ask(service, urlencode([("project", "focuscrawl"), *fields]).encode())

    def _ask(self, path: str, data: bytes | None) -> dict[str, Any]:
        secret = base64.b64encode(":".join(LOGIN).encode()).decode()
        request = urllib.request.Request(self.url + path, data, {"Authorization": f"Basic {secret}"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=PATIENCE) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def schedule(self, job: str, settings: Sequence[str] = (), **arguments: str) -> str:
        """Start a job; its id."""
        fields = [("spider", "topic"), ("jobid", job), *(("setting", setting) for setting in settings), *arguments.items()]
        answer = self.post("schedule.json", fields)
        assert answer["status"] == "ok", answer
        return job

    def cancel(self, job: str, signal: str = "INT") -> None:
        self.post("cancel.json", [("job", job), ("signal", signal)])

    def state(self, job: str) -> str:
        return str(self.get("status.json", job=job)["currstate"])

    def end_of(self, job: str) -> int:
        """Exit code of a job, when it has ended."""
        self.wait(lambda: self.state(job) == "finished", f"{job} does not end")
        lines = [line for line in self.log.read_text().splitlines() if f"job='{job}'" in line]
        if any("Process finished" in line for line in lines):
            return 0
        (died,) = [line for line in lines if "Process died: exitstatus=" in line]
        return int(died.split("exitstatus=")[1].split()[0])

    def job_log(self, job: str) -> str:
        path = self.folder / f"logs/focuscrawl/topic/{job}.log"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def wait(self, reached: Any, why: str) -> None:
        end = time.monotonic() + PATIENCE
        while not reached():
            assert time.monotonic() < end, f"{why}: {self.log.read_text()[-3000:]}"
            time.sleep(0.05)
