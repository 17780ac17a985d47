"""Which page that says the same as another one is a further page of the same list, and which one a mirror may have."""

from __future__ import annotations

import pytest

from focuscrawl.items import Link
from focuscrawl.links.series import (
    how_it_repeats,
    is_other_column,
    is_other_section,
    leads_on,
    links_below,
    links_in_version,
    mirrored,
    text_or_frames,
)
from tests import factories

HOST = "http://a.test"
MENU = (Link(HOST + "/"), Link(HOST + "/about"))


def page(number: int, first: int, form: str = "/list?page={}", anchor: str = "Next", tail: str = "") -> tuple[str, list[Link]]:
    """The URL and the links of one page of a list: three pictures from the number `first` on, and the next page."""
    entries = [Link(f"{HOST}/photo/{first + n}{tail}") for n in range(3)]
    return HOST + form.format(number), [*MENU, *entries, Link(HOST + form.format(number + 1), anchor)]


@pytest.mark.parametrize("anchor", ["Next", "next page »", "Older posts", "3", "下一页", "上一頁", "›", "第 3 页"])
@pytest.mark.parametrize("form", ["/list?page={}", "/list/{}.html", "/list/page/{}/"])
def test_other_entries_and_neighbors_make_a_further_page(anchor: str, form: str) -> None:
    assert leads_on(*page(2, 4, form, anchor), *page(1, 1, form, anchor))


def test_a_neighbor_may_be_named_by_its_relation_or_by_the_other_page_alone() -> None:
    url, links = page(2, 4)
    related = [*links[:-1], Link(HOST + "/list?page=3", "onwards", rel=("next",))]
    assert leads_on(url, related, *page(1, 1, anchor="onwards"))
    assert leads_on(url, links[:-1], *page(1, 1))
    assert not leads_on(url, links[:-1], *page(1, 1, anchor="Next generation telescopes"))


def test_a_list_that_goes_on_for_ever_with_the_same_entries_is_a_copy() -> None:
    assert not leads_on(*page(99, 1), *page(1, 1))
    url, links = page(2, 1)
    assert not leads_on(url, [*links, Link(HOST + "/list?color=red", "red")], *page(1, 1))


def test_the_first_page_of_a_list_whose_entries_the_home_has_too_leads_on() -> None:
    url, links = page(1, 1)
    home = HOST + "/", links[:-1]
    assert leads_on(url, links, *home)
    assert leads_on(url, [*links[:-1], Link(HOST + "/list/2", "2"), Link(HOST + "/list/2", ">")], *home)
    assert not leads_on(url, [*links, Link(HOST + "/list?page=0", "Previous")], *home)
    assert not leads_on(url, [*links, Link(HOST + "/list?page=0", "newest", rel=("prev",))], *home)
    assert not leads_on(*home, url, links)


def test_a_copy_for_another_session_or_on_another_host_leads_to_the_same() -> None:
    first, second = (page(1, 1, f"/list?sid={sid}&page={{}}", tail=f"?sid={sid}") for sid in ("a1", "b2"))
    assert not leads_on(*second, *first)
    first, second = (page(1, 1, f"/list?sid={sid}&page={{}}", tail="?sid=c3") for sid in ("a1", "b2"))
    assert not leads_on(*second, *first)
    url, links = page(2, 4)
    assert not leads_on(url, links, "http://b.test/list", links[:3])
    outside = [*MENU, Link("http://elsewhere.test/"), links[-1]]
    assert not leads_on(url, outside, *page(1, 1))


@pytest.mark.parametrize("position", ["meta", "html/frameset/frame", "body/div.main/iframe.content"])
def test_a_page_that_only_shows_another_one_leads_on_to_that(position: str) -> None:
    def shell(shown: int) -> tuple[str, list[Link]]:
        return f"{HOST}/jump?id={shown}", [*MENU, Link(f"{HOST}/view?id={shown}", position=position)]

    assert leads_on(*shell(2), *shell(1))
    assert not leads_on(HOST + "/other", shell(1)[1], *shell(1))


def test_a_mirror_leads_to_the_addresses_of_its_original_and_another_site_to_more() -> None:
    url, links = page(1, 1)
    links.append(Link("http://elsewhere.test/"))
    there = [Link(link.url.replace("//a.test", "//b.test")) for link in links]
    assert mirrored("http://b.test/list?page=1", there, url, links)
    assert mirrored("http://b.test/list?page=1", [], url, links)
    assert not mirrored("http://b.test/list?page=1", [*there, Link("http://b.test/of-its-own")], url, links)
    assert mirrored("http://b.test/list?page=1", [*there, Link("http://further-mirror.test/list?page=1")], url, links)
    assert mirrored("http://b.test/list?page=1", [Link("http://elsewhere.test/")], url, links)
    assert mirrored("http://b.test/list?page=1", [Link(link.url.replace("http:", "https:")) for link in there], url, links)
    assert not mirrored("http://b.test/list?page=1", [Link("http://www2.b.test/")], url, links)  # a page that only sends on
    assert not mirrored(HOST + "/list", links, url, links)
    assert not mirrored("http://www.a.test/list", links, url, links)


@pytest.mark.parametrize(
    ("url", "other", "leads", "is_other"),
    [
        ("/archives/users/", "/archives/dev/", ["/archives/users/2020-May/date.html"], True),
        ("/doc/alpha/index.html", "/doc/bravo/index.html", ["/doc/alpha/single/"], True),
        ("/archives/users/", "/archives/dev/", ["/archives/users/", "/archives/dev/2020-May/date.html"], False),
        ("/s/1f2e3d4c/list", "/s/9a8b7c6d/list", ["/s/1f2e3d4c/page"], False),
        ("/docs/2019/list", "/docs/2020/list", ["/docs/2019/page"], False),
        ("/list/color/red/size", "/list/size/red/color", ["/list/color/red/size/2"], False),
        ("/list/red", "/list/blue", ["/list/red/2"], False),
        ("/color/red/size/m", "/color/blue/size/m", ["/color/blue/size/m", "/color/red/size/l", "/color/red/size/m/2"], False),
        ("/color/red/size/m/", "/color/blue/size/m/", ["/color/green/size/m/", "/color/red/size/l/"], False),
        ("/doc/alpha/index.html", "/doc/bravo/index.html", ["/doc/bravo/index.html", "/doc/alpha/x.html"], True),
        ("/a/users/2020-May/", "/a/dev/2020-May/", ["/a/users/2020-June/", "/a/users/2020-May/1.html"], True),
        ("/a/users/", "/a/dev/more/", ["/a/users/2"], False),
    ],
)
def test_lists_of_other_sections_say_the_same_and_lead_to_their_own_pages(
    url: str, other: str, leads: list[str], is_other: bool
) -> None:
    links = [*MENU, *(Link(HOST + each) for each in leads)]
    assert is_other_section(HOST + url, links, HOST + other) is is_other
    assert not is_other_section(HOST + url, links, "http://b.test" + other)


@pytest.mark.parametrize(
    ("url", "other", "followed"),
    [
        ("/docs/next/t0", "/docs/main/t0", ["next/t1", "next/t2", "next/t3", "next/t4"]),
        ("/docs/next/t0", "/docs/t0", ["next/t1", "next/t2", "next/t3", "next/t4"]),
        ("/docs/t0", "/docs/next/t0", ["main/t1", "t1"]),
        ("/docs/t0", "/docs/t9", []),
        ("/docs/2019/t0", "/docs/2020/t0", []),
    ],
)
def test_a_copy_in_another_version_of_a_manual_leads_to_that_version(url: str, other: str, followed: list[str]) -> None:
    """One manual equalled another in its first page alone: 66 of its 121 pages were found."""
    names = ["main/t1", "next/t1", "t1", "next/t2", "next/t3", "next/t4"]
    links = [Link(f"{HOST}/docs/{name}") for name in names]
    assert links_in_version(HOST + url, links, HOST + other) == {f"{HOST}/docs/{name}" for name in followed}


def test_a_page_of_a_manual_with_a_next_page_is_a_copy_of_it_in_another_version() -> None:
    """It counted as a further page of a list, so that no version was known to say the same as another."""
    url, own = (
        HOST + "/docs/2.x/t1",
        [Link(f"{HOST}/docs/2.x/{name}", anchor) for name, anchor in (("only", ""), ("t2", "Next"))],
    )
    other, others = HOST + "/docs/t1", [*MENU, Link(HOST + "/docs/t0"), Link(HOST + "/docs/t2", "Next")]
    for kind in ("content", "index"):
        copies = how_it_repeats(url, [*MENU, *own], kind, other, others, kind)
        assert copies == (False, False, frozenset(link.url for link in own))


@pytest.mark.parametrize(
    ("url", "other", "followed"),
    [
        ("/music/mus114/slides/", "/physics/phy107/slides/", ["/music/mus114/slides/1", "/music/mus114/slides/more/2"]),
        ("/2023-fall/ast101/lec/", "/2021-fall/ast101/lec/", ["/2023-fall/ast101/lec/1"]),
        ("/2023-fall/ast101/", "/archive/2019/ast101/", ["/2023-fall/ast101/lec/"]),
        ("/sittings/2023/05/index.html", "/sittings/2023/04/index.html", ["/sittings/2023/05/11/votes.html"]),
        ("/ast101/week1", "/ast101/week2", ["/ast101/week1/notes"]),
        ("/twx/kcjs/2023/", "/yxy/kcjs/2022/", ["/twx/kcjs/2023/01.htm"]),
        ("/kc102/list.htm", "/kc101/list.htm", ["/kc102/01.htm"]),
        ("/s/1f2e3d4c/about", "/s/9a8b7c6d/about", []),
        ("/list/red/small/", "/list/small/red/", []),
        ("/manual/moon/sun/", "/manual/sun/", []),
        ("/list/?color=red", "/toys/", []),
    ],
)
def test_a_copy_leads_to_what_is_below_its_own_address(url: str, other: str, followed: list[str]) -> None:
    """Of 84 lectures of a made university 12 were found, because the list of each course said the same."""
    strange = ["/", other, other + "1", "/s/1f2e3d4c/page", url]
    own = followed or [url.partition("?")[0].rstrip("/") + "/1"] * (not url.endswith("about"))
    links = [Link(HOST + each) for each in (*strange, *own)]
    assert links_below(HOST + url, links, HOST + other) == {HOST + each for each in followed}
    assert not links_below(HOST + url, links, "http://b.test" + other)


def test_whether_a_list_is_that_of_another_course_is_open_until_what_is_below_it_is_read() -> None:
    url, other = HOST + "/music/mus114/slides/", HOST + "/music/mus107/slides/"
    links = [*MENU, Link(url + "1")]
    others = [*MENU, Link(other + "1")]
    assert how_it_repeats(url, links, "index", other, others, "index") == (True, False, frozenset({url + "1"}))
    assert how_it_repeats(url, [*MENU], "index", other, others, "index") == (False, False, frozenset())
    assert how_it_repeats(url, links, "content", other, others, "content") == (False, False, frozenset())  # of an article
    more = [*links, Link(url + "2")]
    assert how_it_repeats(url, more, "content", other, others, "content") == (True, False, frozenset({url + "1", url + "2"}))
    section = HOST + "/music/", HOST + "/arts/"
    assert how_it_repeats(section[0], links, "index", section[1], others, "index") == (True, False, frozenset())


@pytest.mark.parametrize(
    ("url", "leads", "is_other"),
    [
        ("/list_3.html", ["/show/301.html", "/show/302.html"], True),
        ("/list_3.html", ["/301.html"], True),
        ("/list_3.html", ["/show/101.html"], False),
        ("/list_3.html", ["/list_4.html", "/list_3.html?order=date"], False),
        ("/news/", ["/show/301"], True),
        ("/news/", ["/news/2024/301.html"], True),
        ("/news-and-events/", ["/the-new-engine/"], True),
        ("/news/red/small/", ["/news/small/red/", "/news/red/small/new/"], False),
        ("/list_3.html", ["http://b.test/show/301.html"], False),
    ],
    ids=[
        "entries",
        "in no directory",
        "known entries",
        "lists and filters",
        "a directory",
        "below it",
        "posts",
        "filters as a path",
        "another site's",
    ],
)
def test_a_column_that_says_what_the_side_bar_says_leads_to_its_own_entries(url: str, leads: list[str], is_other: bool) -> None:
    side_bar = [*MENU, Link(HOST + "/show/101.html")]
    links = [*side_bar, *(Link(each if ":" in each else HOST + each) for each in leads)]
    for other in ("/", "/list_1.html", "/arts/", "/food-and-drink/"):
        assert is_other_column(HOST + url, links, HOST + other, side_bar) is is_other
    assert not is_other_column(HOST + url, links, "http://b.test/", side_bar)


@pytest.mark.parametrize(
    ("entry", "is_other"),
    [
        ("/lecture.php?id={n}", True),
        ("/lecture-{n}.php?id=7", False),
        ("/lecture-{k}.php?id={n}", False),
        ("/course.php?id={n}", False),
    ],
    ids=["its own", "in another session", "in a session of each link", "other courses"],
)
def test_a_course_that_is_named_by_a_field_leads_to_lectures_that_are_named_by_the_same_field(
    entry: str, is_other: bool
) -> None:
    """The lists of all courses said the same: of 72 lectures 12 were found."""
    links, others = ([Link(HOST + entry.format(n=n, k=n % 10)) for n in range(first, first + 8)] for first in (70, 90))
    if entry.startswith("/lecture-{n}"):
        others = links
    url, other = f"{HOST}/course.php?id=5", f"{HOST}/course.php?id=6"
    assert is_other_column(url, [*MENU, *links], other, [*MENU, *others]) is is_other


MAIN = Link("http://a.test/main.html", position="html/frameset/frame")
SIDE = Link("http://a.test/menu.html", position="frameset/frame")


@pytest.mark.parametrize(
    ("text", "links", "other", "same"),
    [
        ("", [MAIN, SIDE], [SIDE, MAIN], True),
        ("", [MAIN, SIDE], [MAIN, SIDE, Link("http://a.test/frames.html", rel=("canonical",))], True),
        ("", [MAIN, SIDE], [MAIN], False),
        ("", [MAIN, SIDE], [MAIN, SIDE, Link("http://a.test/5", position="body/a")], False),
        ("text", [MAIN], [MAIN], False),
    ],
)
def test_a_page_of_frames_alone_is_what_it_shows(text: str, links: list[Link], other: list[Link], same: bool) -> None:
    one, twin = factories.page("http://a.test/?page=1", text=text), factories.page("http://a.test/?page=2")
    one.links, twin.links = links, other
    assert (text_or_frames(one) == text_or_frames(twin) != "") is same
    assert not text or text_or_frames(one) == text
