"""Traps, tunnels, redirects, files, dead addresses, robots.txt, faults."""

from __future__ import annotations

from functools import cache
from urllib.parse import urljoin

import pytest

from synthweb.faults import ALWAYS, BURST_EVERY, BURST_LENGTH, fault_of, in_burst
from synthweb.hosts import Host
from synthweb.plan import preset
from synthweb.robots import Rules
from synthweb.web import SyntheticWeb


@cache
def demo() -> SyntheticWeb:
    return SyntheticWeb(preset("demo"), 8080)


def host_with(role: str) -> Host:
    return demo().hosts[demo().plan.roles.index(role)]


@pytest.mark.parametrize("door", ["/calendar/2024/5/", "/browse/", "/shop/?color=red"])
def test_traps_never_end(door: str) -> None:
    web, host = demo(), host_with("maze")
    url, seen = web.facts.url(host, door), set()
    for _ in range(30):
        assert web.label(url).trap
        assert url not in seen
        seen.add(url)
        links = [link for link, _ in web.links(url) if web.label(link).trap and link not in seen]
        url = max(links, key=len) if "calendar" not in door else links[0]


def test_growing_links_are_relative() -> None:
    web, host = demo(), host_with("maze")
    assert urljoin(web.facts.url(host, "/browse/more/"), "more/") in [
        u for u, _ in web.links(web.facts.url(host, "/browse/more/"))
    ]


@pytest.mark.slow
def test_hidden_sections_have_one_way_in() -> None:
    web = demo()
    for host, section in web.layout.hidden["astronomy"]:
        inside = web.facts.url(host, f"/{section.path}/")
        for number in range(web.plan.pages):
            page = web.page(number)
            if page.label.tunnel and page.label.url.startswith(web.facts.url(host, "/")):
                continue
            base = page.label.url
            assert inside not in [urljoin(base, anchor.href).split("?")[0] for anchor in page.anchors()]


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_tunnels_lead_to_their_section(depth: int) -> None:
    web = demo()
    host, section = next(place for place in web.layout.hidden["astronomy"] if place[1].tunnel == depth)
    url = web.facts.url(host, f"/via/{section.path}/1.html")
    for _ in range(depth):
        label = web.label(url)
        assert (label.kind, label.topic) == ("tunnel", "general")
        links = [web.label(link) for link, _ in web.links(url)]
        url = next(link.url for link in links if link.kind == "tunnel" or link.tunnel == depth)
    assert web.label(url).kind == "section"
    assert web.label(url).topic == "astronomy"


def test_redirect_chain_ends_at_a_page() -> None:
    web, host = demo(), host_with("portal")
    url, hops = web.facts.url(host, "/hop/4/17"), 0
    while web.label(url).redirect:
        answer = web.answer(host, url.split(":8080", 1)[1])
        assert answer.status == 302
        assert urljoin(url, dict(answer.headers)["Location"]) == web.label(url).redirect
        url, hops = web.label(url).redirect, hops + 1
    assert hops == 4
    assert web.label(url).kind in ("article", "list", "section")


@pytest.mark.parametrize(("path", "steps"), [("/self", 1), ("/loop/a", 2)])
def test_redirect_circles(path: str, steps: int) -> None:
    web, host = demo(), host_with("portal")
    url = web.facts.url(host, path)
    for _ in range(steps):
        url = web.label(url).redirect
    assert url == web.facts.url(host, path)


@pytest.mark.parametrize(
    ("role", "path", "kind", "status"),
    [
        ("portal", "/missing/3.html", "dead", 404),
        ("portal", "/gone/3.html", "dead", 410),
        ("maze", "/old/3.html", "soft404", 200),
        ("portal", "/files/report-1.pdf", "binary", 200),
        ("portal", "/away/3", "redirect", 301),
        ("journal", "/private/3.html", "private", 200),
        ("journal", "/ads/3.html", "ad", 200),
        ("journal", "/about.html", "static", 200),
        ("stars", "/robots.txt", "robots", 200),
    ],
)
def test_other_addresses(role: str, path: str, kind: str, status: int) -> None:
    web, host = demo(), host_with(role)
    label = web.label(web.facts.url(host, path))
    assert (label.kind, label.status) == (kind, status)
    if kind != "robots":
        assert web.answer(host, path).status == status
    assert label.allowed == (kind != "private")


def test_a_pdf_that_says_it_is_html() -> None:
    answer = demo().answer(host_with("portal"), "/files/brochure-1.html")
    assert dict(answer.headers)["Content-Type"] == "text/html"
    assert answer.body.startswith(b"%PDF")


def test_robots_of_each_kind() -> None:
    web = demo()
    assert web.answer(host_with("closed"), "/robots.txt").status == 503
    assert web.answer(host_with("maze"), "/robots.txt").status == 404
    moved = web.answer(host_with("stars"), "/robots.txt")
    assert moved.status == 301
    rules = web.answer(host_with("stars"), dict(moved.headers)["Location"])
    assert b"Disallow: /private/" in rules.body
    assert b"Crawl-delay: 1\n" in web.answer(host_with("delay"), "/robots.txt").body
    assert not web.label(web.facts.url(host_with("closed"), "/")).allowed


@pytest.mark.parametrize(
    ("path", "expected"), [("/", True), ("/a/b", False), ("/a/", False), ("/a/1.html", True), ("/b", True)]
)
def test_longest_rule_wins(path: str, expected: bool) -> None:
    assert Rules(200, ("/a/",), ("/a/1.html",)).allows(path) is expected


def test_faults_are_of_every_kind_and_leave_the_home_page_alone() -> None:
    host = host_with("flaky")
    faults = [fault_of(1, host, f"/c1/{number}.html") for number in range(300)]
    assert {fault.kind for fault in faults} == {"", "error500", "busy503", "limit429", "reset", "cut", "hang"}
    assert {fault.times for fault in faults if fault.kind == "cut"} == {ALWAYS}
    assert not fault_of(1, host, "/").kind
    assert not fault_of(1, host_with("journal"), "/c1/1.html").kind
    assert sum(in_burst(host, number) for number in range(BURST_EVERY)) == BURST_LENGTH
