"""A crawl of a living web, looked at again at simulated times: nothing waits, and the web's clock stands during a run."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synthweb.accesslog import Access
from synthweb.life import DAY
from synthweb.running import RunningWeb
from synthweb.web import SyntheticWeb
from tests import forked
from tests.recrawl.later import LATER

ROOT = Path(__file__).resolve().parents[2]
START = 1_900_000_000.0
"""When the life of the web begins."""
FIRST = START + 20 * DAY
"""When it is first crawled: some pages are gone by then."""
NAME = "living"
KEYWORDS = "telescope,galaxy,planet,nebula,望远镜,星系,行星"
SETTINGS = {
    "GUARD_ALLOW_NETWORKS": "127.0.0.0/8",
    "FRONTIER_IDLE_STOP": "2",
    "FRONTIER_RETRY_DELAYS": "0.2",
    "POLITENESS_DELAY": "0",
    "POLITENESS_ADDRESS_DELAY": "0",
    "POLITENESS_CONCURRENCY": "8",
    "POLITENESS_ADDRESS_CONCURRENCY": "16",
    "LIVE_ENABLED": "False",
    "LOG_LEVEL": "INFO",
}


def living_web(pages: int, seed: int = 1) -> RunningWeb:
    """To be entered; its clock stands at FIRST once `LivingCrawl.at` was called."""
    return RunningWeb("living", seed, pages=pages, living=START)


@dataclass(frozen=True, slots=True)
class Ran:
    """A program that has ended, and what it asked of the web."""

    code: int
    out: str
    err: str
    asked: tuple[Access, ...]
    """Without robots.txt."""
    seconds: float

    @property
    def requests(self) -> int:
        return len(self.asked)

    def urls(self, web: SyntheticWeb) -> set[str]:
        """What was asked for, as it was written."""
        return {f"http://{access.host}{web.facts.suffix}{access.path}" for access in self.asked}


class LivingCrawl:
    """One crawl directory under `folder`; times are seconds since the epoch by the web's clock."""

    def __init__(self, web: RunningWeb, folder: Path, settings: Mapping[str, object] | None = None) -> None:
        self.web = web
        self.folder = folder
        self.store = folder / NAME / "store.sqlite"
        self.times: list[float] = []
        self._settings = {"CRAWLS_DIR": str(folder), "DNS_SERVERS": web.dns, **SETTINGS, **(settings or {})}
        self._later = 0.0

    def copy(self, folder: Path, settings: Mapping[str, object] | None = None) -> LivingCrawl:
        """The same crawl in another folder, to go on in another way."""
        other = LivingCrawl(self.web, folder, settings)
        shutil.copytree(self.folder / NAME, folder / NAME)
        other.times, other._later = [*self.times], self._later
        return other

    def at(self, now: float) -> None:
        """Set the clocks of the web and of the next programs; the web's stands, theirs go on."""
        self._later = now - time.time()
        self.times.append(now)
        self.web.set_now(now)

    def scrapy(self, *command: str, **settings: object) -> Ran:
        """`scrapy COMMAND…` at the present time."""
        before, began = len(self.web.accesses()), time.monotonic()
        for name, value in {**self._settings, **settings}.items():
            command = (*command, "-s", f"{name}={value}")
        environment = {**os.environ, LATER: repr(self._later)}
        done = forked.run("tests.recrawl.later", *command, env=environment)
        asked = [access for access in self.web.accesses()[before:] if access.path != "/robots.txt"]
        return Ran(done.returncode, done.stdout, done.stderr, tuple(asked), time.monotonic() - began)

    def crawl(self) -> Ran:
        """Everything that can be reached, the topic or not."""
        seeds = self.folder / "seeds.txt"
        homes = [self.web.web.facts.url(host, "/") for host in self.web.web.hosts]
        seeds.write_text("\n".join(homes) + "\n", encoding="utf-8")
        arguments = {"seeds": seeds, "name": NAME, "strategy": "breadth-first", "keywords": KEYWORDS}
        return self.scrapy("crawl", "topic", *(part for key, value in arguments.items() for part in ("-a", f"{key}={value}")))

    def recrawl(self, *options: str, **settings: object) -> Ran:
        """`scrapy recrawl NAME`."""
        return self.scrapy("recrawl", NAME, *options, **settings)

    def changes(self, *options: str) -> dict[str, Any]:
        """`scrapy changes NAME --json`."""
        ran = self.scrapy("changes", NAME, "--json", *options)
        assert ran.code == 0, ran.err[-2000:]
        told: dict[str, Any] = json.loads(ran.out)
        return told

    def rows(self, query: str, *values: object) -> list[Any]:
        """Rows of the store."""
        with closing(sqlite3.connect(f"file:{self.store}?mode=ro", uri=True)) as db:
            return db.execute(query, values).fetchall()

    def stats(self) -> dict[str, Any]:
        """Of the last run."""
        ((stats,),) = self.rows("select stats from run order by id desc limit 1")
        told: dict[str, Any] = json.loads(stats)
        return told

    def web_time(self, at: float) -> float:
        """What the web's clock said at a time by the store's clock, which goes on during a run."""
        return max(time for time in self.times if time <= at + 1)

    def logged(self) -> list[tuple[str, str, int, str]]:
        """Kind, URL, distance and detail of the changes that the last run has found."""
        return self.rows("select kind, url, distance, detail from change where run=(select max(id) from run) order by id")

    def pages(self) -> dict[str, tuple[float, float]]:
        """Stored pages that are not gone: the web's time when each was last read, and last looked at."""
        rows = self.rows(
            """select p.url, v.read_at, v.checked_at from page p join revisit v on v.hid=p.hid and v.uid=p.uid
            where p.status=200 and p.gone=0"""
        )
        return {url: (self.web_time(read), self.web_time(looked)) for url, read, looked in rows if read}
