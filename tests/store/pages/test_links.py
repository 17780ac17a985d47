from __future__ import annotations

import zlib

from hypothesis import given, settings
from hypothesis import strategies as st

from focuscrawl.items import Link
from focuscrawl.store.pages.links import decode, encode

scores = st.floats(0, 1).map(lambda value: round(value, 5))
links = st.builds(
    Link,
    url=st.text(max_size=30),
    anchor=st.text(max_size=30),
    context=st.text(max_size=60),
    position=st.text(max_size=20),
    rel=st.lists(st.text(max_size=8), max_size=2).map(tuple),
    in_site=st.booleans(),
    score=scores,
    parts=st.dictionaries(st.text(min_size=1, max_size=8), scores, max_size=3),
    refused=st.sampled_from(["", "calendar"]),
    language=st.sampled_from(["", "de"]),
)


@given(st.lists(links, max_size=5))
@settings(max_examples=40)
def test_what_goes_in_comes_out(page_links: list[Link]) -> None:
    assert decode(encode(page_links)) == page_links


def test_no_links() -> None:
    assert decode(encode([])) == []
    assert decode(b"") == []


def test_lone_surrogates_do_not_stop_the_store() -> None:
    (link,) = decode(encode([Link("http://a.example/", anchor="bad \ud800 anchor", rel=("\udfff",))]))
    assert (link.anchor, link.rel) == ("bad ? anchor", ("?",))


def test_navigation_that_repeats_takes_little_room() -> None:
    page = [Link(f"http://news.example.com/list/{n}.html", f"News {n}", "The news of today", "body/ul/li/a") for n in range(50)]
    blob = encode(page)
    assert len(blob) < len(zlib.decompress(blob)) / 5
