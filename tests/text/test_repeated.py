from __future__ import annotations

import pytest

from focuscrawl.recent import SHARE
from focuscrawl.text.clean import bare
from focuscrawl.text.repeated import HELD, PIECES, SITES, Site, SiteTexts, digest

MENU, OFTEN, ONCE = (digest(bare(text)) for text in ("a menu of this site", "a section of it", "this page alone"))
SUBJECTS = {"menu": 1, "label": 2}
"""Of votes."""


def taught(pages: int, host: str = "a.example", **votes: bool) -> SiteTexts:
    sites = SiteTexts()
    ended = {SUBJECTS[name]: {won} for name, won in votes.items()}
    for number in range(pages):
        pieces = [MENU, digest(f"text of page number {number}"), *[OFTEN] * (number % 2)]
        sites.of(host).learn(f"http://{host}/{number}", pieces, ended)
    return sites


def test_what_nearly_all_pages_share() -> None:
    found = taught(10).of("a.example")
    assert found.always([MENU, OFTEN, ONCE]) == {MENU}
    assert found.often([MENU, OFTEN, ONCE]) == {MENU, OFTEN}


def test_few_pages_teach_nothing() -> None:
    assert not taught(4).of("a.example").always([MENU])
    assert not taught(10).of("b.example").always([MENU])


def test_what_most_of_many_pages_share() -> None:
    assert taught(10).of("a.example").mostly([MENU, OFTEN, ONCE]) == {MENU, OFTEN}
    assert not taught(9).of("a.example").mostly([MENU])


def test_a_revisit_teaches_nothing_new() -> None:
    site = Site()
    for _ in range(20):
        site.learn("http://a.example/same", [ONCE], {SUBJECTS["menu"]: {False}})
    assert not site.always([ONCE])
    assert site.settled(SUBJECTS["menu"]) is None


def test_labels_are_too_short_to_tell() -> None:
    assert digest(bare("Notes: 1")) == 0
    site = Site()
    for number in range(9):
        site.learn(f"http://a.example/{number}", [0], {})
    assert not site.always([0])


def test_a_vote_is_settled_when_it_has_ended_alike_on_page_after_page() -> None:
    site = taught(9, menu=False, label=True).of("a.example")
    assert (site.settled(SUBJECTS["menu"]), site.settled(SUBJECTS["label"])) == (False, True)
    assert site.settled(ONCE) is None
    site.learn("http://a.example/other", [], {SUBJECTS["menu"]: {True}, SUBJECTS["label"]: {True, False}})
    assert (site.settled(SUBJECTS["menu"]), site.settled(SUBJECTS["label"])) == (None, None)


def test_on_a_sample_of_the_pages_nothing_is_settled() -> None:
    settled = [taught(pages, menu=False).of("a.example").settled(SUBJECTS["menu"]) for pages in range(60)]
    assert settled.count(None) == 8 + 2  # the first ones, and two of the others
    assert settled.count(False) == 50


def test_memory_is_bounded() -> None:
    sites = taught(10)
    site = sites.of("a.example")
    for number in range(20):
        pieces = range(number * PIECES + 1, number * PIECES + 800)
        site.learn(f"http://a.example/large/{number}", pieces, {piece: {True} for piece in pieces})
    assert len(site.counts) <= PIECES
    assert len(site.runs) <= PIECES
    assert sites.of("a.example").often([MENU])
    for number in range(SITES):
        sites.of(f"{number}.example").learn("http://x.example/", [], {})
    assert SITES - SITES // SHARE <= len(sites._sites) <= SITES
    assert not sites.of("a.example").often([MENU])


def test_many_sites_together_are_bounded() -> None:
    sites = SiteTexts()
    for number in range(2 * HELD // 3_000):
        sites.of(f"{number}.example").learn("http://x.example/", range(1, 3_000), {})
    assert sum(site.held for site in sites._sites.values()) <= HELD + 3_000


@pytest.mark.parametrize("hosts", [300, 1000])
def test_what_repeats_is_known_of_many_hosts_that_take_turns(hosts: int) -> None:
    sites = SiteTexts()
    for page in range(30_000 // hosts):
        for host in range(hosts):
            site = sites.of(f"{host}.example")
            assert (MENU in site.always([MENU])) == (page >= 5)
            first = 60 * (page * hosts + host) + 1_000
            site.learn(f"http://{host}.example/{page}", [MENU, *range(first, first + 60)], {})
    assert sum(site.held for site in sites._sites.values()) <= HELD + 100
