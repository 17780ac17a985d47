"""Crawls and recrawls that are started from the browser: each a process of its own, which outlives the dashboard."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.location import has_store
from focuscrawl.store.workers.runs import all_runs

LOGS = ".dashboard"
"""Folder below CRAWLS_DIR: what the processes say."""
PATIENCE = 15.0
"""Seconds to wait for a run to begin, or for the sentence that refuses it."""
LOOK_SECONDS = 0.2
LONGEST_SENTENCE = 600


@dataclass(slots=True)
class Jobs:
    crawls_dir: Path
    settings: Sequence[str] = ()
    """`NAME=VALUE`: what this dashboard was started with, so that its crawls are, too."""
    _running: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def crawl(self, arguments: Mapping[str, str]) -> bool:
        """Start `scrapy crawl topic`. `arguments` have a name. As `_start`."""
        given = [part for name, value in arguments.items() for part in ("-a", f"{name}={value}")]
        return self._start(arguments["name"], ["crawl", "topic", *given])

    def recrawl(self, name: str, options: Sequence[str]) -> bool:
        """Start `scrapy recrawl NAME`. As `_start`."""
        return self._start(name, ["recrawl", name, *options])

    def _start(self, name: str, command: Sequence[str]) -> bool:
        """Whether its run has begun; False: it takes longer than `PATIENCE`.

        Raises BadInput with what the process said when it has ended without a run."""
        self.all_ended()
        before = self._runs(name)
        folder = self.crawls_dir / LOGS
        folder.mkdir(parents=True, exist_ok=True)
        log = folder / f"{name}-{time.time_ns() // 1_000_000}.log"
        settings = [part for each in (f"CRAWLS_DIR={self.crawls_dir}", *self.settings) for part in ("-s", each)]
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "scrapy", *command, *settings], stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        self._running.append(process)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if self._runs(name) > before:
                return True
            if process.poll() is not None:
                if process.returncode in (0, 3):  # it had nothing to do, and said so
                    return True
                raise BadInput(_last_words(log) or f"the process ended with code {process.returncode}; its log is {log}")
            time.sleep(LOOK_SECONDS)
        return False

    def _runs(self, name: str) -> int:
        """How many the crawl has had."""
        directory = self.crawls_dir / name
        if has_store(directory):
            with suppress(BadInput, *ERRORS), closing(Crawl(name, directory).open()) as db:
                return len(all_runs(db, counted=False))
        return 0

    def all_ended(self) -> bool:
        """Whether none of the processes is running any more; those that have ended are forgotten."""
        self._running = [process for process in self._running if process.poll() is None]
        return not self._running


def _last_words(log: Path) -> str:
    """The sentence with which a command refuses its input is the last line that it writes."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines() if line.strip()]
    return lines[-1][:LONGEST_SENTENCE] if lines else ""
