"""The words of an element."""

from __future__ import annotations

from focuscrawl.text.document import parse
from focuscrawl.text.words import words_of


def test_the_words_of_blocks_in_an_element_are_apart() -> None:
    body = parse("<h3>Title.</h3><p>(a teaser)</p><button>Buy</button><script>x()</script><p>foo<b>()</b> ends").tree.body
    assert body is not None
    assert words_of(body) == "Title. (a teaser) Buy foo() ends"
    assert words_of(body, 8) == "Title. ("


def test_the_joints_of_a_huge_element_are_not_looked_at_one_by_one() -> None:
    body = parse("<b>a</b>b" * 30_000).tree.body
    assert body is not None
    assert words_of(body, 7) == "a b a b"
