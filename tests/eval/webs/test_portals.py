from __future__ import annotations

import re
from urllib.parse import urljoin

from tools.eval.webs.manuals import Site
from tools.eval.webs.portals import A_PAGE, FRONTS, portals


def manuals(count: int) -> list[Site]:
    found = []
    for number in range(count):
        section = ("Programming/C", "Programming/Java", "Text")[number % 3]
        site = Site(
            f"m{number:02}.example",
            f"m{number}",
            f"Manual {number} & more",
            section,
            "short",
            "long\n\ntext",
            "",
            "/m",
            "/m/i.html",
        )
        found.append(site)
    return found


def reached(pages: dict[str, bytes], front: str) -> set[str]:
    found, queue = {front}, [front]
    while queue:
        url = queue.pop()
        for href in re.findall(r'href="([^"]+)"', pages.get(url, b"").decode()):
            if (target := urljoin(url, href)) not in found:
                found.add(target)
                queue.append(target)
    return found


def test_every_page_is_reached_from_its_front_and_every_manual_from_the_catalogue() -> None:
    sites = manuals(3 * A_PAGE + 5)
    pages = portals(sites, "a")
    homes = {site.url(site.home) for site in sites}
    seen = {front: reached(pages, front) for front in FRONTS}
    assert set(pages) == set().union(*seen.values()) - homes
    shares = [len(homes & seen[front]) / len(homes) for front in FRONTS]
    assert shares[0] == 1
    assert 0.4 < shares[1] < 0.6
    assert shares[2] > 0.3
    assert 0.2 < shares[3] < 0.4


def test_the_same_seed_gives_the_same_portals_and_another_others() -> None:
    sites = manuals(20)
    assert portals(sites, "a") == portals(sites, "a") != portals(sites, "b")
    assert b"Manual 3 &amp; more" in portals(sites, "a")["http://catalogue.example/package/m03.example.html"]
