"""The power fails: of what was written since the last fsync, any part may be on the disk, and sectors may be torn."""

from __future__ import annotations

import random
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import CrashSite, MakeSite, Process, kill
from tests.crash.manners import judge
from tests.crash.stores import sqlite_only

pytestmark = [pytest.mark.slow, sqlite_only]
SECTOR = 512
WAL_HEADER = 32
DICE = random.Random()
FATES: tuple[Callable[[bytes], bytes], ...] = (bytes, lambda was: bytes(len(was)), lambda was: DICE.randbytes(len(was)))
"""What becomes of a sector that was not synced: written, never written, torn."""


def test_f06_a_store_that_lost_any_part_of_what_was_not_synced_goes_on(make_site: MakeSite, small_web: RunningWeb) -> None:
    """SQLite syncs its log (WAL) only at checkpoints (`synchronous=normal`), so all that stands in it may be lost. What is
    restored is the directory of a stopped process, of whose log a random part is left."""
    site = make_site(small_web)
    process = site.start()
    copies = [copy_while_stopped(site, process, number) for number in range(2)]
    kill(process)
    for copy in copies:
        shutil.rmtree(site.directory)
        copy.rename(site.directory)
        lose_power(site.directory)
        assert site.run() == 0, site.log_end()
        found = judge(site)
        assert found.wrong == [], f"{found.wrong}\n{site.log_end()}"
        assert len(found.pages) == small_web.plan.pages


def copy_while_stopped(site: CrashSite, process: Process, number: int) -> Path:
    assert site.wait_requests(process, DICE.randint(8, 22))
    process.send_signal(signal.SIGSTOP)
    copy = site.folder / f"copy{number}"
    shutil.copytree(site.directory, copy)
    process.send_signal(signal.SIGCONT)
    return copy


def lose_power(directory: Path) -> None:
    """Behind a random place of the WAL nothing is certain; what is shared in memory is gone."""
    (directory / "store.sqlite-shm").unlink(missing_ok=True)
    wal = directory / "store.sqlite-wal"
    written = wal.read_bytes()
    kept = DICE.randint(min(WAL_HEADER, len(written)), len(written))
    kept -= kept % SECTOR
    tail = [DICE.choice(FATES)(written[at : at + SECTOR]) for at in range(kept, len(written), SECTOR)]
    length = DICE.randint(kept, len(written))
    wal.write_bytes((written[:kept] + b"".join(tail))[:length])
