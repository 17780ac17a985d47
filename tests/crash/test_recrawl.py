"""kill -9 while pages are looked at again: each is looked at, and the collection is what it was."""

from __future__ import annotations

import pytest

from synthweb.running import RunningWeb
from tests.crash.harness import CrashSite, MakeSite

pytestmark = pytest.mark.slow
KILLS = 3
PAGES = "select url, title, digest, relevant, gone from page order by url"
LEFT = "select (select count(*) from lease), (select count(*) from url where state in (0, 1, 2))"


def pages(site: CrashSite) -> list[tuple[object, ...]]:
    return [tuple(bytes(value) if isinstance(value, memoryview) else value for value in row) for row in site.rows(PAGES)]


def test_a_recrawl_that_is_killed_looks_at_every_page_and_loses_none(make_site: MakeSite, web: RunningWeb) -> None:
    site = make_site(web)
    assert site.run() == 0, site.log_end()
    before = pages(site)
    asked = site.requests()
    for _ in range(KILLS):
        worker = site.start(recrawl=True)
        assert site.wait_requests(worker, 30)
        worker.kill()
        worker.wait()
    assert site.end_of(site.start(recrawl=True)) == 0, site.log_end()
    assert pages(site) == before
    assert site.rows("select count(*) from revisit where kind<=2 and visits=0 and gone=0") == [(0,)]
    assert site.rows(LEFT) == [(0, 0)]
    assert {kind for (kind,) in site.rows("select distinct kind from change")} <= {"new"}
    assert site.requests() - asked >= web.plan.pages
