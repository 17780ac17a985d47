"""The parts of the web that an address belongs to."""

from __future__ import annotations

import pytest

from focuscrawl.url.groups import domain_of, groups_of, names_list, parts_around

HOST = "http://www.example.com"


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/", "/"),
        ("/about.html", "/*.html"),
        ("/p123.html", "/p0.html"),
        ("/cal/2031/07/", "/cal/0/0/"),
        ("/cal/ev-3fa9c2b1", "/cal/ev-x"),
        ("/cal/ev-12345678", "/cal/ev-0"),
        ("/cal/music-in-june-12345", "/cal/*0"),
        ("/cal/2031-07-music-night.html", "/cal/*0.html"),
        ("/p/deadbeef.html", "/p/x.html"),
        ("/cal/x9.html?m=1&d=3&m=2", "/cal/x0.html?d&m"),
        ("/search?q=1", "/*?q"),
        ("/bbs/viewtopic.php?t=5&f=3", "/bbs/viewtopic.php?f&t"),
        ("/bbs/list2.asp?page=5", "/bbs/list0.asp?page"),
        ("/bbs/viewtopic.php", "/bbs/*.php"),
        ("/v2.1/how-to-cook", "/v0.0/*"),
        ("/q/5/how-to-cook/7", "/q/0/*/0"),
        ("/t/how-to-cook/5/7", "/t/*/0/0"),
        ("/t/how-to-cook/5", "/t/*/0"),
        ("/q/5/%E5%A6%82%E4%BD%95/7", "/q/0/*/0"),
        ("/q/5/answers/7", "/q/0/answers/0"),
        ("/how-to-cook/", "/*/"),
        ("/2024/05/how-to-cook/", "/0/0/*/"),
        ("/10-ways-to-cook/", "/*0/"),
        ("/" + "%E5%A6%82%E4%BD%95" * 4 + "/", "/*0/"),
        ("/q/5/how-to-cook/", "/q/0/*/"),
        ("/about-us/", "/about-us/"),
        ("/2024-05-07/", "/0-0-0/"),
        ("/how-to-cook/rice/", "/how-to-cook/rice/"),
        ("/2024/news-and-events/7/x", "/0/*/0/*"),
        ("/threads/hello.123/", "/threads/*/"),
        ("/threads/hello.123/post-7", "/threads/*/post-0"),
        ("/t/how-to-cook-123/page-2", "/t/*/page-0"),
        ("/best-of-the-2024/x", "/best-of-the-0/*"),
        ("/python.v2.1/x", "/python.v0.0/*"),
        ("/p/how-to-cook-good-rice/comments", "/p/*/*"),
        ("/p/how-to-cook-good-rice/comment/7", "/p/*/comment/0"),
        ("/how-to-cook-good-rice/", "/*/"),
        ("/item/%E6%98%9F%E4%BA%91?from=x", "/item/*?from"),
        ("/item/%E9%BB%91%E6%B4%9E", "/item/*"),
        ("/item/%E9%BB%91%E6%B4%9E12.html", "/item/*0.html"),
        ("/2024/news-and-events/x", "/0/news-and-events/*"),
    ],
)
def test_templates_mask_what_differs_from_page_to_page(path: str, template: str) -> None:
    assert groups_of(HOST + path).template == f"t {HOST}{template}"


def test_the_narrowest_part_comes_first() -> None:
    assert groups_of(HOST + "/a/2031/c/x7.html?q=1").within == (
        f"t {HOST}/a/0/c/x0.html?q",
        f"k {HOST}/a/0/?q",
        f"p {HOST}/a/0/",
        f"p {HOST}/a/",
        f"h {HOST}",
        "d example.com",
    )


@pytest.mark.parametrize(
    "path",
    [
        "/2024/news-and-events/x",
        "/q/5/how-to-cook/7",
        "/t/how-to-cook/5/7",
        "/t/hello.12/x",
        "/best-of-the-2024/x",
        "/a/2031/c/x7.html?q=1",
    ],
)
def test_the_parts_around_a_template_are_those_of_its_urls(path: str) -> None:
    groups = groups_of(HOST + path)
    assert parts_around(groups.template) == groups.around
    assert all(parts_around(key) == parts_around(groups.template) for key in groups.keys)


def test_parameters_belong_to_their_directory_and_those_of_a_script_to_it() -> None:
    """One board of a forum whose lists bring nothing says nothing of the lists of another."""
    assert groups_of(HOST + "/a/list.php?f=1").keys == (f"k {HOST}/a/list.php?f",)
    assert groups_of(HOST + "/b/list.php?f=1").keys == (f"k {HOST}/b/list.php?f",)
    assert groups_of(HOST + "/a/post.php?f=1").keys == (f"k {HOST}/a/post.php?f",)
    assert groups_of(HOST + "/a/shoes.html?f=1").keys == groups_of(HOST + "/a/hats?f=1").keys == (f"k {HOST}/a/?f",)
    assert groups_of(HOST + "/a/b/c/d?f=1").keys == (f"k {HOST}/a/b/?f",)
    assert groups_of(HOST + "/list.php?f=1").keys == (f"k {HOST}/list.php?f",)
    assert groups_of(HOST + "/hats?f=1").keys == (f"k {HOST}/?f",)


def test_origins_differ_by_port_and_domains_do_not() -> None:
    assert groups_of("http://a.b.co.uk:8080/").host != groups_of("http://a.b.co.uk/").host
    assert domain_of("http://a.b.co.uk:8080/x") == domain_of("https://c.b.co.uk/") == "b.co.uk"


@pytest.mark.parametrize(
    "path",
    ["/tags/git", "/tag/git/", "/tag/git/page/2/", "/questions/tagged/git?tab=votes&page=2", "/category/tech?page=3",
     "/author/jane/", "/2019/", "/blog/2019/03/", "/2019/03/page/2/", "/2019/03/14/"],
)  # fmt: skip
def test_addresses_of_lists(path: str) -> None:
    assert names_list(f"http://a.test{path}")


@pytest.mark.parametrize(
    "path", ["/", "/tags/", "/archives/123", "/authors/jane.html", "/category/tech/a-post/", "/2019/03/14/a-post/", "/2019/13/"]
)
def test_addresses_of_other_pages(path: str) -> None:
    assert not names_list(f"http://a.test{path}")
