from __future__ import annotations

import pytest

from tools.eval.webs.kinds import KINDS, kinds_of, own_title
from tools.eval.webs.words import Glance

TALK = ["word"] * 80


def page(url: str, title: str = "", links: int = 0) -> Glance:
    return Glance(url, title, TALK, list(range(links)))


def names(one: Glance) -> set[str]:
    return {kind.name for kind in KINDS if kind.holds(one)}


@pytest.mark.parametrize(
    ("one", "kind"),
    [
        (page("http://a.example/_modules/os.html", "os — Docs"), "source code"),
        (page("http://a.example/x_8h_source.html"), "source code"),
        (page("http://a.example/genindex.html", "Index — Docs", links=40), "index of names"),
        (page("http://a.example/a/b.html", "2. Installation — Docs"), "installation"),
        (page("http://a.example/a/b.html", "Getting started | Docs"), "tutorial"),
        (page("http://a.example/whatsnew/3.1.html"), "release notes"),
        (page("http://a.example/index.html", links=9), "home of a manual"),
    ],
)
def test_kinds_by_address_title_and_shape(one: Glance, kind: str) -> None:
    assert kind in names(one)


def test_the_name_of_the_site_and_an_index_without_links_say_nothing() -> None:
    assert names(page("http://a.example/a/b.html", "Lists — Installation Guide")) == set()
    assert names(page("http://a.example/genindex.html", "Index")) == set()
    assert own_title("Lists — Installation Guide") == "Lists"


def test_a_kind_is_on_many_hosts_and_none_has_most_of_it() -> None:
    def web(sizes: list[int]) -> list[Glance]:
        return [page(f"http://h{host}.example/{n}.html", "Tutorial") for host, size in enumerate(sizes) for n in range(size)]

    def found(sizes: list[int]) -> list[str]:
        pages = web(sizes)
        return [name for name, _ in kinds_of(pages, [one.url.split("/")[2] for one in pages])]

    assert found([3, 3, 3]) == []
    assert found([9, 3, 3, 3]) == []
    assert found([4, 4, 4, 4]) == ["tutorial"]
