"""Domains that send every request to one host, robots.txt included: they wait for that host, and nobody else does."""

from __future__ import annotations

from pathlib import Path

from tests.crawl.run import ASTRONOMY, crawl
from tests.crawl.site import Hit, Reply, Site, moved, page

PARKED = [f"parked{number}.test" for number in range(40)]
HOSTS = {name: f"127.41.0.{number}" for number, name in enumerate([*PARKED, "main.test", "good.test", "sale.test"], 1)}


def test_the_redirects_of_many_robots_txt_to_one_host_hold_up_no_other(tmp_path: Path) -> None:
    with Site(HOSTS) as site:

        def sale(hit: Hit) -> Reply:
            return moved(site.url(f"sale.test/buy?domain={hit.host}"), 302)

        site.missing |= dict.fromkeys(PARKED, sale)
        site.missing["sale.test"] = page("this domain is for sale", on_topic=False)
        site.answers["main.test/"] = page("home", [site.url(f"{name}/") for name in ("good.test", *PARKED)])
        site.answers["good.test/"] = page("good", [f"/{number}" for number in range(10)])
        site.answers |= {f"good.test/{number}": page(f"good {number}") for number in range(10)}
        settings = {"POLITENESS_DELAY": "0.2", "CONCURRENT_REQUESTS": "4"}
        arguments = {"keywords": ASTRONOMY, "name": "parked", "strategy": "breadth-first", "max_pages": 12}
        run = crawl(tmp_path, site.url("main.test/"), site.dns, settings, arguments)
        assert run.code == 0, run.err
        asked = [hit.host for hit in site.hits]
        last = max(number for number, host in enumerate(asked) if host == "good.test")
        assert asked[:last].count("sale.test") < 25, "one turn of that host for each of 40 robots.txt, and more for pages"
        assert set(PARKED) & set(asked), "they are asked, too"
        unread = run.rows("parked", "select count(*) from robots where state='wait'")
        assert unread == [(0,)], "a host that is asked by many is not unreachable"
