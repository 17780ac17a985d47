"""Shapes of endless addresses, and of ordinary ones beside them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from focuscrawl.url.traps import REASONS, GrowingPaths, trap_rule

NOW = datetime(2025, 6, 1, tzinfo=UTC).timestamp()
HOST = "http://www.example.com"


@pytest.mark.parametrize(
    ("tail", "rule"),
    [
        ("/a/b/c.html", ""),
        ("/" + "x" * 2100, "length"),
        ("/" + "/".join(f"s{n}" for n in range(21)), "segments"),
        ("/" + "/".join(f"s{n}" for n in range(20)), ""),
        ("/x/x", ""),
        ("/x/x/x/", "repeat"),
        ("/x/a/x/b/x/c", "repeat"),
        ("/a/b/a/b/", "repeat"),
        ("/z/a/b/c/a/b/c", "repeat"),
        ("/a/b/c/b/a", ""),
        ("/a/b/c/b/d", ""),
        ("/django/django/blob/main/django/db/models.py", ""),
        ("/google/gson/tree/main/gson/src/main/java/com/google/gson/annotations", ""),
        ("/pypy/pypy/-/blob/2c13f71c/pypy/module/zipimport/interp.py", ""),
        ("/django/django/blob/main/django/x/django/y/django/z", "repeat"),
        ("/x/x/x/blob/main/a", "repeat"),
        ("/x/src/x/src/", "repeat"),
        ("/2/a/2/b/2/a/3", ""),
        ("/11/11/11/", ""),
        ("/2011/11/2011/11/", ""),
        ("/p?" + "&".join(f"k{n}=1" for n in range(9)), "parameters"),
        ("/p?" + "&".join(f"k{n}=1" for n in range(8)), ""),
        ("/p?a=1&a=1", "query-repeat"),
        ("/p?t=1&t=2&t=3", ""),
        ("/p?t=1&t=2&t=3&t=4", "query-repeat"),
        ("/login?next=%2Flogin%3Fnext%3D%252Flogin%253Fnext%253D", "query-repeat"),
        ("/p?next=%2Fa%3Fb%3Dc", ""),
    ],
)
def test_shapes(tail: str, rule: str) -> None:
    assert trap_rule(HOST + tail, NOW) == rule


@pytest.mark.parametrize(
    ("tail", "trapped"),
    [
        ("/cal/2025/06/", False),
        ("/cal/2026/12", False),
        ("/cal/2027/01/", True),
        ("/cal/1989/12/", True),
        ("/cal/1990/01/", False),
        ("/cal/2031-07", True),
        ("/events/2031-07-15/", True),
        ("/events/2031-7.html", True),
        ("/cal?date=2031-07-01", True),
        ("/cal?year=2031&month=7", True),
        ("/cal?month=203107", True),
        ("/cal?d=20310701", True),
        ("/cal?year=3021", True),
        ("/cal?year=2024", False),
        ("/thread/2999/2", False),
        ("/item/2047", False),
        ("/1984/", False),
        ("/1945-08-15-the-end-of-the-war.html", False),
        ("/p?id=203107", False),
        ("/books/1850/13/", False),
    ],
)
def test_calendars_far_from_today(tail: str, trapped: bool) -> None:
    assert trap_rule(HOST + tail, NOW, parent=f"{HOST}/cal/2025/07/") == ("calendar" if trapped else "")


def test_without_a_clock_only_the_past_is_checked() -> None:
    assert trap_rule(HOST + "/cal/2031/07/") == ""
    assert trap_rule(HOST + "/cal/1931/07/", parent=f"{HOST}/cal/2025/07/") == "calendar"


@pytest.mark.parametrize(
    ("tail", "parent", "refused"),
    [
        ("/post/1936/04/18/1", "/post/1936/04/18/", False),
        ("/post/1936/04/", "/post/1936/", False),
        ("/post/1936/04/", "/", False),
        ("/post/1936/04/", "/post/1990/01/", True),
        ("/post/1936/04/", "/notes/2025/03/the-post-is-online", False),
        ("/post?date=1936-04-18", "/post?page=3", False),
        ("/post?date=1936-04-18", "/post?view=day&date=2025-04-18", True),
    ],
)
def test_an_archive_of_early_years_is_no_calendar_of_today(tail: str, parent: str, refused: bool) -> None:
    assert trap_rule(HOST + tail, NOW, parent=HOST + parent) == ("calendar" if refused else "")


def test_a_relative_link_that_grows_is_stopped_at_once() -> None:
    url, steps = HOST + "/x/", 0
    while not trap_rule(url, NOW):
        url, steps = url + "x/", steps + 1
    assert steps == 2


def test_addresses_that_repeat_their_names_are_ordinary_until_a_directory_shows_many_of_them() -> None:
    growing, page = GrowingPaths(), f"{HOST}/page"
    first = [f"{HOST}/x/a/b/c/b/a", f"{HOST}/x/a/a/b/b/", f"{HOST}/x/b/a/c/a/b"]
    assert not any(growing.grows(url, page) for url in (*first, *first))
    assert growing.grows(f"{HOST}/x/a/b/b/a/", page)
    assert not any(growing.grows(url, page) for url in first)  # what was let through once is
    assert not growing.grows(f"{HOST}/y/a/b/b/a/", page)
    assert not growing.grows(f"{HOST}/x/a/b/c/a/", page)
    assert not growing.grows(f"{HOST}/x/1/1/2/2/", page)


def test_links_of_other_hosts_do_not_grow() -> None:
    growing = GrowingPaths()
    urls = [f"{HOST}/x/a/b/{name}/b/a" for name in "ABCDE"]
    assert not any(growing.grows(url, "http://a.test/post") for url in urls)
    assert [growing.grows(url, f"{HOST}/x/") for url in urls] == [False, False, False, True, True]


def test_sources_that_repeat_the_names_of_owner_and_project_do_not_grow() -> None:
    growing, project = GrowingPaths(), f"{HOST}/owner/kit"
    sources = [f"{project}/blob/main/src/io/github/owner/kit/{name}.java" for name in "ABCDE"]
    assert not any(growing.grows(source, project) for source in sources)
    growing_inside = [f"{project}/blob/main/a/b/{name}/b/a" for name in "ABCDE"]
    assert [growing.grows(url, project) for url in growing_inside] == [False, False, False, True, True]


def test_relative_links_that_grow_end_beside_sources_too() -> None:
    url, steps = HOST + "/p/tree/", 0
    while not trap_rule(url, NOW):
        url, steps = url + f"x/y{steps}/tree/", steps + 1
    assert steps == 2


def test_a_maze_of_relative_links_ends_though_each_address_is_ordinary() -> None:
    growing, waiting, ordinary = GrowingPaths(), [f"{HOST}/browse/"], 0
    while waiting:
        url = waiting.pop()
        if trap_rule(url, NOW) or growing.grows(url, HOST):
            continue
        ordinary += 1
        waiting += [f"{url}{name}/" for name in ("more", "deeper", "archive")]
    assert ordinary == 76


def test_every_name_says_its_reason() -> None:
    assert {"length", "segments", "repeat", "parameters", "query-repeat", "calendar", "yield", "mirror"} == set(REASONS)
