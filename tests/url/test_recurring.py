"""A maze of relative links is left after a few pages; nothing else is taken for one."""

from __future__ import annotations

from collections import deque

import pytest

from focuscrawl.url import recurring
from focuscrawl.url.recurring import RecurringDirectories

HOST = "http://h.test"
NAMES = ("more", "deeper", "archive")


def maze_page(url: str) -> list[str]:
    return [f"{url}{name}/" for name in NAMES]


def read_tree(directories: RecurringDirectories, tree: dict[str, tuple[str, ...]]) -> None:
    """Pages of one host, each with the links that it has."""
    for path, links in tree.items():
        directories.read(HOST + path, [HOST + link for link in links])


@pytest.mark.parametrize("depth_first", [False, True])
def test_a_maze_of_relative_links_is_left_after_seven_pages(depth_first: bool) -> None:
    directories, waiting, read = RecurringDirectories(), deque([f"{HOST}/browse/"]), 0
    while waiting:
        url = waiting.pop() if depth_first else waiting.popleft()
        read += 1
        directories.read(url, maze_page(url))
        waiting.extend(link for link in maze_page(url) if not directories.recurs(link))
        assert read < 50
    assert read == 7


def test_what_lies_beside_a_maze_is_followed() -> None:
    directories = RecurringDirectories()
    for url in (f"{HOST}/browse/", f"{HOST}/browse/more/", f"{HOST}/browse/deeper/"):
        directories.read(url, maze_page(url))
    assert directories.recurs(f"{HOST}/browse/archive/more/")
    assert directories.recurs(f"{HOST}/browse/archive/more/page.html?x=1")
    for path in (
        "/browse/archive/",
        "/browse/archive/page.html",
        "/browse/archive/other/",
        "/archive/more/",
        "/x/archive/more/",
    ):
        assert not directories.recurs(HOST + path), path


def test_pages_in_a_directory_say_to_what_it_leads() -> None:
    """Their links count together, and the pages need not be those of the directories themselves."""
    directories = RecurringDirectories()
    read_tree(
        directories,
        {
            "/news.html": ("/sport/a.html",),
            "/index.html?p=1": ("/money/a.html", "/home.html"),
            "/sport/a.html": ("/sport/sport/a.html",),
            "/sport/b.html": ("/sport/money/a.html",),
            "/money/a.html": ("/money/money/a.html", "/money/sport/b.html"),
        },
    )
    assert directories.recurs(f"{HOST}/sport/money/c.html")


@pytest.mark.parametrize(
    "tree",
    [
        pytest.param(
            {"/": ("/django/",), "/django/": ("/django/django/", "/django/channels/")}, id="a project of its owner's name"
        ),
        pytest.param(
            {
                "/docs/": ("/docs/v11/", "/docs/v12/", "/docs/guide/", "/docs/ref/"),
                "/docs/v11/": ("/docs/v11/guide/", "/docs/v11/ref/"),
                "/docs/v12/": ("/docs/v12/guide/", "/docs/v12/ref/"),
            },
            id="versions of a manual",
        ),
        pytest.param(
            {"/": ("/src/", "/test/"), "/src/": ("/src/main/", "/src/test/"), "/src/main/": ("/src/main/java/",)}, id="sources"
        ),
        pytest.param(
            {
                "/all/": ("/all/ab/", "/all/c/", "/all/2024/"),
                "/all/ab/": ("/all/ab/ab/", "/all/ab/c/", "/all/ab/2024/"),
                "/all/c/": ("/all/c/ab/", "/all/c/c/", "/all/c/2024/"),
                "/all/2024/": ("/all/2024/ab/", "/all/2024/c/", "/all/2024/2024/"),
            },
            id="an archive that is spread over short names",
        ),
        pytest.param(
            {"/": ("/more/", "/back/"), "/more/": ("/more/more/", "/more/back/"), "/back/": ("/more/",)}, id="one that recurs"
        ),
    ],
)
def test_ordinary_directories_do_not_recur(tree: dict[str, tuple[str, ...]]) -> None:
    directories = RecurringDirectories()
    read_tree(directories, tree)
    links = {link for links in tree.values() for link in links}
    assert not [link for link in links if directories.recurs(HOST + link)]


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recurring, "MOST_DIRECTORIES", 6)
    monkeypatch.setattr(recurring, "MOST_NAMES", 4)
    directories = RecurringDirectories()
    for number in range(20):
        top = f"{HOST}/x{number}/"
        for url in (top, f"{top}more/", f"{top}deeper/"):
            directories.read(url, [*maze_page(url), *(f"{url}name{other}/" for other in range(9))])
    assert directories.recurs(f"{HOST}/x19/more/deeper/")
    assert not directories.recurs(f"{HOST}/x1/more/deeper/")
    assert len(directories._directories) == len(directories._found) == 6
    assert max(len(kept.names) for kept in directories._directories.values()) == 4
