"""A page that kills its reader every time is set aside after three crashes; what was only in flight is not blamed."""

from __future__ import annotations

import signal

import pytest

from focuscrawl.frontier.states import State
from focuscrawl.store.sqlite import connect
from focuscrawl.synthweb.running import RunningWeb
from tests.crash.harness import CrashSite
from tests.crash.invariants import check

PROGRAM = ("-m", "tests.crash.poisoned")

pytestmark = pytest.mark.slow


def test_a_page_that_kills_three_processes_is_set_aside(
    site: CrashSite, web: RunningWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = web.web.hosts[1]
    poison = web.web.facts.url(host, "/")
    monkeypatch.setenv("POISON", poison)
    for _ in range(3):
        assert site.end_of(site.start(PROGRAM)) == -signal.SIGKILL, site.log_end()
    assert site.end_of(site.start(PROGRAM)) == 0, site.log_end()
    assert f"set aside after three crashes while it was parsed: {poison}" in site.log_text()
    db = connect(site.directory / "store.sqlite", read_only=True)
    aside = db.execute("select origin || tail, error, crashes from url join host using (hid) where state=?", (State.FAILED,))
    assert aside.fetchall() == [(poison, "crash", 3)]
    assert db.execute("select count(*) from url where crashes>0").fetchone() == (1,)
    db.close()
    found = check(site.directory, site.asked())
    assert (found.problems, found.lost, found.stored_twice) == ([], [], 0)
    assert poison not in found.pages
