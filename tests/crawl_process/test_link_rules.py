"""Refusal rules ask for plain inputs only: a process without a crawl gets the crawl's own answers."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace

import pytest

from focuscrawl.crawl.link_rules import LinkRules
from focuscrawl.dedup.text_reuse import TextReuse
from focuscrawl.frontier.fetch_yield import FetchYield
from focuscrawl.frontier.mirrors import ENOUGH
from focuscrawl.frontier.yields import YieldLimit
from focuscrawl.items import Duplicate, Link, Page, Verdict
from focuscrawl.url.scope import Scope
from models.link.tunnelling import FixedTunnelling
from tests import factories

URL = "http://a.test/page"


def page_with(*links: Link, relevant: bool = True, distance: int = 0, depth: int = 0) -> Page:
    page = factories.page(factories.lease(URL, distance=distance, depth=depth), links=list(links))
    page.verdict = Verdict(0.5, relevant, 0.3)
    return page


def refused(rules: LinkRules, page: Page) -> list[str]:
    rules.refuse(page)
    return [link.refused for link in page.links]


def test_each_link_by_scope_shape_and_rel() -> None:
    rules = LinkRules(Scope(exclude=("/private/",)))
    page = page_with(
        Link("http://a.test/x"),
        Link("http://a.test/private/x"),
        Link("http://a.test/x.zip"),
        Link("http://a.test/a/a/a/a/"),
        Link("http://a.test/y", rel=("nofollow",)),
        Link("http://a.test/z", rel=("file",)),
    )
    assert refused(rules, page) == ["", "exclude", "file-type", "repeat", "nofollow", "file-type"]


def test_directories_that_recur() -> None:
    """The links of a page count before they are judged."""
    rules, names = LinkRules(Scope()), ("more", "back")

    def rules_at(url: str) -> list[str]:
        return refused(rules, factories.page(factories.lease(url), links=[Link(f"{url}{name}/") for name in names]))

    assert [rules_at(f"http://a.test/{path}") for path in ("", "more/", "back/")] == [["", ""], ["", ""], ["repeat", "repeat"]]


def test_nothing_is_remembered_of_links_that_are_too_long() -> None:
    """A site whose pages name thousands of such links would take gigabytes."""
    rules, page = LinkRules(Scope(hosts=("h.org",))), page_with()
    urls = [f"http://{host}/{number}/{'x' * 4000}" for host in ("h.org", "other.org") for number in range(2000)]
    tracemalloc.start()
    try:
        rules.url_rule("http://h.org/a", page)
        before = tracemalloc.get_traced_memory()[0]
        found = {rules.url_rule(url[:-1], page) for url in urls}
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert found == {"length", "host"}
    assert grown < sum(map(len, urls))  # those split last are held


def test_an_early_month_is_followed_from_a_list_though_a_calendar_of_today_had_it_first() -> None:
    rules, early = LinkRules(Scope()), "http://a.test/cal/1936/04/"
    pages = [factories.page(factories.lease(url), links=[Link(early)]) for url in ("http://a.test/cal/2025/01/", URL)]
    assert [refused(rules, page) for page in pages] == [["calendar"], [""]]


def test_all_links_of_a_page() -> None:
    rules = LinkRules(Scope(), tunnelling=FixedTunnelling(1), max_depth=2)
    near, far, deep = page_with(), page_with(relevant=False, distance=1), page_with(depth=2)
    copy, closed = page_with(), page_with()
    copy.duplicate, closed.nofollow = Duplicate(7, "http://a.test/first", "near", 0.9), True
    assert [rules.page_rule(page) for page in (near, far, deep, copy, closed)] == [
        "",
        "tunnel",
        "depth",
        "duplicate",
        "nofollow",
    ]


def test_an_unfocused_crawl_follows_every_link_in_scope() -> None:
    rules = LinkRules(Scope(), focused=False, tunnelling=FixedTunnelling(0))
    copy = page_with(Link("http://a.test/other/1"), relevant=False)
    copy.duplicate = Duplicate(7, "http://a.test/first", "near", 0.9)
    assert refused(rules, copy) == [""]
    copy.duplicate = Duplicate(7, "http://a.test/first", "exact", 1.0)
    assert refused(rules, copy) == ["duplicate"]


@pytest.mark.parametrize("focused", [True, False])
def test_a_further_page_of_a_list_is_followed_though_it_says_the_same(focused: bool) -> None:
    copy = page_with(Link("http://a.test/photo/2"))
    copy.duplicate = Duplicate(7, "http://a.test/first", "exact", 1.0, leads_on=True)
    assert refused(LinkRules(Scope(), focused=focused), copy) == [""]


@pytest.mark.parametrize(
    ("mirrored", "kind", "focused", "last"),
    [
        (True, "exact", False, "duplicate"),
        (True, "near", True, "duplicate"),
        (True, "near", False, ""),
        (False, "exact", True, ""),
    ],
)
def test_a_copy_on_another_host_is_followed_as_far_as_shows_whether_that_is_a_mirror(
    mirrored: bool, kind: str, focused: bool, last: str
) -> None:
    of_host = [Link(f"http://a.test/{number}") for number in range(ENOUGH)]
    copy = page_with(Link("http://partner.test/"), Link("http://a.test/x.zip"), *of_host)
    copy.duplicate = Duplicate(7, "http://b.test/page", kind, 1.0, mirrored=mirrored)
    assert refused(LinkRules(Scope(), focused=focused), copy) == [last, "file-type", *[""] * (ENOUGH - 1), last]


@pytest.mark.parametrize("leads_on", [True, False])
def test_of_a_copy_that_may_lead_to_pages_of_its_own_only_the_links_to_these_are_followed(leads_on: bool) -> None:
    copy = page_with(Link("http://a.test/"), Link("http://a.test/page/1"), Link("http://a.test/page/x.zip"))
    own = frozenset({"http://a.test/page/1", "http://a.test/page/x.zip"})
    copy.duplicate = Duplicate(7, "http://a.test/other", "exact", 1.0, leads_on, own=own)
    assert refused(LinkRules(Scope()), copy) == ["duplicate", "", "file-type"]


def test_a_list_whose_like_have_led_to_known_pages_is_a_copy_like_any_other() -> None:
    yields, below = YieldLimit(), "http://a.test/tree/1/"
    yields.record(FetchYield(below, URL, undecided=True))
    for name in "abc":
        yields.record(FetchYield(below + name, below, original="http://a.test/first"))
    copy = factories.page(factories.lease("http://a.test/tree/2/"), links=[Link("http://a.test/tree/2/a")])
    copy.duplicate = Duplicate(7, "http://a.test/other", "exact", 1.0, True, own=frozenset({"http://a.test/tree/2/a"}))
    assert refused(LinkRules(Scope(), yields=yields), copy) == ["duplicate"]
    assert copy.duplicate == Duplicate(7, "http://a.test/other", "exact", 1.0)


@pytest.mark.parametrize(
    ("languages", "focused", "expected"),
    [((), True, ["", "", ""]), (("zh", "en"), True, ["language", "", ""]), (("zh", "en"), False, ["", "", ""])],
)
def test_a_link_to_a_language_that_nobody_asks_for(languages: tuple[str, ...], focused: bool, expected: list[str]) -> None:
    links = [Link("http://a.test/de/x", language="de"), Link("http://a.test/zh/x", language="zh"), Link("http://a.test/x")]
    page = page_with(*links)
    assert refused(LinkRules(Scope(), focused=focused, languages=languages), page) == expected
    assert len(LinkRules(Scope(), languages=("de",)).reopen(page)) == expected.count("language")


def test_barren_prefixes_and_recorded_refusals() -> None:
    links = (Link("http://a.test/barren/1"), Link("http://a.test/other"), Link("http://a.test/z", refused="include"))
    for focused in (True, False):  # one rule for every strategy
        rules = LinkRules(Scope(), focused=focused, yields=_barren())
        assert refused(rules, page_with(*map(replace, links))) == ["yield", "", "include"]
        rules = LinkRules(Scope(), focused=focused, yields=_barren(follows=True))
        assert refused(rules, page_with(*map(replace, links))) == ["", "", "include"]


def test_a_redirect_to_a_new_domain_is_refused_when_first_visits_bring_nothing() -> None:
    yields = _barren()
    for number in range(20):
        yields.record(FetchYield(f"http://hop{number}.test/", URL, redirect=f"http://hop{number + 1}.test/"))
    rules = LinkRules(Scope(), yields=yields)
    page = factories.page(factories.lease("http://hop19.test/", parent=URL), 302)
    page.redirect = "http://hop20.test/"
    assert rules.redirect_rule(page) == "yield"
    page.redirect = "http://www.hop19.test/"
    assert rules.redirect_rule(page) == ""


def test_a_stored_page_is_followed_to_where_its_site_has_moved() -> None:
    """All that was found there so far says what is stored: it is the same site."""
    yields = YieldLimit()
    for number in range(60):
        yields.record(FetchYield(f"http://a.test/good/{number}", URL, relevant=True))
        old = f"http://a.test/old/{number}"
        yields.record(FetchYield(f"http://new.test/{number}", URL, original=old, reuse=TextReuse(known=1.0)))
        yields.record(FetchYield(f"http://dull.test/{number}", URL))
    rules, lease = LinkRules(Scope(), yields=yields), factories.lease("http://a.test/good/x", parent=URL)
    page = factories.page(lease, 301, redirect="http://new.test/good/x")
    again = factories.page(replace(lease, revisit=True), 301, redirect=page.redirect)
    assert (rules.redirect_rule(page), rules.redirect_rule(again)) == ("yield", "")
    again.redirect = "http://dull.test/999"
    assert rules.redirect_rule(again) == "yield"


def _barren(follows: bool = False) -> YieldLimit:
    yields = YieldLimit(follows=follows)
    for number in range(60):
        yields.record(FetchYield(f"http://a.test/good/{number}", URL, relevant=True))
        yields.record(FetchYield(f"http://a.test/barren/{number}", URL))
    return yields


def test_the_next_run_may_want_more_or_less() -> None:
    links = {"/a": "depth", "/b.pdf": "file-type", "/c/": "exclude", "/d": "nofollow", "/e.zip": "depth", "/f": ""}
    page = page_with(*(Link(f"http://a.test{path}", refused=rule) for path, rule in links.items()))
    opened = LinkRules(Scope(exclude=("/c/",)), max_depth=1).reopen(page)
    assert [link.url for link in opened] == ["http://a.test/a", "http://a.test/b.pdf"]
    assert [link.refused for link in page.links] == ["", "", "exclude", "nofollow", "depth", ""]
    assert LinkRules(Scope(), max_depth=0).reopen(page) == []

    rules = LinkRules(Scope(exclude=("/c/",)), max_depth=1, documents=frozenset())
    asked = [("http://a.test/a", 1), ("http://a.test/a", 2), ("http://a.test/c/", 1), ("http://a.test/b.pdf", 1)]
    assert [rules.unwanted(url, depth) for url, depth in asked] == ["", "depth", "scope", "url"]


def test_the_next_run_may_give_up_no_part() -> None:
    links = {"/barren/1": "yield", "/barren/2": "mirror", "/barren/3": "trap"}
    page = page_with(*(Link(f"http://a.test{path}", refused=rule) for path, rule in links.items()))
    assert LinkRules(Scope(), yields=_barren()).reopen(page) == []
    opened = LinkRules(Scope(), yields=YieldLimit(0)).reopen(page)
    assert [link.url for link in opened] == ["http://a.test/barren/1", "http://a.test/barren/2"]
