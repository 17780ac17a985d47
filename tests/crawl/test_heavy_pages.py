"""Pages that wait to be read hold up nobody else, and count as what they will be: pages that were asked for."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.crawl.run import ASTRONOMY, crawl
from tests.crawl.site import Reply, Site, page

MOST = 14


def heavy(title: str) -> Reply:
    """Read by a process of its own."""
    made = page(title, words=300)
    return Reply(200, made.body + "<div>" * 3_000 + "</div>" * 3_000, made.headers)


def test_a_crawl_ends_with_the_pages_that_were_asked_for(tmp_path: Path) -> None:
    hosts = {name: f"127.38.0.{number}" for number, name in enumerate(["main.test", "one.test", "two.test", "light.test"], 1)}
    with Site(hosts) as site:
        links = [site.url(f"{host}/{n}") for n in range(8) for host in ("one.test", "two.test", "light.test")]
        site.answers["main.test/"] = page("home", links)
        for n in range(8):
            site.answers |= {f"{host}/{n}": heavy(f"{host} {n}") for host in ("one.test", "two.test")}
            site.answers[f"light.test/{n}"] = page(f"light {n}")
        arguments = {"keywords": ASTRONOMY, "strategy": "breadth-first", "name": "heavy", "max_pages": MOST}
        run = crawl(tmp_path, site.url("main.test/"), site.dns, arguments=arguments)
        assert run.code == 0, run.err
        asked = Counter(f"{hit.host}{hit.path}" for hit in site.hits if f"{hit.host}{hit.path}" in site.answers)
    assert run.reason("heavy") == "max_pages"
    assert set(asked.values()) == {1}
    assert run.stored("heavy") == set(asked)
    assert len(asked) == MOST
    assert {host.partition("/")[0] for host in asked} == set(hosts)
    assert run.rows("heavy", "select count(*) from lease") == [(0,)]
