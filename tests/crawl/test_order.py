"""Order strategies in whole crawls: switched between runs, and changing their mind about what waits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, Run, crawl, place
from tests.crawl.site import Site, page

HOSTS = {"sky.test": "127.35.0.1", "far.test": "127.35.0.2"}


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    """A home with ten good and ten dull pages; the good ones link on to one another and to far.test."""
    with Site(HOSTS) as running:
        running.answers["sky.test/"] = page("sky", [f"/{kind}/{n}" for n in range(10) for kind in ("dull", "comet")])
        for n in range(10):
            running.answers[f"sky.test/dull/{n}"] = page(f"dull {n}", [f"/dull/{n}/x"], on_topic=False)
            onward = [
                f"/comet/{(n + 1) % 10}",
                f"http://far.test:{running.port}/planet/{n}",
                f"http://far.test:{running.port}/both",
            ]
            running.answers[f"sky.test/comet/{n}"] = page(f"comet {n}", onward)
            running.answers[f"far.test/planet/{n}"] = page(f"planet {n}", ["/both"])
        running.answers["far.test/both"] = page("both", [])
        yield running


@pytest.fixture
def seeds(site: Site, tmp_path: Path) -> Path:
    path = tmp_path / "sky.txt"
    path.write_text(site.url("sky.test/"))
    return path


def go(site: Site, seeds: Path, **arguments: object) -> Run:
    run = crawl(seeds.parent / "crawls", seeds, site.dns, arguments={"keywords": ASTRONOMY} | arguments)
    assert run.code == 0, run.err
    return run


def stats(run: Run) -> dict[str, object]:
    """Of the last run."""
    found: dict[str, object] = json.loads(run.rows("sky", "select stats from run order by id desc limit 1")[0][0])
    return found


def test_another_strategy_ranks_what_waits_anew(site: Site, seeds: Path) -> None:
    first = go(site, seeds, strategy="breadth-first", max_pages=1)
    assert {score < 0 for (score,) in first.rows("sky", "select priority from url where state=0")} == {True}
    second = go(site, seeds, strategy="best-first", max_pages=5)
    scores = dict(second.rows("sky", "select path, priority from url where state=0"))
    assert all(score > 0 for score in scores.values())
    fetched = [place(url) for (url,) in second.rows("sky", "select url from page order by page_id")]
    assert all("comet" in path or "far.test" in path for path in fetched[1:]), fetched


def test_an_order_moves_what_waits_as_it_learns(site: Site, seeds: Path) -> None:
    """By in-degree: /both waits since the first good page was read, and every further one makes it worth more."""
    run = go(site, seeds, strategy="weight", max_pages=14)
    assert int(str(stats(run)["frontier/rescored_count"])) > 0


@pytest.mark.parametrize("strategy", ["naive-bayes", "topicalrank", "hits", "bounded"])
def test_every_strategy_crawls_and_goes_on(site: Site, seeds: Path, strategy: str) -> None:
    go(site, seeds, strategy=strategy, max_pages=4)
    run = go(site, seeds, strategy=strategy, max_pages=4)
    assert len(run.stored("sky")) == 8
    assert "ERROR" not in run.err


def test_an_unknown_strategy_is_refused_with_the_nearest(site: Site, seeds: Path) -> None:
    run = crawl(seeds.parent / "crawls", seeds, site.dns, arguments={"strategy": "topicrank"})
    assert run.code == 2
    assert "did you mean topicalrank?" in run.err
