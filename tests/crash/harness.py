"""Crawls of a synthetic web in processes of their own, which tests stop, kill and start again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from focuscrawl.synthweb.running import RunningWeb

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
IN_FLIGHT = 32
"""Leases that one process holds at most: twice CONCURRENT_REQUESTS. A kill makes so many requests go out again."""
DEADLINE = 90.0


class CrashSite:
    """One crawl directory under `folder` and the web that is crawled there.

    Processes that are still running are killed by `close`; log lines of all of them are in `folder`/crawl.log."""

    def __init__(
        self, web: RunningWeb, folder: Path, strategy: str = "breadth-first", keywords: str = "telescope,望远镜"
    ) -> None:
        self.web = web
        self.folder = folder
        self.directory = folder / NAME
        self.log = folder / "crawl.log"
        self._seeds = folder / "seeds.txt"
        self._seeds.write_text("\n".join(web.seeds) + "\n", encoding="utf-8")
        self._arguments = ["-a", f"seeds={self._seeds}", "-a", f"name={NAME}", "-a", f"strategy={strategy}"]
        self._arguments += ["-a", f"keywords={keywords}"] if keywords else []
        self._before = len(web.accesses())
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, program: Sequence[str] = ("-m", "scrapy"), **settings: str) -> subprocess.Popen[bytes]:
        """A crawl process; `settings` over those in FAST. `program`: what Python runs instead of Scrapy's command."""
        command = [sys.executable, *program, "crawl", "topic", *self._arguments]
        values = {"CRAWLS_DIR": str(self.folder), "DNS_SERVERS": self.web.dns, **FAST, **settings}
        for name, value in values.items():
            command += ["-s", f"{name}={value}"]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, env=os.environ)
        self._running.append(process)
        return process

    def run(self, **settings: str) -> int:
        """A crawl process up to its end; its exit code."""
        return self.end_of(self.start(**settings))

    def end_of(self, process: subprocess.Popen[bytes]) -> int:
        """Exit code of a process that ends by itself; AssertionError with the end of the log if it does not."""
        try:
            return process.wait(DEADLINE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise AssertionError(f"the crawl did not end in {DEADLINE:g} s; {self.log_end()}") from None

    def wait_requests(self, process: subprocess.Popen[bytes], count: int) -> bool:
        """Wait until the web has been asked `count` times more; False when the process ended before."""
        target = self.requests() + count
        return self.wait_until(lambda: self.requests() >= target, process)

    def wait_until(self, reached: Callable[[], bool], process: subprocess.Popen[bytes] | None = None) -> bool:
        """Wait for something; False when `process` ended before."""
        end = time.monotonic() + DEADLINE
        while not reached():
            if process is not None and process.poll() is not None:
                return False
            assert time.monotonic() < end, f"waited {DEADLINE:g} s in vain; {self.log_end()}"
            time.sleep(0.005)
        return True

    def requests(self) -> int:
        """Requests that the web has seen from anybody."""
        with open(self.web.log_path, "rb") as log:
            return log.read().count(b"\n")

    def asked(self) -> list[str]:
        """URLs that were asked for by the crawls of this site, in order, without robots.txt."""
        return [url for url in self.web.fetched()[self._before :] if not url.endswith("/robots.txt")]

    def log_text(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")

    def log_end(self) -> str:
        return "end of its log:\n" + "\n".join(self.log_text().splitlines()[-15:])

    def close(self) -> None:
        """Nothing is left running."""
        for process in self._running:
            if process.poll() is None:
                process.kill()
                process.wait()


def kill(process: subprocess.Popen[bytes]) -> bool:
    """kill -9; False when the process had already ended by itself."""
    if process.poll() is not None:
        return False
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL
