"""A crawl with a limit of pages waits for a good host's delay; one without asks whom it may."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, Run, crawl
from tests.crawl.site import Site, page

HOSTS = {"sky.test": "127.36.0.1", "town.test": "127.36.0.2", "river.test": "127.36.0.3"}
GOOD = 40
"""Pages of the good host: more than are worth waiting for, and more than are asked for."""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A home that links to good pages of its own host, and to dull ones elsewhere."""
    with Site(HOSTS) as running:
        dull = [running.url(f"{host}/{n}") for host in ("town.test", "river.test") for n in range(GOOD)]
        running.answers["sky.test/"] = page("sky", [*(f"/comet/{n}/telescope" for n in range(GOOD)), *dull])
        for n in range(GOOD):
            running.answers[f"sky.test/comet/{n}/telescope"] = page(f"comet {n}")
            for host in ("town.test", "river.test"):
                running.answers[f"{host}/{n}"] = page(f"{host} {n}", on_topic=False)
        yield running


def go(site: Site, folder: Path, patience: str) -> Run:
    seeds = folder / "sky.txt"
    seeds.write_text(site.url("sky.test/"))
    settings = {"POLITENESS_DELAY": "0.2", "POLITENESS_LATENCY_FACTOR": "0", "FRONTIER_PATIENCE": patience}
    arguments = {"keywords": ASTRONOMY, "strategy": "best-first", "max_pages": 10}
    run = crawl(folder / "crawls", seeds, site.dns, settings, arguments)
    assert run.code == 0, run.err
    return run


def test_poor_pages_are_not_fetched_while_good_ones_wait_for_their_host(site: Site, tmp_path: Path) -> None:
    stored = go(site, tmp_path, "1800").stored("sky")
    assert {place.partition("/")[0] for place in stored} == {"sky.test"}
    assert len(stored) == 10


@pytest.mark.parametrize("patience", ["0", "0.01"])
def test_without_patience_every_host_is_asked(site: Site, tmp_path: Path, patience: str) -> None:
    """So it is when ten pages are to be fetched in a hundredth of a second."""
    stored = go(site, tmp_path, patience).stored("sky")
    assert {place.partition("/")[0] for place in stored} == set(HOSTS)
