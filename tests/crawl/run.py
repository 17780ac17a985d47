"""One whole crawl in a process of its own, started from the repository's root as a user would."""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import forked
from tests.faults import watch

ROOT = Path(__file__).resolve().parents[2]
QUICK = {
    "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    "POLITENESS_DELAY": "0",
    "POLITENESS_ADDRESS_DELAY": "0",
    "FRONTIER_IDLE_STOP": "1.5",
    "FRONTIER_RETRY_DELAYS": "0.2,0.2",
}
ASTRONOMY = "telescope,galaxy,planet,nebula,supernova,comet"


@dataclass(frozen=True, slots=True)
class Run:
    """A program that has ended. `folder`: CRAWLS_DIR of a crawl."""

    code: int
    out: str
    err: str
    folder: Path

    def rows(self, name: str, query: str, *values: object) -> list[Any]:
        """Rows of a crawl's store."""
        with closing(sqlite3.connect(f"file:{self.folder / name / 'store.sqlite'}?mode=ro", uri=True)) as db:
            return db.execute(query, values).fetchall()

    def change(self, name: str, *statements: str) -> int:
        """Change a crawl's store, as time would; returns the number of rows that were changed."""
        db = sqlite3.connect(self.folder / name / "store.sqlite")
        try:
            return sum(db.execute(statement).rowcount for statement in statements)
        finally:
            db.commit()
            db.close()

    def stored(self, name: str) -> set[str]:
        """Host and path of every stored page."""
        return {place(url) for (url,) in self.rows(name, "select url from page where status=200")}

    def state(self, name: str, tail: str) -> tuple[int, str]:
        """Number of the state of a URL, and its error."""
        (row,) = self.rows(name, "select state, error from url where path=?", tail)
        return row[0], row[1]

    def topic(self, name: str, label: str = "") -> str:
        """The crawl's topic as JSON. `label`: its name in a crawl of several."""
        ((body,),) = self.rows(name, "select body from model where name=?", f"topic/{label}" if label else "topic")
        return zlib.decompress(body).decode()

    def reason(self, name: str) -> str:
        """Why the last run stopped."""
        return str(self.rows(name, "select reason from run order by id desc limit 1")[0][0])


def place(url: str) -> str:
    """`http://host:port/path` -> `host/path`."""
    host, _, path = url.split("://", 1)[1].partition("/")
    return f"{host.partition(':')[0]}/{path}"


def scrapy(*command: str, folder: Path, program: str = "scrapy") -> Run:
    """`scrapy COMMAND…` from the repository's root. `program`: the module to run, Scrapy's command line or one like it."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("SCRAPY", "COV"))}
    done = forked.run(program, *command, env=environment)
    return Run(done.returncode, done.stdout, done.stderr, folder)


def crawl(
    folder: Path, seeds: Path | str, dns: str = "", settings: dict[str, str] | None = None,
    arguments: Mapping[str, object] | None = None, extra: tuple[str, ...] = (), program: str = "scrapy",
) -> Run:  # fmt: skip
    """`scrapy crawl topic` without patience; `settings` beat QUICK, an empty one takes its value away."""
    values = QUICK | ({"DNS_SERVERS": dns} if dns else {}) | watch.settings() | (settings or {})
    command = ["crawl", "topic", "-a", f"seeds={seeds}", "-s", f"CRAWLS_DIR={folder}"]
    for name, argument in (arguments or {}).items():
        command += ["-a", f"{name}={argument}"]
    for name, value in values.items():
        command += ["-s", f"{name}={value}"] if value else []
    done = scrapy(*command, *extra, folder=folder, program=program)
    watch.note_cost(folder)
    return done


def lines(text: str) -> list[dict[str, Any]]:
    """Objects of JSON lines."""
    return [json.loads(line) for line in text.splitlines()]
