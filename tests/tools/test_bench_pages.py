from __future__ import annotations

import re

from tools.bench.pages import SMALL, SMALL_LINKS, bench_web, small_page, small_path


def test_small_pages_link_to_pages_that_no_other_links_to() -> None:
    web = bench_web(SMALL)
    met: set[str] = {web.start}
    for number in range(50):
        body = web.page(small_path(number))
        assert body is not None
        links = re.findall(r'href="([^"]+)"', body.decode())
        assert len(set(links)) == SMALL_LINKS
        assert met.isdisjoint(links)
        assert all(small_page(link) for link in links)
        met.update(links)


def test_other_paths_have_no_page() -> None:
    assert small_page("/robots.txt") is None
