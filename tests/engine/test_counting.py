"""What a process counts of the pages it stores."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from focuscrawl.crawl.session import Counts, CrawlSession
from focuscrawl.frontier.outcome import FetchOutcome
from focuscrawl.frontier.states import Event
from focuscrawl.items import Lease, Page
from focuscrawl.store.commit import Committed


def test_a_visit_says_nothing_of_what_a_part_of_its_host_yields() -> None:
    """Else a part of 30 pages would be shut after ten recrawls."""
    recorded: list[str] = []
    session: Any = SimpleNamespace(
        counts=Counts(), inc=lambda *_: None, _check_limits=lambda *_: None,
        yields=SimpleNamespace(record=lambda url, *_: recorded.append(url)),
    )  # fmt: skip
    for name, revisit in (("new", False), ("known", True)):
        page = Page(Lease(1, 2, f"http://a.test/{name}", revisit=revisit), f"http://a.test/{name}", 200)
        CrawlSession._count(session, page, FetchOutcome(Event.STORED), Committed(page_id=1))
    assert (recorded, session.counts.pages) == (["http://a.test/new"], 2)
