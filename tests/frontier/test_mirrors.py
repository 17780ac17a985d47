"""Hosts that show another one's pages are known by a few of them."""

from __future__ import annotations

import json

import pytest

from focuscrawl.frontier.mirrors import ENOUGH, LEAST, SAMPLED, Compared, Mirrors

FIRST, COPY = "http://a.org", "http://b.net"


def repeat(mirrors: Mirrors, count: int, copy: str = COPY, first: str = FIRST, path: str = "/{n}.html") -> list[list[str]]:
    return [mirrors.record(copy + path.format(n=n), f"{first}/{n}.html") for n in range(count)]


def admitted(mirrors: Mirrors, origin: str) -> int:
    return sum(mirrors.admits(f"{origin}/further/{n}") for n in range(1000))


def test_a_few_pages_at_the_same_addresses_make_a_mirror_of_which_samples_are_fetched() -> None:
    mirrors = Mirrors()
    assert repeat(mirrors, ENOUGH) == [[]] * (ENOUGH - 1) + [[COPY]]
    assert mirrors.aliases == {COPY: FIRST}
    assert 1000 / SAMPLED / 2 < admitted(mirrors, COPY) < 1000 / SAMPLED * 2
    assert admitted(mirrors, FIRST) == 1000


def test_two_pages_of_each_are_enough_where_several_hosts_show_the_same_ones_and_then_one_of_another() -> None:
    mirrors = Mirrors()
    names = [f"http://m{number}.net" for number in range(ENOUGH // LEAST)]
    assert [repeat(mirrors, LEAST, name) for name in names][-1] == [[], names]
    assert repeat(mirrors, 1, "http://another.net") == [["http://another.net"]]
    assert repeat(mirrors, 1, "http://other.net", "http://nobody.org") == [[]]


def test_what_is_read_on_one_of_several_mirrors_first_speaks_for_the_others_too() -> None:
    mirrors = Mirrors()
    for number in range(20):
        mirrors.record(f"{FIRST}/own/{number}")
    mirrors.record(f"{COPY}/start")
    names = [f"http://m{number}.net" for number in range(ENOUGH // LEAST)]
    for name in names:
        mirrors.record(f"{name}/start", f"{COPY}/start")
        mirrors.record(f"{name}/own/1", f"{FIRST}/own/1")
    assert mirrors.aliases.keys() == set(names)


def test_an_origin_whose_pages_name_those_of_another_as_their_own_is_its_mirror() -> None:
    mirrors = Mirrors()
    for n in range(ENOUGH):
        assert not mirrors.aliases
        mirrors.record(f"http://www.a.test/{n}.html")
        mirrors.record_home(f"http://a.test/{n}.html", f"http://www.a.test/{n}.html")
    assert mirrors.aliases == {"http://www.a.test": "http://a.test"}
    mirrors.record_home("http://a.test/page", "http://www.a.test/print/page")  # another path
    assert mirrors.aliases == {"http://www.a.test": "http://a.test"}


def test_an_origin_that_pages_of_another_name_as_their_own_is_no_mirror_of_that_one() -> None:
    """Only relevant pages ask for it, so that it has fewer pages at first. Another worker may have read those that named it."""
    one, other = Mirrors(), Mirrors()
    for n in range(20):
        one.record(f"http://a.test/{n}.html")
        if n % 2:
            (other if n > 9 else one).record_home(f"https://a.test/{n}.html", f"http://a.test/{n}.html")
    for part in [*one.take()]:
        other.add(part)
    assert not one.aliases
    assert not other.aliases
    for n in range(0, 20, 2):  # what is off the topic is found there by links, later
        other.record(f"https://a.test/{n}.html", f"http://a.test/{n}.html")
    assert other.aliases == {"http://a.test": "https://a.test"}


def test_home_pages_that_greet_with_the_same_words_make_no_mirrors() -> None:
    mirrors = Mirrors()
    assert not any(mirrors.record(f"http://d{number}.uni.org/", "http://d0.uni.org/") for number in range(1, 20))
    assert admitted(mirrors, "http://d7.uni.org") == 1000


def test_a_home_page_alone_makes_no_further_mirror() -> None:
    mirrors = Mirrors()
    for number in range(ENOUGH // LEAST):
        repeat(mirrors, LEAST, f"http://m{number}.net")
    assert mirrors.record(f"{COPY}/", f"{FIRST}/") == []
    assert admitted(mirrors, COPY) == 1000
    assert mirrors.record(f"{COPY}/1.html", f"{FIRST}/1.html") == [COPY]
    assert mirrors.record("http://other.net/", f"{FIRST}/", leads_alike=True) == ["http://other.net"]


@pytest.mark.parametrize("shared", ["", "imprint.html"])
def test_a_large_host_that_shows_a_single_page_of_several_mirrors_is_not_taken_for_their_original(shared: str) -> None:
    """All of these would be closed, and what the original has besides would be lost."""
    mirrors, large = Mirrors(), "http://large.org"
    for number in range(5 * ENOUGH):
        mirrors.record(f"{large}/own/{number}")
    for origin in (FIRST, COPY):
        mirrors.record(f"{origin}/{shared}", f"{large}/{shared}")
    for number in range(ENOUGH):
        mirrors.record(f"{FIRST}/own/{number}")
        mirrors.record(f"{COPY}/{number}", f"{FIRST}/{number}")
    mirrors.record(f"{FIRST}/last")
    assert large not in mirrors.aliases.values()
    assert mirrors.in_question(f"{FIRST}/last") == []


@pytest.mark.parametrize("name", ["https://d0.uni.org", "http://www.d0.uni.org"])
def test_another_name_of_a_host_makes_no_mirrors_of_those_that_greet_as_it_does(name: str) -> None:
    mirrors = Mirrors()
    assert repeat(mirrors, ENOUGH, name, "http://d0.uni.org")[-1] == [name]
    assert mirrors.record("http://d7.uni.org/", "http://d0.uni.org/") == []
    assert mirrors.aliases == {name: "http://d0.uni.org"}


def test_a_mirror_of_several_that_show_the_same_is_found_once_and_is_open_when_most_pages_are_its_own() -> None:
    mirrors = Mirrors()
    found = [mirrors.record(f"{COPY}/{number}", f"http://m{number}.org/{number}") for number in range(2 * ENOUGH)]
    assert [mirror for each in found for mirror in each] == [COPY]
    for number in range(2 * ENOUGH):
        assert mirrors.record(f"{COPY}/own/{number}") == []
    assert mirrors.aliases
    assert mirrors.record(f"{COPY}/own/last") == []
    assert not mirrors.aliases


def test_the_original_is_the_host_that_has_most_of_the_pages() -> None:
    mirrors = Mirrors()
    mirrors.record(f"{COPY}/0", "http://a-single-page.org/0")
    for number in range(1, ENOUGH):
        mirrors.record(f"{COPY}/{number}", f"{FIRST}/{number}")
    assert mirrors.aliases == {COPY: FIRST}


def test_a_mirror_that_was_read_first_is_known_as_well_and_what_mirrors_it_mirrors_the_original() -> None:
    mirrors = Mirrors()
    for number in range(20):
        mirrors.record(f"{FIRST}/own/{number}")
    mirrors.record(f"{COPY}/")
    mirrors.record(f"{FIRST}/", f"{COPY}/")
    for number in range(ENOUGH):
        repeat(mirrors, LEAST, f"http://m{number}.net", COPY)
    repeat(mirrors, ENOUGH)
    assert mirrors.aliases == {COPY: FIRST, **{f"http://m{number}.net": FIRST for number in range(ENOUGH)}}
    assert admitted(mirrors, FIRST) == 1000


def test_a_mirror_most_of_whose_pages_are_its_own_is_open_again() -> None:
    mirrors = Mirrors()
    repeat(mirrors, ENOUGH)
    for number in range(ENOUGH):
        mirrors.record(f"{COPY}/own/{number}")
        assert mirrors.aliases == {COPY: FIRST}
    assert mirrors.take_opened() == set()
    mirrors.record(f"{COPY}/own/{ENOUGH}")
    assert not mirrors.aliases
    assert (mirrors.take_opened(), mirrors.take_opened()) == ({COPY}, set())
    assert admitted(mirrors, COPY) == 1000
    repeat(mirrors, 6 * ENOUGH)
    assert mirrors.aliases == {COPY: FIRST}


def test_a_mirror_that_is_forgotten_is_open_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.frontier.mirrors.MOST_ORIGINS", 2)
    mirrors = Mirrors()
    repeat(mirrors, ENOUGH)
    mirrors.record("http://one.net/")
    mirrors.record("http://two.net/")
    assert (mirrors.aliases, mirrors.take_opened()) == ({}, {COPY})


def test_copies_at_other_addresses_or_among_own_pages_are_no_mirror() -> None:
    mirrors = Mirrors()
    repeat(mirrors, 50, path="/copied/{n}.html")
    assert not mirrors.aliases
    for number in range(20):
        mirrors.record(f"http://c.org/own/{number}")
    repeat(mirrors, 50, "http://c.org")
    assert not mirrors.aliases


def test_two_hosts_never_refuse_each_other() -> None:
    mirrors = Mirrors()
    repeat(mirrors, ENOUGH)
    repeat(mirrors, 50, FIRST, COPY)
    assert mirrors.aliases == {COPY: FIRST}


def entered_apart() -> Mirrors:
    """Two hosts each of which was read at other addresses, but for a few."""
    mirrors = Mirrors()
    for number in range(3 * ENOUGH):
        mirrors.record(f"{FIRST}/{number}")
        mirrors.record(f"{COPY}/more/{number}")
    for number in range(ENOUGH):
        mirrors.record(f"{COPY}/{number}", f"{FIRST}/{number}")
        mirrors.record(f"{FIRST}/more/{number}", f"{COPY}/more/{number}")
    mirrors.record(f"{FIRST}/last")
    return mirrors


def test_a_host_that_repeats_some_pages_of_a_larger_one_is_compared_with_it_now_and_then() -> None:
    mirrors = entered_apart()
    assert mirrors.aliases == {}
    assert mirrors.in_question(f"{FIRST}/last") == []  # the larger one is the original
    assert mirrors.in_question(f"{COPY}/0") == [FIRST]
    assert mirrors.in_question(f"{COPY}/0") == []
    assert mirrors.in_question("http://unknown.org/") == []
    for number in range(ENOUGH):
        assert mirrors.in_question(f"{COPY}/0") == []
        mirrors.record(f"{COPY}/later/{number}", f"{FIRST}/later/{number}")
        mirrors.record(f"{FIRST}/own/{number}")
    assert mirrors.in_question(f"{COPY}/0") == [FIRST]


def test_a_host_whose_addresses_and_pages_are_the_originals_is_its_mirror() -> None:
    mirrors = entered_apart()
    pages = 4 * ENOUGH
    assert mirrors.in_question(f"{COPY}/0")
    assert mirrors.compare(f"{COPY}/0", FIRST, Compared(pages, pages - 1, 2 * ENOUGH, 2 * ENOUGH)) == [COPY]
    assert mirrors.aliases == {COPY: FIRST}
    assert mirrors.in_question(f"{COPY}/0") == []
    assert admitted(mirrors, COPY) < 1000 / SAMPLED * 2
    for number in range(3 * ENOUGH):  # the original shows the rest of the mirror's pages, too
        mirrors.record(f"{FIRST}/more/{number}", f"{COPY}/more/{number}")
    fresh = Mirrors()
    for part in mirrors.whole():
        fresh.add(part)
    assert fresh.aliases == {COPY: FIRST}


@pytest.mark.parametrize(
    "compared",
    [
        Compared(4 * ENOUGH, 2 * ENOUGH, 2 * ENOUGH, 2 * ENOUGH),
        Compared(4 * ENOUGH, 4 * ENOUGH, 4 * ENOUGH, 2 * ENOUGH),
        Compared(ENOUGH - 1, ENOUGH - 1, ENOUGH - 1, ENOUGH - 1),
    ],
    ids=["sister newspapers: articles of its own", "another version of a manual: other pages there", "too few"],
)
def test_a_host_of_its_own_is_none(compared: Compared) -> None:
    mirrors = entered_apart()
    assert mirrors.in_question(f"{COPY}/0")
    assert mirrors.compare(f"{COPY}/0", FIRST, compared) == []
    assert not mirrors.aliases


def test_several_names_of_one_host_are_compared_with_all_of_them() -> None:
    mirrors, third = Mirrors(), "http://c.org"
    for number in range(2):
        mirrors.record(f"{COPY}/{number}", f"{FIRST}/{number}")
        mirrors.record(f"{COPY}/c/{number}", f"{third}/c/{number}")
    for number in range(ENOUGH + 1):
        mirrors.record(f"{COPY}/own/{number}")
    for number in range(20):
        mirrors.record(f"{third}/{number}/")
    assert mirrors.in_question(f"{COPY}/own/1") == [third, FIRST]


def test_a_forgotten_host_is_no_longer_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("focuscrawl.frontier.mirrors.MOST_ORIGINS", 2)
    mirrors = Mirrors()
    repeat(mirrors, 2)
    for number in range(6):
        mirrors.record(f"{COPY}/own/{number}")
    mirrors.record("http://c.org/")
    mirrors.record("http://d.org/")
    assert mirrors.in_question(f"{COPY}/own/1") == []
    assert mirrors.compare(f"{COPY}/own/1", FIRST, Compared(9, 9, 9, 9)) == []


def test_workers_find_a_mirror_together() -> None:
    one, other = Mirrors(), Mirrors()
    repeat(one, ENOUGH - 1)
    other.record(f"{COPY}/x", f"{FIRST}/x")
    for part in json.loads(json.dumps(list(one.take()))):
        other.add(part)
    assert other.aliases == {COPY: FIRST}
    fresh = Mirrors()
    for part in other.whole():
        fresh.add(part)
    assert fresh.aliases == other.aliases


@pytest.mark.parametrize("part", [{}, {"mirrors": {"a": {"b": -1}}}, {"mirrors": {"a": 3}}])
def test_foreign_parts_are_refused(part: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError, AttributeError)):
        Mirrors().add(part)
