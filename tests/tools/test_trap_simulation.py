"""Whole crawls of a web with a trap, by the crawl's own code, in one process."""

from __future__ import annotations

import pytest

from focuscrawl.frontier.mirrors import Mirrors
from synthweb.farms import good_web, trapped
from tools.eval.traps.simulation import crawl

MANY = 20
"""Requests for a host that shows another one's pages."""


def requests_for_mirror() -> int:
    """A crawl that is given a host and, deep inside, its mirror."""
    web = trapped("mirrors-apart", good_web(3, pages=900))
    trap, facts = web.trap, web.web.facts
    assert trap is not None
    mirror = f"http://{trap.dress.mirror.format(host=0)}"
    seeds = [mirror + facts.path(trap.home, number) for number in (9, 17, 25)]
    done = crawl(web, "breadth-first", 250, more_seeds=seeds)
    assert len(done.requests) >= 250
    return sum(url.startswith(mirror) for url in done.requests)


@pytest.mark.system  # a crawl starts processes that read pages
def test_a_mirror_that_is_entered_at_other_addresses_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert requests_for_mirror() < MANY
    monkeypatch.setattr(Mirrors, "in_question", lambda self, url: [])
    assert requests_for_mirror() > 1.5 * MANY  # else it shows nothing
