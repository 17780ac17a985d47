"""Crawls, recrawls and search indexes that were started in the browser: each is a separate process, which outlives the
dashboard, or a job of Scrapyd.

Each process has a log file in the folder `LOGS`, and beside it a JSON file of facts about it, so that a later dashboard can
list it as well.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from focuscrawl.dashboard.job_list import ENDED, HERE, RUNNING, ListedJob, crawl_of, new_id
from focuscrawl.dashboard.scrapyd import Scrapyd
from focuscrawl.errors import BadInput
from focuscrawl.store.crawls import Crawl, has_store
from focuscrawl.store.engines.database import ERRORS
from focuscrawl.store.workers.lifecycle import process_started
from focuscrawl.store.workers.runs import all_runs

LOGS = ".dashboard"
"""Folder below CRAWLS_DIR that holds the output of the processes."""
PATIENCE = 15.0
"""Seconds to wait until a run has begun, an index is made, or the process has failed with a message."""
LOOK_SECONDS = 0.2
LONGEST_SENTENCE = 600
SHOWN_BYTES, LAST_BYTES = 100_000, 64_000
"""How much of the end of a log is shown."""
MOST_JOBS = 200
"""How many jobs of this machine, and how many of Scrapyd, are listed: the latest ones."""


@dataclass(slots=True)
class Jobs:
    crawls_dir: Path
    settings: Sequence[str] = ()
    """Settings (`NAME=VALUE`) of this dashboard's command line, which its crawls are started with as well."""
    scrapyd: Scrapyd | None = None
    _running: dict[str, subprocess.Popen[bytes]] = field(default_factory=dict)
    """Processes that this dashboard has started, by job number."""

    def crawl(self, arguments: Mapping[str, str]) -> bool:
        """Start `scrapy crawl topic`; see `_start`. `arguments` must contain `name`."""
        given = [part for name, value in arguments.items() for part in ("-a", f"{name}={value}")]
        return self._start(arguments["name"], ["crawl", "topic", *given])

    def recrawl(self, name: str, options: Sequence[str]) -> bool:
        """Start `scrapy recrawl NAME`; see `_start`."""
        return self._start(name, ["recrawl", name, *options])

    def index(self, name: str) -> bool:
        """Start `scrapy search NAME --refresh`. Returns False if it takes longer than `PATIENCE`.

        Raises BadInput with the process's last line if it has failed."""
        return self._begin(name, "index", ["search", name, "--refresh"], lambda: False)

    def _start(self, name: str, command: Sequence[str]) -> bool:
        """Start a process and wait until its run has begun. Returns False if that takes longer than `PATIENCE`.

        Raises BadInput with the process's last line if it has failed."""
        before = self._runs(name)
        return self._begin(name, command[0], command, lambda: self._runs(name) > before)

    def _begin(self, name: str, mode: str, command: Sequence[str], begun: Callable[[], bool]) -> bool:
        """Start a process. Returns whether it has `begun` or succeeded within `PATIENCE`. Raises BadInput if it has failed."""
        self.all_ended()
        self._folder.mkdir(parents=True, exist_ok=True)
        number = new_id(name)
        log = self._folder / f"{number}.log"
        settings = [part for each in (f"CRAWLS_DIR={self.crawls_dir}", *self.settings) for part in ("-s", each)]
        with log.open("wb") as out:
            process = subprocess.Popen(
                [sys.executable, "-m", "scrapy", *command, *settings], stdin=subprocess.DEVNULL, stdout=out,
                stderr=subprocess.STDOUT, start_new_session=True,
            )  # fmt: skip
        self._running[number] = process
        facts = {"crawl": name, "mode": mode, "at": time.time(), "process": process.pid}
        _write(log, facts | {"process_started": process_started(process.pid)})
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if begun():
                return True
            if process.poll() is not None:
                if process.returncode in (0, 3):  # it had nothing to do, and said so
                    return True
                raise BadInput(_last_words(log) or f"the process ended with code {process.returncode}; its log is {log}")
            time.sleep(LOOK_SECONDS)
        return False

    def _runs(self, name: str) -> int:
        """The number of runs that the crawl has had."""
        directory = self.crawls_dir / name
        if has_store(directory):
            with suppress(BadInput, *ERRORS), closing(Crawl(name, directory).open()) as db:
                return len(all_runs(db, counted=False))
        return 0

    def all_ended(self) -> bool:
        """Whether no process is running any more. Records the exit codes of those that have ended."""
        for number, process in list(self._running.items()):
            if process.poll() is not None:
                log = self._folder / f"{number}.log"
                _write(log, _facts(log) | {"code": process.returncode, "ended_at": time.time()})
                self._running.pop(number, None)  # another reader may have been faster
        return not self._running

    @property
    def _folder(self) -> Path:
        return self.crawls_dir / LOGS

    def here(self) -> list[ListedJob]:
        """The processes that dashboards have started on this machine, latest first."""
        self.all_ended()
        logs = sorted(self._folder.glob("*-*.log"), key=lambda log: log.stem.rpartition("-")[2], reverse=True)
        return [self._job(log) for log in logs[:MOST_JOBS]]

    def _job(self, log: Path) -> ListedJob:
        facts = _facts(log)
        running, code = _is_running(facts), facts.get("code")
        ended_at = None if running else float(facts.get("ended_at") or log.stat().st_mtime)
        return ListedJob(
            log.stem, HERE, str(facts.get("crawl", crawl_of(log.stem))), str(facts.get("mode", "")),
            RUNNING if running else ENDED, float(facts.get("at") or log.stat().st_mtime), ended_at, code,
            said=_last_words(log) if code else "", log=f"/jobs/log?id={log.stem}",
        )  # fmt: skip

    def log(self, number: str) -> tuple[str, bool]:
        """The end of a job's log, and whether it was cut. Raises BadInput if there is no such job on this machine."""
        return _end_of(self._log_of(number), SHOWN_BYTES)

    def stop(self, number: str) -> None:
        """Ask a process of this machine to end after what is in flight. Raises BadInput if it does not run."""
        facts = _facts(self._log_of(number))
        if not _is_running(facts):
            raise BadInput("that job has ended already")
        os.kill(int(facts["process"]), signal.SIGTERM)

    def _log_of(self, number: str) -> Path:
        log = self._folder / f"{number}.log"
        with suppress(OSError):  # too long a name
            if log.parent == self._folder and not log.name.startswith(".") and log.is_file():
                return log
        raise BadInput(f"there is no job {number[:80]!r} of this machine")


def _facts(log: Path) -> dict[str, Any]:
    """The stored facts about a process; empty if there are none or they cannot be read."""
    try:
        found = orjson.loads(log.with_suffix(".json").read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(log: Path, facts: Mapping[str, object]) -> None:
    log.with_suffix(".json").write_bytes(orjson.dumps(facts))


def _is_running(facts: Mapping[str, Any]) -> bool:
    """Whether the process runs. Its start time is compared, because process ids are reused."""
    started = facts.get("process_started")
    return bool(started) and process_started(int(facts.get("process", 0))) == started


def _end_of(log: Path, most: int) -> tuple[str, bool]:
    """The last `most` bytes of a log, and whether there are more."""
    with log.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - most, 0))
        return file.read().decode("utf-8", "replace"), size > most


def _last_words(log: Path) -> str:
    """The last line of a log, which is the error message if a command has refused its input."""
    text, _ = _end_of(log, LAST_BYTES)
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:LONGEST_SENTENCE] if lines else ""
