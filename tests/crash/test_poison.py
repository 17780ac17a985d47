"""A page that kills its reader is read in a process of its own from then on, or set aside after three crashes if that does not
help; what was only in flight is not blamed."""

from __future__ import annotations

import signal

import pytest

from focuscrawl.frontier.states import State
from synthweb.running import RunningWeb
from tests.crash.harness import FAULTY, CrashSite
from tests.crash.manners import judge
from tests.crash.stores import sqlite_only

pytestmark = [pytest.mark.slow, sqlite_only]


def test_a_page_on_which_a_process_died_is_read_apart(site: CrashSite, web: RunningWeb) -> None:
    poison = web.web.facts.url(web.web.hosts[1], "/")
    assert site.end_of(site.start(FAULTY, environment={"POISON": poison})) == -signal.SIGKILL, site.log_end()
    assert site.end_of(site.start(FAULTY, environment={"POISON": poison})) == 0, site.log_end()
    assert site.rows("select origin || path, crashes from url join host using (hid) where crashes>0") == [(poison, 1)]
    found = judge(site)
    assert found.wrong == []
    assert poison in found.pages


def test_a_page_that_kills_three_processes_is_set_aside(site: CrashSite, web: RunningWeb) -> None:
    poison = web.web.facts.url(web.web.hosts[1], "/")
    for _ in range(3):
        assert site.end_of(site.start(FAULTY, environment={"POISON_TERMS": poison})) == -signal.SIGKILL, site.log_end()
    assert site.end_of(site.start(FAULTY, environment={"POISON_TERMS": poison})) == 0, site.log_end()
    assert f"set aside after three crashes while it was parsed: {poison}" in site.log_text()
    aside = f"select origin || path, error, crashes from url join host using (hid) where state={State.FAILED:d}"
    assert site.rows(aside) == [(poison, "crash", 3)]
    assert site.rows("select count(*) from url where crashes>0") == [(1,)]
    found = judge(site)
    assert found.wrong == []
    assert poison not in found.pages


def test_a_page_on_which_a_pipeline_raises_is_set_aside_and_the_crawl_goes_on(site: CrashSite, web: RunningWeb) -> None:
    raising = web.web.facts.url(web.web.hosts[1], "/")
    assert site.end_of(site.start(FAULTY, environment={"RAISE": raising})) == 3, site.log_end()
    assert site.log_text().count(f"internal error on {raising}") == 1
    failed = f"select origin || path, error, tries from url join host using (hid) where state={State.FAILED:d}"
    assert site.rows(failed) == [(raising, "internal", 0)]
    found = judge(site)
    assert found.wrong == []
    assert site.asked().count(raising) == 1
    assert raising not in found.pages
