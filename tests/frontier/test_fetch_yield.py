"""What a judged page brings for the parts of the web in which it lies."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urljoin

import pytest

from focuscrawl.dedup.text_reuse import SeenSentences
from focuscrawl.frontier.fetch_yield import FetchYield, fetch_yield_of
from focuscrawl.items import Duplicate, Link, Outgrown, Verdict
from focuscrawl.url.groups import groups_of
from tests import factories

SAID = "It was the brightest that anybody alive had ever seen by day."


def test_a_further_page_of_a_list_has_repeated_nothing_though_it_says_the_same() -> None:
    page, seen = factories.page("http://list.test/2", text=SAID), SeenSentences()
    fetch_yield_of(replace(page, lease=factories.lease("http://list.test/1")), seen)
    page.duplicate = Duplicate(1, "http://list.test/1", "exact", 1.0)
    assert (fetch_yield_of(page, seen).original, fetch_yield_of(page, seen).reuse.known) == ("http://list.test/1", 1.0)
    page.duplicate = replace(page.duplicate, leads_on=True)
    assert fetch_yield_of(page, seen) == FetchYield("http://list.test/2")
    page.duplicate = replace(page.duplicate, own=frozenset({"http://list.test/2/a"}))
    assert fetch_yield_of(page, seen) == FetchYield("http://list.test/2", undecided=True)


def test_a_relevant_page_that_must_not_be_indexed_brings_nothing() -> None:
    page, seen = factories.page("http://wiki.test/Special:Links", verdict=Verdict(0.9, True, 0.5)), SeenSentences()
    assert fetch_yield_of(page, seen).gain == 1.0
    assert fetch_yield_of(replace(page, noindex=True), seen).gain == 0.0


def test_a_redirect_that_leads_to_no_new_url_led_to_a_known_one() -> None:
    page = factories.page("http://forum.test/last?tid=2", 302)
    page.redirect = "http://forum.test/thread-2.html"
    brought = FetchYield(page.url, redirect=page.redirect)
    seen = SeenSentences()
    assert fetch_yield_of(page, seen, new_links=True) == brought
    assert fetch_yield_of(page, seen, new_links=False) == replace(brought, target_known=True)


@pytest.mark.parametrize(
    ("parent", "known"),
    [
        *((path, 0.0) for path in ("/blog", "/index_2.html", "/p/12/", "/2024/", "/2024-03/", "/category-141/", "/list_12_3")),
        ("/news-and-events/", 0.0),
        *((path, 1.0) for path in ("/show?t=141", "/browse/KEY-5", "/p/how-to-cook-good-rice/comments")),
    ],
)
def test_a_post_has_copied_the_thread_in_which_it_stands_but_an_article_no_list(parent: str, known: float) -> None:
    """Each post of a thread at an address of its own counted as a page of its own: of 400 requests they got 183."""
    seen, around = SeenSentences(), f"http://forum.test{parent}"
    fetch_yield_of(factories.page(around, text=f"{SAID} Nobody knew yet how long it would last in the evening sky."), seen)
    lease = replace(factories.lease("http://forum.test/post/7"), parent=around)
    assert fetch_yield_of(factories.page(lease, text=SAID), seen).reuse.known == known


@pytest.mark.parametrize(("seed", "given"), [("http://www.shop.test/", True), ("http://other.test/", False)])
def test_what_a_page_brings_is_known_as_of_a_domain_that_was_given(seed: str, given: bool) -> None:
    seen = SeenSentences(given=[seed])
    assert fetch_yield_of(factories.page("http://shop.test/list"), seen).given is given


def test_what_a_page_brings_goes_with_the_address_that_it_names_as_its_own() -> None:
    page = replace(factories.page("http://list.test/q/5/7"), canonical="http://list.test/q/5")
    assert fetch_yield_of(page, SeenSentences()).canonical == "http://list.test/q/5"


@pytest.mark.parametrize(
    ("link", "mirrored", "alike"), [("/a", True, True), ("/a", False, False), ("http://x.test/", True, False)]
)
def test_a_page_leads_where_its_original_leads_only_if_it_leads_to_something_of_its_host(
    link: str, mirrored: bool, alike: bool
) -> None:
    page = factories.page("http://copy.test/")
    page.links = [Link(urljoin(page.url, link))]
    page.duplicate = Duplicate(1, "http://first.test/", "exact", 1.0, mirrored=mirrored)
    assert fetch_yield_of(page, SeenSentences()).leads_alike is alike


def test_a_page_that_takes_the_place_of_one_that_named_it_brings_what_was_there_and_copies_nothing_where_it_lies() -> None:
    page, seen = factories.page("http://a.test/title", text=SAID, verdict=Verdict(0.9, True, 0.5)), SeenSentences()
    page.outgrown = [Outgrown(1, b"", 1.0, "http://a.test/print/show?id=5")]
    brought = fetch_yield_of(page, seen)
    assert (brought.original, brought.is_home, brought.gain) == ("http://a.test/print/show?id=5", True, 0.0)
    assert {brought.counts(part).copying for part in groups_of(page.url).of_host} == {0.0}


def test_a_copy_with_directories_in_between_has_copied_nothing_in_the_directories_around() -> None:
    """A relative link that grows lies in the directory of the good pages."""
    page, around = "http://man.test/manual/moon/a.html", "p http://man.test/manual/"
    assert FetchYield("http://man.test/manual/sun/moon/a.html", original=page).counts(around).copying == 0.0
    assert FetchYield("http://man.test/manual/sun/mars/b.html", original=page).counts(around).copying > 0.0


@pytest.mark.parametrize("original", ["http://man.test/", "http://man.test/list/", "http://man.test/list/2"])
def test_a_copy_of_a_page_above_it_or_of_another_with_its_number_has_copied(original: str) -> None:
    """Their addresses do not end alike, so that no value is counted for them: a host may answer all with its home page."""
    copy = f"http://man.test/list/of/{'2' if original.endswith('2') else 'all/'}"
    assert FetchYield(copy, original=original).counts("p http://man.test/list/").copying > 0.0
