"""Hosts that are slow, heavy, gone or changed: the others go on, and nothing is lost."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from tests import forked
from tests.faults import watch
from tests.faults.answers import answer, html, silence
from tests.faults.net import Answer, Host, Net
from tests.patience import PATIENCE

pytestmark = [pytest.mark.system, pytest.mark.slow]
SLOW, FAST, PAGES = 100, 4, 12
TIMEOUT = 15
"""Seconds; DOWNLOAD_TIMEOUT of the crawl beside slow hosts, which wait twice as long for a whole answer."""
HEAVY = 6
LONGEST = 4.0
"""Seconds without a request to the others, and of the event loop (0.7 and 0.4 measured under eight other processes)."""
WATCHED = {"EXTENSIONS": json.dumps({"tests.faults.watch.Watch": 5})}


def site(name: str, pages: int) -> dict[str, Answer]:
    """A home page that links to so many others."""
    paths = [f"/{number}" for number in range(pages)]
    return {"/": html(name, paths), **{path: html(f"{name} {path}") for path in paths}}


def test_f35_a_hundred_slow_hosts_hold_nobody_up(tmp_path: Path) -> None:
    """They are more than six times as many as there are places for requests, and are met first: the others have all their pages
    before the first of them is given up."""
    hosts = {f"slow{n}.test": Host({"/": silence}) for n in range(SLOW)}
    hosts |= {f"fast{n}.test": Host(site(f"fast{n}", PAGES)) for n in range(FAST)}
    hosts["home.test"] = Host({"/": html("home", [f"http://{name}/" for name in hosts])})
    with Net(hosts) as net, (tmp_path / "log").open("wb") as log:
        settings = {"DOWNLOAD_TIMEOUT": str(TIMEOUT), "FRONTIER_RETRY_DELAYS": "3600"}
        process = net.start(tmp_path, ["http://home.test/"], settings, stdout=log, stderr=log)
        wanted = FAST * (PAGES + 1)
        wait_until(lambda: len(fetched(net, "fast")) >= wanted and len(fetched(net, "slow")) == SLOW, process)
        process.kill()
        process.wait()
    assert max(fetched(net, "fast")) < min(fetched(net, "slow")) + TIMEOUT


def fetched(net: Net, name: str) -> list[float]:
    """When pages of hosts whose name begins so were asked for."""
    return [hit.t for hit in list(net.hits) if hit.host.startswith(name) and hit.path != "/robots.txt" and len(hit.path) < 20]


def wait_until(reached: Callable[[], bool], process: forked.Process) -> None:
    end = time.monotonic() + PATIENCE
    while not reached():
        assert process.poll() is None, "the crawl has ended"
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def cells(count: int) -> bytes:
    """A page of so many links in tables: seconds of a parser."""
    rows = "".join(f"<tr><td><a href=/x{n}>x{n}</a><td>{n}</td></tr>" for n in range(count))
    return answer(f"<title>links</title><table>{rows}</table>".encode())


def test_f82_heavy_pages_hold_nobody_up(tmp_path: Path) -> None:
    """Hosts of enormous pages, and of texts that take long to cut and to compare: the others go on meanwhile."""
    words = " ".join(f"telescope{n % 5000} galaxy" for n in range(100_000))
    hosts = {f"heavy{n}.test": Host({"/": html(f"heavy {n}", ["/1", "/2", "/3"]), "*": cells(60_000)}) for n in range(HEAVY)}
    hosts["long.test"] = Host({"/": html("long", ["/1", "/2"]), "*": answer(f"<title>long</title><p>{words}</p>".encode())})
    hosts |= {f"fast{n}.test": Host(site(f"fast{n}", 40)) for n in range(FAST)}
    hosts["home.test"] = Host({"/": html("home", [f"http://{name}/" for name in hosts])})
    noted = tmp_path / "noted"
    with Net(hosts) as net, (tmp_path / "log").open("wb") as log:
        settings = {"POLITENESS_DELAY": "0.1", "DEDUP_METHOD": "winnowing", "SEARCH_INDEX": "False"} | WATCHED
        environment = {watch.RECORD: str(noted)}
        process = net.start(tmp_path, ["http://home.test/"], settings, None, log, log, environment)
        wait_until(lambda: len(fetched(net, "fast")) >= FAST * 41, process)
        process.terminate()
        assert process.wait(PATIENCE) == 143
        waiting = len(fetched(net, "heavy"))
    db = sqlite3.connect(tmp_path / "faults" / "store.sqlite")
    ((read,),) = db.execute("select count(*) from page where url like 'http://heavy%'")
    db.close()
    assert read < waiting, "heavy pages were still waiting to be read when the others had all theirs"
    times = fetched(net, "fast")
    assert max(after - before for before, after in pairwise(times)) < LONGEST
    noticed = json.loads(noted.read_text())
    assert noticed["gap"] < LONGEST
    watch.note(**noticed)
