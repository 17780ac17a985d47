"""The longest stall of the event loop on the hostile host, and what became of each case: `python tools/bench/stall.py`.

A Scrapy extension sleeps 20 ms again and again and notes how late it wakes, and how much CPU time the loop's thread took
meanwhile, which other load on the machine does not lengthen. Every case is a seed, so that a case which stops others shows. The
outcome of each is compared with those that the synthetic web accepts.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
from operator import itemgetter
from pathlib import Path

from scrapy import signals
from scrapy.crawler import Crawler

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from focuscrawl.frontier.states import State  # noqa: E402
from focuscrawl.store.engines.sqlite import connect  # noqa: E402
from synthweb.hostile.case import Case  # noqa: E402
from synthweb.hostile.site import CASES, HOST, STOPS_HOST  # noqa: E402
from synthweb.running import RunningWeb  # noqa: E402
from tools.bench.throughput import ENVIRONMENT, SETTINGS  # noqa: E402

LIMIT = 0.5
"""Seconds."""
STEP = 0.02
QUERY = """select u.path, u.state, u.status, u.error, p.truncated, b.text from url u join host h on h.hid=u.hid
    left join page p on p.hid=u.hid and p.uid=u.uid left join body b on b.page_id=p.page_id where h.name=?"""
FILTERED = ("type", "address", "scheme", "port", "host")


class LoopMonitor:
    """Writes the longest delays of the loop with the page that was read last, as JSON, to the setting STALL_FILE."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._worst: list[tuple[float, float, str]] = []
        self._around: list[str] = []
        self._task: asyncio.Task[None] | None = None

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> LoopMonitor:
        monitor = cls(crawler.settings["STALL_FILE"])
        crawler.signals.connect(monitor.opened, signals.spider_opened)
        crawler.signals.connect(monitor.received, signals.response_received)
        crawler.signals.connect(monitor.closed, signals.spider_closed)
        return monitor

    def opened(self) -> None:
        self._task = asyncio.ensure_future(self._watch())

    def received(self, response: object) -> None:
        self._around.append(str(getattr(response, "url", "")))

    def closed(self) -> None:
        if self._task:
            self._task.cancel()
        worst = [*sorted(self._worst, reverse=True)[:8], max(self._worst, key=itemgetter(1), default=(0.0, 0.0, ""))]
        Path(self._file).write_text(json.dumps(worst), "utf-8")

    async def _watch(self) -> None:
        while True:
            self._around.clear()
            start, cpu = time.perf_counter(), time.thread_time()
            await asyncio.sleep(STEP)
            late = time.perf_counter() - start - STEP
            if late > STEP:
                self._worst.append((late, time.thread_time() - cpu, ", ".join(self._around[:3])))


def outcome(case: Case, state: int, status: int, error: str, truncated: str, text: str) -> str:
    """A key of `hostile.case.OUTCOMES`, or a few words where it is none."""
    if state in (State.DONE, State.DUP):
        missing = case.contains and case.contains not in text
        return "truncated" if truncated else "page without its text" if missing else "page"
    if state == State.FILTERED or error in FILTERED:
        return "filtered"
    if status and error.startswith("http-"):  # without a status it is HTTP/0.9
        return "wait" if state == State.WAIT else "status"
    if state == State.REDIR:
        return "followed"
    return "failed" if error else State(state).name


def crawl(web: RunningWeb, folder: Path, paths: list[str]) -> list[tuple[float, float, str]]:
    """Crawl the cases; the longest stalls, and last the one with most CPU time: seconds, CPU seconds, what was read."""
    topic, file = folder / "topic.toml", folder / "stalls.json"
    seeds = json.dumps([f"http://{HOST}:{web.port}{path}" for path in paths])
    keywords = '["telescope", "galaxy", "nebula", "天文"]'
    topic.write_text(
        f'[topic]\nname = "hostile"\nkeywords = {keywords}\n[seeds]\nurls = {seeds}\n[scope]\nhosts = ["{HOST}"]\n', "utf-8"
    )
    command = [sys.executable, "-m", "scrapy", "crawl", "topic", "-a", f"seeds={topic}", "-a", "name=hostile"]
    command += ["-a", "max_depth=0", "-a", "minutes=3"]
    extensions = json.dumps({"tools.bench.stall.LoopMonitor": 10})
    settings = {**SETTINGS, "CRAWLS_DIR": folder, "DNS_SERVERS": web.dns, "LOG_LEVEL": "WARNING", "STALL_FILE": file}
    settings |= {"EXTENSIONS": extensions, "DOWNLOAD_TIMEOUT": 5, "FRONTIER_RETRY_DELAYS": "1", "CONCURRENT_REQUESTS": 8}
    for name, value in settings.items():
        command += ["-s", f"{name}={value}"]
    subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True)
    return [(late, cpu, around) for late, cpu, around in json.loads(file.read_text("utf-8"))]


def outcomes(store: Path) -> dict[str, tuple[int, int, str, str, str]]:
    """State, status, error, truncation and text by path."""
    import zlib

    database = connect(store, read_only=True)
    rows = database.execute(QUERY, (HOST,)).fetchall()
    database.close()
    return {row[0]: (*row[1:4], row[4] or "", zlib.decompress(row[5]).decode() if row[5] else "") for row in rows}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--case", action="append", help="only this path")
    options = parser.parse_args()
    paths = options.case or [path for path in CASES if path not in STOPS_HOST]
    with RunningWeb("test-small", hostile=True) as web, tempfile.TemporaryDirectory() as name:
        stalls = crawl(web, Path(name), paths)
        found = outcomes(Path(name) / "hostile" / "store.sqlite")
    wrong = 0
    for path in paths:
        row = found.get(path)
        seen = outcome(CASES[path], *row) if row else "unknown"
        right = seen in CASES[path].accepts or (seen == "followed" and path.startswith("/redirect-"))
        wrong += not right
        detail = f"{row[1]} {row[2]}" if row else ""
        print(f"{'ok   ' if right else 'WRONG'} {path:<38} {seen:<22} {detail:<22} {'' if right else CASES[path].accepts}")
    print(f"{len(paths)} cases, {wrong} wrong; longest stalls of the event loop:")
    for late, cpu, around in stalls:
        print(f"  {late:.2f} s, CPU {cpu:.2f} s  {around}")
    longest = stalls[0][0] if stalls else 0.0
    return 0 if longest <= LIMIT and not wrong else 1


if __name__ == "__main__":
    sys.exit(main())
