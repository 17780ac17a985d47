"""What surrounds a process is odd, short, or gone: memory, the reader of its log, its environment, the version of its store."""

from __future__ import annotations

import fcntl
import os
import re
import select
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from focuscrawl.store.engines.meta import VERSION
from synthweb.running import RunningWeb
from tests.crash.harness import CrashSite, MakeSite
from tests.crash.manners import assert_whole
from tests.crash.stores import sqlite_only
from tests.faults.answers import html
from tests.faults.net import Exchange, Host, Net
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow
CGROUPS = Path("/sys/fs/cgroup/memory")
CAP = 512 << 20
LINKS = 1500
HUBS = 20


@sqlite_only
@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_f12_f102_a_store_of_another_version_is_refused_and_left_as_it_is(site: CrashSite, version: int) -> None:
    assert site.run() == 0, site.log_end()
    store = site.directory / "store.sqlite"
    with sqlite3.connect(store) as db:
        db.execute("update meta set value=? where key='version'", (str(version),))
    db.close()
    before, asked = store.read_bytes(), site.requests()
    assert site.run() == 2
    assert f"has store version {version}, this program needs {VERSION}" in site.log_end(1)
    assert "Traceback" not in site.log_text()
    assert store.read_bytes() == before
    assert site.requests() == asked


@pytest.fixture
def capped() -> Iterator[Path]:
    """A control group whose processes have 512 MiB together: who wants more is killed by the kernel."""
    group = CGROUPS / f"focuscrawl-test-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as why:
        pytest.skip(f"no control group can be made here: {why}")
    (group / "memory.limit_in_bytes").write_text(str(CAP))
    yield group
    for pid in (group / "tasks").read_text().split():
        (CGROUPS / "tasks").write_text(pid)
    group.rmdir()


async def leaf(exchange: Exchange) -> None:
    """A page of its own at every address."""
    await exchange.send(html(exchange.path, words=60))
    exchange.writer.close()


def test_f14_thirty_thousand_waiting_urls_fit_under_a_cap_of_512_mib(tmp_path: Path, capped: Path) -> None:
    """What waits lies on the disk. (A million: tools/bench/memory.py, docs/scale.md.)"""
    hubs = {f"/{hub}": html(f"hub {hub}", [f"/{hub}/{n}" for n in range(LINKS)]) for hub in range(HUBS)}
    with Net({"hubs.test": Host({"/": html("home", hubs), **hubs, "*": leaf})}) as net, (tmp_path / "log").open("wb") as log:
        process = net.start(tmp_path, ["http://hubs.test/"], arguments={"max_pages": HUBS + 20}, stdout=log, stderr=log)
        (capped / "tasks").write_text(str(process.pid))
        assert process.wait(PATIENCE) == 0, (tmp_path / "log").read_text()[-2000:]
    assert "oom_kill 0" in (capped / "memory.oom_control").read_text()
    db = sqlite3.connect(tmp_path / "faults" / "store.sqlite")
    assert db.execute("select count(*) from url where state=0").fetchone()[0] > 0.95 * LINKS * HUBS
    db.close()


@sqlite_only
@pytest.mark.parametrize("fault", ["never", "late"])
def test_f18_a_log_pipe_that_is_full_stops_nothing(site: CrashSite, fault: str) -> None:
    """It holds a page of memory, which the first log lines fill, and is read never, or when half the web is fetched."""
    read, write = os.pipe()
    fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, select.PIPE_BUF)
    site.log = Path(f"/dev/fd/{write}")
    process = site.start()
    site.log = site.folder / "crawl.log"
    os.close(write)
    assert site.wait_requests(process, 100)
    if fault == "late":
        with site.log.open("wb") as log:
            while piece := os.read(read, 1 << 16):
                log.write(piece)
    assert site.end_of(process) == 0, site.log_end()
    os.close(read)
    assert_whole(site)
    assert ("pages stored     200" in site.log_text()) is (fault == "late")


@sqlite_only
def test_f100_an_odd_environment_changes_nothing(make_site: MakeSite, small_web: RunningWeb) -> None:
    """Locale C, a time zone of 45 minutes, no HOME; the log file is removed and its directory made anew under the process."""
    site = make_site(small_web)
    odd = {"LC_ALL": "C", "LANG": "C", "PYTHONUTF8": "0", "TZ": "Asia/Kathmandu", "HOME": "/nonexistent"}
    file = site.folder / "log" / "crawl.log"
    file.parent.mkdir()
    process = site.start(settings={"LOG_FILE": file}, environment=odd)
    assert site.wait_requests(process, 10)
    file.rename(file.with_suffix(".1"))
    assert site.end_of(process) == 0, site.log_end()
    assert_whole(site)
    lines = file.with_suffix(".1").read_text("utf-8").splitlines()
    assert any("Spider closed (empty)" in line for line in lines)
    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \[", lines[0])
