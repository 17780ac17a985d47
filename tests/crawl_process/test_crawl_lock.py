"""The lock of a crawl, among real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.crawl.start.crawl_lock import FILE, CrawlLock, crawled_otherwise
from focuscrawl.errors import AlreadyRunning, BadInput
from focuscrawl.store.workers.agreement import LINKS, MODEL, ORDER, TOPIC
from focuscrawl.store.workers.status import RunningProcess

pytestmark = pytest.mark.system

HOLDER = """
import subprocess, sys, time
from pathlib import Path
from focuscrawl.crawl.start.crawl_lock import CrawlLock
lock = CrawlLock(Path(sys.argv[1]))
lock.take(sys.argv[2] == "alone", time.time())
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], close_fds=False, stdout=-3)
print(child.pid, flush=True)
time.sleep(60)
"""


class Holder:
    """A process that holds the lock, and has a child that outlives it."""

    def __init__(self, directory: Path, how: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLDER, str(directory), how],
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        assert self.process.stdout is not None
        with self.process.stdout as told:
            self.child = int(told.readline())

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def holders() -> Iterator[list[Holder]]:
    started: list[Holder] = []
    yield started
    for holder in started:
        holder.kill()
        os.kill(holder.child, signal.SIGKILL)


@pytest.mark.parametrize(("how", "alone"), [("alone", True), ("alone", False), ("shared", True)])
def test_a_kill_frees_it_at_once_though_children_live(tmp_path: Path, holders: list[Holder], how: str, alone: bool) -> None:
    holder = Holder(tmp_path / "news", how)
    holders.append(holder)
    lock = CrawlLock(tmp_path / "news")
    with pytest.raises(AlreadyRunning) as caught:
        lock.take(alone, time.time())
    text = str(caught.value)
    assert text.startswith("'news' is being ")
    assert text.endswith("try again when it has ended.")
    assert (f"recrawled by process {holder.process.pid} since " in text) is (how == "alone")
    holder.kill()
    os.kill(holder.child, 0)  # still there
    lock.take(alone, time.time())
    lock.release()


def test_crawls_share_it(tmp_path: Path, holders: list[Holder]) -> None:
    holders += [Holder(tmp_path / "news", "shared"), Holder(tmp_path / "news", "shared")]
    lock = CrawlLock(tmp_path / "news")
    lock.take(False, time.time())
    lock.release()
    holders[0].kill()
    with pytest.raises(AlreadyRunning):
        lock.take(True, time.time())
    holders[1].kill()
    lock.take(True, time.time())
    lock.release()


def test_a_note_of_the_past_accuses_nobody(tmp_path: Path, holders: list[Holder]) -> None:
    first = Holder(tmp_path / "news", "alone")
    holders.append(first)
    first.kill()
    assert (tmp_path / "news" / FILE).stat().st_size > 0
    holders.append(Holder(tmp_path / "news", "shared"))
    with pytest.raises(AlreadyRunning, match="'news' is being crawled by another process; try again"):
        CrawlLock(tmp_path / "news").take(True, time.time())


def test_release_lets_others_in_and_takes_the_note_away(tmp_path: Path) -> None:
    one, other = CrawlLock(tmp_path / "news"), CrawlLock(tmp_path / "news")
    one.take(True, time.time())
    with pytest.raises(AlreadyRunning, match=f"recrawled by process {os.getpid()}"):
        other.take(True, time.time())
    one.release()
    one.release()
    assert (tmp_path / "news" / FILE).read_bytes() == b""
    other.take(True, time.time())
    other.release()


def test_where_no_lock_can_be_the_sentence_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "news").write_text("")
    with pytest.raises(BadInput, match="run/lock cannot be locked: Not a directory"):
        CrawlLock(tmp_path / "news").take(True, time.time())
    (tmp_path / "odd" / "run").mkdir(parents=True)
    (tmp_path / "target").write_text("kept")
    (tmp_path / "odd" / FILE).symlink_to(tmp_path / "target")
    with pytest.raises(BadInput, match="cannot be locked"):
        CrawlLock(tmp_path / "odd").take(True, time.time())
    assert (tmp_path / "target").read_text() == "kept"


def test_a_process_that_crawls_otherwise_is_named_with_what_ends_it() -> None:
    process = RunningProcess(4711, "far", 1_790_000_000.0, False)
    assert " on far since 2026-09-21 14:13:20 UTC and follows other links, by its `max_depth`, `at_edge`, scope, " in str(
        crawled_otherwise("news", process, LINKS)
    )
    assert "UTC and judges pages by another RELEVANCE_MODEL; end that first" in str(crawled_otherwise("news", process, MODEL))
    assert "UTC and orders URLs otherwise, by its `strategy`, `important`, FRONTIER_WEIGHT_PRIOR, " in str(
        crawled_otherwise("news", process, ORDER)
    )
    error = crawled_otherwise("news", process, f"{TOPIC}sky")
    assert str(error) == (
        "'news' is being crawled by process 4711 on far since 2026-09-21 14:13:20 UTC for another topic, or for this one as it"
        " was before it was changed; end that first (`scrapy stop news`, then `scrapy resume news`), or give this crawl another"
        " -a name=."
    )
    assert error.exit_code == 75
