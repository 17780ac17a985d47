from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from models.order.expected_yield import SIZE, SPAN, position_group, sibling_group, url_groups, word_groups


def test_addresses_share_the_groups_of_what_they_begin_with() -> None:
    first = url_groups("http://docs.example/api/twisted.names.client.html")
    second = url_groups("http://docs.example/api/twisted.names.dns.html")
    other = url_groups("http://docs.example/api/twisted.web.http.html")
    assert len(set(first) & set(second)) == 4  # host, api, twisted., twisted.names.
    assert len(set(first) & set(other)) == 3


def test_queries_group_by_their_names() -> None:
    first, second = url_groups("http://a.example/p?id=1&x=2"), url_groups("http://a.example/p?id=7&x=9")
    assert first == second != url_groups("http://a.example/p?page=7")


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_numbers_are_in_range(name: str, other: str) -> None:
    kinds = [
        url_groups("http://a.example/x/y.")[:1],
        [position_group(name, "index", other)],
        [sibling_group(name, other)],
        word_groups([name, other]),
    ]
    assert all(0 < number < SIZE and number % SPAN for kind in kinds for number in kind)
    assert len({number // SPAN for kind in kinds for number in kind}) == len(kinds)  # no kind takes another's numbers


def test_numbers_are_the_same_in_every_process() -> None:
    assert sibling_group("http://a.example/", "ul/li/a") == 630133
