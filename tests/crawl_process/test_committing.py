"""Which links reach the store."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from focuscrawl.crawl.committing import Committer
from focuscrawl.frontier.lanes import is_behind
from focuscrawl.frontier.url_cache import UrlCache
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import Link
from tests import factories


def test_a_link_that_waits_behind_everything_else_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The menu of a manual names its other versions on each page."""
    unused: Any = None
    yields, ordering, recrawling = YieldLimit(), SimpleNamespace(focused=True), SimpleNamespace(on=False)
    monkeypatch.setattr(yields, "set_back", lambda url, parent: "yield")
    committer = Committer(
        store=unused, options=unused, ordering=ordering, read_back=unused, recrawling=recrawling, finder=unused,  # type: ignore[arg-type]
        cache=UrlCache(9), yields=yields, site_sources=None, seen_sentences=unused, counting=unused, stopping=unused,
        unwanted=unused,
    )  # fmt: skip
    page = factories.page("http://given.test/")
    page.links = [Link("http://given.test/dev/", priority=0.5)]
    [written] = committer._discovered(page)
    committer.cache.put(written.key.uid, written.priority)
    assert is_behind(written.priority)
    assert committer._discovered(page) == []
