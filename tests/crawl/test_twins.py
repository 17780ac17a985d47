"""Addresses that differ only in a value that makes no difference: one is fetched, and another where that one fails."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, crawl
from tests.crawl.site import Reply, Site, page

pytestmark = [pytest.mark.system, pytest.mark.slow]
VISITS = [f"/a?visit={number}" for number in range(8)]
TWINS = [f"/b?visit={number}" for number in range(10, 15)]


def test_a_twin_of_an_address_that_fails_is_fetched_and_no_other(tmp_path: Path) -> None:
    with Site({"sky.test": "127.37.0.9"}) as site:
        site.answers["sky.test/"] = page("sky", [*VISITS, "/next/0"])
        site.answers |= {f"sky.test{visit}": page("comet") for visit in VISITS}
        for n in range(9):  # the dead one is in flight before the others are found
            twins = TWINS[:1] if n == 1 else TWINS[1:] if n > 6 else []
            step = page(f"star {n}", [f"/next/{n + 1}", *twins])
            site.answers[f"sky.test/next/{n}"] = replace(step, delay=0.5)  # copies are asked for again once its 404 is known
        site.answers |= {f"sky.test{twin}": page("galaxy") for twin in TWINS[1:]}
        site.answers[f"sky.test{TWINS[0]}"] = Reply(500)
        settings = {"FRONTIER_RETRY_DELAYS": "5", "FRONTIER_IDLE_STOP": "20", "CONCURRENT_REQUESTS": "2"}
        arguments = {"name": "sky", "keywords": ASTRONOMY, "strategy": "breadth-first"}
        done = crawl(tmp_path, site.url("sky.test/"), site.dns, settings, arguments)
        assert done.code == 0, done.err
        asked = [hit.path for hit in site.hits if hit.path in TWINS]
    assert asked == [TWINS[0], TWINS[0], TWINS[-1]]  # it was tried again first
    assert len([path for path in done.stored("sky") if "/b?" in path]) == 1
