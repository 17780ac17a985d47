from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from models.order.expected_yield import SIZE, SPAN, position_group, sibling_group, url_groups, word_group


def test_addresses_share_the_groups_of_what_they_begin_with() -> None:
    first = url_groups("http://docs.example/api/twisted.names.client.html")
    second = url_groups("http://docs.example/api/twisted.names.dns.html")
    other = url_groups("http://docs.example/api/twisted.web.http.html")
    assert len(set(first) & set(second)) == 4  # host, api, twisted., twisted.names.
    assert len(set(first) & set(other)) == 3


def test_queries_group_by_their_names() -> None:
    first, second = url_groups("http://a.example/p?id=1"), url_groups("http://a.example/p?id=7")
    assert first == second != url_groups("http://a.example/p?page=7")


def test_queries_share_the_groups_of_what_they_begin_with() -> None:
    """A forum tells its boards by parameters, as other sites do by directories."""
    first, same, other, script = (
        set(url_groups(f"http://a.example/{rest}"))
        for rest in ("list?id=3&page=2", "list?id=3&page=7", "list?id=4&page=2", "show?id=3&page=2")
    )
    assert first == same
    assert len(first - other) == len(first - script) == 1


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_numbers_are_in_range(name: str, other: str) -> None:
    kinds = [
        url_groups("http://a.example/x/y.")[:1],
        [position_group(name, "index", other)],
        [sibling_group(name, other)],
        [word_group(name), word_group(other)],
    ]
    assert all(0 < number < SIZE and number % SPAN for kind in kinds for number in kind)
    assert len({number // SPAN for kind in kinds for number in kind}) == len(kinds)  # no kind takes another's numbers


def test_numbers_are_the_same_in_every_process() -> None:
    assert sibling_group("http://a.example/", "ul/li/a") == 630133
