"""A whole crawl: what its pages, their headers and robots.txt say is in the store, the export and the statistics."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.crawl.run import ASTRONOMY, crawl, scrapy
from tests.crawl.site import Reply, Site, page

pytestmark = [pytest.mark.system, pytest.mark.slow]
HEAD = (
    '<meta name="author" content="Ada"><meta property="article:published_time" content="2021-03-04T05:06:07Z">'
    '<link rel="license" href="https://creativecommons.org/licenses/by/4.0/"><link rel="canonical" href="/canonical">'
)


def test_what_pages_say_is_in_the_export_and_the_statistics(tmp_path: Path) -> None:
    with Site({"sky.test": "127.37.0.1"}) as site:
        first = page("star 1", ["/2"], head=HEAD)
        site.answers["sky.test/robots.txt"] = Reply(200, "User-agent: *\nContent-Signal: search=yes, ai-train=no\n")
        site.answers["sky.test/"] = Reply(200, first.body, (*first.headers, ("TDM-Reservation", "1")))
        second = page("star 2")
        named = ("Link", '</style.css>; rel=preload, </zwei>; rel="canonical"')
        site.answers["sky.test/2"] = Reply(200, second.body, (*second.headers, named))
        done = crawl(tmp_path, site.url("sky.test/"), site.dns, arguments={"name": "sky", "keywords": ASTRONOMY})
        assert done.code == 0, done.err
    rows = scrapy("export", "sky", "--kind", "any", "-s", f"CRAWLS_DIR={tmp_path}", folder=tmp_path).out.splitlines()
    exported = {row["url"].rpartition("/")[2]: row for row in map(json.loads, rows)}
    assert set(exported) == {"", "2"}
    home = exported[""]
    assert (home["author"], home["published"], home["licence"]) == ("Ada", "2021-03-04", "CC-BY-4.0")
    assert home["canonical"].endswith("/canonical")
    assert home["reserved"] == ["tdm-reservation", "ai-train=no"]
    assert exported["2"]["reserved"] == ["ai-train=no"]
    assert exported["2"]["canonical"] == site.url("sky.test/zwei")
    assert 0 < home["quality"] <= 1
    stats = json.loads(scrapy("stats", "sky", "--json", "-s", f"CRAWLS_DIR={tmp_path}", folder=tmp_path).out)
    assert (stats["pages"], stats["read"]) == (2, 2)
    assert stats["reserved"][0] == {"name": "ai-train=no", "pages": 2, "words": stats["words"]}
    assert stats["licences"][0]["name"] == "CC-BY-4.0"
    assert "The collection in figures" in (tmp_path / "sky" / "report.html").read_text(encoding="utf-8")
