"""Crawls of a synthetic web in processes of their own, which tests stop, kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

import pytest

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl, has_store
from synthweb.accesslog import Access
from synthweb.running import RunningWeb
from tests import forked
from tests.crash.served import Served
from tests.faults import watch
from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
NAME = "site"
FAST = {
    "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    "FRONTIER_IDLE_STOP": "3",
    "FRONTIER_RETRY_DELAYS": "0.2,0.5",
    "POLITENESS_DELAY": "0",
    "POLITENESS_ADDRESS_DELAY": "0",
    "POLITENESS_CONCURRENCY": "8",
    "POLITENESS_ADDRESS_CONCURRENCY": "16",
    "LIVE_ENABLED": "False",
    "LOG_LEVEL": "INFO",
}
"""Nothing waits, so that kills find a process that is at work."""
SCRAPY = "scrapy"
FAULTY = "tests.crash.faulty"
"""The same with a fault built in, which environment variables name."""
IN_FLIGHT = 32
"""Leases that one process holds at most: twice CONCURRENT_REQUESTS. A kill makes so many requests go out again."""
SOON = 60.0
"""Seconds: at once, or after the 5 s for which answers may still come in, on a machine with much else to do. What is not done
at once waits for an answer, a lock or a dead worker: for longer than that, in the tests that tell the two apart."""
WAITS, GOES_ON = "store: writing waits", "store: writing goes on"
"""What the log says when the store cannot be written, and when it can again."""
Process = forked.Process


class CrashSite:
    """One crawl directory under `folder` and the web that is crawled there.

    `served`: the PostgreSQL server that holds the store; None: SQLite in the directory. Processes that are still running
    are killed by `close`; log lines of all of them are in `folder`/crawl.log."""

    def __init__(
        self, web: RunningWeb, folder: Path, strategy: str = "breadth-first", keywords: str = "telescope,望远镜",
        *, served: Served | None = None,
    ) -> None:  # fmt: skip
        self.web = web
        self.folder = folder
        self.directory = folder / NAME
        self.log = folder / "crawl.log"
        self.served = served
        self.url = served.new_database() if served else ""
        self._seeds = folder / "seeds.txt"
        self._seeds.write_text("\n".join(web.seeds) + "\n", encoding="utf-8")
        self._arguments = ["-a", f"seeds={self._seeds}", "-a", f"name={NAME}", "-a", f"strategy={strategy}"]
        self._arguments += ["-a", f"keywords={keywords}"] if keywords else []
        self._before = len(web.accesses())
        self._running: list[Process] = []

    def start(
        self,
        program: str = SCRAPY,
        settings: Mapping[str, object] | None = None,
        *,
        port: int = 0,
        environment: Mapping[str, object] | None = None,
        arguments: Mapping[str, str] | None = None,
        recrawl: bool = False,
    ) -> Process:
        """A crawl process; `settings` over those in FAST. `program`: the module to run, Scrapy's command line or one like it.
        `port`: by which it reaches the database, if not directly. `arguments`: of the spider, besides the usual ones.
        `recrawl`: it looks again at every page."""
        again = ["-a", f"name={NAME}", "-a", "mode=recrawl", "-a", "revisit=all"]
        command = ["crawl", "topic", *(again if recrawl else self._arguments)]
        for argument, said in (arguments or {}).items():
            command += ["-a", f"{argument}={said}"]
        values = {
            "CRAWLS_DIR": str(self.folder),
            "DNS_SERVERS": self.web.dns,
            "STORE_URL": self.url,
            **FAST,
            **watch.settings(),
            **(settings or {}),
        }
        for name, value in values.items():
            command += [] if value == "" else ["-s", f"{name}={value}"]
        further = {name: str(value) for name, value in (environment or {}).items()}
        if port:
            further["PGPORT"] = str(port)
        with self.log.open("ab") as log:
            process = forked.start(program, *command, stdout=log, stderr=log, env={**os.environ, **further})
        self._running.append(process)
        return process

    def run(self, program: str = SCRAPY, settings: Mapping[str, object] | None = None) -> int:
        """A crawl process up to its end; its exit code."""
        return self.end_of(self.start(program, settings))

    def end_of(self, process: Process) -> int:
        """Exit code of a process that ends by itself; AssertionError with the end of the log if it does not."""
        try:
            return process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the crawl did not end in {PATIENCE:g} s; {self.log_end()}") from None

    def wait_requests(self, process: Process, count: int) -> bool:
        """Wait until the web has been asked `count` times more; False when the process ended before."""
        target = self.requests() + count
        return self.wait_until(lambda: self.requests() >= target, process)

    def wait_until(self, reached: Callable[[], bool], process: Process | None = None) -> bool:
        """Wait for something; False when `process` ended before."""
        end = time.monotonic() + PATIENCE
        while not reached():
            if process is not None and process.poll() is not None:
                return reached()
            assert time.monotonic() < end, f"waited {PATIENCE:g} s in vain; {self.log_end()}"
            time.sleep(0.005)
        return True

    def says(self, text: str, process: Process | None = None) -> bool:
        """Wait until the log holds it; False when `process` ended before."""
        return self.wait_until(lambda: text in self.log_text(), process)

    def requests(self) -> int:
        """Requests that the web has seen from anybody."""
        with open(self.web.log_path, "rb") as log:
            return log.read().count(b"\n")

    def accesses(self) -> list[Access]:
        """Requests by the crawls of this site, in order."""
        return self.web.accesses()[self._before :]

    def asked(self) -> list[str]:
        """URLs that were asked for by the crawls of this site, in order, without robots.txt."""
        suffix = self.web.web.facts.suffix
        accesses = [access for access in self.accesses() if access.path != "/robots.txt"]
        return [f"http://{access.host}{suffix}{access.path}" for access in accesses]

    def rows(self, query: str) -> list[Any]:
        """Of the store; none while there is no store yet."""
        if not has_store(self.directory):
            return []
        try:
            db = Crawl(NAME, self.directory).open()
        except BadInput:  # a process is just making the tables
            return []
        try:
            return db.execute(query).fetchall()
        finally:
            db.close()

    def log_text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace") if self.log.exists() else ""

    def log_end(self, lines: int = 15) -> str:
        return "end of its log:\n" + "\n".join(self.log_text().splitlines()[-lines:])

    def close(self) -> None:
        """Nothing is left running."""
        for process in self._running:
            if process.poll() is None:
                process.kill()
                process.wait()
        if self.served and self.url:
            self.served.drop_database(self.url)
            self.url = ""


class MakeSite(Protocol):
    """The fixture of that name: a site whose processes end with the test."""

    def __call__(self, web: RunningWeb, **options: Any) -> CrashSite: ...


def kill(process: Process) -> bool:
    """kill -9; False when the process had already ended by itself."""
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL


def must(*command: str | Path) -> str:
    """Its output; the test is skipped where this machine does not let us."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"{command[0]} does not work here: {done.stderr.strip()}")
    return done.stdout.strip()


def assert_stands_still(site: CrashSite, process: Process) -> None:
    """It goes on with what it has in hand, and fetches nothing more that it cannot keep."""
    begun, before = site.requests(), -1
    while before != (now := site.requests()):
        before = now
        time.sleep(1.0)
    assert now - begun <= IN_FLIGHT
    assert process.poll() is None, site.log_end()
